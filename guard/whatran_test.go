package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWhatRanIsNotCalledUndone: a listing that ran is not told as not done, and no message to
// the model or to people breaks off where the records have nothing to name.
func TestWhatRanIsNotCalledUndone(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "list_directory", Description: "List the files of a folder."},
		{Name: "dangerous_operation", Description: "Run a dangerous operation."},
	}
	blocked := "Tool execution blocked by hook."
	for _, scene := range []struct{ user, tool, result, text string }{
		{"list the pictures in this folder", "list_directory", "beach.jpg\ncat.png", "There are two pictures: beach.jpg and cat.png."},
		{"list the pictures in this folder", "list_directory", "beach.jpg\ncat.png", "Two: the beach and the cat."},
		{"run the dangerous operation", "dangerous_operation", blocked, "It was blocked by a hook and did not run."},
		{"run the dangerous operation", "dangerous_operation", blocked, "Done, it ran."},
	} {
		g, err := guard.New(tools, nil)
		require.NoError(t, err)
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(scene.result), nil })
		said := guardtest.Say(scene.text)
		model := guardtest.Script(guardtest.Call(guardtest.Tool(scene.tool, `{}`)), said, said, said, said, said)
		reply, err := g.Run(t.Context(), model, executor, guard.Input{User: scene.user})
		shown := reply.Text + guard.AccountOf(err)
		require.NotContains(t, shown, "Not done: list", scene.text)
		require.NotContains(t, shown, "Done: dangerous operation", scene.text)
		for _, request := range model.Requests() {
			for _, message := range request.Messages {
				require.NotContains(t, message.Text, "on record: .", scene.text)
				require.False(t, strings.HasSuffix(strings.TrimSpace(message.Text), ":"), message.Text)
			}
		}
		if strings.HasPrefix(scene.text, "It was blocked") || strings.HasPrefix(scene.text, "There are two") {
			require.Equal(t, scene.text, reply.Text)
		}
	}
}
