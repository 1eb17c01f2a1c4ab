package guard_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// costly answers with a new read each time, at 100 tokens, until it is told that its
// budget is nearly used up; a stubborn one goes on.
type costly struct {
	stubborn bool
	asked    int
	warned   string
	name     string
}

func (m *costly) Capabilities() guard.Capabilities { return guard.Capabilities{Name: m.name} }

func (m *costly) Generate(_ context.Context, request guard.Request) (guard.Response, error) {
	m.asked++
	step := guardtest.Call(tooltrack.Call{ID: fmt.Sprint("c", m.asked), Tool: "read_file", Args: fmt.Appendf(nil, `{"path":"%d"}`, m.asked)})
	if last := request.Messages[len(request.Messages)-1]; last.Role != guard.RoleTool && m.asked > 1 {
		if m.warned = last.Text; !m.stubborn {
			step = guardtest.Say("The files hold package main. The rest is not read yet.")
		}
	}
	step.Response.Usage = guard.Usage{Input: 80, Output: 20}
	return step.Response, nil
}

func TestBudgetOfATurn(t *testing.T) {
	now := time.Date(2026, 2, 9, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		budgets guard.Budgets
		warning string
		want    guard.BudgetError
		asked   int
	}{
		"tokens": {guard.Budgets{Turn: guard.Allowance{Tokens: 1000}}, "(800 of 1000 tokens)", guard.BudgetError{Of: "tokens", Per: "turn", Spent: 1000, Allowed: 1000}, 10},
		"money": {guard.Budgets{
			Turn: guard.Allowance{Money: 0.001}, Prices: map[string]guard.Price{"m-1": {Input: 1, Output: 1}, "": {Input: 1000}},
		}, "(0.0008 of 0.0010 money)", guard.BudgetError{Of: "money", Per: "turn", Spent: 0.001, Allowed: 0.001}, 10},
		"time": {guard.Budgets{Turn: guard.Allowance{Time: time.Minute}}, "(50s of 1m0s)", guard.BudgetError{Of: "time", Per: "turn", Spent: 60, Allowed: 60}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			clock := now
			executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
				clock = clock.Add(10 * time.Second)
				return fmt.Appendf(nil, `{"text":%q}`, clock), nil
			})
			g := loopGuard(t, func(o *guard.Options) { o.Budgets, o.Clock = c.budgets, func() time.Time { return clock } })
			model := &costly{stubborn: true, name: "m-1"}
			reply, err := g.Run(t.Context(), model, executor, ask("read all files"))
			var spent *guard.BudgetError
			require.ErrorAs(t, err, &spent)
			var ended *guard.TurnError
			require.ErrorAs(t, err, &ended)
			require.Contains(t, model.warned, c.warning)
			require.Equal(t, c.asked, model.asked)
			require.Equal(t, c.want.Of, spent.Of)
			require.Equal(t, c.want.Per, spent.Per)
			require.InDelta(t, c.want.Spent, spent.Spent, 1e-9)
			require.InDelta(t, c.want.Allowed, spent.Allowed, 1e-9)
			require.Contains(t, ended.Account, "What you asked for was not completed: what it may cost is used up.")
			require.Equal(t, ended.Account, reply.Account)
			require.NotEmpty(t, ended.Records)
			require.Equal(t, 80*model.asked, reply.Usage.Input)
			require.EqualValues(t, 1, g.Counters().Refused["budget"])

			model = &costly{name: "m-1"} // one that listens
			clock = now
			reply, err = g.Run(t.Context(), model, executor, ask("read all files"))
			require.NoError(t, err)
			require.Equal(t, "The files hold package main. The rest is not read yet.", reply.Text)
			for _, message := range reply.Messages {
				require.NotContains(t, message.Text, "nearly used up", "what the guard says to the model stays between them")
			}
		})
	}
}

// What the guard's own questions cost is part of the sum, and the last answer is not
// lost: only who would have to be asked again is over.
func TestLastAnswerWithinTheBudget(t *testing.T) {
	g := loopGuard(t, func(o *guard.Options) { o.Budgets.Turn.Tokens = 100 })
	answer := guardtest.Say("Hello! How can I help?")
	answer.Response.Usage = guard.Usage{Input: 500, Output: 5}
	reply, err := g.Run(t.Context(), guardtest.Script(answer), loopExecutor(), ask("hello"))
	require.NoError(t, err)
	require.Equal(t, guard.Usage{Input: 500, Output: 5}, reply.Usage)
}

func TestBudgetOfADay(t *testing.T) {
	now := time.Date(2026, 2, 9, 9, 0, 0, 0, time.UTC)
	meter := policy.NewMeter(func() time.Time { return now })
	run := func(owner string) error {
		g := loopGuard(t, func(o *guard.Options) { // a new replica each time
			o.Budgets = guard.Budgets{Day: guard.Allowance{Tokens: 250}, Meter: meter}
		})
		input := ask("hello")
		input.Owner = owner
		answer := guardtest.Say("Hello! How can I help?")
		answer.Response.Usage = guard.Usage{Input: 90, Output: 10}
		_, err := g.Run(t.Context(), guardtest.Script(answer), loopExecutor(), input)
		return err
	}
	for range 3 {
		require.NoError(t, run("ann"))
	}
	var spent *guard.BudgetError
	require.ErrorAs(t, run("ann"), &spent)
	require.Equal(t, "day", spent.Per)
	require.EqualError(t, spent, "300 of 250 tokens of the day")
	require.NoError(t, run("bob"), "another owner")
	now = now.Add(24 * time.Hour)
	require.NoError(t, run("ann"), "the next day")
}

// brokenMeter cannot be asked.
type brokenMeter struct{ panics bool }

func (m *brokenMeter) Add(context.Context, string, string, policy.Spending) (policy.Spending, error) {
	if m.panics {
		panic("no database")
	}
	return policy.Spending{}, errors.New("connection refused")
}

// Without its meter a guard goes by what the turn itself has spent.
func TestMeterThatIsDown(t *testing.T) {
	noClock := policy.NewMeter(func() time.Time { panic("no clock") })
	for _, meter := range []policy.Meter{&brokenMeter{}, &brokenMeter{panics: true}, noClock} {
		g := loopGuard(t, func(o *guard.Options) {
			o.Budgets = guard.Budgets{Day: guard.Allowance{Tokens: 300}, Meter: meter}
		})
		model := &costly{stubborn: true}
		_, err := g.Run(t.Context(), model, loopExecutor(), ask("read all files"))
		require.ErrorIs(t, err, guard.ErrBudget)
		require.Equal(t, 3, model.asked)
		require.Positive(t, g.Counters().HostFaults["Meter.Add"])
	}
}

func TestBudgetIsObservedOnly(t *testing.T) {
	g := loopGuard(t, func(o *guard.Options) { o.Observe, o.Budgets.Turn.Tokens = true, 300 })
	model := &costly{stubborn: true}
	_, err := g.Run(t.Context(), model, loopExecutor(), ask("read all files"))
	require.NotErrorIs(t, err, guard.ErrBudget)
	require.Empty(t, model.warned)
	require.EqualValues(t, 1, g.Counters().Would["end of the turn by the budget of tokens of the turn"])
}

// The own loop of a host ends where it would ask the model again, and behind Wrap the
// requests of a named turn share its budget.
func TestBudgetInEveryWayIn(t *testing.T) {
	budgets := func(o *guard.Options) { o.Budgets.Turn.Tokens = 500 }
	t.Run("Begin and Take", func(t *testing.T) {
		turn, err := loopGuard(t, budgets).Begin(t.Context(), ask("read all files"))
		require.NoError(t, err)
		model, executor := &costly{stubborn: true}, loopExecutor()
		drive(t, turn, model, executor)
		_, err = turn.Reply()
		require.ErrorIs(t, err, guard.ErrBudget)
		require.Equal(t, 5, model.asked)
		require.Contains(t, model.warned, "nearly used up")
	})
	t.Run("Stream", func(t *testing.T) {
		var last error
		for _, err := range loopGuard(t, budgets).Stream(t.Context(), &costly{stubborn: true}, loopExecutor(), ask("read all files")) {
			last = err
		}
		require.ErrorIs(t, last, guard.ErrBudget)
	})
	t.Run("Wrap", func(t *testing.T) {
		inner, executor := &costly{stubborn: true}, loopExecutor()
		model := loopGuard(t, budgets).Wrap(inner)
		ctx := guard.NewContext(t.Context(), guard.Input{Owner: "ann", Turn: "m1"})
		messages := []guard.Message{{Role: guard.RoleUser, Text: "read all files"}}
		var err error
		for range 10 {
			var response guard.Response
			if response, err = model.Generate(ctx, guard.Request{Messages: messages, Tools: loopTools}); err != nil {
				break
			}
			messages = append(messages, response.Message)
			for _, call := range response.Message.Calls {
				data, err := executor.Execute(t.Context(), call)
				require.NoError(t, err)
				messages = append(messages, guard.Message{Role: guard.RoleTool, CallID: call.ID, Tool: call.Tool, Text: string(data)})
			}
		}
		require.ErrorIs(t, err, guard.ErrBudget)
		require.Equal(t, 5, inner.asked)
	})
}
