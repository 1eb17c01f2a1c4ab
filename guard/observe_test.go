package guard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestObserveChangesNothing(t *testing.T) {
	var log bytes.Buffer
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) {
		o.Observe = true
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	})
	model := guardtest.Script(
		guardtest.SayAndCall("On it.", guardtest.Tool("add_task", `{"title":"Buy milk","due_date":"2024-01-01"}`), deletes("book")),
		guardtest.Say("I've deleted Read book ("+readBook+")."))
	reply, err := g.Run(context.Background(), model, w, ask("delete book"))
	if err != nil || reply.Text != "I've deleted Read book ("+readBook+")." || model.Calls() != 2 {
		t.Fatalf("%q after %d calls: %v", reply.Text, model.Calls(), err)
	}
	if reply.Verdict.Outcome != completion.InsufficientProgress || !reply.Verdict.Ghost() {
		t.Errorf("the verdict is %+v", reply.Verdict)
	}
	calls := w.Calls()
	if len(calls) != 2 || string(calls[0].Args) != `{"title":"Buy milk","due_date":"2024-01-01"}` || string(calls[1].Args) != `{"task_id":"book"}` {
		t.Errorf("ran %s", calls)
	}
	if denied := g.Counters().Denied; denied["ambiguous"] != 1 || denied["date"] != 1 {
		t.Errorf("counted %v", denied)
	}
	contains(t, "the log", log.String(), "call denied", "rule=ambiguous", "judged", "observe=true")
}

func TestObserveGivesTheVerdictsOfEnforcing(t *testing.T) {
	for _, text := range []string{lie, promise, leak, "Which one do you mean?", "Good morning!"} {
		w := newWorld()
		observed, err := guardFor(t, w, func(o *guard.Options) { o.Observe = true }).Run(context.Background(), guardtest.Script(guardtest.Say(text)), w, ask("delete Read book"))
		if err != nil {
			t.Fatal(err)
		}
		enforced, _ := guardFor(t, w, func(o *guard.Options) { o.Budgets = guard.Budgets{MissingTool: -1, Progress: -1} }).Run(context.Background(), guardtest.Script(guardtest.Say(text)), w, ask("delete Read book"))
		if observed.Verdict.Outcome != enforced.Verdict.Outcome || observed.Verdict.Reason != enforced.Verdict.Reason {
			t.Errorf("%q: observed %s/%s, enforced %s/%s", text, observed.Verdict.Outcome, observed.Verdict.Reason, enforced.Verdict.Outcome, enforced.Verdict.Reason)
		}
	}
}

func TestTheLogHoldsDecisionsAndNoContent(t *testing.T) {
	var log bytes.Buffer
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	secret := "Canary-4711"
	model := guardtest.Script(guardtest.Say("I've added "+secret+"."), guardtest.Call(adds(secret)), guardtest.Say("I've added "+secret+"."))
	if _, err := g.Run(context.Background(), model, w, ask("add "+secret)); err != nil {
		t.Fatal(err)
	}
	contains(t, "the log", log.String(), "tools bound", "tools=5", "choice=auto", "choice=auto", "intent", "judged", "asked again", "rule=\"missing tool\"", "call executed", "accepted")
	if strings.Contains(log.String(), secret) {
		t.Errorf("the log holds content: %s", log.String())
	}
}

func TestObserveHandsOnWhatIsTooLarge(t *testing.T) {
	w := newWorld()
	text := strings.Repeat("Good morning. ", 100_000)
	for _, observe := range []bool{true, false} {
		g := guardFor(t, w, func(o *guard.Options) { o.Observe = observe })
		reply, err := g.Run(context.Background(), guardtest.Script(guardtest.Say(text)), w, ask("hello"))
		var provider *guard.TurnError
		if observe && (err != nil || reply.Text != text) || !observe && (!(errors.As(err, &provider) && errors.Is(err, guard.ErrProvider)) || reply.Text != "") {
			t.Errorf("observing %v: %d bytes, %v", observe, len(reply.Text), err)
		}
	}
}

func TestObserveRefusesNothing(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Observe = true })
	strange := append(taskTools()[:1:1], tooltrack.Tool{Name: "format_disk"})
	model := guardtest.Script(guardtest.Call(guardtest.Tool("format_disk", "{}")), guardtest.Say(lie))
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"format_disk": guardtest.Returns("ok")})
	text, err := bareLoop(context.Background(), g.Wrap(model), executor, strange, "delete Read book")
	if err != nil || text != lie || executor.Count("format_disk") != 1 {
		t.Errorf("%q, ran %v: %v", text, executor.Calls(), err)
	}
}

// TestObserveSaysWhatItWouldHaveDone: by kind and tool, whose turn it was, and
// without the words of anybody unless they are asked for.
func TestObserveSaysWhatItWouldHaveDone(t *testing.T) {
	for _, claims := range []bool{false, true} {
		var log bytes.Buffer
		w := newWorld()
		handler := &contextHandler{Handler: slog.NewTextHandler(&log, nil)}
		g := guardFor(t, w, func(o *guard.Options) {
			o.Observe, o.LogClaims, o.Logger = true, claims, slog.New(handler)
		})
		input := ask("delete Read book")
		input.Conversation, input.Turn = "c7", "m1"
		reply, err := g.Run(context.Background(), guardtest.Script(guardtest.Say(lie)), w, input)
		require.NoError(t, err)
		require.Equal(t, lie, reply.Text)
		require.Equal(t, map[string]uint64{"re-ask delete_task": 1}, g.Counters().Would)
		contains(t, "the log", log.String(), "owner=ann", "turn=m1", "conversation=c7", "tier=sure", "tools=[delete_task]", "confidences=[0.995]", `measures="[re-ask delete_task]"`)
		require.NotContains(t, log.String(), "guard: accepted", "what would be refused was not accepted")
		require.Equal(t, claims, strings.Contains(log.String(), "deleted Read book"))
		require.Equal(t, "ann", handler.owner, "a handler can ask who it is about")
		reply.Dispute(context.Background(), "the task was deleted by hand")
		require.Equal(t, uint64(1), g.Counters().Disputed)
		contains(t, "the log", log.String(), "verdict disputed", "deleted by hand")
	}
}

// contextHandler looks up the input of the turn.
type contextHandler struct {
	slog.Handler
	owner string
}

func (h *contextHandler) Handle(ctx context.Context, record slog.Record) error {
	if input, known := guard.FromContext(ctx); known {
		h.owner = input.Owner
	}
	return h.Handler.Handle(ctx, record)
}

// TestObserveCountsByKindAndTool: refusals of calls, rewritings and repeats as well
// as what would have been done about texts.
func TestObserveCountsByKindAndTool(t *testing.T) {
	say, call := guardtest.Say, guardtest.Call
	for name, row := range map[string]struct {
		user  string
		steps []guardtest.Step
		want  map[string]uint64
	}{
		"a denial":                           {"delete book", []guardtest.Step{call(guardtest.Tool("delete_task", `{"task_id":5}`)), say("Which book do you mean?")}, map[string]uint64{"denial of delete_task by type": 1}},
		"a denial of what the model made up": {"hello", []guardtest.Step{call(guardtest.Tool("fly_4711", `{}`)), say("Hello!")}, map[string]uint64{"denial by unknown_tool": 1}},
		"a rewriting":                        {"delete Read book", []guardtest.Step{call(deletes("Read book")), say("I've deleted Read book.")}, map[string]uint64{"rewriting of delete_task": 1, "correction of an unbacked claim of delete_task": 1}},
		"a repeat":                           {"add Buy milk", []guardtest.Step{call(adds("Buy milk")), call(adds("Buy milk")), say("I've added Buy milk.")}, map[string]uint64{"no second run of add_task": 1}},
		"two tools":                          {"delete Read book and add Buy milk", []guardtest.Step{say("Good morning!")}, map[string]uint64{"re-ask delete_task": 1, "re-ask add_task": 1}},
		"a claim":                            {"hello", []guardtest.Step{say("I've deleted the task Read book.")}, map[string]uint64{"correction of an unbacked claim of delete_task": 1}},
		"a call written as text":             {"hello", []guardtest.Step{say(leak)}, map[string]uint64{"correction: leaked call": 1}},
		"a failure kept quiet":               {"hello", []guardtest.Step{call(guardtest.Tool("delete_task", `{"task_id":"nope"}`)), say("All good!")}, map[string]uint64{"denial of delete_task by not_found": 1, "correction of an unbacked claim": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.Observe = true })
			_, err := g.Run(context.Background(), guardtest.Script(row.steps...), w, ask(row.user))
			require.NoError(t, err)
			require.Equal(t, row.want, g.Counters().Would)
		})
	}
}

// TestNoAttributeIsLoggedTwice: readers of JSON keep the last one of a name, so two
// missing tools must not be two attributes.
func TestNoAttributeIsLoggedTwice(t *testing.T) {
	say, call := guardtest.Say, guardtest.Call
	for _, observe := range []bool{true, false} {
		for name, row := range map[string]struct {
			user      string
			evaluator guard.Evaluator
			steps     []guardtest.Step
		}{
			"two missing tools": {"delete Read book and add Buy milk", nil, []guardtest.Step{say("I've deleted Read book and I've added Buy milk."), say(lie), say(lie)}},
			"two doubts":        {"hello", doubting("gone", "dusted"), []guardtest.Step{say("Read book is gone. The shelf is dusted. Call mom is gone."), say(kept), say(kept)}},
			"calls":             {"add Buy milk", nil, []guardtest.Step{call(guardtest.Tool("fly", `{}`), adds("Buy milk"), adds("Buy milk")), say(lie), say(lie), say(lie)}},
		} {
			var log bytes.Buffer
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) {
				o.Observe, o.LogClaims, o.Evaluator = observe, true, row.evaluator
				o.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			})
			_, _ = g.Run(context.Background(), guardtest.Script(row.steps...), w, ask(row.user)) // the log matters
			told := map[string]bool{}
			for line := range strings.Lines(log.String()) {
				keys := map[string]bool{}
				for key := range jsonspan.Members([]byte(strings.TrimSpace(line))) {
					require.False(t, keys[string(key)], "%s: %s twice in %s", name, key, line)
					keys[string(key)] = true
				}
				var event struct{ Measures []string }
				require.NoError(t, json.Unmarshal([]byte(line), &event))
				for _, measure := range event.Measures {
					told[measure] = true
				}
			}
			for measure := range g.Counters().Would {
				require.True(t, told[measure], "%s: counted, and not logged: %s", name, measure)
			}
			if name == "two missing tools" {
				require.True(t, told["re-ask delete_task"] && told["re-ask add_task"], "%v", told)
			}
		}
	}
}

// TestObserveAsksNothing: a text in doubt is counted, and neither asked about nor added to.
// What would not pass does not count as accepted.
func TestObserveAsksNothing(t *testing.T) {
	w := newWorld()
	var log bytes.Buffer
	g := guardFor(t, w, func(o *guard.Options) {
		o.Observe, o.LogClaims, o.Evaluator = true, true, doubting("deleted")
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	})
	const told = "I've deleted Read book with the key sk-live-4f9a8b7c6d5e4f3a2b1c."
	model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(told))
	reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
	require.NoError(t, err)
	require.Equal(t, told, reply.Text)
	require.Equal(t, 2, model.Calls())
	require.EqualValues(t, 1, g.Counters().Accepted)
	require.Contains(t, log.String(), "proof of a claim")
	require.NotContains(t, log.String(), "4f9a8b7c6d5e", "what is logged of a claim holds no secret")

	g = guardFor(t, w, func(o *guard.Options) { o.Observe, o.Logger = true, slog.New(slog.NewTextHandler(&log, nil)) })
	_, err = g.Run(context.Background(), guardtest.Script(guardtest.Say("I've deleted Call mom.")), w, ask("delete Call mom"))
	require.NoError(t, err)
	require.Zero(t, g.Counters().Accepted)
	require.Contains(t, log.String(), "claim_tool=delete_task")
}

// TestABlankMessageIsNone, whatever it is made of; an unknown mode is told with the nearest.
func TestABlankMessageIsNone(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Modes = []guard.Mode{{Mode: policy.Mode{Name: "fast"}}} })
	_, err := g.Begin(context.Background(), guard.Input{User: " \u200b\n", Owner: "ann"})
	require.ErrorIs(t, err, guard.ErrNoMessage)
	_, err = g.Begin(context.Background(), guard.Input{User: "delete Read book", Owner: "ann", Mode: "fst"})
	require.ErrorIs(t, err, guard.ErrUnknownMode)
	require.ErrorContains(t, err, `did you mean "fast"?`)
}
