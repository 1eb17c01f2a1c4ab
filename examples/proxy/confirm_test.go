package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// What the client itself reads later shows on the page whether a change is there: "✓✓", or "✗"
// whatever the tool said. A client that offers no such read is served all the same.
func TestALaterReadIsShownWithTheChange(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tools.toml")
	require.NoError(t, os.WriteFile(file, []byte(`[tools.delete_task]
effect = "changes"
confirm = { read = "list_tasks()", expect = "lacks (title = $args.title)" }
`), 0o600))
	w := newWorld(t, model(t, func(context.Context, simmodel.Request) simmodel.Answer {
		return simmodel.Say("That is how it is.")
	}), "-tools", file)
	ask := func(listed, reader string) {
		send(t, w.url+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Delete Read book."},
			{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"delete_task","arguments":"{\"title\":\"Read book\"}"}}]},
			{"role":"tool","tool_call_id":"a","content":"{\"ok\":true}"},
			{"role":"assistant","tool_calls":[{"id":"b","type":"function","function":{"name":"`+reader+`","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"b","content":`+listed+`}],
			"tools":[{"type":"function","function":{"name":"delete_task","parameters":{"type":"object","properties":{"title":{"type":"string"}}}}},
			{"type":"function","function":{"name":"`+reader+`"}}]}`)
	}
	const empty, still = `"[]"`, `"[{\"title\":\"Read book\"}]"`
	ask(empty, "list_tasks")
	ask(still, "list_tasks")
	ask(empty, "count_tasks")
	sights := map[string]int{}
	for _, turn := range w.settled(3) {
		sights[turn.Calls[0].Sight]++
	}
	require.Equal(t, map[string]int{"confirmed": 1, "contradicted": 1, "": 1}, sights)
}
