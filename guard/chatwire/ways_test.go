package chatwire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/guardtest"
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
	classifier := intent.Func(func(_ context.Context, request intent.Request) (intent.Intent, error) {
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
	var missing *guard.ToolNotTriggeredError
	var stuck *guard.InsufficientProgressError
	var told *wireError
	result := "shown: " + text
	switch {
	case errors.As(err, &missing):
		result = "tool_not_triggered " + strings.Join(missing.Expected, ",")
	case errors.As(err, &stuck):
		result = "insufficient_progress "
	case errors.As(err, &told):
		result = told.code + " " + strings.Join(told.expected, ",")
	case err != nil:
		result = "error: " + err.Error()
	}
	return fmt.Sprintf("%s after %d model and %d tool calls", result, modelCalls, toolCalls)
}

// ways are all ways in: each runs one turn and returns its text.
var ways = []struct {
	name string
	run  func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error)
}{
	{"Run", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		reply, err := g.Run(context.Background(), model, executor, guard.Input{User: user})
		return reply.Text, err
	}},
	{"Stream", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		var text strings.Builder
		for event, err := range g.Stream(context.Background(), model, executor, guard.Input{User: user}) {
			if err != nil {
				return text.String(), err
			}
			text.WriteString(event.Text)
		}
		return text.String(), nil
	}},
	{"Begin", runSteps},
	{"Turn.Model and Turn.Executor", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		turn, err := g.Begin(context.Background(), guard.Input{User: user})
		if err != nil {
			return "", err
		}
		text, err := foreignLoop(turn.Model(model), turn.Executor(executor), user)
		reply, replied := turn.Reply()
		if !errors.Is(replied, err) && fmt.Sprint(replied) != fmt.Sprint(err) || reply.Text != text {
			t.Errorf("the loop got %q, %v; the turn says %q, %v", text, err, reply.Text, replied)
		}
		return text, err
	}},
	{"Wrap", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		return foreignLoop(g.Wrap(model), executor, user)
	}},
	{"Transport", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		return foreignLoop(&wireModel{transport: chatwire.Transport(g, scriptTransport(model, false), nil)}, executor, user)
	}},
	{"Transport, streamed", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		return foreignLoop(&wireModel{transport: chatwire.Transport(g, scriptTransport(model, true), nil), stream: true}, executor, user)
	}},
	{"Transport, Messages", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		return foreignLoop(&messagesModel{chatwire.Transport(g, messagesTransport(model, false), nil), false}, executor, user)
	}},
	{"Transport, Messages, streamed", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		return foreignLoop(&messagesModel{chatwire.Transport(g, messagesTransport(model, true), nil), true}, executor, user)
	}},
	{"Transport, Responses", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		return foreignLoop(&itemsModel{chatwire.Transport(g, itemsTransport(model, false), nil), false}, executor, user)
	}},
	{"Transport, Responses, streamed", func(t *testing.T, g *guard.Guard, model *guardtest.Model, executor guard.Executor, user string) (string, error) {
		return foreignLoop(&itemsModel{chatwire.Transport(g, itemsTransport(model, true), nil), true}, executor, user)
	}},
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

// foreignLoop is a loop that knows nothing of a guard.
func foreignLoop(model guard.Model, executor guard.Executor, user string) (string, error) {
	ctx := context.Background()
	messages := []guard.Message{{Role: guard.RoleUser, Text: user}}
	for {
		response, err := model.Generate(ctx, guard.Request{Messages: messages, Tools: waysTools()})
		if err != nil {
			return "", err
		}
		messages = append(messages, response.Message)
		if len(response.Message.Calls) == 0 {
			return response.Message.Text, nil
		}
		for _, call := range response.Message.Calls {
			body, err := executor.Execute(ctx, call)
			if err != nil {
				body = []byte("Error: " + err.Error())
			}
			messages = append(messages, guard.Message{Role: guard.RoleTool, CallID: call.ID, Tool: call.Tool, Text: string(body)})
		}
	}
}

// wireModel asks over HTTP.
type wireModel struct {
	transport http.RoundTripper
	stream    bool
}

// wireError is a refusal as a client reads it.
type wireError struct {
	code     string
	expected []string
}

func (e *wireError) Error() string { return e.code }

func (m *wireModel) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	body, err := chatwire.EncodeRequest(request, "m", m.stream)
	if err != nil {
		return guard.Response{}, err
	}
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/v1/chat/completions", strings.NewReader(string(body)))
	if err != nil {
		return guard.Response{}, err
	}
	answer, err := m.transport.RoundTrip(asked)
	if err != nil {
		return guard.Response{}, err
	}
	defer answer.Body.Close()
	if err := refusedBy(answer); err != nil {
		return guard.Response{}, err
	}
	if m.stream {
		var assembler chatwire.Assembler
		if err := assembler.ReadStream(answer.Body, nil); err != nil {
			return guard.Response{}, err
		}
		return assembler.Response()
	}
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return guard.Response{}, err
	}
	return chatwire.ParseResponse(said)
}

// refusedBy reads a refusal, which has the same members in all formats.
func refusedBy(answer *http.Response) error {
	if answer.StatusCode != http.StatusBadRequest {
		return nil
	}
	var told struct {
		Error struct {
			Code     string   `json:"code"`
			Expected []string `json:"expected_tools"`
		} `json:"error"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&told); err != nil {
		return err
	}
	return &wireError{told.Error.Code, told.Error.Expected}
}

// messagesModel asks in the Messages format.
type messagesModel struct {
	transport http.RoundTripper
	stream    bool
}

func (m *messagesModel) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	body, err := chatwire.EncodeMessagesRequest(request, chatwire.MessagesOptions{Model: "m", Stream: m.stream})
	if err != nil {
		return guard.Response{}, err
	}
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/v1/messages", strings.NewReader(string(body)))
	if err != nil {
		return guard.Response{}, err
	}
	answer, err := m.transport.RoundTrip(asked)
	if err != nil {
		return guard.Response{}, err
	}
	defer answer.Body.Close()
	if err := refusedBy(answer); err != nil {
		return guard.Response{}, err
	}
	if m.stream {
		var assembler chatwire.MessagesAssembler
		if err := assembler.ReadStream(answer.Body, nil); err != nil {
			return guard.Response{}, err
		}
		return assembler.Response()
	}
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return guard.Response{}, err
	}
	return chatwire.ParseMessagesResponse(said)
}

// messagesTransport answers requests from a scripted model in the Messages
// format, and refuses what the provider would refuse.
func messagesTransport(model *guardtest.Model, stream bool) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if err := checkMessages(body); err != nil {
			return nil, err
		}
		parsed, err := chatwire.ParseMessagesRequest(body)
		if err != nil {
			return nil, err
		}
		response, err := model.Generate(r.Context(), parsed.Request)
		if err != nil {
			return nil, err
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(messagesAnswer(response, stream)))}, nil
	})
}

func messagesAnswer(response guard.Response, stream bool) string {
	var blocks []string
	events := []string{startEvent}
	if response.Message.Text != "" || len(response.Message.Calls) > 0 { // a thought alone is an answer of another kind
		blocks = append(blocks, thought)
		events = append(events, begins(0, `{"type":"thinking","thinking":"","signature":""}`), piece(0, `{"type":"signature_delta","signature":"x"}`), stops(0))
	}
	if response.Message.Text != "" {
		blocks = append(blocks, textJSON(response.Message.Text))
		events = append(events, begins(1, emptyText), piece(1, textPiece(response.Message.Text)), stops(1))
	}
	stop := "end_turn"
	for i, call := range response.Message.Calls {
		stop = "tool_use"
		blocks = append(blocks, useJSON(call.ID, call.Tool, string(call.Args)))
		events = append(events, begins(i+2, useJSON(call.ID, call.Tool, "{}")), piece(i+2, jsonPiece(string(call.Args))), stops(i+2))
	}
	if stream {
		return eventStream(append(events, ends(stop), stopEvent)...)
	}
	return said(stop, strings.Join(blocks, ","))
}

// itemsModel asks in the Responses format.
type itemsModel struct {
	transport http.RoundTripper
	stream    bool
}

func (m *itemsModel) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	body, err := chatwire.EncodeResponsesRequest(request, chatwire.ResponsesOptions{Model: "m", Stream: m.stream})
	if err != nil {
		return guard.Response{}, err
	}
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/v1/responses", strings.NewReader(string(body)))
	if err != nil {
		return guard.Response{}, err
	}
	answer, err := m.transport.RoundTrip(asked)
	if err != nil {
		return guard.Response{}, err
	}
	defer answer.Body.Close()
	if err := refusedBy(answer); err != nil {
		return guard.Response{}, err
	}
	if m.stream {
		var assembler chatwire.ResponsesAssembler
		if err := assembler.ReadStream(answer.Body, nil); err != nil {
			return guard.Response{}, err
		}
		return assembler.Response()
	}
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return guard.Response{}, err
	}
	return chatwire.ParseResponsesResponse(said)
}

// itemsTransport answers requests from a scripted model in the Responses format,
// and refuses what the provider would refuse.
func itemsTransport(model *guardtest.Model, stream bool) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if err := checkItems(body); err != nil {
			return nil, err
		}
		parsed, err := chatwire.ParseResponsesRequest(body)
		if err != nil {
			return nil, err
		}
		response, err := model.Generate(r.Context(), parsed.Request)
		if err != nil {
			return nil, err
		}
		said := eventStream(ofResponse(response.Message.Text, response.Message.Calls)...)
		if !stream {
			var a chatwire.ResponsesAssembler
			_ = a.ReadStream(strings.NewReader(said), nil)
			whole, err := a.Response()
			if err != nil {
				return nil, err
			}
			said = string(whole.Raw)
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(said))}, nil
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// scriptTransport answers requests from a scripted model.
func scriptTransport(model *guardtest.Model, stream bool) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		parsed, err := chatwire.ParseRequest(body)
		if err != nil {
			return nil, err
		}
		response, err := model.Generate(r.Context(), parsed.Request)
		if err != nil {
			return nil, err
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(wireBody(response, stream)))}, nil
	})
}

func wireBody(response guard.Response, stream bool) string {
	var calls []string
	for i, call := range response.Message.Calls {
		arguments, _ := json.Marshal(string(call.Args))
		calls = append(calls, fmt.Sprintf(`{"index":%d,"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}`, i, call.ID, call.Tool, arguments))
	}
	text, _ := json.Marshal(response.Message.Text)
	inner := fmt.Sprintf(`{"role":"assistant","content":%s,"tool_calls":[%s]}`, text, strings.Join(calls, ","))
	if stream {
		return `data: {"choices":[{"index":0,"delta":` + inner + `,"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	}
	return `{"choices":[{"index":0,"message":` + inner + `,"finish_reason":"stop"}]}`
}

func TestAllWaysInAgree(t *testing.T) {
	turns := fiftyTurns()
	if len(turns) != 50 {
		t.Fatalf("there are %d turns", len(turns))
	}
	seen := map[string]int{}
	for _, turn := range turns {
		t.Run(turn.name, func(t *testing.T) {
			var want string
			for i, way := range ways {
				model, executor := guardtest.Script(turn.script...), turn.executor()
				g := waysGuard(t) // a guard stops asking a model that does not answer requests for proof
				text, err := way.run(t, g, model, executor, turn.user)
				got := sign(text, err, model.Calls(), len(executor.Calls()))
				if i == 0 {
					want = got
					kind, _, _ := strings.Cut(got, " ")
					seen[kind]++
				}
				if got != want {
					t.Errorf("%s: %s\n%s: %s", way.name, got, ways[0].name, want)
				}
			}
		})
	}
	if seen["shown:"] < 15 || seen["tool_not_triggered"] < 5 || seen["insufficient_progress"] < 5 {
		t.Errorf("the turns do not cover the outcomes: %v", seen)
	}
}
