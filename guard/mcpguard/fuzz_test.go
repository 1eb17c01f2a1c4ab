package mcpguard

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// FuzzListing reads lists as hostile servers send them: nothing panics, what is
// offered has a name that every provider takes, and a subject is one of the
// tool's own arguments.
func FuzzListing(f *testing.F) {
	f.Add(`{"tools":[{"name":"delete_task","inputSchema":{"type":"object","properties":{"task_id":{"type":"string"}},"required":["task_id"]}}]}`)
	f.Fuzz(func(t *testing.T, data string) {
		var page mcp.ListToolsResult
		if json.Unmarshal([]byte(data), &page) != nil || len(page.Tools) > 100 {
			return
		}
		s := &server{name: "x"}
		var listed []*mcp.Tool
		for _, tool := range page.Tools {
			if tool == nil {
				continue
			}
			listed = append(listed, tool)
			described, _, err := describe(tool, nil)
			if err != nil {
				continue
			}
			if arg := described.Subject.Arg; arg != "" && !strings.Contains(data, arg) && !strings.Contains(data, `\`) {
				t.Errorf("the subject %q is no argument of %s", arg, data)
			}
			s.offers = append(s.offers, offer{s, tool.Name, described})
		}
		for alias := range aliases([]*server{s}) {
			if alias != portable(alias) || len(alias) > maxAlias || alias == "" {
				t.Errorf("the name %q is not for providers", alias)
			}
		}
		c := catalogs{rules: policyOptions(nil)}
		if _, err := c.build(listed); err != nil {
			t.Errorf("one tool must not spoil the others: %v", err)
		}
	})
}

// FuzzResult reads results as hostile servers send them: what the ledger keeps
// says an error where the server says one, and is a valid result.
func FuzzResult(f *testing.F) {
	f.Add(`{"content":[{"type":"text","text":"done"}],"structuredContent":{"id":1}}`)
	f.Fuzz(func(t *testing.T, data string) {
		var result mcp.CallToolResult
		if json.Unmarshal([]byte(data), &result) != nil {
			return
		}
		body, err := read("tool", &result)
		if result.IsError != (err != nil) && !result.NeedsInput() {
			t.Fatalf("isError is %v, and the error %v", result.IsError, err)
		}
		kept := tooltrack.ResultOf(body, err)
		if result.IsError && kept.Success() {
			t.Errorf("an error became a success: %s", data)
		}
		if len(kept.Data) > 0 && !json.Valid(kept.Data) || !utf8.ValidString(kept.Error) {
			t.Errorf("not a valid result: %q %q", kept.Data, kept.Error)
		}
		if _, err := policy.Decode(body); err == nil && result.StructuredContent == nil && textOf(result.Content) == "" {
			t.Errorf("an object out of nothing: %s", body)
		}
	})
}
