package completion

import (
	"fmt"
	"os"
	"testing"
)

func TestDbg(t *testing.T) {
	e := New(nil)
	j := e.judges.Get().(*judge)
	turn := Turn{User: os.Getenv("U"), Text: os.Getenv("T"), Tools: assistant, Records: recordsOf(os.Getenv("C"), assistant)}
	j.reset(&turn)
	j.text.read(turn.Text)
	j.signals = j.text.signals()
	for _, ev := range j.text.events {
		c, ok := j.claim(&ev)
		fmt.Printf("%s: verb=%q shape=%d act=%s void=%d from=%q subj=%d claim=%v fault=%q\n", j.text.slice(ev.from, ev.to), j.text.token(ev.verb), ev.shape, ev.act, ev.void, j.text.token(ev.from), ev.subj, ok, c.Fault)
	}
	fmt.Printf("%+v asked=%s\n", j.signals, j.asked)
}
