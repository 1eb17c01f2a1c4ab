package otelguard_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/otelguard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// lab is a guard with telemetry that is kept in memory.
type lab struct {
	*otelguard.Telemetry
	spans  *tracetest.InMemoryExporter
	reader *sdkmetric.ManualReader
	guard  *guard.Guard
}

func newLab(t testing.TB, options otelguard.Options, own guard.Options) *lab {
	t.Helper()
	l := &lab{spans: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader()}
	options.TracerProvider = sdktrace.NewTracerProvider(sdktrace.WithSyncer(l.spans))
	options.MeterProvider = sdkmetric.NewMeterProvider(sdkmetric.WithReader(l.reader))
	var err error
	l.Telemetry, err = otelguard.New(&options)
	require.NoError(t, err)
	own.Logger = l.Logger(own.Logger)
	l.guard, err = guard.New([]tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task of the user.", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "title", Kind: "task"}},
		{Name: "list_tasks", Description: "List the tasks of the user.", Effect: tooltrack.Reads},
	}, &own)
	require.NoError(t, err)
	return l
}

// find are the spans of a name.
func (l *lab) find(name string) []tracetest.SpanStub {
	var found []tracetest.SpanStub
	for _, span := range l.spans.GetSpans() {
		if span.Name == name {
			found = append(found, span)
		}
	}
	return found
}

func value(span tracetest.SpanStub, key string) string {
	for _, a := range span.Attributes {
		if string(a.Key) == key {
			return a.Value.String()
		}
	}
	return ""
}

func events(span tracetest.SpanStub) []string {
	var names []string
	for _, event := range span.Events {
		names = append(names, event.Name)
	}
	return names
}

// metrics are the points of a metric, by one attribute: sums, or counts of a
// histogram.
func (l *lab) metrics(t testing.TB, name, by string) map[string]int64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, l.reader.Collect(t.Context(), &all))
	return pointsOf(all, name, by)
}

// metricsDespite are the same where a callback fails.
func (l *lab) metricsDespite(t testing.TB, name, by string) map[string]int64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.ErrorContains(t, l.reader.Collect(t.Context(), &all), "panicked")
	return pointsOf(all, name, by)
}

func pointsOf(all metricdata.ResourceMetrics, name, by string) map[string]int64 {
	found := map[string]int64{}
	add := func(set attribute.Set, n int64) {
		v, _ := set.Value(attribute.Key(by))
		found[v.String()] += n
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		if m.Name != name {
			continue
		}
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, p.Value)
			}
		case metricdata.Histogram[int64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, p.Sum)
			}
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, int64(p.Count))
			}
		}
	}
	return found
}

func used(step guardtest.Step, input, output int) guardtest.Step {
	step.Response.Usage = guard.Usage{Input: input, Output: output}
	return step
}

const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"

// lyingTurn lies first, then does the work.
func lyingTurn(t *testing.T, l *lab) *guard.Reply {
	t.Helper()
	model := guardtest.Script(
		used(guardtest.Say("I've deleted Read book."), 100, 10),
		used(guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book","password":"`+secret+`"}`)), 120, 20),
		used(guardtest.Say("I've deleted Read book."), 140, 30),
	)
	model.Limits.Name = "sim-1"
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns(`{"success":true,"token":"` + secret + `"}`)})
	reply, err := l.Run(t.Context(), l.guard, model, executor, guard.Input{User: "delete the task Read book", Owner: "ann@example.com", Conversation: "c1", Turn: "m1"})
	require.NoError(t, err)
	return reply
}

func TestATurnIsASpan(t *testing.T) {
	l := newLab(t, otelguard.Options{Agent: "tasks", Provider: "openai"}, guard.Options{})
	reply := lyingTurn(t, l)
	require.Equal(t, "I've deleted Read book.", reply.Text)

	turns := l.find("invoke_agent tasks")
	require.Len(t, turns, 1)
	turn := turns[0]
	for key, want := range map[string]string{
		"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "tasks", "gen_ai.provider.name": "openai", "gen_ai.conversation.id": "c1",
		"bonafide.turn": "m1", "bonafide.outcome": reply.Verdict.Outcome.String(), "bonafide.reasks": "1", "bonafide.model_calls": "3",
		"gen_ai.usage.input_tokens": "360", "gen_ai.usage.output_tokens": "60",
	} {
		require.Equal(t, want, value(turn, key), key)
	}
	require.Contains(t, events(turn), "bonafide.asked_again")
	require.Equal(t, codes.Unset, turn.Status.Code)

	chats := l.find("chat sim-1")
	require.Len(t, chats, 3)
	var purposes []string
	for _, chat := range chats {
		purposes = append(purposes, value(chat, "bonafide.purpose"))
		require.Equal(t, "chat", value(chat, "gen_ai.operation.name"))
		require.Equal(t, "sim-1", value(chat, "gen_ai.request.model"))
	}
	require.Equal(t, []string{"turn", "reask", "turn"}, purposes)
	require.Equal(t, "20", value(chats[1], "gen_ai.usage.output_tokens"))

	tools := l.find("execute_tool delete_task")
	require.Len(t, tools, 1)
	require.Equal(t, "succeeded", value(tools[0], "bonafide.status"))

	judgements := l.find("judge")
	require.Len(t, judgements, 2)
	require.Equal(t, "sure", value(judgements[0], "bonafide.tier"))
	require.Equal(t, "bonafide.completion", value(judgements[0], "gen_ai.evaluation.name"))
	require.Equal(t, reply.Verdict.Outcome.String(), value(judgements[1], "gen_ai.evaluation.score.label"))
	require.False(t, judgements[0].StartTime.Before(chats[0].StartTime))
	require.False(t, judgements[0].EndTime.Before(judgements[0].StartTime))

	for _, span := range l.spans.GetSpans() {
		require.Equal(t, turn.SpanContext.TraceID(), span.SpanContext.TraceID())
		if span.Name != turn.Name {
			require.Equal(t, turn.SpanContext.SpanID(), span.Parent.SpanID(), span.Name)
		}
	}
}

func TestMetrics(t *testing.T) {
	l := newLab(t, otelguard.Options{}, guard.Options{})
	registration, err := l.Watch(l.guard.Counters, "tasks")
	require.NoError(t, err)
	reply := lyingTurn(t, l)
	outcome := reply.Verdict.Outcome.String()
	for _, row := range []struct {
		name, by string
		want     map[string]int64
	}{
		{"bonafide.turns", "bonafide.outcome", map[string]int64{outcome: 1}},
		{"bonafide.turn.duration", "bonafide.outcome", map[string]int64{outcome: 1}},
		{"bonafide.tool.calls", "bonafide.status", map[string]int64{"succeeded": 1}},
		{"bonafide.extra.model_calls", "bonafide.purpose", map[string]int64{"reask": 1}},
		{"bonafide.extra.tokens", "gen_ai.token.type", map[string]int64{"input": 120, "output": 20}},
		{"gen_ai.client.token.usage", "gen_ai.token.type", map[string]int64{"input": 360, "output": 60}},
		{"gen_ai.client.operation.duration", "gen_ai.request.model", map[string]int64{"sim-1": 3}},
		{"bonafide.guard.turns", "state", map[string]int64{"begun": 1, "accepted": 1}},
		{"bonafide.guard.reasks", "kind", map[string]int64{"missing_tool": 1, "missing_tool_success": 1, "correction": 0, "correction_success": 0}},
		{"bonafide.guard.turns", "bonafide.guard", map[string]int64{"tasks": 2}},
	} {
		require.Equal(t, row.want, l.metrics(t, row.name, row.by), row.name)
	}
	require.NoError(t, registration.Unregister())
	require.Empty(t, l.metrics(t, "bonafide.guard.turns", "state"))
}

// TestNothingPrivateByDefault: neither messages nor arguments, results, owners
// or texts of errors leave the program.
func TestNothingPrivateByDefault(t *testing.T) {
	l := newLab(t, otelguard.Options{}, guard.Options{LogClaims: true})
	lyingTurn(t, l)
	failing := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		return guard.Response{}, errors.New("Read book " + secret)
	})
	_, err := l.Run(t.Context(), l.guard, failing, guardtest.Tools(nil), guard.Input{User: "delete the task Read book"})
	require.Error(t, err)
	all := printed(l)
	for _, private := range []string{"Read book", secret, "ann@example.com"} {
		require.NotContains(t, all, private)
	}
}

func printed(l *lab) string {
	var all bytes.Buffer
	for _, span := range l.spans.GetSpans() {
		all.WriteString(span.Name + " " + span.Status.Description + "\n")
		for _, a := range span.Attributes {
			all.WriteString(string(a.Key) + "=" + a.Value.String() + "\n")
		}
		for _, event := range span.Events {
			for _, a := range event.Attributes {
				all.WriteString(event.Name + " " + string(a.Key) + "=" + a.Value.String() + "\n")
			}
		}
	}
	return all.String()
}

func TestContentByOption(t *testing.T) {
	l := newLab(t, otelguard.Options{Content: true, MaxContent: 40}, guard.Options{})
	lyingTurn(t, l)
	turn := l.find("invoke_agent agent")[0]
	require.JSONEq(t, `[{"role":"user","parts":[{"type":"text","content":"delete the task Read book"}]}]`, value(turn, "gen_ai.input.messages"))
	require.JSONEq(t, `[{"role":"assistant","parts":[{"type":"text","content":"I've deleted Read book."}],"finish_reason":"stop"}]`, value(turn, "gen_ai.output.messages"))
	tool := l.find("execute_tool delete_task")[0]
	require.Contains(t, value(tool, "gen_ai.tool.call.arguments"), "Read book")
	require.NotEmpty(t, value(tool, "gen_ai.tool.call.result"))
	chat := l.find("chat sim-1")[2]
	require.Contains(t, value(chat, "gen_ai.input.messages"), "tool_call_response")
	require.NotContains(t, printed(l), secret)
}

func TestTurnsThatFail(t *testing.T) {
	liar := func() guard.Model {
		return guardtest.Script(guardtest.Say("I've deleted Read book."), guardtest.Say("I've deleted Read book."))
	}
	for name, row := range map[string]struct {
		model   guard.Model
		options guard.Options
		kind    string
	}{
		"tool not triggered": {liar(), guard.Options{}, "tool_not_triggered"},
		"delivered account":  {liar(), guard.Options{DeliverAccount: true}, "tool_not_triggered"},
		"provider": {guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			return guard.Response{}, errors.New("503")
		}), guard.Options{}, "provider"},
		"cancelled": {guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			return guard.Response{}, context.Canceled
		}), guard.Options{}, "cancelled"},
		"panics": {guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) { panic("model") }), guard.Options{}, "host"},
		"none":   {nil, guard.Options{}, "*errors.errorString"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, otelguard.Options{}, row.options)
			_, _ = l.Run(t.Context(), l.guard, row.model, guardtest.Tools(nil), guard.Input{User: "delete the task Read book"})
			turn := l.find("invoke_agent agent")[0]
			require.Equal(t, codes.Error, turn.Status.Code)
			require.Equal(t, row.kind, value(turn, "error.type"))
			require.Equal(t, map[string]int64{row.kind: 1}, l.metrics(t, "bonafide.turns", "error.type"))
			require.Equal(t, map[string]int64{"refused": 1}, l.metrics(t, "bonafide.turns", "bonafide.outcome"))
		})
	}
}

// TestCallsThatDoNotRun: a denied call is an event, a failed one a span in error.
func TestCallsThatDoNotRun(t *testing.T) {
	rules := policy.Rules{Tools: map[string][]policy.Argument{"delete_task": {policy.Arg("title", policy.Length(1, 5))}}}
	l := newLab(t, otelguard.Options{}, guard.Options{Policy: &policy.Options{Rules: rules}})
	model := guardtest.Script(
		guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book"}`)),
		guardtest.Call(guardtest.Tool("delete_task", `{"title":"Milk"}`)),
		guardtest.Call(guardtest.Tool("list_tasks", `{}`)),
		guardtest.Say("I could not delete it: the server said that it is locked. Please unlock it first."),
	)
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{
		"delete_task": guardtest.Fails(errors.New("it is locked")), "list_tasks": guardtest.Returns(`{"success":false}`),
	})
	_, err := l.Run(t.Context(), l.guard, model, executor, guard.Input{User: "delete the task Milk"})
	require.NoError(t, err)
	require.Contains(t, events(l.find("invoke_agent agent")[0]), "bonafide.call_denied")
	tools := l.find("execute_tool delete_task")
	require.Len(t, tools, 1)
	require.Equal(t, codes.Error, tools[0].Status.Code)
	require.Empty(t, tools[0].Status.Description)
	require.Equal(t, "reported", value(l.find("execute_tool list_tasks")[0], "error.type"))
	require.Equal(t, map[string]int64{"failed": 2}, l.metrics(t, "bonafide.tool.calls", "bonafide.status"))
}

// unsure is an evaluator that doubts every text which says "gone".
func unsure() guard.Evaluator {
	return guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
		verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.WorkDone}
		if strings.Contains(turn.Text, "gone") {
			verdict.Claims = []completion.Claim{{Text: turn.Text, Kind: completion.ClaimChange, Doubt: 0.6, Tier: completion.Unsure, Fault: "no call clearly shows it"}}
		}
		return verdict
	})
}

// TestAProofHasASpan: the request for it is a model call inside, and its cost is
// counted as the guard's.
func TestAProofHasASpan(t *testing.T) {
	l := newLab(t, otelguard.Options{}, guard.Options{Evaluator: unsure()})
	_, err := l.Watch(l.guard.Counters, "")
	require.NoError(t, err)
	model := guardtest.Script(
		used(guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book"}`)), 10, 1),
		used(guardtest.Say("Read book is gone."), 20, 2),
		used(guardtest.Say("As I said."), 30, 3), // told once what is wrong with that
		used(guardtest.Say(`{"message": null, "items": [{"what": "Read book deleted", "status": "done", "records": [1]}]}`), 50, 5),
	)
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns(`{"success":true}`)})
	reply, err := l.Run(t.Context(), l.guard, model, executor, guard.Input{User: "delete the task Read book"})
	require.NoError(t, err)
	require.NotNil(t, reply.Proof)

	turn, proofs := l.find("invoke_agent agent")[0], l.find("prove")
	require.Len(t, proofs, 2)
	require.Equal(t, turn.SpanContext.SpanID(), proofs[0].Parent.SpanID())
	require.Equal(t, "true", value(turn, "bonafide.proof.kept"))
	require.Contains(t, events(turn), "bonafide.proof_asked_for")
	chats := l.find("chat")
	require.Equal(t, proofs[1].SpanContext.SpanID(), chats[3].Parent.SpanID())
	require.Equal(t, "unsure", value(l.find("judge")[0], "bonafide.tier"))
	require.Equal(t, map[string]int64{"proof": 2}, l.metrics(t, "bonafide.extra.model_calls", "bonafide.purpose"))
	require.Equal(t, map[string]int64{"proof": 88}, l.metrics(t, "bonafide.extra.tokens", "bonafide.purpose"))
	require.Equal(t, map[string]int64{"asked": 1, "kept": 1, "changed": 0, "called": 0, "missing": 0, "skipped": 0},
		l.metrics(t, "bonafide.guard.proofs", "result"))
	require.Equal(t, map[string]int64{"claim": 1}, l.metrics(t, "bonafide.guard.doubts", "kind"))
}

// TestALoopOfItsOwn: the parts do what Run does.
func TestALoopOfItsOwn(t *testing.T) {
	l := newLab(t, otelguard.Options{}, guard.Options{})
	model := l.Model(guardtest.Script(guardtest.Call(guardtest.Tool("list_tasks", `{}`)), guardtest.Say("You have no tasks.")))
	executor := l.Executor(guardtest.Tools(map[string]guard.ExecutorFunc{"list_tasks": guardtest.Returns(`[]`)}))
	input := guard.Input{User: "list my tasks"}
	ctx, span := l.Begin(t.Context(), input)
	turn, err := l.guard.Begin(ctx, input)
	require.NoError(t, err)
	for turn.Open() {
		response, err := model.Generate(ctx, turn.Request(ctx))
		require.NoError(t, err)
		for _, call := range turn.Take(ctx, response) {
			_, err := turn.Do(ctx, call, executor.Execute)
			require.NoError(t, err)
		}
	}
	reply, err := turn.Reply()
	span.End(reply, err)
	span.End(nil, errors.New("only the first counts"))
	require.NoError(t, err)
	require.Equal(t, "You have no tasks.", reply.Text)
	spans := l.find("invoke_agent agent")
	require.Len(t, spans, 1)
	require.Equal(t, codes.Unset, spans[0].Status.Code)
	for _, name := range []string{"chat", "execute_tool list_tasks", "judge"} {
		require.NotEmpty(t, l.find(name), name)
		require.Equal(t, spans[0].SpanContext.SpanID(), l.find(name)[0].Parent.SpanID(), name)
	}
}

// TestStreams: the span lasts until the stream ends.
func TestStreams(t *testing.T) {
	l := newLab(t, otelguard.Options{Model: "named"}, guard.Options{})
	streams, ok := l.Model(guardtest.Script(used(guardtest.Say("Hello there"), 7, 2), guardtest.Say("a b c"))).(guard.Streamer)
	require.True(t, ok)
	text := ""
	for delta, err := range streams.Stream(t.Context(), guard.Request{}) {
		require.NoError(t, err)
		require.Empty(t, l.find("chat named"))
		text += delta.Text
	}
	require.Equal(t, "Hello there", text)
	chat := l.find("chat named")[0]
	require.Equal(t, "true", value(chat, "gen_ai.request.stream"))
	require.Equal(t, "7", value(chat, "gen_ai.usage.input_tokens"))
	for range streams.Stream(t.Context(), guard.Request{}) {
		break // a reader that leaves ends the span, too
	}
	require.Len(t, l.find("chat named"), 2)
	_, ok = l.Model(guard.ModelFunc(nil)).(guard.Streamer)
	require.False(t, ok)
}

// TestLoggerCallbacks: the next logger gets what it wants, and one that panics
// does not end a turn.
func TestLoggerCallbacks(t *testing.T) {
	var logged bytes.Buffer
	next := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelInfo})).With("app", "tasks").WithGroup("g")
	l := newLab(t, otelguard.Options{}, guard.Options{Logger: next})
	lyingTurn(t, l)
	require.Contains(t, logged.String(), "guard: asked again")
	require.Contains(t, logged.String(), "app=tasks")
	require.NotContains(t, logged.String(), "level=DEBUG")
	l.Logger(next).With("more", 1).WithGroup("h").Info("by the host", "x", 2)
	require.Contains(t, logged.String(), "g.more=1 g.h.x=2")
	l.Logger(nil).With("more", 1).WithGroup("h").Info("to nobody")

	l = newLab(t, otelguard.Options{}, guard.Options{Logger: slog.New(panicHandler{})})
	lyingTurn(t, l)
	require.Len(t, l.find("invoke_agent agent"), 1)
}

type panicHandler struct{ slog.Handler }

func (panicHandler) Enabled(context.Context, slog.Level) bool  { return true }
func (panicHandler) Handle(context.Context, slog.Record) error { panic("handler") }
