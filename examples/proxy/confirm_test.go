package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// newConfirmed is a world whose file says how deletions can be seen, and how it is asked: after a
// deletion, with what a tool lists then.
func newConfirmed(t *testing.T) (w *world, ask func(listed, reader string)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tools.toml")
	require.NoError(t, os.WriteFile(file, []byte(`[tools.delete_task]
effect = "changes"
confirm = { read = "list_tasks()", expect = "lacks (title = $args.title)" }
`), 0o600))
	w = newWorld(t, model(t, func(context.Context, simmodel.Request) simmodel.Answer {
		return simmodel.Say("That is how it is.")
	}), "-tools", file)
	ask = func(listed, reader string) {
		send(t, w.url+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Delete Read book."},
			{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"delete_task","arguments":"{\"title\":\"Read book\"}"}}]},
			{"role":"tool","tool_call_id":"a","content":"{\"ok\":true}"},
			{"role":"assistant","tool_calls":[{"id":"b","type":"function","function":{"name":"`+reader+`","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"b","content":`+listed+`}],
			"tools":[{"type":"function","function":{"name":"delete_task","parameters":{"type":"object","properties":{"title":{"type":"string"}}}}},
			{"type":"function","function":{"name":"`+reader+`"}}]}`)
	}
	return w, ask
}

const empty, still = `"[]"`, `"[{\"title\":\"Read book\"}]"`

// What the client itself reads later shows whether a change is there. A client that offers no
// such read is served all the same.
func TestALaterReadIsShownWithTheChange(t *testing.T) {
	w, ask := newConfirmed(t)
	ask(empty, "list_tasks")
	ask(still, "list_tasks")
	ask(empty, "count_tasks")
	sights := map[string]int{}
	for _, turn := range w.settled(3) {
		sights[turn.Calls[0].Sight]++
	}
	require.Equal(t, map[string]int{"confirmed": 1, "contradicted": 1, "": 1}, sights)
}

// A read-back that the tools of a client cannot show is told with them, and costs the others nothing.
func TestAReadBackThatCannotBe(t *testing.T) {
	file, err := parseToolFile(`[tools.delete_task]
confirm = { read = "list_tasks()", expect = "lacks (title = $args.title)" }
[tools.add_task]
confirm = { read = "list_tasks()", expect = "has (title = $args.name)" }
`)
	require.NoError(t, err)
	told := ""
	sets := newToolsets(file, 1, func(tools []tooltrack.Tool) (*guard.Guard, error) { return guard.New(tools, nil) },
		func(set *toolset) { told = set.print() })
	titled := json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"}}}`)
	_, err = sets.Of([]tooltrack.Tool{{Name: "delete_task", Parameters: titled}, {Name: "add_task", Parameters: titled}, {Name: "list_tasks"}})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(told, "it is not confirmed"), told)
	require.Contains(t, told, `it is not confirmed: Confirm of add_task: "name" is not an argument of add_task; use one of title`)
}

// The page marks it: "✓✓" seen, "✗" not there whatever the tool said, "✓" a receipt.
func TestTheMarkOfALaterRead(t *testing.T) {
	w, ask := newConfirmed(t)
	ctx := tab(t, w, 1280, 900)
	for i, listed := range []string{empty, still} {
		ask(listed, "list_tasks")
		require.Contains(t, textOf(t, ctx, fmt.Sprintf(`.turn[data-id="%d"] .call`, i+1)), []string{"✓✓ delete_task", "✗ delete_task"}[i])
	}
	ask(empty, "count_tasks")
	require.Contains(t, textOf(t, ctx, `.turn[data-id="3"] .call`), "✓ delete_task")
	shots(t, ctx, "later-reads")
}
