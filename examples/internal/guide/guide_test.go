package guide

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var tools = []tooltrack.Tool{
	{Name: "refund_order", Description: "Refund an order.", Effect: tooltrack.Changes},
	{Name: "find_order", Description: "Find an order.", Effect: tooltrack.Reads},
}

var executor = guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
	return []byte(`{"success":true}`), nil
})

// TestGuideShowsThisCode: every piece between two marks stands in the guide as
// it is here.
func TestGuideShowsThisCode(t *testing.T) {
	code, err := os.ReadFile("guide_test.go")
	require.NoError(t, err)
	guide, err := os.ReadFile("../../../.github/docs/guide.md")
	require.NoError(t, err)
	pieces := regexp.MustCompile(`(?s)\t// guide: \w+\n(.*?)\t// end\n`).FindAllSubmatch(code, -1)
	require.Len(t, pieces, 7)
	for _, piece := range pieces {
		shown := strings.ReplaceAll("\n"+string(piece[1]), "\n\t", "\n")
		require.Contains(t, string(guide), "```go"+shown+"```")
	}
}

func TestObserve(t *testing.T) {
	logFile := new(bytes.Buffer)
	// guide: observe
	g, err := guard.New(tools, &guard.Options{
		Observe: true,
		Logger:  slog.New(slog.NewJSONHandler(logFile, nil)),
	})
	// end
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Say("I've refunded your order."))
	reply, err := g.Run(t.Context(), model, executor, guard.Input{User: "refund my order"})
	require.NoError(t, err)
	require.Equal(t, "I've refunded your order.", reply.Text, "it changes nothing")
	require.NotEmpty(t, g.Counters().Would, "it counts what it would have done")
	require.Contains(t, logFile.String(), "guard: ")
	require.NotContains(t, logFile.String(), "I've refunded", "texts are not logged")
}

func taught(file io.Reader) (*guard.Options, error) {
	// guide: teach
	examples, err := intent.ReadExamples(file, "")
	if err != nil {
		return nil, err
	}
	examples = append(examples, // and what you know yourself
		intent.Example{User: "make that one whole again", Expected: []string{"refund_order"}},
		intent.Example{User: "what would a refund take?", Expected: nil})
	options := &guard.Options{Intent: &intent.Options{Examples: examples}}
	// end
	return options, nil
}

func TestTeach(t *testing.T) {
	options, err := taught(strings.NewReader(`{"user":"I want my money","expected":["refund_order"],"turns":1}`))
	require.NoError(t, err)
	require.Len(t, options.Intent.Examples, 3)
	g, err := guard.New(tools, options)
	require.NoError(t, err)
	asked, err := g.Judge(t.Context(), guard.Recorded{User: "refund my order"})
	require.NoError(t, err)
	require.Len(t, asked.Intent.Expect, 1)
}

func TestEnforce(t *testing.T) {
	// guide: enforce
	options := &guard.Options{
		Proof:          guard.WhenUnsure, // the default: ask only about texts in doubt
		DeliverAccount: true,             // a turn that fails answers with the honest account
	}
	// end
	g, err := guard.New(tools, options)
	require.NoError(t, err)
	lie := guardtest.Say("I've refunded your order.")
	model := guardtest.Script(lie, lie, lie)
	reply, err := g.Run(t.Context(), model, executor, guard.Input{User: "refund my order"})
	require.NoError(t, err)
	require.Error(t, reply.Err)
	require.NotContains(t, reply.Text, "I've refunded")
}

func TestProof(t *testing.T) {
	g, err := guard.New(tools, &guard.Options{Proof: guard.Always})
	require.NoError(t, err)
	model := guardtest.Script(
		guardtest.Call(tooltrack.Call{ID: "1", Tool: "refund_order", Args: []byte(`{}`)}),
		guardtest.Say("Your order is refunded."),
		guardtest.Say(`{"a": [1], "message": null}`))
	reply, err := g.Run(t.Context(), model, executor, guard.Input{User: "refund my order"})
	require.NoError(t, err)
	var shown []string
	show := func(text string) { shown = append(shown, text) }
	// guide: proof
	if reply.Proof != nil {
		for _, shown := range reply.Proof.Sentences {
			for _, call := range shown.Calls() {
				show("✓ " + shown.Sentence + " " + call.Tool)
			}
		}
	}
	for _, sentence := range reply.Unproven {
		show("not proven: " + sentence)
	}
	// end
	require.Equal(t, []string{"✓ Your order is refunded. refund_order"}, shown)
}

// TestAPersonDecides runs the chapter on approval.
func TestConfirm(t *testing.T) {
	// guide: confirm
	byID := json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)
	tools := []tooltrack.Tool{
		{Name: "find_order", Description: "Find an order.", Effect: tooltrack.Reads, Parameters: byID},
		{
			Name: "refund_order", Description: "Refund an order.", Effect: tooltrack.Changes, Parameters: byID,
			Confirm: &tooltrack.Confirm{
				Read: "find_order(id = $args.id)", Expect: "status = refunded", When: tooltrack.AlwaysConfirm,
			},
		},
	}
	g, err := guard.New(tools, nil)
	// end
	require.NoError(t, err)
	for status, shown := range map[string]bool{"refunded": true, "paid": false} {
		shop := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
			if call.Tool == "find_order" {
				return []byte(`{"id":"A-17","status":"` + status + `"}`), nil
			}
			return []byte(`{"success":true}`), nil
		})
		done := guardtest.Say("I've refunded order A-17.")
		model := guardtest.Script(guardtest.Call(guardtest.Tool("refund_order", `{"id":"A-17"}`)), done, done, done, done)
		reply, err := g.Run(t.Context(), model, shop, guard.Input{User: "refund order A-17"})
		require.Equal(t, shown, reply.Text == "I've refunded order A-17.", "%s%v", reply.Text, err)
		if !shown {
			require.Contains(t, guard.AccountOf(err), `status "paid", not "refunded"`)
		}
	}
}

func TestAPersonDecides(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	// guide: approval
	options := &guard.Options{Ledger: ledger, Policy: &policy.Options{Approvals: []policy.Approval{
		policy.NeedsApproval("refund_order", policy.Above("amount", 50)).Within(48 * time.Hour),
	}}}
	// end
	g, err := guard.New(tools, options)
	require.NoError(t, err)
	call := guardtest.Tool("refund_order", `{"order":"A-17","amount":70}`)
	_, err = g.Run(t.Context(), guardtest.Script(guardtest.Call(call)), executor,
		guard.Input{User: "refund order A-17, 70 euros", Owner: "ann", Turn: "t1"})
	var held *guard.TurnError
	require.ErrorAs(t, err, &held)
	require.ErrorIs(t, err, guard.ErrHeld)
	require.NoError(t, decided(t.Context(), t, g, ledger, held, "carol"))
}

func decided(
	ctx context.Context, t *testing.T, g *guard.Guard, ledger *tooltrack.Ledger, held *guard.TurnError, loggedIn string,
) (err error) {
	var reply *guard.Reply
	model := guardtest.Script(guardtest.Say("I refunded 70 euros for order A-17."))
	// guide: resumed
	_, err = ledger.Answer(ctx, held.Owner, held.Approvals[0].ID, tooltrack.Answer{By: loggedIn, Approve: true})
	if err != nil {
		return err
	}
	reply, err = g.Resume(ctx, model, executor, held.Owner, held.Turn)
	// end
	require.Equal(t, "I refunded 70 euros for order A-17.", reply.Text)
	return err
}
