package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// codex reads the rollout files in which Codex keeps its sessions, one record a
// line, packed with zstd when they are old.
//
// Shape: ~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl has records {"timestamp":…,
// "type":…,"payload":…}: session_meta, turn_context (the model), response_item
// (items of the Responses interface, in which the user's messages stand beside
// instructions and notes about the environment) and event_msg (user_message is
// what the user really typed). See https://github.com/openai/codex, codex-rs/protocol.
type codex struct{}

func (codex) Name() string { return "a Codex session" }

func (codex) Take(v *Value) ([]Part, bool) {
	if !v.Has("type", "payload") {
		return nil, false
	}
	switch v.text("type") {
	case "session_meta", "response_item", "turn_context", "event_msg":
		return []Part{{Key: "codex", Line: v.Line, Data: v.Data}}, true
	}
	return nil, v.Has("timestamp")
}

type codexRecord struct {
	Type    string                     `json:"type"`
	Payload map[string]json.RawMessage `json:"payload"`
	line    int
	raw     json.RawMessage // the payload
}

func (f codex) Read(parts []Part) ([]*Conversation, error) {
	records := make([]codexRecord, 0, len(parts))
	typed := false
	for _, part := range parts {
		r := codexRecord{line: part.Line}
		if err := decode(part.Data, &r); err != nil {
			return nil, fmt.Errorf("line %d: %w", part.Line, err)
		}
		r.raw = marshal(r.Payload)
		_, user := r.user()
		typed = typed || user
		records = append(records, r)
	}
	t := &Conversation{}
	for i := range records {
		if err := records[i].write(t, typed); err != nil {
			return nil, fmt.Errorf("line %d: %w", records[i].line, err)
		}
	}
	t.session(codexFate, codexTools())
	return t.done(f, parts[0].Line)
}

// user is what the user typed, if the record is such an event.
func (r *codexRecord) user() (string, bool) {
	if r.Type != "event_msg" {
		return "", false
	}
	switch text(r.Payload["type"]) {
	case "user_message":
		return text(r.Payload["message"]), true
	case "item_completed":
		item := object(r.Payload["item"])
		return plain(item["content"]), text(item["type"]) == "UserMessage"
	}
	return "", false
}

func (r *codexRecord) write(t *Conversation, typed bool) error {
	switch r.Type {
	case "session_meta":
		t.ID = cmp.Or(t.ID, text(r.Payload["id"]))
	case "turn_context":
		t.Model = cmp.Or(t.Model, text(r.Payload["model"]))
	case "event_msg":
		if said, ok := r.user(); ok {
			t.say(guard.RoleUser, said)
		}
		if kind := text(r.Payload["type"]); kind == "turn_aborted" {
			t.hide(unseenInterrupted)
		}
	case "response_item":
		if text(r.Payload["role"]) == "user" && (typed || beginsWith(plain(r.Payload["content"]), codexTags)) {
			return nil
		}
		return item(t, r.raw)
	}
	return nil
}

// codexTags begin what the program says in the user's name.
var codexTags = []string{
	"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>", "<user_shell_command>",
	"<INSTRUCTIONS>",
}

// exitCode is how a shell's result tells it when it is plain text.
var exitCode = regexp.MustCompile(`(?m)\A(?:.*\n){0,4}?(?:Exit code:|Process exited with code) (-?\d+)$`)

// codexRejected is the result of a call that the user did not allow.
var codexRejected = regexp.MustCompile(`\A(?:exec command|patch) rejected by user`)

// codexFate tells the calls of shells that failed or were not allowed.
func codexFate(result string) tooltrack.Status {
	if codexRejected.MatchString(result) {
		return tooltrack.Denied
	}
	found := exitCode.FindStringSubmatch(result)
	return fateOf(found != nil && found[1] != "0")
}

// codexTools stand in for the list that a session does not hold.
func codexTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "shell", Description: "Run a shell command."},
		{Name: "exec_command", Description: "Run a shell command."},
		{Name: "apply_patch", Description: "Edit files by a patch."},
		{Name: "web_search", Description: "Search the web."},
	}
}
