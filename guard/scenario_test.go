package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// scenario is one failure of real agents: the same script is run by a bare loop,
// which shows the failure, and by the guard, which does not.
type scenario struct {
	name   string
	tools  []tooltrack.Tool // nil: those of the task manager
	setup  func(*world, *guard.Options)
	input  guard.Input
	script []guardtest.Step
	// bare looks at what a bare loop showed and did; it fails the test if the
	// failure is not there, since then the scenario shows nothing.
	bare func(t *testing.T, w *world, shown string)
	// guarded looks at the guarded turn.
	guarded func(t *testing.T, w *world, model *guardtest.Model, reply *guard.Reply, err error)
}

func showsLie(lie string) func(*testing.T, *world, string) {
	return func(t *testing.T, _ *world, shown string) {
		if shown != lie {
			t.Errorf("the bare loop shows %q, not the lie", shown)
		}
	}
}

func TestFailuresOfRealAgents(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			tools := s.tools
			if tools == nil {
				tools = taskTools()
			}
			if s.bare != nil {
				w := newWorld()
				if s.setup != nil {
					s.setup(w, &guard.Options{})
				}
				shown, err := bareLoop(context.Background(), guardtest.Script(s.script...), w, tools, s.input.User)
				if err != nil {
					t.Fatalf("the bare loop: %v", err)
				}
				s.bare(t, w, shown)
			}
			w := newWorld()
			options := worldOptions(t, w)
			if s.tools != nil {
				options.Directories = nil // other tools know no tasks
			}
			if s.setup != nil {
				s.setup(w, options)
			}
			g, err := guard.New(tools, options)
			if err != nil {
				t.Fatal(err)
			}
			model := guardtest.Script(s.script...)
			reply, err := g.Run(context.Background(), model, w, s.input)
			s.guarded(t, w, model, reply, err)
		})
	}
}

func scenarios() []scenario {
	return []scenario{
		{
			name: "ghost success: no tool ran", input: ask("delete Read book"),
			script: []guardtest.Step{guardtest.Say("I've deleted Read book."), guardtest.Say("Read book has been deleted.")},
			bare:   showsLie("I've deleted Read book."),
			guarded: func(t *testing.T, w *world, _ *guardtest.Model, reply *guard.Reply, err error) {
				if !errors.Is(err, guard.ErrToolNotTriggered) || reply.Text != "" || !w.has(readBook) {
					t.Errorf("%q: %v", reply.Text, err)
				}
			},
		},
		{
			name: "the tool failed and the text says done", input: ask("delete Read book"),
			setup:  func(w *world, _ *guard.Options) { w.fail["delete_task"] = errDatabase },
			script: []guardtest.Step{guardtest.Call(deletes(readBook)), guardtest.Say("I've deleted Read book."), guardtest.Say("I've deleted Read book."), guardtest.Say("I've deleted Read book.")},
			bare:   showsLie("I've deleted Read book."),
			guarded: func(t *testing.T, w *world, _ *guardtest.Model, reply *guard.Reply, err error) {
				if !errors.Is(err, guard.ErrInsufficientProgress) || reply.Text != "" {
					t.Errorf("%q: %v", reply.Text, err)
				}
				contains(t, "the account", reply.Account, "the database is locked")
				if action := reply.Summaries()[0]; action.Success || !strings.Contains(action.Message, "the database is locked") {
					t.Errorf("the action is %+v", action)
				}
			},
		},
		{
			name: "the tool failed and the text says so", input: ask("delete Read book"),
			setup:  func(w *world, _ *guard.Options) { w.fail["delete_task"] = errDatabase },
			script: []guardtest.Step{guardtest.Call(deletes(readBook)), guardtest.Say("I couldn't delete Read book: the database is locked. Please try again later.")},
			guarded: func(t *testing.T, _ *world, _ *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || reply.Verdict.Outcome != completion.CompletedWithBlocker {
					t.Errorf("%+v: %v", reply.Verdict, err)
				}
			},
		},
		{
			name: "the tool was not called at all", input: ask("list my tasks"),
			script: []guardtest.Step{guardtest.Say("You have two tasks: Buy milk and Walk dog."), guardtest.Call(lists()), guardtest.Say("Your tasks: Read book, Return book to library, Book list, Call mom.")},
			bare:   showsLie("You have two tasks: Buy milk and Walk dog."),
			guarded: func(t *testing.T, _ *world, model *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || !strings.Contains(reply.Text, "Read book") || model.Calls() != 3 {
					t.Errorf("%q after %d calls: %v", reply.Text, model.Calls(), err)
				}
			},
		},
		{
			name: "a promise and nothing behind it", input: ask("please take care of Read book"),
			setup:  func(_ *world, o *guard.Options) { o.Classifier = expecting(intent.Action, 1) },
			script: []guardtest.Step{guardtest.Say("I will now update it, please hold on."), guardtest.Say("I'm going to update it right away."), guardtest.Say("One moment, I'll update it.")},
			bare:   showsLie("I will now update it, please hold on."),
			guarded: func(t *testing.T, _ *world, model *guardtest.Model, reply *guard.Reply, err error) {
				var stuck *guard.TurnError
				if !(errors.As(err, &stuck) && errors.Is(err, guard.ErrInsufficientProgress)) || stuck.Verdict.Reason != completion.Promise || model.Calls() != 3 {
					t.Errorf("after %d calls: %v", model.Calls(), err)
				}
			},
		},
		{
			name: "only reading, again and again", input: ask("please take care of Read book"),
			setup:  func(_ *world, o *guard.Options) { o.Classifier = expecting(intent.Action, 1) },
			script: []guardtest.Step{guardtest.Call(lists()), guardtest.Say("I have looked at your tasks."), guardtest.Call(lists()), guardtest.Say("I have looked at your tasks again."), guardtest.Say("There are four tasks.")},
			bare:   showsLie("I have looked at your tasks."),
			guarded: func(t *testing.T, _ *world, _ *guardtest.Model, reply *guard.Reply, err error) {
				if !errors.Is(err, guard.ErrInsufficientProgress) {
					t.Errorf("%q: %v", reply.Text, err)
				}
			},
		},
		{
			name: "reading is fine for a question", input: ask("list my tasks"),
			script: []guardtest.Step{guardtest.Call(lists()), guardtest.Say("You have four tasks: Read book, Return book to library, Book list and Call mom.")},
			guarded: func(t *testing.T, _ *world, model *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || model.Calls() != 2 {
					t.Errorf("after %d calls: %v", model.Calls(), err)
				}
			},
		},
		{
			name: "a call printed as text", input: ask("delete Read book"),
			script: []guardtest.Step{guardtest.Say("```json\n{\"name\":\"delete_task\",\"arguments\":{\"task_id\":\"Read book\"}}\n```"), guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book.")},
			bare:   showsLie("```json\n{\"name\":\"delete_task\",\"arguments\":{\"task_id\":\"Read book\"}}\n```"),
			guarded: func(t *testing.T, w *world, _ *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || reply.Text != "I've deleted Read book." || reply.Execution.Corrected != 1 || w.Count("delete_task") != 1 {
					t.Errorf("%+v: %v", reply, err)
				}
			},
		},
		{
			name: "three tasks hold the word", input: ask("delete book"),
			script: []guardtest.Step{guardtest.Call(deletes("book")), guardtest.Say("Which one do you mean: Read book, Return book to library or Book list?")},
			guarded: func(t *testing.T, w *world, model *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || w.Count("delete_task") != 0 || len(reply.Records) != 1 || reply.Records[0].Ruling.Rule != "ambiguous" {
					t.Errorf("%+v: %v", reply.Records, err)
				}
				told := model.Requests()[1].Messages
				contains(t, "the result", told[len(told)-1].Text, "Multiple tasks match", "Read book", "Return book to library", "Book list")
			},
		},
		{
			name: "the model picks one of three", input: ask("delete book"),
			script: []guardtest.Step{guardtest.Call(deletes(returnBook)), guardtest.Call(deletes("Return book to library")), guardtest.Say("Which one do you mean: Read book, Return book to library or Book list?")},
			bare: func(t *testing.T, w *world, _ string) {
				if w.has(returnBook) {
					t.Error("the bare loop did not delete")
				}
			},
			guarded: func(t *testing.T, w *world, _ *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || w.Count("delete_task") != 0 || reply.Records[0].Ruling.Rule != "ambiguous" || reply.Records[1].Ruling.Rule != "ambiguous" {
					t.Errorf("%v: %v", w.Calls(), err)
				}
			},
		},
		{
			name: "the assistant had named the one that is meant", input: guard.Input{
				User: "yes, delete that book", Owner: "ann",
				Previous: []guard.Message{{Role: guard.RoleUser, Text: "delete book"}, {Role: guard.RoleAssistant, Text: "Do you mean Return book to library?"}},
			},
			script: []guardtest.Step{guardtest.Call(deletes("Return book to library")), guardtest.Say("I've deleted Return book to library.")},
			guarded: func(t *testing.T, w *world, _ *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || w.has(returnBook) {
					t.Errorf("%+v: %v", reply, err)
				}
			},
		},
		{
			name: "invented ids, and ids shown to people", input: ask("delete Read book"),
			script: []guardtest.Step{
				guardtest.Call(deletes("11111111-2222-4333-8444-555555555555")), guardtest.Call(deletes("Read book")),
				guardtest.Say("I've deleted Read book (ID: " + readBook + ")."),
			},
			bare: func(t *testing.T, _ *world, shown string) {
				if !strings.Contains(shown, readBook) {
					t.Errorf("the bare loop shows %q", shown)
				}
			},
			guarded: func(t *testing.T, w *world, model *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || strings.Contains(reply.Text, readBook) || !strings.Contains(reply.Text, "Read book") || w.has(readBook) {
					t.Errorf("%q: %v", reply.Text, err)
				}
				if reply.Records[0].Ruling.Rule != "not_found" {
					t.Errorf("the invented id: %+v", reply.Records[0].Ruling)
				}
				for _, request := range model.Requests() {
					for _, message := range request.Messages {
						if strings.Contains(message.Text, readBook) {
							t.Errorf("the model reads an id: %s", message.Text)
						}
					}
				}
			},
		},
		{
			name: "a due date in 2024", input: ask("add Buy milk due 8 February"),
			script: []guardtest.Step{
				guardtest.Call(guardtest.Tool("add_task", `{"title":"Buy milk","due_date":"2024-02-08"}`)),
				guardtest.Call(guardtest.Tool("add_task", `{"title":"Buy milk","due_date":"2026-02-08"}`)), guardtest.Say("I've added Buy milk."),
			},
			bare: func(t *testing.T, w *world, _ string) {
				if got := string(w.Calls()[0].Args); !strings.Contains(got, "2024") {
					t.Errorf("the bare loop ran %s", got)
				}
			},
			guarded: func(t *testing.T, w *world, model *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || w.Count("add_task") != 1 || strings.Contains(string(w.Calls()[0].Args), "2024") {
					t.Errorf("%v: %v", w.Calls(), err)
				}
				told := model.Requests()[1].Messages
				contains(t, "the result", told[len(told)-1].Text, "2024", "2026")
			},
		},
		{
			name: "a URL of the metadata service", tools: webTools(), input: ask("what is in there?"),
			setup: func(w *world, _ *guard.Options) {
				w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"web_access": guardtest.Returns("secret"), "web_search": guardtest.Returns("ok")})
			},
			script: []guardtest.Step{guardtest.Call(guardtest.Tool("web_access", `{"url":"http://169.254.169.254/latest/"}`)), guardtest.Say("I am not allowed to open that address. Please give me a public one.")},
			bare: func(t *testing.T, w *world, _ string) {
				if w.Count("web_access") != 1 {
					t.Error("the bare loop did not open it")
				}
			},
			guarded: func(t *testing.T, w *world, _ *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || w.Count("web_access") != 0 || !reply.Records[0].Ruling.Denied {
					t.Errorf("%v: %v", w.Calls(), err)
				}
			},
		},
		{
			name: "a report before the files were read", tools: refactorTools(), input: resolveFinding(),
			setup: func(w *world, _ *guard.Options) {
				w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"read_file": guardtest.Returns("package a"), "create_report": guardtest.Returns("ok")})
			},
			script: []guardtest.Step{
				guardtest.Call(guardtest.Tool("create_report", `{}`)), guardtest.Call(guardtest.Tool("read_file", `{"path":"a.go"}`)),
				guardtest.Call(guardtest.Tool("create_report", `{"n":2}`)), guardtest.Say("I've created the report."),
			},
			bare: func(t *testing.T, w *world, _ string) {
				if w.Calls()[0].Tool != "create_report" {
					t.Error("the bare loop did not report first")
				}
			},
			guarded: func(t *testing.T, w *world, model *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || len(w.Calls()) != 2 || w.Calls()[0].Tool != "read_file" || w.Calls()[1].Tool != "create_report" {
					t.Errorf("%v: %v", w.Calls(), err)
				}
				told := model.Requests()[1].Messages
				contains(t, "the result", told[len(told)-1].Text, "ANALYSIS INCOMPLETE. You MUST complete these steps first:")
			},
		},
		{
			name: "a synthesis after one source", tools: webTools(), input: guard.Input{User: "Research the history of tea.", Owner: "ann", Mode: "research"},
			setup: func(w *world, o *guard.Options) {
				w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"web_access": guardtest.Returns("Tea came to Europe in the 17th century."), "record_plan": guardtest.Returns("ok")})
				contract := completion.Analysis(completion.Planned("record_plan"), completion.Sources(3))
				o.Modes = []guard.Mode{{Mode: policy.Mode{Name: "research", Calls: policy.Unlimited}, Contract: &contract}}
			},
			script: []guardtest.Step{
				guardtest.Call(opens("https://a.example.com/")), guardtest.Say("Tea came to Europe in the 17th century."),
				guardtest.Call(guardtest.Tool("record_plan", `{}`), opens("https://a.example.com/#x"), opens("https://b.example.com/"), opens("https://c.example.com/")),
				guardtest.Say("Tea came to Europe in the 17th century."),
			},
			bare: showsLie("Tea came to Europe in the 17th century."),
			guarded: func(t *testing.T, _ *world, model *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || model.Calls() != 4 || reply.Execution.Corrected != 1 {
					t.Errorf("after %d calls: %v", model.Calls(), err)
				}
				told := model.Requests()[2].Messages
				contains(t, "the correction", told[len(told)-1].Text, "record_plan", "3 distinct sources")
			},
		},
		{
			name: "the prompt says two calls and a third is made", tools: webTools(), input: guard.Input{User: "How tall is it?", Owner: "ann", Mode: "quick_lookup"},
			setup: func(w *world, o *guard.Options) {
				w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"web_search": guardtest.Returns("828 m")})
				lookup := policy.QuickLookup()
				lookup.Deeper = ""
				o.Modes = []guard.Mode{{Mode: lookup}}
			},
			script: []guardtest.Step{guardtest.Call(searches("aa"), searches("bb"), searches("cc")), guardtest.Say("It is 828 m tall.")},
			bare: func(t *testing.T, w *world, _ string) {
				if w.Count("web_search") != 3 {
					t.Error("the bare loop did not search three times")
				}
			},
			guarded: func(t *testing.T, w *world, model *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || w.Count("web_search") != 2 {
					t.Errorf("%d searches: %v", w.Count("web_search"), err)
				}
				contains(t, "the prompt", model.Requests()[0].Messages[0].Text, "Maximum: 2 tool calls per turn")
				told := model.Requests()[1].Messages
				contains(t, "the third result", told[len(told)-1].Text, "2 tool calls per turn")
			},
		},
		{
			name: "the same change twice in one turn", input: ask("add Buy milk"),
			script: []guardtest.Step{guardtest.Call(adds("Buy milk")), guardtest.Call(adds("Buy milk")), guardtest.Say("I've added Buy milk.")},
			bare: func(t *testing.T, w *world, _ string) {
				if w.Count("add_task") != 2 {
					t.Error("the bare loop did not add twice")
				}
			},
			guarded: func(t *testing.T, w *world, _ *guardtest.Model, reply *guard.Reply, err error) {
				if err != nil || w.Count("add_task") != 1 {
					t.Errorf("%d additions: %v", w.Count("add_task"), err)
				}
			},
		},
	}
}

func webTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "web_access", Description: "Open a web page.", Effect: tooltrack.Reads, Parameters: json.RawMessage(`{"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}`)},
		{Name: "web_search", Description: "Search the web.", Effect: tooltrack.Reads},
		{Name: "record_plan", Description: "Record a plan.", Effect: tooltrack.Changes},
	}
}

func opens(url string) tooltrack.Call { return guardtest.Tool("web_access", `{"url":"`+url+`"}`) }

func searches(query string) tooltrack.Call {
	return guardtest.Tool("web_search", `{"query":"`+query+`"}`)
}

func refactorTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "read_file", Description: "Read a file.", Effect: tooltrack.Reads},
		{Name: "create_report", Description: "Create a report.", Effect: tooltrack.Changes},
	}
}

func resolveFinding() guard.Input {
	list := policy.Checklist{
		Steps:     []policy.Step{{Name: "Read target files", Tool: "read_file", PathArg: "path", EachTarget: true}},
		Resolving: []string{"create_report"},
	}
	return guard.Input{User: "resolve the finding", Owner: "ann", Task: "finding-1", Checklist: list.For("a.go")}
}
