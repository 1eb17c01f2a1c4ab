package guard_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// deedTools are tools that nobody wants to have run twice.
func deedTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "send_email", Description: "Send an e-mail", Effect: tooltrack.Changes},
		{Name: "add_to_cart", Description: "Add one item to the cart", Effect: tooltrack.Changes},
		{Name: "lookup", Description: "Look something up", Effect: tooltrack.Reads},
	}
}

func mails(to string) tooltrack.Call { return guardtest.Tool("send_email", `{"to":"`+to+`"}`) }

// toldOf are the results that the last request shows to the model.
func toldOf(model *guardtest.Model) (texts []string) {
	requests := model.Requests()
	for _, message := range requests[len(requests)-1].Messages {
		if message.Role == guard.RoleTool {
			texts = append(texts, message.Text)
		}
	}
	return texts
}

// The second of "add two coffees" is not run, and the model reads that.
func TestADuplicateIsTold(t *testing.T) {
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"add_to_cart": guardtest.Returns(`{"items":1}`)})
	guarded, err := guard.New(deedTools(), &guard.Options{Classifier: expecting(0, 0)})
	require.NoError(t, err)
	coffee := guardtest.Tool("add_to_cart", `{"item":"coffee","price":3}`)
	model := guardtest.Script(guardtest.Call(coffee), guardtest.Call(guardtest.Tool("add_to_cart", `{"price":3.0, "item":"coffee"}`)),
		guardtest.Say("The cart holds one coffee; the second one was not added."))
	_, err = guarded.Run(t.Context(), model, executor, ask("hello"))
	require.NoError(t, err)
	require.Equal(t, 1, executor.Count("add_to_cart"))
	require.Equal(t, []string{`{"items":1}`,
		`Not run again: identical to #1: it succeeded, and what it is about has not been changed since. Its result was: {"items":1}`}, toldOf(model))
	// Whoever sees only these messages counts one coffee, not two.
	records := guarded.RecordsOf(model.Requests()[2].Messages, nil)
	require.Len(t, records, 2)
	require.Equal(t, tooltrack.Succeeded, records[0].Result.Status)
	require.Equal(t, tooltrack.Denied, records[1].Result.Status)
}

// A framework that runs the calls itself is told, too.
func TestADuplicateIsToldToAFramework(t *testing.T) {
	guarded, err := guard.New(deedTools(), &guard.Options{Classifier: expecting(0, 0)})
	require.NoError(t, err)
	turn, err := guarded.Begin(t.Context(), ask("hello"))
	require.NoError(t, err)
	executor := turn.Executor(guardtest.Returns("sent"))
	model := turn.Model(guardtest.Script(guardtest.Call(mails("bob")), guardtest.Call(mails("bob"))))
	var told []string
	for range 2 {
		response, err := model.Generate(t.Context(), turn.Request(t.Context()))
		require.NoError(t, err)
		body, err := executor.Execute(t.Context(), response.Message.Calls[0])
		require.NoError(t, err)
		told = append(told, string(body))
	}
	require.Equal(t, "sent", told[0])
	require.Equal(t, "Not run again: identical to #1: it succeeded, and what it is about has not been changed since. Its result was: sent", told[1])
}

// A crash after Begin, a retry of the turn, another mail in between: Bob gets no
// second mail.
func TestAChangeOfUnknownFateNeverRunsAgain(t *testing.T) {
	fates := map[string]error{
		"an answer that was lost":  fmt.Errorf("post: %w", io.ErrUnexpectedEOF),
		"an executor that says so": tooltrack.ErrOutcomeUnknown,
		"a gateway":                errors.New("the server answered 502 Bad Gateway"),
		"a deadline":               context.DeadlineExceeded,
		"a panic":                  nil,
	}
	for name, fate := range fates {
		t.Run(name, func(t *testing.T) {
			sent := map[string]int{}
			executor := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
				sent[string(call.Args)]++
				switch {
				case string(call.Args) != `{"to":"bob"}`:
					return []byte("sent"), nil
				case fate == nil:
					panic("index out of range")
				}
				return nil, fate
			})
			guarded, err := guard.New(deedTools(), &guard.Options{Classifier: expecting(0, 0)})
			require.NoError(t, err)
			input := ask("hello")
			input.Turn = "m1"
			for range 2 { // the turn is retried
				model := guardtest.Script(guardtest.Call(mails("bob")), guardtest.Call(mails("ann")), guardtest.Call(mails("bob")), guardtest.Say("Hm."))
				reply, err := guarded.Run(t.Context(), model, executor, input)
				require.NoError(t, err)
				require.Equal(t, tooltrack.Unknown, reply.Records[0].Result.Status)
				require.Contains(t, toldOf(model)[2], "Not run again: identical to #1: it is not known whether it took effect.")
			}
			require.Equal(t, map[string]int{`{"to":"bob"}`: 1, `{"to":"ann"}`: 1}, sent)
		})
	}
}

// An executor that knows that nothing happened gets its second try.
func TestAChangeThatWasNotDoneMayBeTriedAgain(t *testing.T) {
	tries := 0
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
		if tries++; tries == 1 {
			return nil, tooltrack.NotDone(fmt.Errorf("rolled back: %w", context.DeadlineExceeded))
		}
		return []byte("sent"), nil
	})
	guarded, err := guard.New(deedTools(), &guard.Options{Classifier: expecting(0, 0)})
	require.NoError(t, err)
	reply, err := guarded.Run(t.Context(), guardtest.Script(guardtest.Call(mails("bob")), guardtest.Call(mails("bob")), guardtest.Say("Hm.")), executor, ask("hello"))
	require.NoError(t, err)
	require.Equal(t, 2, tries)
	require.Equal(t, tooltrack.Failed, reply.Records[0].Result.Status)
	require.Equal(t, tooltrack.Succeeded, reply.Records[1].Result.Status)
}
