package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// claudeCode reads the session files of Claude Code, one entry a line, and what
// it prints with --output-format stream-json.
//
// Shape: ~/.claude/projects/…/SESSION.jsonl has entries {"type":"user"|"assistant",
// "message":{…},"sessionId":…,"uuid":…,"isSidechain":…,"isMeta":…}, whose
// messages are Anthropic's with one block a line, and entries of other types
// that say nothing to the user. The stream has session_id instead, and begins
// with {"type":"system","subtype":"init","tools":[…]}. See
// https://code.claude.com/docs/en/headless and https://code.claude.com/docs/en/hooks.
type claudeCode struct{}

func (claudeCode) Name() string { return "a Claude Code session" }

func (claudeCode) Take(v *Value) ([]Part, bool) {
	kind := v.text("type")
	session := cmp.Or(v.text("sessionId"), v.text("session_id"))
	if kind == "" || session == "" && !claudeAside(kind, v) {
		return nil, false
	}
	spoken := kind == "user" || kind == "assistant"
	if spoken && !v.Has("message") {
		return nil, false
	}
	init := kind == "system" && v.text("subtype") == "init"
	if !spoken && !init {
		return nil, true
	}
	key := "session " + session
	if string(v.Members()["isSidechain"]) == "true" || !isNull(v.Members()["parent_tool_use_id"]) {
		agent := v.text("agentId")
		if agent == "" {
			return nil, true // work of a sub-agent, which the main thread reports on
		}
		key += " " + agent
	}
	return []Part{{Key: key, Line: v.Line, Data: v.Data}}, true
}

// claudeAside tells the entries that name no session.
func claudeAside(kind string, v *Value) bool {
	switch kind {
	case "summary":
		return v.Has("leafUuid")
	case "file-history-snapshot", "queue-operation", "ai-title", "last-prompt", "pr-link":
		return true
	}
	return false
}

// claudeEntry is one line of a session.
type claudeEntry struct {
	Type      string          `json:"type"`
	UUID      string          `json:"uuid"`
	SessionID string          `json:"sessionId"`
	Session   string          `json:"session_id"`
	Meta      bool            `json:"isMeta"`
	Compact   bool            `json:"isCompactSummary"`
	APIError  bool            `json:"isApiErrorMessage"`
	Message   json.RawMessage `json:"message"`
	Tools     json.RawMessage `json:"tools"`
	Model     string          `json:"model"`
}

func (f claudeCode) Read(parts []Part) ([]*Conversation, error) {
	t := &Conversation{}
	seen := map[string]bool{}
	for _, part := range parts {
		var e claudeEntry
		if err := decode(part.Data, &e); err != nil {
			return nil, fmt.Errorf("line %d: %w", part.Line, err)
		}
		if e.UUID != "" && seen[e.UUID] {
			continue // a session that was resumed repeats its entries
		}
		seen[e.UUID] = true
		t.ID = cmp.Or(t.ID, e.SessionID, e.Session)
		if err := e.write(t); err != nil {
			return nil, fmt.Errorf("line %d: %w", part.Line, err)
		}
	}
	t.session(claudeFate, claudeTools())
	return t.done(f, parts[0].Line)
}

func (e *claudeEntry) write(t *Conversation) error {
	switch {
	case e.Type == "system":
		t.Tools, t.Model = tools(e.Tools), cmp.Or(t.Model, e.Model)
		return nil
	case e.APIError:
		t.hide("the turn ended in an error of the provider")
		return nil
	case e.Type == "user" && (e.Meta || e.Compact || typedByProgram(e.Message)):
		return nil
	case e.Type == "user" && strings.HasPrefix(plain(object(e.Message)["content"]), "[Request interrupted by user"):
		t.hide(unseenInterrupted)
		return nil
	}
	if model := text(object(e.Message)["model"]); model != "" && model != "<synthetic>" {
		t.Model = cmp.Or(t.Model, model)
	}
	return anthropicWrite(t, e.Message)
}

// unseenInterrupted is a turn that the user broke off.
const unseenInterrupted = "the user broke the turn off"

// claudeTags begin what the program says in the user's name.
var claudeTags = []string{
	"<command-name>", "<command-message>", "<local-command-", "<bash-", "<system-reminder>", "<task-notification>",
	"Caveat: The messages below",
}

// typedByProgram tells what the program put into the user's mouth: slash commands
// and their output, and notes to the model. Results of tools are none.
func typedByProgram(message json.RawMessage) bool {
	content := object(message)["content"]
	return !anthropicBlocks(content) && beginsWith(plain(content), claudeTags)
}

// beginsWith reports whether a text begins with one of some marks.
func beginsWith(said string, marks []string) bool {
	said = strings.TrimSpace(said)
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(said, mark) })
}

// claudeFate is Denied for a call that the user did not allow: the session says so in the text of
// the result.
func claudeFate(result string) tooltrack.Status {
	if strings.HasPrefix(result, "The user doesn't want to proceed with this tool use") {
		return tooltrack.Denied
	}
	return tooltrack.Unknown
}

// session is one of a coding agent, whose results tell what became of their calls. Tools are those
// that every session has.
func (t *Conversation) session(of func(result string) tooltrack.Status, tools []tooltrack.Tool) {
	for _, message := range t.Messages {
		if message.Role == guard.RoleTool && message.CallID != "" && of(message.Text) != tooltrack.Unknown {
			t.fate(message.CallID, of(message.Text))
		}
	}
	if t.Tools == nil {
		t.Tools = withCalled(tools, t.Messages)
	}
}

// claudeTools stand in for the list that a session does not hold: every session
// has them, whether it calls them or not.
func claudeTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "Bash", Description: "Run a shell command."},
		{Name: "Edit", Description: "Edit a file in place."},
		{Name: "Write", Description: "Write a file."},
		{Name: "Read", Description: "Read a file."},
		{Name: "Grep", Description: "Search the contents of files."},
		{Name: "Glob", Description: "Find files by their names."},
		{Name: "WebFetch", Description: "Fetch a web page."},
		{Name: "WebSearch", Description: "Search the web."},
	}
}
