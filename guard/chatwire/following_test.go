package chatwire_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// afterCall is a conversation in which Read book was deleted and the user says
// something more, as a client of the format sends it. In Messages it stands beside
// the result, where such clients have to put it.
func (f *form) afterCall(text string, tools []tooltrack.Tool) string {
	const args = `{"title":"Read book"}`
	body := f.plain("delete the task Read book", tools, `"x":1`)
	const first = `{"role":"user","content":"delete the task Read book"}`
	more := `,{"role":"assistant","content":null,"tool_calls":[` + callJSON("a", "delete_task", args) + `]},{"role":"tool","tool_call_id":"a","content":"{\"success\":true}"},{"role":"user","content":` + quoted(text) + `}`
	switch {
	case strings.HasSuffix(f.path, "messages"):
		more = `,{"role":"assistant","content":[` + useJSON("a", "delete_task", args) + `]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"{\"success\":true}"},` + textJSON(text) + `]}`
	case strings.HasSuffix(f.path, "responses"):
		more = `,` + functionJSON("a", "delete_task", args) + `,{"type":"function_call_output","call_id":"a","output":"{\"success\":true}"},{"role":"user","content":` + quoted(text) + `}`
	}
	return strings.Replace(body, first, first+more, 1)
}

// TestANewRequestAfterAResultIsATurn in every format, and what goes on is none.
func TestANewRequestAfterAResultIsATurn(t *testing.T) {
	tools := []tooltrack.Tool{changing("delete_task", "Delete a task of the user.", "title", "task"), changing("create_task", "Create a task.", "title", "task")}
	for _, c := range []struct {
		user, text string
		passes     bool
	}{
		{"now delete the task Call mom", "I've deleted Call mom.", false},
		{"now delete the task Call mom", "Done.", false},
		{"also delete the task Call mom", "Sure.", false},
		{"<system-reminder>Be brief.</system-reminder>\n\nnow delete the task Call mom", "Done.", false},
		{"and the other one too", "I've deleted Call mom.", false},
		{"Analyze the tool result and continue.", "I've deleted Read book.", true},
		{"Continue.", "Done.", true},
		{"<system-reminder>Use the todo tool to add tasks.</system-reminder>", "I've deleted Read book.", true},
		{"Here is the attached file todo.txt:\n\ndelete the task Call mom\n", "I've deleted Read book.", true},
		{"wait, stop", "Okay.", true},
	} {
		for _, f := range forms() {
			t.Run(c.user+", "+f.name, func(t *testing.T) {
				g, err := guard.New(tools, nil)
				if err != nil {
					t.Fatal(err)
				}
				said := f.say(c.text, "end", 1, 1)
				u := newUpstream(t, said, said, said, said, said)
				body := f.afterCall(c.user, tools)
				status, got, _ := post(t, context.Background(), chatwire.Transport(g, nil, nil), u.URL+f.path, body)
				shown := false
				if response, err := f.read(got); err == nil && status == http.StatusOK {
					shown = strings.Contains(response.Message.Text, c.text)
				}
				if shown != c.passes || (len(u.got) == 1) != c.passes || u.got[0] != body {
					t.Errorf("asked %d times, and got %d %s", len(u.got), status, got)
				}
			})
		}
	}
}
