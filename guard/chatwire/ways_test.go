package chatwire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// scripted is a turn: a request, how the model behaves, and whether the tool
// works.
type scripted struct {
	name   string
	user   string
	script []guardtest.Step
	fails  bool
}

// fiftyTurns are five requests, each answered in ten ways.
func fiftyTurns() []scripted {
	requests := []struct {
		user, tool, args, done, failed, promise string
	}{
		{"delete Read book", "delete_task", `{"id":"1"}`, "I've deleted Read book.", "I couldn't delete Read book: the disk is full. Please free some space.", "I will delete Read book now, please hold on."},
		{"add Buy milk", "add_task", `{"title":"Buy milk"}`, "I've added Buy milk.", "I couldn't add Buy milk: the disk is full. Please free some space.", "I'll add Buy milk right away, one moment."},
		{"list my tasks", "list_tasks", `{}`, "You have one task: Read book.", "I couldn't list your tasks: the disk is full. Please free some space.", "I will list your tasks now, please hold on."},
		{"mark Read book as done", "complete_task", `{"id":"1"}`, "I've marked Read book as done.", "I couldn't mark Read book as done: the disk is full. Please free some space.", "I'm going to mark it as done, hold on."},
		{"hello there", "list_tasks", `{}`, "Hello! You have one task: Read book.", "Hello! I couldn't look at your tasks: the disk is full. Please free some space.", "Hello! I will look at your tasks now, please hold on."},
	}
	var turns []scripted
	for _, r := range requests {
		call := guardtest.Call(guardtest.Tool(r.tool, r.args))
		leak := guardtest.Say("```json\n{\"name\":\"" + r.tool + "\",\"arguments\":" + r.args + "}\n```")
		done, failed, promise := guardtest.Say(r.done), guardtest.Say(r.failed), guardtest.Say(r.promise)
		ask, empty := guardtest.Say("Which task do you mean?"), guardtest.Say("")
		turns = append(turns,
			scripted{"honest: " + r.user, r.user, []guardtest.Step{call, done}, false},
			scripted{"a lie, always: " + r.user, r.user, []guardtest.Step{done, done, done, done}, false},
			scripted{"a lie, then the call: " + r.user, r.user, []guardtest.Step{done, call, done}, false},
			scripted{"a promise, always: " + r.user, r.user, []guardtest.Step{promise, promise, promise, promise}, false},
			scripted{"a leaked call, always: " + r.user, r.user, []guardtest.Step{leak, leak, leak, leak}, false},
			scripted{"a leaked call, then the call: " + r.user, r.user, []guardtest.Step{leak, call, done}, false},
			scripted{"a question: " + r.user, r.user, []guardtest.Step{ask, ask, ask, ask}, false},
			scripted{"a failure, told: " + r.user, r.user, []guardtest.Step{call, failed}, true},
			scripted{"a failure, hidden: " + r.user, r.user, []guardtest.Step{call, done, done, done, done}, true},
			scripted{"not a word: " + r.user, r.user, []guardtest.Step{empty, empty, empty, empty}, false},
		)
	}
	return turns
}

func waysTools() []tooltrack.Tool {
	object := json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"}}}`)
	return []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Parameters: object},
		{Name: "add_task", Description: "Add a task.", Effect: tooltrack.Changes, Parameters: object},
		{Name: "complete_task", Description: "Mark a task as done.", Effect: tooltrack.Changes, Parameters: object},
		{Name: "list_tasks", Description: "List the tasks.", Effect: tooltrack.Reads, Parameters: object},
	}
}

func waysGuard(t *testing.T) *guard.Guard {
	t.Helper()
	verbs := map[string]string{"delete": "delete_task", "add": "add_task", "list": "list_tasks", "mark": "complete_task"}
	classifier := intent.Func(func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
		verb, _, _ := strings.Cut(request.User, " ")
		tool, known := verbs[verb]
		if !known {
			return intent.Intent{Kind: intent.Chat}, nil
		}
		kind := intent.Action
		if verb == "list" {
			kind = intent.Question
		}
		return intent.Intent{Kind: kind, Expect: []intent.Expectation{{Tool: tool, Confidence: 0.99, Words: verb}}}, nil
	})
	g, err := guard.New(waysTools(), &guard.Options{Classifier: classifier})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (s scripted) executor() *guardtest.Executor {
	run := guardtest.Returns(`{"success":true,"data":{"id":"1","title":"Read book"}}`)
	switch {
	case s.fails:
		run = guardtest.Fails(errors.New("the disk is full"))
	case strings.HasPrefix(s.user, "add"):
		run = guardtest.Returns(`{"success":true,"data":{"id":"2","title":"Buy milk"}}`)
	}
	table := map[string]guard.ExecutorFunc{}
	for _, tool := range waysTools() {
		table[tool.Name] = run
	}
	return guardtest.Tools(table)
}

// sign is what a user would notice of a turn, and what it cost.
func sign(text string, err error, modelCalls, toolCalls int) string {
	if shown, _, withheld := strings.Cut(text, "A part of the answer is left out"); withheld {
		text = shown + "…" // what follows is the account, in the words that each way has for results
	}
	var missing *guard.TurnError
	var stuck *guard.TurnError
	var told *wireError
	result := "shown: " + text
	switch {
	case errors.As(err, &missing) && errors.Is(err, guard.ErrToolNotTriggered):
		result = "tool_not_triggered " + strings.Join(missing.Tools, ",")
	case errors.As(err, &stuck) && errors.Is(err, guard.ErrInsufficientProgress):
		result = "insufficient_progress "
	case errors.As(err, &told):
		result = told.code + " " + strings.Join(told.expected, ",")
	case err != nil:
		result = "error: " + err.Error()
	}
	return fmt.Sprintf("%s after %d model and %d tool calls", result, modelCalls, toolCalls)
}

// way runs one turn and returns its text, and how often the model was asked.
type way struct {
	name string
	run  func(t *testing.T, turn scripted, executor guard.Executor) (text string, asked int, err error)
}

// ways are all ways in.
func ways() []way {
	list := []way{
		inProcess("Run", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
			reply, err := g.Run(context.Background(), model, executor, guard.Input{User: user})
			return reply.Text, err
		}),
		inProcess("Stream", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
			return guardtest.Conversation(g, model, executor, true)(context.Background(), user)
		}),
		inProcess("Begin", runSteps),
		inProcess("Turn.Model and Turn.Executor", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
			turn, err := g.Begin(context.Background(), guard.Input{User: user})
			if err != nil {
				return "", err
			}
			text, err := guardtest.Loop(turn.Model(model), turn.Executor(executor), waysTools())(context.Background(), user)
			reply, replied := turn.Reply()
			if !errors.Is(replied, err) && fmt.Sprint(replied) != fmt.Sprint(err) || reply.Text != text {
				t.Errorf("the loop got %q, %v; the turn says %q, %v", text, err, reply.Text, replied)
			}
			return text, err
		}),
		inProcess("Wrap", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
			return guardtest.Loop(g.Wrap(model), executor, waysTools())(context.Background(), user)
		}),
	}
	for _, client := range dialectClients() {
		for name, streamed := range map[string]bool{"Transport, " + client.name: false, "Transport, " + client.name + ", streamed": true} {
			list = append(list, way{name, func(t *testing.T, turn scripted, executor guard.Executor) (string, int, error) {
				p := provider.New(t, turn.script...)
				model := plainModel{client, chatwire.Transport(waysGuard(t), nil, nil), p.URL}
				talk := guardtest.Loop(&model, executor, waysTools())
				if streamed {
					talk = guardtest.Loop(&streamModel{model}, executor, waysTools())
				}
				text, err := talk(context.Background(), turn.user)
				if refused := p.Refused(); refused != nil {
					t.Errorf("%s: the provider refused %s", name, refused)
				}
				return text, len(p.Received()), err
			}})
		}
	}
	return list
}

// inProcess is a way in that needs no server. Each turn has a guard of its own: one
// stops asking a model that does not answer requests for proof.
func inProcess(name string, run func(*testing.T, *guard.Guard, *guardtest.Model, guard.Executor, string) (string, error)) way {
	return way{name, func(t *testing.T, turn scripted, executor guard.Executor) (string, int, error) {
		model := guardtest.Script(turn.script...)
		text, err := run(t, waysGuard(t), model, executor, turn.user)
		return text, model.Calls(), err
	}}
}

func runSteps(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
	ctx := context.Background()
	turn, err := g.Begin(ctx, guard.Input{User: user})
	if err != nil {
		return "", err
	}
	for turn.Open() {
		response, err := model.Generate(ctx, turn.Request(ctx))
		if err != nil {
			_, err = turn.Fail(err)
			return "", err
		}
		for _, call := range turn.Take(ctx, response) {
			if _, err := turn.Do(ctx, call, executor.Execute); err != nil {
				t.Fatal(err)
			}
		}
	}
	reply, err := turn.Reply()
	return reply.Text, err
}

// wireError is a refusal as a client reads it.
type wireError struct {
	code     string
	expected []string
}

func (e *wireError) Error() string { return e.code }

// refusedBy reads a refusal, which has the same members in all formats.
func refusedBy(answer *http.Response) error {
	if answer.StatusCode != http.StatusBadRequest {
		return nil
	}
	var told struct {
		Error    json.RawMessage `json:"error"`
		Code     string          `json:"code"`
		Expected []string        `json:"expected_tools"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&told); err != nil {
		return err
	}
	var inner struct {
		Code     json.RawMessage `json:"code"`
		Expected []string        `json:"expected_tools"`
		Details  []struct {
			Reason   string            `json:"reason"`
			Metadata map[string]string `json:"metadata"`
		} `json:"details"`
	}
	_ = json.Unmarshal(told.Error, &inner) // Ollama's is a text
	switch {
	case len(inner.Details) > 0:
		return &wireError{inner.Details[0].Reason, []string{inner.Details[0].Metadata["expected_tools"]}}
	case told.Code != "":
		return &wireError{told.Code, told.Expected}
	}
	return &wireError{strings.Trim(string(inner.Code), `"`), inner.Expected}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAllWaysInAgree(t *testing.T) {
	turns := fiftyTurns()
	if len(turns) != 50 {
		t.Fatalf("there are %d turns", len(turns))
	}
	seen, all := map[string]int{}, ways()
	for _, turn := range turns {
		t.Run(turn.name, func(t *testing.T) {
			var want string
			for i, way := range all {
				executor := turn.executor()
				text, asked, err := way.run(t, turn, executor)
				got := sign(text, err, asked, len(executor.Calls()))
				if i == 0 {
					want = got
					kind, _, _ := strings.Cut(got, " ")
					seen[kind]++
				}
				if got != want {
					t.Errorf("%s: %s\n%s: %s", way.name, got, all[0].name, want)
				}
			}
		})
	}
	if seen["shown:"] < 15 || seen["tool_not_triggered"] < 5 || seen["insufficient_progress"] < 5 {
		t.Errorf("the turns do not cover the outcomes: %v", seen)
	}
}
