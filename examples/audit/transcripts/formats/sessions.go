package formats

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// claudeCode reads the session files of Claude Code, one entry a line, and what
// it prints with --output-format stream-json.
//
// Shape: ~/.claude/projects/…/SESSION.jsonl has entries {"type":"user"|"assistant",
// "message":{…},"sessionId":…,"uuid":…,"isSidechain":…,"isMeta":…}, whose messages are Anthropic's with
// one block a line, and entries of other types that say nothing to the user. The stream has session_id
// instead, and begins with {"type":"system","subtype":"init","tools":[…]}. See
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
	return t.session(f, parts[0].Line, claudeFate)
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

// typedByProgram finds what the program says in the user's name: slash commands, their output, and notes to the model.
func typedByProgram(message json.RawMessage) bool {
	content := object(message)["content"]
	return !anthropicBlocks(content) && beginsWith(plain(content), claudeTags)
}

// beginsWith reports whether a text begins with one of some marks.
func beginsWith(said string, marks []string) bool {
	said = strings.TrimSpace(said)
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(said, mark) })
}

// claudeFate is Denied for a call that the user did not allow: the session says so in the text of the result.
func claudeFate(result string) tooltrack.Status {
	if strings.HasPrefix(result, "The user doesn't want to proceed with this tool use") {
		return tooltrack.Denied
	}
	return tooltrack.Unknown
}

//go:embed sessions.json
var sessionTools []byte

// session ends one of a coding agent, whose results say what became of their calls. A session that does not list its
// tools has those that every one of its kind has.
func (t *Conversation) session(
	f Format, line int, fate func(result string) tooltrack.Status,
) ([]*Conversation, error) {
	for _, message := range t.Messages {
		if message.Role == guard.RoleTool && message.CallID != "" && fate(message.Text) != tooltrack.Unknown {
			t.fate(message.CallID, fate(message.Text))
		}
	}
	if t.Tools == nil {
		t.Tools = withCalled(tools(object(sessionTools)[f.Name()]), t.Messages)
	}
	return t.done(f, line)
}

// codex reads the rollout files of Codex's sessions, one record a line, packed with zstd when they are old.
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
}

func (f codex) Read(parts []Part) ([]*Conversation, error) {
	records := make([]codexRecord, 0, len(parts))
	typed := false
	for _, part := range parts {
		var r codexRecord
		if err := decode(part.Data, &r); err != nil {
			return nil, fmt.Errorf("line %d: %w", part.Line, err)
		}
		_, user := r.user()
		typed = typed || user
		records = append(records, r)
	}
	t := &Conversation{}
	for i, r := range records {
		if err := r.write(t, typed); err != nil {
			return nil, fmt.Errorf("line %d: %w", parts[i].Line, err)
		}
	}
	return t.session(f, parts[0].Line, codexFate)
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
		return item(t, marshal(r.Payload))
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

// agentTrace reads traces of agent-trace/v1, one a line: the steps of one task, what was
// read of the world after its end, and, in a benchmark, whether it was done.
//
// Shape: https://github.com/B0yko/agent-claimcheck, schemas/agent-trace-v1.json.
type agentTrace struct{}

func (agentTrace) Name() string { return "agent traces (agent-trace/v1)" }

func (agentTrace) Take(v *Value) ([]Part, bool) {
	return alone(v), v.text("schema") == "agent-trace/v1" || v.Has("trace_id", "task", "steps")
}

// traceStep is a message, a call, its result or a look at the world.
type traceStep struct {
	Kind, Role, Content, Name, Error string
	Args, Output                     json.RawMessage
	OK                               *bool
}

func (f agentTrace) Read(parts []Part) ([]*Conversation, error) {
	var wire struct {
		ID    string `json:"trace_id"`
		Task  struct{ Instruction string }
		Steps []traceStep
		Final struct {
			Text   string
			Claims []Claim
		} `json:"final_claim"`
		Truth *struct {
			Outcome string
			Details struct{ Injection string }
		} `json:"ground_truth"`
	}
	if err := decode(parts[0].Data, &wire); err != nil {
		return nil, err
	}
	t := &Conversation{}
	if t.ID = wire.ID; len(wire.Steps) == 0 || wire.Steps[0].Role != "user" {
		t.say(guard.RoleUser, wire.Task.Instruction)
	}
	open := map[string][]string{} // calls without a result, by their tools
	for i := range wire.Steps {
		t.step(i, &wire.Steps[i], open)
	}
	if n := len(t.Messages); wire.Final.Text != "" && (n == 0 || t.Messages[n-1].Text != wire.Final.Text) {
		t.say(guard.RoleAssistant, wire.Final.Text)
	}
	if t.Claims = wire.Final.Claims; wire.Truth != nil {
		t.Truth = &Truth{Done: wire.Truth.Outcome == "success", Kind: wire.Truth.Details.Injection}
	}
	return t.done(f, parts[0].Line)
}

// step writes a step down. A result answers the first call of its tool that has none yet.
func (t *Conversation) step(i int, s *traceStep, open map[string][]string) {
	failed := s.OK != nil && !*s.OK
	switch s.Kind {
	case "message":
		t.say(guard.Role(cmp.Or(map[string]string{"agent": "assistant"}[s.Role], s.Role)), s.Content)
	case "tool_call":
		id := fmt.Sprint("step ", i)
		open[s.Name] = append(open[s.Name], id)
		t.call(id, s.Name, s.Args)
	case "tool_result":
		id := ""
		if waiting := open[s.Name]; len(waiting) > 0 {
			id, open[s.Name] = waiting[0], waiting[1:]
		}
		t.result(id, s.Name, cmp.Or(s.Error, body(s.Output)), fateOf(failed))
	case "state_probe":
		t.Probes = append(t.Probes, Probe{Tool: s.Name, Args: s.Args, Output: s.Output, Error: s.Error, Failed: failed})
	}
}

// Claim is what the last text claims, as the agent itself has put it: an act, and values of what it was done to.
type Claim struct {
	Act    string          `json:"type"`
	Values json.RawMessage `json:"subject"`
}

// Probe is what the host read of the world after a conversation. A log may leave out with which arguments.
type Probe struct {
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"`
	Output json.RawMessage `json:"output"`
	Error  string          `json:"error"`
	Failed bool            `json:"failed"`
}

// Result is what the read returned. What it found may well be a failed check: the read itself has worked.
func (p *Probe) Result() tooltrack.Result {
	switch {
	case p.Failed, p.Error != "":
		return tooltrack.FailedResult(cmp.Or(p.Error, body(p.Output)))
	case !isNull(object(p.Output)["error"]):
		return tooltrack.ParseResult(body(p.Output), nil)
	}
	return tooltrack.Result{Status: tooltrack.Succeeded, Data: p.Output}
}

// Truth is what a benchmark says of a conversation: whether its task was done, and else what kind of lie it ends in.
type Truth struct {
	Done bool
	Kind string
}
