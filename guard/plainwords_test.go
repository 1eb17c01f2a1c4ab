package guard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestAccountsAreInWords: whatever a tool answers, an account tells its message or its
// state, and never the body, nor a tool by the name that programs know it by.
func TestAccountsAreInWords(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "render_video", Description: "Render a video.", Effect: tooltrack.Changes},
		{Name: "get_render", Description: "Look at a render.", Effect: tooltrack.Reads},
	}
	for _, c := range []struct {
		name, body string
		err        error
		account    string
	}{
		{"a state", `{"job":"j-7","state":"queued"}`, nil, "Still waiting to render holiday: queued"},
		{"one in doubt", `{"ref":"r-7","state":"on_hold"}`, nil, "It is not known whether it worked to render holiday: on hold"},
		{"a state for people", `{"status":"awaiting_approval"}`, nil, "Still waiting to render holiday: awaiting approval"},
		{"no reason", `{"statusCode":202}`, nil, "Still waiting to render holiday"},
		{"an error without a message", `{"error":{"code":7}}`, nil, "Failed to render holiday"},
		{"an error with one", `{"error":{"code":7,"message":"the disk is full"}}`, nil, "Failed to render holiday: the disk is full"},
		{"a list of errors", `{"errors":[{"detail":"the disk is full"}]}`, nil, "Failed to render holiday: the disk is full"},
		{"a body in an error", "", errors.New(`HTTP 422: {"detail":"too long","loc":["name"]}`), "Failed to render holiday: HTTP 422: too long"},
		{"a body that says nothing", "", errors.New(`refused: {"trace":"a1"}`), "Failed to render holiday: refused"},
		{"a body that was cut off", "", errors.New(`refused: {"trace":"a1`), "Failed to render holiday: refused"},
		{"names of tools", "", errors.New("call get_render before render_video"), "Failed to render holiday: call get render before render video"},
		{"a piece of a name", "", errors.New("no get_renderer, only [3] slots"), "Failed to render holiday: no get_renderer, only [3] slots"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := guard.New(tools, nil)
			require.NoError(t, err)
			executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(c.body), c.err })
			model := guardtest.Script(guardtest.Call(guardtest.Tool("render_video", `{"name":"holiday"}`)), guardtest.Step{Err: errors.New("gone")})
			reply, err := g.Run(t.Context(), model, executor, guard.Input{User: "render the holiday video", Owner: "ann"})
			require.Error(t, err)
			_, account, _ := strings.Cut(reply.Account, "\n")
			require.Equal(t, c.account, account)
		})
	}
}

// TestAddedLinesAreInWords: a model may put into an item what was meant for programs.
func TestAddedLinesAreInWords(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "cancelOrder", Description: "Cancel an order.", Effect: tooltrack.Changes},
		{Name: "refundOrder", Description: "Refund an order.", Effect: tooltrack.Changes},
	}
	for _, c := range []struct{ what, reason, line string }{
		{"refund the grinder", "refundOrder is limited", "Not done: refund the grinder: refund order is limited."},
		{`refundOrder {"order":"grinder"}`, "the limit is 50 EUR", "Not done: refund order: the limit is 50 EUR."},
		{"refund the grinder", `{"error":"the limit is 50 EUR"}`, "Not done: refund the grinder: the limit is 50 EUR."},
		{`{"order":"grinder"}`, "the limit is 50 EUR", "Not done: the limit is 50 EUR."},
	} {
		g, err := guard.New(tools, &guard.Options{Proof: guard.Always})
		require.NoError(t, err)
		report := fmt.Sprintf(`{"message":null,"items":[{"what":"cancel the kettle","status":"done","records":[1]},
			{"what":%q,"status":"not_done","reason":%q}]}`, c.what, c.reason)
		model := guardtest.Script(guardtest.Call(guardtest.Tool("cancelOrder", `{"order":"kettle"}`)),
			guardtest.Say("The kettle is cancelled."), guardtest.Say(report), guardtest.Say(report))
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"success":true}`), nil })
		reply, err := g.Run(t.Context(), model, executor, guard.Input{User: "cancel the kettle", Owner: "ann"})
		require.NoError(t, err)
		require.Equal(t, "The kettle is cancelled.\n\n"+c.line, reply.Text)
	}
}
