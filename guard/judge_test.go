package guard_test

import (
	"context"
	"errors"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/golden"
)

func TestEveryTitleOfAnEnumerationNeedsItsCall(t *testing.T) {
	cases := []struct {
		name, text string
		passes     bool
	}{
		{"the one that was deleted", "I've deleted Read book.", true},
		{"one more", "I've deleted Read book and Call mom.", false},
		{"one more, in quotes", `I've deleted "Read book" and "Call mom".`, false},
		{"one more, before", "I've deleted Call mom, Read book.", false},
		{"another one beside it, as it is", "I've deleted Read book. Call mom is still open.", true},
		{"a title within a title", "I've deleted Read book, not Return book to library.", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			say := guardtest.Say(c.text)
			reply, err := guardFor(t, w, nil).Run(context.Background(), guardtest.Script(guardtest.Call(deletes("Read book")), say, say, say, say), w, ask("delete Read book"))
			if (err == nil) != c.passes || err != nil && !errors.Is(err, guard.ErrInsufficientProgress) {
				t.Errorf("%+v: %v", reply.Verdict, err)
			}
		})
	}
}

func TestTheCorrectionNamesTheTitle(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book and Call mom."), guardtest.Call(deletes("Call mom")), guardtest.Say("I've deleted Read book and Call mom."))
	if _, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book and Call mom")); err != nil || w.has(callMom) {
		t.Error(err)
	}
	told := model.Requests()[2].Messages
	golden.Check(t, "overclaim.txt", told[len(told)-1].Text)
}
