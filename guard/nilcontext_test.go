package guard_test

import (
	"context"
	"log/slog"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// withoutContext calls what takes a context without one, and returns the error, if it has
// one to return.
var withoutContext = map[string]func(*guard.Guard, *world, context.Context) error{
	"FromContext": func(_ *guard.Guard, _ *world, none context.Context) error {
		if input, known := guard.FromContext(none); known || input.Owner != "" {
			panic("nobody is known")
		}
		return guard.ErrNoContext
	},
	"NewContext": func(_ *guard.Guard, _ *world, none context.Context) error {
		if input, known := guard.FromContext(guard.NewContext(none, guard.Input{Owner: "ann"})); !known || input.Owner != "ann" {
			panic("she is known")
		}
		return guard.ErrNoContext
	},
	"Attach": func(_ *guard.Guard, _ *world, none context.Context) error {
		if guard.Attach(none, guard.Part{}) {
			panic("there is nothing to attach to")
		}
		return guard.ErrNoContext
	},
	"Link": func(_ *guard.Guard, _ *world, none context.Context) error {
		return guard.Link(none, &tooltrack.Record{})
	},
	"Guard.Contain": func(g *guard.Guard, _ *world, none context.Context) error {
		return g.Contain(none, "adapting", func() { panic("planted") })
	},
	"Guard.Begin": func(g *guard.Guard, _ *world, none context.Context) error {
		_, err := g.Begin(none, ask("delete Read book"))
		return err
	},
	"Guard.Question": func(g *guard.Guard, _ *world, none context.Context) error {
		_, err := g.Question(none, guard.Recorded{User: "delete Read book", Text: "Done."})
		return err
	},
	"Guard.Judge": func(g *guard.Guard, _ *world, none context.Context) error {
		_, err := g.Judge(none, guard.Recorded{User: "delete Read book", Text: "Done."})
		return err
	},
	"Guard.Note": func(g *guard.Guard, _ *world, none context.Context) error {
		g.Note(none, "something")
		return guard.ErrNoContext
	},
	"Guard.TurnStart": func(g *guard.Guard, _ *world, none context.Context) error {
		if at := g.TurnStart(none, continuing("delete Call mom")); at != 3 {
			panic(at)
		}
		return guard.ErrNoContext
	},
	"Guard.Resume": func(g *guard.Guard, w *world, none context.Context) error {
		_, err := g.Resume(none, guardtest.Script(), w, "ann", "t1")
		return err
	},
	"Guard.Run": func(g *guard.Guard, w *world, none context.Context) error {
		_, err := g.Run(none, guardtest.Script(), w, ask("delete Read book"))
		return err
	},
	"Guard.Stream": func(g *guard.Guard, w *world, none context.Context) (err error) {
		for _, err = range g.Stream(none, guardtest.Script(), w, ask("delete Read book")) {
		}
		return err
	},
	"Reply.Dispute": func(g *guard.Guard, w *world, none context.Context) error {
		reply, err := g.Run(context.Background(), guardtest.Script(guardtest.Say("Hello!")), w, ask("hello"))
		if err != nil {
			return err
		}
		reply.Dispute(none, "it was fine")
		if g.Counters().Disputed != 1 {
			panic("it is counted")
		}
		return guard.ErrNoContext
	},
	"Turn.Context": func(g *guard.Guard, _ *world, none context.Context) error {
		ctx := begun(g).Context(none)
		if input, known := guard.FromContext(ctx); !known || input.User == "" || ctx.Err() != nil {
			panic("it is known whose turn it is")
		}
		return guard.ErrNoContext
	},
	"Turn.Do": func(g *guard.Guard, _ *world, none context.Context) error {
		turn := begun(g)
		calls := turn.Take(context.Background(), guardtest.Call(deletes("Read book")).Response)
		_, err := turn.Do(none, calls[0], guardtest.Returns(`{}`))
		return err
	},
	"Turn.End": func(g *guard.Guard, _ *world, none context.Context) error {
		_, err := begun(g).End(none, "Done.")
		return err
	},
	"Turn.Request": func(g *guard.Guard, _ *world, none context.Context) error {
		if len(begun(g).Request(none).Messages) == 0 {
			panic("it is told what to ask")
		}
		return guard.ErrNoContext
	},
	"Turn.Take": func(g *guard.Guard, _ *world, none context.Context) error {
		turn := begun(g)
		turn.Take(none, guardtest.Say("Done.").Response)
		_, err := turn.Reply()
		return err
	},
}

func begun(g *guard.Guard) *guard.Turn {
	turn, err := g.Begin(context.Background(), ask("delete Read book"))
	if err != nil {
		panic(err)
	}
	return turn
}

// continuing is a conversation whose last message stands right after a result.
func continuing(last string) []guard.Message {
	return []guard.Message{
		{Role: guard.RoleUser, Text: "delete Read book"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{deletes("Read book")}},
		{Role: guard.RoleTool, CallID: deletes("Read book").ID, Tool: "delete_task", Text: `{"success":true}`},
		{Role: guard.RoleUser, Text: last},
	}
}

// TestNothingPanicsWithoutAContext: it is told as an error where there is one to return,
// and otherwise nothing is known.
func TestNothingPanicsWithoutAContext(t *testing.T) {
	taken := reflect.TypeFor[context.Context]()
	for _, of := range []reflect.Type{reflect.TypeFor[*guard.Guard](), reflect.TypeFor[*guard.Turn](), reflect.TypeFor[*guard.Reply]()} {
		for i := range of.NumMethod() {
			method := of.Method(i)
			if method.Type.NumIn() > 1 && method.Type.In(1) == taken {
				require.Contains(t, withoutContext, of.Elem().Name()+"."+method.Name)
			}
		}
	}
	for name, call := range withoutContext {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.Logger = slog.New(slog.DiscardHandler) })
			require.NotPanics(t, func() {
				require.ErrorIs(t, call(g, w, nil), guard.ErrNoContext)
			})
		})
	}
}

// TestWhereATurnStarts: a message right after a result that only goes on is none of its
// own.
func TestWhereATurnStarts(t *testing.T) {
	g := guardFor(t, newWorld(), nil)
	for last, want := range map[string]int{
		"delete Call mom": 3, "Analyze the tool result and continue.": 0, "thanks": 0, "<file>delete Call mom</file>": 0,
	} {
		require.Equal(t, want, g.TurnStart(context.Background(), continuing(last)), last)
	}
	require.Equal(t, -1, g.TurnStart(context.Background(), nil))
	require.Equal(t, -1, g.TurnStart(context.Background(), []guard.Message{{Role: guard.RoleSystem, Text: "Be nice."}}))
	again := append(continuing("Go on."), guard.Message{Role: guard.RoleAssistant, Text: "Done."}, guard.Message{Role: guard.RoleUser, Text: "Go on."})
	require.Equal(t, 5, g.TurnStart(context.Background(), again), "after an answer every message begins a turn")
}
