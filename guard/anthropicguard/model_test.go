package anthropicguard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/anthropicguard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var deletion = guardtest.Tool("delete_task", `{"title":"Read book"}`)

// run runs a turn in which the tool fails with an error, or succeeds.
func run(t *testing.T, p *provider.Provider, params anthropic.MessageNewParams, toolErr error) (*guard.Reply, error) {
	t.Helper()
	tools := taskTools()
	tools[0].Subject = tooltrack.SubjectArg{} // so that it may be forced without a directory
	sure := intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		return intent.Intent{Kind: intent.Action, Due: 1, Expect: []intent.Expectation{{Tool: "delete_task", Confidence: 0.99}}}, nil
	})
	g, err := guard.New(tools, &guard.Options{Classifier: sure})
	if err != nil {
		t.Fatal(err)
	}
	tool := guardtest.Returns(`{"success":true}`)
	if toolErr != nil {
		tool = guardtest.Fails(toolErr)
	}
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": tool})
	model := anthropicguard.NewModel(clientOf(p.URL), "sim", &anthropicguard.Options{Params: params})
	return g.Run(context.Background(), model, executor, guard.Input{User: "delete Read book"})
}

// bodies are the requests that the provider got, all of which it accepted.
func bodies(t *testing.T, p *provider.Provider) []string {
	t.Helper()
	if refused := p.Refused(); refused != nil {
		t.Fatal(refused)
	}
	var list []string
	for _, asked := range p.Received() {
		list = append(list, string(asked.Body))
	}
	return list
}

// TestThoughtsAreSentBackByteForByte, with their signatures, and the hidden ones.
func TestThoughtsAreSentBackByteForByte(t *testing.T) {
	p := provider.New(t, guardtest.Call(deletion), guardtest.Say("I've deleted Read book."))
	if _, err := run(t, p, params(true), nil); err != nil {
		t.Fatal(err)
	}
	const issued = `{"signature":"Eq1+/==","thinking":"What to do? <1> & ü","type":"thinking"},{"data":"Em1/+=","type":"redacted_thinking"}`
	if sent := bodies(t, p); len(sent) != 2 || !strings.Contains(sent[1], issued) {
		t.Errorf("the second request is %s", sent[len(sent)-1])
	}
}

// TestWhoThinksIsAskedInWords: the API refuses to force a model that thinks.
func TestWhoThinksIsAskedInWords(t *testing.T) {
	for thinks, want := range map[bool]string{
		false: `"tool_choice":{"type":"tool","name":"delete_task"}`, true: `"tool_choice":{"type":"auto"}`,
	} {
		p := provider.New(t, guardtest.Say("I've deleted Read book."), guardtest.Call(deletion), guardtest.Say("I've deleted Read book."))
		if _, err := run(t, p, params(thinks), nil); err != nil {
			t.Fatal(err)
		}
		sent := bodies(t, p)
		if !strings.Contains(sent[1], want) || !strings.Contains(sent[1], "the tool delete_task does, and it was not called") {
			t.Errorf("thinking %v: the second request is %s", thinks, sent[1])
		}
		if !strings.Contains(sent[2], `"tool_choice":{"type":"auto"}`) {
			t.Errorf("thinking %v: it is still forced: %s", thinks, sent[2])
		}
	}
}

// TestAFailureSaysSo on the wire: the result is an error, and its text the
// tool's own.
func TestAFailureSaysSo(t *testing.T) {
	p := provider.New(t, guardtest.Call(deletion), guardtest.Say("I couldn't delete Read book: the disk is full. Please free some space."))
	if _, err := run(t, p, params(false), errors.New("the disk is full")); err != nil {
		t.Fatal(err)
	}
	var request struct {
		Messages []struct {
			Content []struct {
				Type, Content string
				IsError       bool `json:"is_error"`
			}
		}
	}
	if err := json.Unmarshal([]byte(bodies(t, p)[1]), &request); err != nil {
		t.Fatal(err)
	}
	last := request.Messages[len(request.Messages)-1].Content[0]
	if last.Type != "tool_result" || !last.IsError || !strings.Contains(last.Content, "the disk is full") {
		t.Errorf("the result is %+v", last)
	}
}

// TestParamsAreKept: what the host says about its requests stands in each.
func TestParamsAreKept(t *testing.T) {
	more := params(false)
	more.CacheControl = anthropic.NewCacheControlEphemeralParam()
	more.Temperature = anthropic.Float(0.5)
	more.Tools = []anthropic.ToolUnionParam{{OfWebSearchTool20250305: &anthropic.WebSearchTool20250305Param{}}}
	more.ToolChoice = anthropic.ToolChoiceUnionParam{OfAuto: &anthropic.ToolChoiceAutoParam{DisableParallelToolUse: anthropic.Bool(true)}}
	p := provider.New(t, guardtest.Say("I've deleted Read book."), guardtest.Call(deletion), guardtest.Say("I've deleted Read book."))
	if _, err := run(t, p, more, nil); err != nil {
		t.Fatal(err)
	}
	for i, sent := range bodies(t, p) {
		for _, want := range []string{
			`"system":[{"text":"Be brief.","cache_control":{"type":"ephemeral"},"type":"text"}`, `,"cache_control":{"type":"ephemeral"}`,
			`"temperature":0.5`, `{"name":"web_search","type":"web_search_20250305"}],"tool_choice"`, `"disable_parallel_tool_use":true`, `"max_tokens":4096`,
		} {
			if !strings.Contains(sent, want) {
				t.Errorf("request %d lacks %s: %s", i, want, sent)
			}
		}
	}
	more.Tools = toolParams(taskTools())
	if _, err := run(t, p, more, nil); err == nil || !strings.Contains(err.Error(), "describe it to the guard") {
		t.Errorf("a tool that the guard does not know: %v", err)
	}
}

// TestUsageAndStop are what the API said.
func TestUsageAndStop(t *testing.T) {
	for _, stop := range []guard.Stop{guard.StopEnd, guard.StopCut, guard.StopRefused, guard.StopPaused} {
		p := provider.New(t, guardtest.Stopped(stop, "Hello."), guardtest.Stopped(stop, "Hello."))
		model := anthropicguard.NewModel(clientOf(p.URL), "sim", nil)
		request := guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: "hello"}}}
		whole, err := model.Generate(context.Background(), request)
		if err != nil || whole.Stop != stop || whole.Usage != (guard.Usage{Input: 10, Output: 5}) {
			t.Errorf("%s: %+v, %v", stop, whole, err)
		}
		for delta, err := range model.Stream(context.Background(), request) {
			if last := delta.Response; err != nil || last != nil && (last.Stop != stop || last.Usage != whole.Usage) {
				t.Errorf("%s, streamed: %+v, %v", stop, last, err)
			}
		}
	}
}

// TestErrorsSurviveTheClient: the API's own errors are those of the SDK, an
// answer that cannot be read is one of the wire's.
func TestErrorsSurviveTheClient(t *testing.T) {
	p := provider.New(t, provider.Status(http.StatusUnauthorized))
	_, err := run(t, p, params(false), nil)
	var told *anthropic.Error
	if !errors.As(err, &told) || told.StatusCode != http.StatusUnauthorized {
		t.Errorf("a wrong key: %v", err)
	}
	for name, answer := range map[string]string{
		"no message": `{"type":"completion"}`, "a page": `<html>`,
		"an error inside": `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, answer)
		}))
		t.Cleanup(server.Close)
		model := anthropicguard.NewModel(clientOf(server.URL, option.WithMaxRetries(0)), "sim", nil)
		var bad *chatwire.BodyError
		if _, err := model.Generate(context.Background(), guard.Request{}); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAStreamThatBreaks ends in the provider's error, through the model and
// through the middleware.
func TestAStreamThatBreaks(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, event := range []string{
			`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Good "}}`,
			`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
		} {
			fmt.Fprintf(w, "data: %s\n\n", event)
		}
	}))
	t.Cleanup(server.Close)
	model := anthropicguard.NewModel(clientOf(server.URL), "sim", nil)
	var last error
	for _, err := range model.Stream(context.Background(), guard.Request{}) {
		last = err
	}
	var bad *chatwire.BodyError
	if !errors.As(last, &bad) || bad.Provider != "Overloaded" {
		t.Errorf("the model: %v", last)
	}
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		t.Fatal(err)
	}
	client := clientOf(server.URL, option.WithMaxRetries(0), option.WithMiddleware(anthropicguard.Middleware(g, nil)))
	l := &loop{client: client, params: params(false), streamed: true}
	l.params.Tools = toolParams(taskTools())
	if text, err := l.say(context.Background(), "good morning"); err == nil || !strings.Contains(err.Error(), "Overloaded") {
		t.Errorf("the middleware: %q, %v", text, err)
	}
}

// TestWhoForbidsCallsGetsNone: a client whose choice is none is not overruled.
func TestWhoForbidsCallsGetsNone(t *testing.T) {
	p := provider.New(t, guardtest.Say("I can only talk at the moment. Which task do you mean?"))
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &loop{client: clientOf(p.URL, option.WithMiddleware(anthropicguard.Middleware(g, nil))), params: params(false)}
	l.params.Tools = toolParams(taskTools())
	l.params.ToolChoice = anthropic.ToolChoiceUnionParam{OfNone: &anthropic.ToolChoiceNoneParam{}}
	if text, err := l.say(context.Background(), "delete Read book"); err != nil || !strings.HasSuffix(text, "do you mean?") {
		t.Errorf("%q, %v", text, err)
	}
	for _, sent := range bodies(t, p) {
		if !strings.Contains(sent, `"tool_choice":{"type":"none"}`) {
			t.Error(sent)
		}
	}
}

// TestModelsGoByTheirNames: a guard that asks several tells them apart.
func TestModelsGoByTheirNames(t *testing.T) {
	own := &anthropicguard.Options{Capabilities: guard.Capabilities{Name: "mine"}}
	for want, options := range map[string]*anthropicguard.Options{"claude": nil, "mine": own} {
		if name := anthropicguard.NewModel(anthropic.NewClient(), "claude", options).Capabilities().Name; name != want {
			t.Errorf("%s: %s", want, name)
		}
	}
}
