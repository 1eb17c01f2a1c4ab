package formats

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// langsmith reads runs as LangSmith exports them. The runs of a trace belong together: every call
// of a model repeats the conversation so far, and the runs of tools say what came of them.
//
// Shape: https://docs.langchain.com/langsmith/run-data-format (id, trace_id,
// run_type, dotted_order, inputs, outputs, error, extra).
type langsmith struct{}

func (langsmith) Name() string { return "LangSmith runs" }

func (langsmith) Take(v *Value) ([]Part, bool) {
	if v.text("run_type") == "" || !v.Has("inputs") && !v.Has("outputs") {
		return nil, false
	}
	members := v.Members()
	key := "trace " + name(members["trace_id"], members["id"])
	return []Part{{Key: key, Line: v.Line, Data: v.Data}}, true
}

// run is one run, as far as it matters here.
type run struct {
	ID      string                     `json:"id"`
	Name    string                     `json:"name"`
	Type    string                     `json:"run_type"`
	Parent  json.RawMessage            `json:"parent_run_id"`
	Order   string                     `json:"dotted_order"`
	Start   json.RawMessage            `json:"start_time"`
	Inputs  map[string]json.RawMessage `json:"inputs"`
	Outputs map[string]json.RawMessage `json:"outputs"`
	Error   json.RawMessage            `json:"error"`
	Extra   struct {
		Metadata   map[string]json.RawMessage `json:"metadata"`
		Invocation map[string]json.RawMessage `json:"invocation_params"`
	} `json:"extra"`
	line int
}

func (f langsmith) Read(parts []Part) ([]*Conversation, error) {
	runs := make([]*run, 0, len(parts))
	for _, part := range parts {
		r := &run{line: part.Line}
		if err := decode(part.Data, r); err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	slices.SortStableFunc(runs, func(a, b *run) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(string(a.Start), string(b.Start)))
	})
	var found []*Conversation
	fates := toolFates(runs)
	for _, r := range runs {
		if c := f.modelCall(r, fates); c != nil {
			found = append(found, c)
		}
	}
	if found = onlyAgents(found); len(found) > 0 {
		return found, nil
	}
	return one(f.root(runs))
}

// modelCall is the exchange of one call of a model; nil for any other run.
func (f langsmith) modelCall(r *run, fates map[string]tooltrack.Status) *Conversation {
	messages := flat(r.Inputs["messages"])
	if r.Type != "llm" || messages == nil {
		return nil
	}
	t := &transcript{}
	for _, raw := range messages {
		if langchainWrite(t, raw) != nil {
			return nil // a message that is none: the run of something else
		}
	}
	if answer := r.answer(); !isNull(answer) && langchainWrite(t, answer) != nil {
		return nil
	}
	r.describe(t)
	t.LastTurn, t.Fates = true, fates
	c, err := t.done(f, r.line)
	if err != nil {
		return nil
	}
	return c
}

// describe names the conversation, the model and the tools.
func (r *run) describe(t *transcript) {
	meta, params := r.Extra.Metadata, r.Extra.Invocation
	t.ID = cmp.Or(name(meta["thread_id"], meta["session_id"], meta["conversation_id"]), r.ID)
	t.Model = cmp.Or(text(meta["ls_model_name"]), text(params["model"]), text(params["model_name"]),
		text(r.Inputs["model"]))
	t.Tools = tools(present(params["tools"], r.Inputs["tools"]), params["functions"])
}

// flat is a list of messages, or the first of several lists: LangChain calls a model with a batch of them.
func flat(raw json.RawMessage) []json.RawMessage {
	messages := list(raw)
	if len(messages) > 0 && isArray(messages[0]) {
		return list(messages[0])
	}
	return messages
}

// answer is the message that a model returned: as LangChain traces it, or as the provider's client does.
func (r *run) answer() json.RawMessage {
	if generations := flat(r.Outputs["generations"]); len(generations) > 0 {
		return object(generations[0])["message"]
	}
	if message, _ := choice(r.Outputs); message != nil {
		return message
	}
	if messages := flat(r.Outputs["messages"]); len(messages) > 0 {
		return messages[len(messages)-1]
	}
	if text(r.Outputs["role"]) != "" {
		return marshal(r.Outputs)
	}
	return r.Outputs["message"]
}

// toolFates are what the runs of tools say of their calls.
func toolFates(runs []*run) map[string]tooltrack.Status {
	fates := map[string]tooltrack.Status{}
	for _, r := range runs {
		if r.Type != "tool" {
			continue
		}
		_, fields, _ := langchainMessage(object(r.Outputs["output"]))
		id := cmp.Or(text(fields["tool_call_id"]), text(r.Extra.Metadata["tool_call_id"]))
		if id != "" && (!isNull(r.Error) || text(fields["status"]) == "error") {
			fates[id] = tooltrack.Failed
		}
	}
	return fates
}

// onlyAgents leaves out the calls of a model that were offered no tools, where
// others of the trace were: they write titles and summaries, not answers.
func onlyAgents(found []*Conversation) []*Conversation {
	offered := func(c *Conversation) bool { return len(c.Tools) > 0 }
	if !slices.ContainsFunc(found, offered) {
		return found
	}
	return slices.DeleteFunc(found, func(c *Conversation) bool { return !offered(c) })
}

// root reads a trace in which no call of a model shows its messages: what went
// into the whole and came out of it, and the runs of tools between.
func (f langsmith) root(runs []*run) (*Conversation, error) {
	whole := runs[0]
	for _, r := range runs {
		if isNull(r.Parent) && r.Type != "tool" {
			whole = r
			break
		}
	}
	t := &transcript{}
	whole.describe(t)
	t.LastTurn = true
	if state := flat(whole.Outputs["messages"]); len(state) > 1 { // a graph returns all messages
		for _, raw := range state {
			if err := langchainWrite(t, raw); err != nil {
				return nil, err
			}
		}
		return t.done(f, whole.line)
	}
	asked, answered := whole.said(whole.Inputs), whole.said(whole.Outputs)
	if asked == "" || answered == "" {
		return nil, errEmpty
	}
	t.say(guard.RoleUser, asked)
	calls := 0
	for _, r := range runs {
		if r.Type == "tool" {
			calls++
			t.call(r.ID, r.Name, r.arguments())
			t.result(r.ID, "", r.result(), fateOf(!isNull(r.Error)))
		}
	}
	t.say(guard.RoleAssistant, answered)
	if calls == 0 && len(runs) == 1 {
		t.hide(unseenRuns)
	}
	return t.done(f, whole.line)
}

// unseenRuns is a trace of which only the outermost run was exported.
const unseenRuns = "only the outermost run of the trace is in the log"

// said is the text among the inputs or outputs of a chain.
func (r *run) said(members map[string]json.RawMessage) string {
	for _, key := range []string{"input", "question", "query", "output", "answer", "result", "text", "content"} {
		if said := plain(members[key]); said != "" {
			return said
		}
	}
	if messages := flat(members["messages"]); len(messages) > 0 {
		t := &transcript{}
		if langchainWrite(t, messages[len(messages)-1]) == nil && len(t.Messages) > 0 {
			return t.Messages[len(t.Messages)-1].Text
		}
	}
	return ""
}

func (r *run) arguments() json.RawMessage {
	if raw := unquoted(r.Inputs["input"]); object(raw) != nil {
		return raw
	}
	return marshal(r.Inputs)
}

func (r *run) result() string {
	if !isNull(r.Error) {
		return "Error: " + body(r.Error)
	}
	if _, fields, ok := langchainMessage(object(r.Outputs["output"])); ok {
		return body(fields["content"])
	}
	if output := r.Outputs["output"]; !isNull(output) {
		return body(output)
	}
	return body(marshal(r.Outputs))
}
