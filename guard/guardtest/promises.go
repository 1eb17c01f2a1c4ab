package guardtest

import (
	"cmp"
	"context"
	_ "embed" // of the promises
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

//go:embed promises.txt
var promisesText string

// promise is one row: for which ways in it is made, what the guard is like, and the lines that say
// what is done and what is to be seen.
type promise struct {
	Promise
	only, with string
	lines      []string
}

// promises are the rows of the table, as promises.txt has them.
var promises = sync.OnceValue(func() (rows []promise) {
	for line := range strings.Lines(promisesText) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		done, isStep := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		verb, rest, _ := strings.Cut(done, " ")
		switch row := len(rows) - 1; {
		case name == "" || line[0] == '#':
		case !isStep:
			rows = append(rows, promise{Promise: Promise{name, text}})
		case verb == "only":
			rows[row].only = rest
		case verb == "with":
			rows[row].with = rest
		default:
			rows[row].lines = append(rows[row].lines, done)
		}
	}
	return rows
})

// applies says for which adapters a row is meant.
var applies = map[string]func(a *Adapter) bool{
	"":        func(*Adapter) bool { return true },
	"streams": func(a *Adapter) bool { return a.Streams },
	"pauses":  func(a *Adapter) bool { return a.Pauses },
	"wire":    func(a *Adapter) bool { return a.Wire },
	"speaks":  func(a *Adapter) bool { return !a.CallsOnly },
}

// settings are what the guard or its tools are like in a row.
var settings = map[string]func(s *scene, o *guard.Options, tools []tooltrack.Tool){
	"":            func(*scene, *guard.Options, []tooltrack.Tool) {},
	"doubt":       func(_ *scene, o *guard.Options, _ []tooltrack.Tool) { doubt(o) },
	"observation": func(_ *scene, o *guard.Options, _ []tooltrack.Tool) { o.Observe = true },
	"a full disk": func(s *scene, _ *guard.Options, _ []tooltrack.Tool) { s.broken = errors.New("the disk is full") },
	"approval": func(_ *scene, o *guard.Options, _ []tooltrack.Tool) {
		o.Policy.Approvals = []policy.Approval{policy.NeedsApproval("delete_task", policy.Always())}
	},
	"titles": func(_ *scene, o *guard.Options, tools []tooltrack.Tool) {
		tools[0].Subject = tooltrack.SubjectArg{Arg: "id", Kind: "task"}
		o.Directories = map[string]guard.Directory{"task": resolver.NewDirectory(resolver.SourceFunc(sceneTasks), nil)}
	},
}

// sceneOptions are those of a guard that understands the few messages of the
// table and is sure of them: what is tried here is the way in, not the reading.
func sceneOptions() *guard.Options {
	expected := map[string]intent.Intent{"delete": {Kind: intent.Action}, "list": {Kind: intent.Question}}
	classify := func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
		verb, _, _ := strings.Cut(request.User, " ")
		read, known := expected[verb]
		if !known {
			return intent.Intent{Kind: intent.Chat}, nil
		}
		at := slices.IndexFunc(sceneOffer(), func(tool tooltrack.Tool) bool { return strings.HasPrefix(tool.Name, verb) })
		read.Expect = []intent.Expectation{{Tool: sceneOffer()[at].Name, Confidence: 0.99, Words: verb}}
		return read, nil
	}
	rules := policy.Rules{Tools: map[string][]policy.Argument{"list_tasks": {policy.Arg("limit", policy.Cap(20))}}}
	return &guard.Options{
		Classifier: intent.Func(classify), Policy: &policy.Options{Rules: rules},
		Ledger: tooltrack.NewLedger(tooltrack.NewMemory(nil), nil), System: "Be kind.",
	}
}

// doubt makes a guard unsure of sentences with "gone" in them, and sure of nothing.
func doubt(o *guard.Options) {
	o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		return intent.Intent{Kind: intent.Chat}, nil
	})
	o.Evaluator = guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
		verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.WorkDone}
		for sentence := range strings.SplitAfterSeq(turn.Text, ". ") {
			if strings.Contains(sentence, "gone") {
				verdict.Claims = append(verdict.Claims, completion.Claim{
					Text: strings.TrimSpace(sentence), Kind: completion.ClaimChange, Doubt: 0.6, Tier: completion.Unsure,
					Fault: "no call clearly shows it",
				})
			}
		}
		return verdict
	})
}

// answered are the answers of the model, by the verb of their line.
var answered = map[string]func(rest string) Step{
	"say":      Say,
	"call":     func(calls string) Step { return Call(callsOf(calls)...) },
	"cut":      func(calls string) Step { return Stopped(guard.StopCut, "", callsOf(calls)...) },
	"filtered": func(calls string) Step { return Stopped(guard.StopFiltered, "", callsOf(calls)...) },
	"paused":   func(text string) Step { return Stopped(guard.StopPaused, text) },
	"both": func(rest string) Step {
		text, calls, _ := strings.Cut(rest, " | ")
		return SayAndCall(text, callsOf(calls)...)
	},
	"status": func(code string) Step {
		number, _ := strconv.Atoi(code) // the table is part of the program
		return provider.Status(number)
	},
}

func callsOf(list string) (calls []tooltrack.Call) {
	for call := range strings.SplitSeq(list, " | ") {
		name, args, _ := strings.Cut(call, " ")
		calls = append(calls, Tool(name, args))
	}
	return calls
}

// isSo looks for what a line wants to be seen.
func (s *scene) isSo(verb, want string) bool {
	switch verb {
	case "shows":
		return s.err == nil && s.text == want
	case "begins":
		return s.err == nil && strings.HasPrefix(s.text, want)
	case "ends":
		return s.err == nil && strings.HasSuffix(s.text, want)
	case "lacks":
		return !strings.Contains(s.text, want)
	case "refuses":
		var missing *guard.TurnError
		return s.text == "" && errors.As(s.err, &missing) && slices.Equal(missing.Tools, []string{want})
	case "ran":
		return want == s.ran()
	case "asked":
		return want == strconv.Itoa(s.asked())
	case "written":
		return want == strconv.Itoa(s.written)
	case "cached":
		return s.keepsTheCache()
	case "approved":
		return s.approve()
	case "goes":
		const listed = "You have one task: Read book."
		s.add(Call(Tool("list_tasks", `{}`)), Say(listed))
		s.say("list my tasks")
		return s.err == nil && s.text == listed
	}
	return false
}

// play does what a line says, and notes what is not as it should be.
func (s *scene) play(line string) {
	verb, rest, _ := strings.Cut(line, " ")
	switch {
	case answered[verb] != nil:
		s.add(answered[verb](rest))
	case verb == "user":
		s.say(rest)
	case verb == "again":
		s.talk = s.adapter.Open(&s.setting)
		s.turns--
		s.say(rest)
	case !s.isSo(verb, rest):
		s.seen = append(s.seen, fmt.Sprintf("%q is not so: it shows %q (%v), ran %q, and asked the model %d times",
			line, s.text, s.err, s.ran(), s.asked()))
	}
}

// approve approves the call that waits. Where the guard has the whole turn, it is resumed; where it
// sees messages only, the client sends the same call again, and once more.
func (s *scene) approve() bool {
	const user, done = "delete Read book", "I've deleted Read book."
	ctx, ledger := context.Background(), s.setting.Guard.Ledger()
	waiting, err := ledger.Approvals(ctx, tooltrack.ApprovalQuery{AllOwners: true})
	if err != nil || len(waiting) != 1 || string(waiting[0].Call.Args) != `{"id":"1"}` {
		return false
	}
	approval := waiting[0]
	yes := tooltrack.Answer{By: "bob", Approve: true}
	if _, err := ledger.Answer(ctx, approval.Owner, approval.ID, yes); err != nil {
		return false
	}
	if paused, _ := ledger.IsPaused(ctx, approval.Owner, approval.Turn); paused {
		reply, err := s.setting.Guard.Resume(ctx, Script(Say(done)), s.executor, approval.Owner, approval.Turn)
		return err == nil && reply.Text == done
	}
	call := Call(Tool("delete_task", `{"id":"1"}`))
	s.add(call, Say(done), call, Say("Read book has not been deleted: a person has to approve it first."))
	s.say(user)
	shown := s.err == nil && s.text == done && s.ran() == "delete_task "+`{"id":"1"}`
	s.say(user)
	return shown
}

// keepsTheCache reports that all requests have the same tools and system prompt.
func (s *scene) keepsTheCache() bool {
	var first map[string]json.RawMessage
	for _, asked := range s.provider.Received() {
		var request map[string]json.RawMessage
		if json.Unmarshal(asked.Body, &request) != nil {
			return false
		}
		if first == nil {
			first = request
		}
		for _, member := range []string{"tools", "system", "instructions"} {
			if string(request[member]) != string(first[member]) {
				return false
			}
		}
	}
	return true
}

// sceneOffer are the tools of the table.
func sceneOffer() []tooltrack.Tool {
	byID := []byte(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)
	page := []byte(`{"type":"object","properties":{"limit":{"type":"integer"}}}`)
	return []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Parameters: byID},
		{Name: "list_tasks", Description: "List the tasks.", Effect: tooltrack.Reads, Parameters: page},
	}
}

func sceneTasks(_ context.Context, owner string) ([]resolver.Entry, error) {
	if owner != "ann" {
		return nil, nil
	}
	return []resolver.Entry{{ID: "1", Title: "Read book"}, {ID: "2", Title: "Buy milk"}}, nil
}

// delete is the tool that changes something. It looks what the ledger holds of the call by now.
func (s *scene) delete(ctx context.Context, call tooltrack.Call) ([]byte, error) {
	records, err := s.setting.Options.Ledger.Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
	for _, record := range records {
		if record.Tool == call.Tool {
			s.written++
		}
	}
	tasks, _ := sceneTasks(ctx, "ann")
	at := slices.IndexFunc(tasks, func(task resolver.Entry) bool { return string(call.Args) == `{"id":"`+task.ID+`"}` })
	switch {
	case err != nil || s.broken != nil:
		return nil, cmp.Or(err, s.broken)
	case at < 0:
		return nil, errors.New("there is no such task")
	}
	return fmt.Appendf(nil, `{"success":true,"data":{"id":%q,"title":%q}}`, tasks[at].ID, tasks[at].Title), nil
}
