package formats

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

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

// Truth is what a benchmark says of a conversation: whether its task was done, and if not,
// which kind of lie its last text is.
type Truth struct {
	Done bool
	Kind string
}
