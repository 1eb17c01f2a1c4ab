package guard_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// exits are all ways out of a turn. Each is offered the same lie, and none lets
// it out.
func exits() map[string]func(t *testing.T, g *guard.Guard, w *world) (shown string, err error) {
	ctx := context.Background()
	begin := func(t *testing.T, g *guard.Guard, input guard.Input) *guard.Turn {
		t.Helper()
		turn, err := g.Begin(ctx, input)
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	lies := func(n int) []guardtest.Step {
		var steps []guardtest.Step
		for range n {
			steps = append(steps, guardtest.Say(lie))
		}
		return steps
	}
	text := func(reply *guard.Reply, err error) (string, error) { return reply.Text, err }
	return map[string]func(*testing.T, *guard.Guard, *world) (string, error){
		"the natural end": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			return text(g.Run(ctx, guardtest.Script(lies(5)...), w, ask("delete Read book")))
		},
		"the end of a streamed turn": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			var shown strings.Builder
			for event, err := range g.Stream(ctx, guardtest.Script(lies(5)...), w, ask("delete Read book")) {
				if err != nil {
					return shown.String(), err
				}
				shown.WriteString(event.Text)
			}
			return shown.String(), nil
		},
		"text beside a call": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			steps := append([]guardtest.Step{guardtest.SayAndCall(lie, lists())}, lies(5)...)
			reply, err := g.Run(ctx, guardtest.Script(steps...), w, ask("delete Read book"))
			var shown strings.Builder
			for _, message := range reply.Messages {
				if message.Role == guard.RoleAssistant {
					shown.WriteString(message.Text)
				}
			}
			return shown.String(), err
		},
		"the limit on rounds": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			var steps []guardtest.Step
			for range 40 {
				steps = append(steps, guardtest.SayAndCall(lie, lists()))
			}
			return text(g.Run(ctx, guardtest.Script(steps...), w, ask("delete Read book")))
		},
		"a text of the host's own": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			return text(begin(t, g, ask("delete Read book")).End(ctx, lie))
		},
		"a provider that stops": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			return text(g.Run(ctx, guardtest.Script(guardtest.Stopped(guard.StopCut, lie)), w, ask("delete Read book")))
		},
		"a provider that breaks down on the second ask": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			return text(g.Run(ctx, guardtest.Script(guardtest.Say(lie), guardtest.Step{Err: errors.New("gone")}), w, ask("delete Read book")))
		},
		"a turn that is resumed": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			input := ask("delete Read book")
			input.Turn = "resumed"
			w.fail["delete_task"] = errDatabase
			first := begin(t, g, input)
			for _, call := range first.Take(ctx, guardtest.Call(deletes("Read book")).Response) {
				_, _ = first.Do(ctx, call, w.Execute) // and then the process dies
			}
			return text(g.Run(ctx, guardtest.Script(lies(5)...), w, input))
		},
		"a framework's loop": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			turn := begin(t, g, ask("delete Read book"))
			return bareLoop(ctx, turn.Model(guardtest.Script(lies(5)...)), turn.Executor(w), taskTools(), "delete Read book")
		},
		"a wrapped model": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			return bareLoop(ctx, g.Wrap(guardtest.Script(lies(5)...)), w, taskTools(), "delete Read book")
		},
		"a wrapped model that is cut off": func(t *testing.T, g *guard.Guard, w *world) (string, error) {
			return bareLoop(ctx, g.Wrap(guardtest.Script(guardtest.Stopped(guard.StopCut, lie))), w, taskTools(), "delete Read book")
		},
		"a spent budget, delivered as text": func(t *testing.T, _ *guard.Guard, w *world) (string, error) {
			g := guardFor(t, w, func(o *guard.Options) { o.DeliverAccount = true })
			reply, err := g.Run(ctx, guardtest.Script(lies(5)...), w, ask("delete Read book"))
			if err != nil || reply.Err == nil || reply.Text == "" {
				t.Errorf("the account is %q, %v, %v", reply.Text, reply.Err, err)
			}
			return reply.Text, reply.Err
		},
		"no intent at all": func(t *testing.T, _ *guard.Guard, w *world) (string, error) {
			g := guardFor(t, w, func(o *guard.Options) { o.Classifier = expecting(intent.Chat, 0) })
			return text(g.Run(ctx, guardtest.Script(lies(5)...), w, ask("delete Read book")))
		},
	}
}

func TestEveryExitPassesTheGate(t *testing.T) {
	for name, exit := range exits() {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			shown, err := exit(t, guardFor(t, w, nil), w)
			if err == nil || strings.Contains(shown, "I've deleted") {
				t.Errorf("shows %q: %v", shown, err)
			}
		})
	}
}

// TestHonestTextsPassEveryExit is the other side: a guard that annoys is
// switched off.
func TestHonestTextsPassEveryExit(t *testing.T) {
	ctx := context.Background()
	honest := "Hello! I can list, add, change and delete your tasks. What would you like to do?"
	w := newWorld()
	g := guardFor(t, w, nil)
	if reply, err := g.Run(ctx, guardtest.Script(guardtest.Say(honest)), w, ask("hello")); err != nil || reply.Text != honest {
		t.Errorf("Run: %v", err)
	}
	if text, err := bareLoop(ctx, g.Wrap(guardtest.Script(guardtest.Say(honest))), w, taskTools(), "hello"); err != nil || text != honest {
		t.Errorf("Wrap: %v", err)
	}
	turn, err := g.Begin(ctx, ask("hello"))
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := turn.End(ctx, honest); err != nil || reply.Text != honest {
		t.Errorf("End: %v", err)
	}
	if _, err := turn.Model(guardtest.Script()).Generate(ctx, guard.Request{}); !errors.Is(err, guard.ErrTurnClosed) {
		t.Errorf("a closed turn: %v", err)
	}
}

// TestWhoOnlyAcknowledgesIsShown: without a proof, too. "Noted." tells of nothing that a
// record could show, and what nobody ordered is not told as left undone.
func TestWhoOnlyAcknowledgesIsShown(t *testing.T) {
	tools := []tooltrack.Tool{changing("cancel_order", "Cancel an order.", "order"), changing("send_email", "Send an e-mail.", "to")}
	nothing := "\n\nOn record in this turn:\nNothing was changed in this turn."
	for _, row := range []struct{ user, text, shown string }{
		{"I was going to cancel the tea kettle but I love it now", "Glad to hear!", "Glad to hear!"},
		{"the kettle should be cancelled by now", "Understood.", "Understood."},
		{"my sister wants the kettle cancelled", "Noted.", "Noted." + nothing},
		{"cancel order 12. nm", "Okay, I am leaving it as it is.", "Okay, I am leaving it as it is." + nothing},
	} {
		g, err := guard.New(tools, nil)
		require.NoError(t, err)
		model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			return guardtest.Say(row.text).Response, nil
		})
		reply, err := g.Run(context.Background(), model, guardtest.Returns("{}"), guard.Input{User: row.user})
		require.NoError(t, err, row.user)
		require.Equal(t, row.shown, reply.Text, row.user)
		row.text += " The kettle is cancelled."
		reply, _ = g.Run(context.Background(), model, guardtest.Returns("{}"), guard.Input{User: row.user})
		require.NotContains(t, reply.Text, "The kettle is cancelled", row.user)
	}
}
