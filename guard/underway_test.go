package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// invoiceTools are tools for payments without a directory.
var invoiceTools = []tooltrack.Tool{
	{
		Name: "pay_invoice", Description: "Pay an invoice", Effect: tooltrack.Changes,
		Parameters: []byte(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`),
		Subject:    tooltrack.SubjectArg{Arg: "id", Kind: "invoice"},
	},
	{Name: "list_invoices", Description: "List the invoices", Effect: tooltrack.Reads},
}

func invoices(t *testing.T) *guard.Guard {
	t.Helper()
	g, err := guard.New(invoiceTools, nil)
	require.NoError(t, err)
	return g
}

func payments(ids ...string) guard.Response {
	message := guard.Message{Role: guard.RoleAssistant}
	for _, id := range ids {
		message.Calls = append(message.Calls, tooltrack.Call{
			ID: "c" + id, Tool: "pay_invoice", Args: []byte(`{"id":"` + id + `"}`),
		})
	}
	return guard.Response{Message: message, Stop: guard.StopEnd}
}

func answered(text string) guard.Response {
	return guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: text}, Stop: guard.StopEnd}
}

// A call that still runs when the loop goes on has neither failed nor not been run:
// told so, a model or a user would pay again.
func TestCallsUnderWay(t *testing.T) {
	ctx := t.Context()
	g := invoices(t)
	turn, err := g.Begin(ctx, guard.Input{User: "pay invoice 17 and invoice 18"})
	require.NoError(t, err)
	turn.Request(ctx)
	calls := turn.Take(ctx, payments("17", "18"))
	require.Len(t, calls, 2)
	running, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_, err := turn.Do(ctx, calls[1], func(context.Context, tooltrack.Call) ([]byte, error) {
			close(running)
			<-release
			return []byte(`{"success":true}`), nil
		})
		assert.NoError(t, err)
	}()
	<-running

	messages := turn.Request(ctx).Messages
	first, second := messages[len(messages)-2], messages[len(messages)-1]
	assert.Equal(t, "the call was not run", first.Text, "nobody began this one")
	assert.Contains(t, second.Text, tooltrack.NotKnown)
	assert.Contains(t, second.Text, "still running")

	again := turn.Take(ctx, payments("18"))
	for _, call := range again {
		_, err := turn.Do(ctx, call, func(context.Context, tooltrack.Call) ([]byte, error) {
			t.Error("a payment that is under way was made again")
			return nil, nil
		})
		require.NoError(t, err)
	}
	messages = turn.Request(ctx).Messages
	assert.Contains(t, messages[len(messages)-1].Text, "identical to #1")

	_, err = turn.Fail(assert.AnError)
	require.Error(t, err)
	reply, _ := turn.Reply()
	assert.NotContains(t, reply.Account, "Nothing was changed")
	assert.Contains(t, strings.ToLower(reply.Account), "not known")
	require.Len(t, reply.Records, 1)
	assert.Equal(t, tooltrack.Unknown, reply.Records[0].Result.Status)
	close(release)
	<-done
}

// What comes of such a call while the turn is open counts as evidence from the next
// step on.
func TestCallsUnderWayAreTakenUp(t *testing.T) {
	ctx := t.Context()
	g := invoices(t)
	turn, err := g.Begin(ctx, guard.Input{User: "pay invoice 17"})
	require.NoError(t, err)
	turn.Request(ctx)
	calls := turn.Take(ctx, payments("17"))
	running, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_, _ = turn.Do(ctx, calls[0], func(context.Context, tooltrack.Call) ([]byte, error) {
			close(running)
			<-release
			return []byte(`{"success":true}`), nil
		})
	}()
	<-running
	turn.Request(ctx)
	close(release)
	<-done
	turn.Take(ctx, answered("Invoice 17 is paid."))
	reply, err := turn.Reply()
	require.NoError(t, err)
	assert.Equal(t, "Invoice 17 is paid.", reply.Text)
	require.Len(t, reply.Records, 1)
	assert.True(t, reply.Records[0].Succeeded())
}
