package turns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestLongTurnsAreJudged: no text of 100 kB with a hundred calls is too much work, whatever it
// is made of.
func TestLongTurnsAreJudged(t *testing.T) {
	g, err := judging()
	if err != nil {
		t.Fatal(err)
	}
	for number := range uint64(12) {
		m := maker{rand.New(rand.NewPCG(number, 2)), "bob"}
		turn := guard.Recorded{User: m.of(requests)}
		piece := m.text(14) + m.of(reports) + m.of(marks)
		turn.Text = strings.Repeat(piece, 100_000/len(piece))
		for range 100 {
			turn.Records = append(turn.Records, m.record())
		}
		if _, err := g.Judge(t.Context(), turn); err != nil {
			t.Errorf("%q: %v", piece, errors.Unwrap(err))
		}
		if _, err := g.Question(t.Context(), turn); err != nil {
			t.Errorf("%q: %v", piece, errors.Unwrap(err))
		}
	}
}

// tooMuch is a text whose claims have to be held, one by one, against more than anybody reads:
// each tells what one call did.
func tooMuch() (string, []*tooltrack.Record) {
	const lines, calls, entries = 400, 400, 100
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, "I've sent bob%d %d items.\n", i, i)
	}
	var list []map[string]any
	for i := range entries {
		list = append(list, map[string]any{"name": fmt.Sprintf("Ann Hart%d", i), "total": i})
	}
	data, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings and numbers can be written
	}
	records := make([]*tooltrack.Record, calls)
	for i := range records {
		records[i] = &tooltrack.Record{Call: tooltrack.Call{Tool: "send_email", Args: fmt.Appendf(nil, `{"to":"bob%d","items":%d}`, i, i)}}
		records[i].Effect, records[i].Result = tooltrack.Changes, tooltrack.Result{Status: tooltrack.Succeeded, Data: data}
	}
	return text.String(), records
}

// TestTooMuchWorkIsNotJudged: what would take too much work ends as what cannot be judged does.
func TestTooMuchWorkIsNotJudged(t *testing.T) {
	g, err := judging()
	if err != nil {
		t.Fatal(err)
	}
	text, records := tooMuch()
	turn := guard.Recorded{User: "send the emails to bob1 and ann", Text: text, Records: records}
	if judged, err := g.Judge(t.Context(), turn); !errors.Is(err, guard.ErrUnjudged) || !errors.Is(err, match.ErrTooMuch) {
		t.Fatalf("%v %v", judged.Tier, err)
	} else if !strings.Contains(err.Error(), "too much work") {
		t.Errorf("it is told as %q", err)
	}
	if _, err := g.Judge(t.Context(), guard.Recorded{User: "send it", Text: "I've sent it."}); err != nil {
		t.Errorf("the next turn: %v", err)
	}
}

// TestTooMuchWorkIsWithheld: in a living turn the account stands in its place, and a guard that
// observes hands it on.
func TestTooMuchWorkIsWithheld(t *testing.T) {
	text, records := tooMuch()
	for _, observes := range []bool{false, true} {
		g, err := guard.New(offered, &guard.Options{Observe: observes, Budgets: guard.Budgets{Rounds: 20}})
		if err != nil {
			t.Fatal(err)
		}
		left := records
		model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			message := guard.Message{Role: guard.RoleAssistant}
			for ; len(left) > 0 && len(message.Calls) < guard.MaxCalls; left = left[1:] {
				message.Calls = append(message.Calls, left[0].Call)
			}
			if len(message.Calls) == 0 {
				message.Text = text
			}
			return guard.Response{Message: message}, nil
		})
		tools := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return records[0].Result.Data, nil })
		reply, err := g.Run(t.Context(), model, tools, guard.Input{User: "send the emails to bob1 and ann", Owner: "ann"})
		if observes != (err == nil && reply.Text == text) || observes == errors.Is(err, guard.ErrUnjudged) {
			t.Errorf("observing %v: %v", observes, err)
		}
	}
}
