package intent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestManyRequestsInOneMessage: each clause is read for itself, also the fourth.
func TestManyRequestsInOneMessage(t *testing.T) {
	classifier, err := intent.FromTools([]tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes},
		{Name: "send_email", Description: "Send an email.", Effect: tooltrack.Changes},
		{Name: "create_invoice", Description: "Create an invoice.", Effect: tooltrack.Changes},
		{Name: "cancel_order", Description: "Cancel an order.", Effect: tooltrack.Changes},
	}, nil)
	require.NoError(t, err)
	found, err := classifier.Classify(context.Background(), intent.Utterance{
		User: "Delete the task, send an email to Ann, create an invoice for Bob and cancel the order.",
	})
	require.NoError(t, err)
	var tools []string
	for _, expected := range found.Expect {
		tools = append(tools, expected.Tool)
	}
	require.Equal(t, []string{"delete_task", "send_email", "create_invoice", "cancel_order"}, tools)
}
