package guardtest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Our own parts pass the suites that others are held to.
func TestOurOwnParts(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}, {Name: "list_tasks", Effect: tooltrack.Reads}}
	classifier, err := intent.FromTools(tools, nil)
	require.NoError(t, err)
	guardtest.TestClassifier(t, classifier, tools)
	entry := resolver.Entry{ID: "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01", Title: "Read book"}
	source := resolver.SourceFunc(func(_ context.Context, owner string) ([]resolver.Entry, error) {
		if owner != "ann" {
			return nil, nil
		}
		return []resolver.Entry{entry}, nil
	})
	guardtest.TestDirectory(t, resolver.NewDirectory(source, nil), "ann", entry)
	guardtest.TestEvaluator(t, completion.New(nil))
}
