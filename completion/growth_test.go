package completion

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/internal/timetest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// growths are pieces of text that, repeated, make a judgement look at many
// claims, names, lists, quotations, marks or letters at once.
var growths = []string{
	"I've sent it. ", "I've sent the mail to Bob. ", "Done! ", "- deleted item 7\n", "1. Read book\n", "| a | b |\n", "I have deleted \"Read book\". ",
	"The order 551 was cancelled, ", "and then ", "because ", "I will send it. ", "Shall I send it? ", "I could not send it. ", "not ", "never ",
	"a", "word ", "123 ", "12.50 EUR ", "2026-06-12 ", "at 9 pm ", "bob@example.org ", "BK-5590 ", "https://example.org/a ", "(", "\"", "'", "`", "```\n",
	"**bold** ", "# Title\n", "> quoted\n", "{\"a\":1}", "[", "\\", "é", "買い物 ", "👍", "\u200b", "\n", "I've moved 3 of 7 files and deleted job-1, job-2 and job-3. ",
}

// TestTimeGrowsWithTheText: four times the text takes about four times as long,
// whatever it is made of, and a megabyte is judged while somebody waits.
func TestTimeGrowsWithTheText(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("measures time")
	}
	evaluator := New(nil)
	records := make([]*tooltrack.Record, 20)
	for i := range records {
		records[i] = &tooltrack.Record{Call: tooltrack.Call{Tool: "send_mail", Args: []byte(fmt.Sprintf(`{"to":"user%d@example.org"}`, i))}, Effect: tooltrack.Changes, Result: tooltrack.Result{Status: tooltrack.Succeeded}}
	}
	took := func(piece string, size int, records ...*tooltrack.Record) time.Duration {
		turn := Case{User: "send it", Text: strings.Repeat(piece, size/len(piece)), Tools: []tooltrack.Tool{{Name: "send_mail", Effect: tooltrack.Changes}}, Records: records}
		best := time.Hour
		for range 3 { // the least of three is the machine's own speed
			began := time.Now()
			evaluator.Evaluate(turn)
			best = min(best, time.Since(began))
		}
		return best
	}
	for _, piece := range growths {
		timetest.Holds(t, func() error {
			small, large := took(piece, 32<<10, records...), took(piece, 128<<10, records...)
			if large > 10*small && large > 10*time.Millisecond {
				return fmt.Errorf("%.20q: %v for 32 KiB, %v for 128 KiB", piece, small, large)
			}
			return nil
		})
	}
	timetest.Holds(t, func() error {
		megabyte, bare := took("I've sent the mail to Bob. ", 1<<20, records...), took("I've sent the mail to Bob. ", 1<<20)
		t.Logf("a megabyte takes %v, one of mere lies %v", megabyte, bare)
		if max(megabyte, bare) > 500*time.Millisecond || bare > 4*megabyte {
			return fmt.Errorf("a megabyte takes %v, one of mere lies %v", megabyte, bare)
		}
		return nil
	})
}
