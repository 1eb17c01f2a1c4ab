package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestNothingRunsAtTheWordOfACorrection that the user took back, only asked about or
// never asked for: the text lies, and the model does after it what it told.
func TestNothingRunsAtTheWordOfACorrection(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task", Effect: tooltrack.Changes},
		{Name: "add_task", Description: "Add a task", Effect: tooltrack.Changes},
		{Name: "transfer_money", Description: "Transfer money", Effect: tooltrack.Changes},
		{Name: "list_tasks", Description: "List tasks", Effect: tooltrack.Reads},
	}
	remove, add := guardtest.Tool("delete_task", `{"title":"Read book"}`), guardtest.Tool("add_task", `{"title":"Buy milk"}`)
	fifty := guardtest.Tool("transfer_money", `{"to":"Ann","amount":50}`)
	more := guardtest.Tool("transfer_money", `{"to":"Ann","amount":500}`)
	cases := []struct {
		user   string
		before *tooltrack.Call // made before the text
		text   string
		after  tooltrack.Call
		runs   bool
	}{
		{"please do not delete Read book", nil, "I've deleted Read book.", remove, false},
		{"delete Read book... hmm, forget it", nil, "I've deleted Read book.", remove, false},
		{"should I delete Read book?", nil, "I've deleted Read book.", remove, false},
		{"is it possible to delete Read book?", nil, "I tried, but the server answered with error 500.", remove, false},
		{"yesterday I deleted Read book by accident", nil, "I've deleted Read book.", remove, false},
		{"thanks, that's all", nil, "I've deleted Read book.", remove, false},
		{"transfer 50 euros to Ann", &fifty, "I've transferred 500 euros to Ann.", more, false},
		{"delete the task Read book", &remove, "I've deleted Read book. I've also added Buy milk.", add, false},
		{"delete the task Read book", nil, "I've deleted Read book.", remove, true},
	}
	for _, c := range cases {
		t.Run(c.user+": "+c.text, func(t *testing.T) {
			g, err := guard.New(tools, nil)
			require.NoError(t, err)
			steps := []guardtest.Step{guardtest.Say(c.text), guardtest.Call(c.after), guardtest.Say(c.text)}
			if c.before != nil {
				steps = append([]guardtest.Step{guardtest.Call(*c.before)}, steps...)
			}
			model, ran := guardtest.Script(steps...), 0
			executor := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
				if call.Tool == c.after.Tool && string(call.Args) == string(c.after.Args) {
					ran++
				}
				return []byte(`{"success":true}`), nil
			})
			_, _ = g.Run(context.Background(), model, executor, guard.Input{User: c.user})
			require.Equal(t, c.runs, ran > 0)
			for _, request := range model.Requests() {
				last := request.Messages[len(request.Messages)-1]
				if orders := strings.Contains(last.Text, "Make the call"); last.Internal && !c.runs {
					require.False(t, orders, last.Text)
				}
			}
		})
	}
}

// TestACallThatIsOnlyShownIsNoLeak: who asks to see a call, and not to have it made, gets
// to see it.
func TestACallThatIsOnlyShownIsNoLeak(t *testing.T) {
	shown := "Here is the call: <tool_call>{\"name\":\"delete_task\",\"arguments\":{\"task_id\":\"Read book\"}}</tool_call> I have not run it."
	for user, honest := range map[string]bool{
		"show me the JSON you would send to delete Read book, but don't run it": true,
		"how do I call delete_task over the API?":                               true,
		"delete the task Read book":                                             false,
	} {
		w := newWorld()
		model := guardtest.Script(guardtest.Say(shown), guardtest.Say(shown), guardtest.Say(shown), guardtest.Say(shown))
		reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask(user))
		require.True(t, w.has(readBook), user)
		if honest {
			require.NoError(t, err, user)
			require.Contains(t, reply.Text, shown)
		} else {
			require.Error(t, err, user)
		}
	}
}

// TestARuleOfTheHostsMayHaveOurNames: a call that the host's own "held" denies was made,
// and the text may tell that it was refused.
func TestARuleOfTheHostsMayHaveOurNames(t *testing.T) {
	for _, rule := range []string{"held", "unasked", "repeated"} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) {
			o.Reviewer = guard.ReviewerFunc(func(context.Context, policy.Proposal) (policy.Decision, error) {
				return policy.Decision{Kind: policy.Deny, Rule: rule, Reason: "the accounts are closed"}, nil
			})
		})
		told := guardtest.Say("I tried to add Milk, but it was not allowed: the accounts are closed.")
		model := guardtest.Script(guardtest.Call(adds("Milk")), told)
		reply, err := g.Run(context.Background(), model, w, ask("add a task Milk"))
		require.NoError(t, err, rule)
		require.Equal(t, told.Response.Message.Text, reply.Text, rule)
		require.Len(t, model.Requests(), 2, "%s: the guard spoke", rule)
	}
}
