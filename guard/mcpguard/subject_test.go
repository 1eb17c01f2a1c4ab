package mcpguard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/mcpguard"
)

// TestSubjectsAreGuessedWithCare: a guess, or none where two arguments would be
// as good, or where the tool makes something that does not exist yet. Required
// arguments are marked by a star.
func TestSubjectsAreGuessedWithCare(t *testing.T) {
	for _, row := range []struct{ tool, args, want string }{
		{"delete_task", "task_id*", "task_id of a task"},
		{"deleteTask", "taskId*", "taskId of a task"},
		{"update_task", "id* title status", "id of a task"},
		{"delete_task", "title*", "title of a task"},
		{"close_issue", "issue* comment", "issue of a issue"},
		{"archive_project", "project_name*", "project_name of a project"},
		{"delete_task", "task_id title", ""},         // either would do
		{"delete_task", "name* title*", ""},          // which one?
		{"create_task", "title*", ""},                // it does not exist yet
		{"send_message", "id* text*", ""},            // whose id?
		{"delete_task", "force:boolean*", ""},        // names nothing
		{"delete_task", "task_id:array*", ""},        // several
		{"add_comment", "issue_id* body*", ""},       // the comment is new
		{"search_tasks", "title*", ""},               // words to look for
		{"move_file", "source* destination*", ""},    // two places
		{"weather", "id*", ""},                       // no verb
		{"merge_pull_request", "owner* number*", ""}, // neither names the noun
	} {
		t.Run(row.tool+" "+row.args, func(t *testing.T) {
			server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, nil)
			server.AddTool(&mcp.Tool{Name: row.tool, InputSchema: schema(row.args)},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return text("ok"), nil })
			tools, err := mcpguard.Tools(t.Context(), inMemory(t, newClient(nil), server))
			require.NoError(t, err)
			got := ""
			if subject := tools[0].Subject; subject.Arg != "" {
				got = fmt.Sprintf("%s of a %s", subject.Arg, subject.Kind)
			}
			require.Equal(t, row.want, got)
		})
	}
}

// schema writes a schema from names of arguments.
func schema(args string) json.RawMessage {
	properties, required := map[string]any{}, []string{}
	for _, arg := range strings.Fields(args) {
		name, needed := strings.CutSuffix(arg, "*")
		name, kind, typed := strings.Cut(name, ":")
		if !typed {
			kind = "string"
		}
		properties[name] = map[string]any{"type": kind}
		if needed {
			required = append(required, name)
		}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
	if err != nil {
		panic(err)
	}
	return raw
}
