package guard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
)

// TestWhatIsOnRecordIsToldOnce: whatever is in doubt, due, withheld or kept quiet, and
// whether the model is still asked or not.
func TestWhatIsOnRecordIsToldOnce(t *testing.T) {
	const heading = "On record in this turn:"
	const earlier = "Hello there.\n\n" + heading + "\nNothing was changed in this turn."
	claims := []completion.Claim{{Text: "It is gone.", Tier: completion.Unsure, Doubt: 0.9}}
	expected := map[string][]intent.Expectation{
		"nothing":  nil,
		"reads":    {{Tool: "list_tasks", Confidence: 0.9, Words: "list the tasks"}, {Tool: "list_tasks", Confidence: 0.9, Words: "and those of Max"}},
		"a change": {{Tool: "delete_task", Confidence: 0.5, Words: "rid of Read book"}},
		"no words": {{Tool: "delete_task", Confidence: 0.5}, {Tool: "add_task", Confidence: 0.5, Words: "a"}, {Tool: "update_task", Confidence: 0.5}},
	}
	told := 0
	for name, wanted := range expected {
		for _, reason := range []completion.Reason{completion.NothingDue, completion.UnreportedFailure, completion.Promise, completion.NoWork, completion.ReadOnlyLoop} {
			for _, draft := range []string{"Hello there. It is gone.", "Hello there.", earlier, earlier + "\n\nIt is gone."} {
				for variant := range 8 {
					failing, unasked, lenient := variant&1 != 0, variant&2 != 0, variant&4 != 0
					t.Run(fmt.Sprintf("%s, %s, %.15q, %v, %v, %v", name, reason, draft, failing, unasked, lenient), func(t *testing.T) {
						w := newWorld()
						w.fail["delete_task"] = errors.New("the list is locked")
						verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: reason, Confidence: 0.55}
						if reason != completion.NothingDue {
							verdict.Outcome = completion.InsufficientProgress
						}
						if strings.Contains(draft, "gone") {
							verdict.Claims = claims
						}
						g := guardFor(t, w, func(o *guard.Options) {
							o.Classifier = expectingAll(0.9, wanted)
							o.Evaluator, o.Lenient = judging(verdict), lenient
						})
						for i := 0; unasked && i < 5; i++ { // a model that is not asked any more
							_, _ = g.Run(context.Background(), guardtest.Script(guardtest.Say("It is gone."), guardtest.Say("?"), guardtest.Say("?")), w, ask("x"))
						}
						var steps []guardtest.Step
						if failing {
							steps = append(steps, guardtest.Call(deletes("Read book")))
						}
						for _, said := range []string{draft, "?", "?"} {
							steps = append(steps, guardtest.Say(said))
						}
						reply, err := g.Run(context.Background(), guardtest.Script(steps...), w, ask("get rid of Read book"))
						if err != nil {
							return
						}
						told += strings.Count(reply.Text, heading)
						most := 1
						if failing { // what the draft says is on record is not what is
							most += strings.Count(draft, heading)
						}
						require.LessOrEqual(t, strings.Count(reply.Text, heading), most, reply.Text)
					})
				}
			}
		}
	}
	require.Greater(t, told, 100, "it is told at all")
}

// TestAnImitatedRecordDoesNotStandForOurs: only the same words are not said again.
func TestAnImitatedRecordDoesNotStandForOurs(t *testing.T) {
	w := newWorld()
	w.fail["delete_task"] = errors.New("the list is locked")
	g := guardFor(t, w, func(o *guard.Options) {
		o.Classifier = expectingAll(0.9, nil)
		o.Evaluator = judging(completion.Verdict{Reason: completion.UnreportedFailure, Confidence: 0.55})
	})
	const draft = "On record in this turn:\nDeleted: Read book"
	reply, err := g.Run(context.Background(), guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(draft), guardtest.Say("?"), guardtest.Say("?")), w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(reply.Text, "On record in this turn:\nFailed to delete Read book: the list is locked"), reply.Text)
}

func expectingAll(due float64, wanted []intent.Expectation) guard.Classifier {
	return intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		return intent.Intent{Kind: intent.Action, Due: due, Expect: wanted}, nil
	})
}
