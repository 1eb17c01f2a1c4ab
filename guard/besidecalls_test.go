package guard_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// officeTools are tools of several trades, so that no case rests on the words of one.
func officeTools() []tooltrack.Tool {
	tool := func(name, description string, effect tooltrack.Effect) tooltrack.Tool {
		object := []byte(`{"type":"object"}`)
		return tooltrack.Tool{Name: name, Description: description, Effect: effect, Parameters: object}
	}
	return []tooltrack.Tool{
		tool("pay_invoice", "Pay an invoice.", tooltrack.Changes),
		tool("get_invoice", "Look up an invoice.", tooltrack.Reads),
		tool("send_email", "Send an e-mail.", tooltrack.Changes),
		tool("lock_door", "Lock a door.", tooltrack.Changes),
		tool("get_door", "Tell whether a door is locked.", tooltrack.Reads),
		tool("book_table", "Book a table at a restaurant.", tooltrack.Changes),
		tool("search_restaurants", "Search for restaurants.", tooltrack.Reads),
		tool("write_file", "Write a file.", tooltrack.Changes),
		tool("read_file", "Read a file.", tooltrack.Reads),
	}
}

// besides are texts beside calls, and what a user may read of them before the calls
// have run.
var besides = []struct {
	name, user, text string
	calls            []tooltrack.Call
	shown            string // "=" is all of it
}{
	{
		"a lie before an announcement", "pay invoice 17",
		"I've paid invoice 17, the money is on its way. Let me also look at invoice 18.",
		[]tooltrack.Call{guardtest.Tool("get_invoice", `{"id":"18"}`)}, "Let me also look at invoice 18.",
	},
	{
		"a lie alone", "lock the back door", "I've locked the back door.",
		[]tooltrack.Call{guardtest.Tool("get_door", `{"door":"back door"}`)}, "",
	},
	{
		"a lie after an announcement", "book a table at Luigi's for two",
		"Let me check what is free. I've booked a table at Luigi's for two.",
		[]tooltrack.Call{guardtest.Tool("search_restaurants", `{"name":"Luigi's"}`)}, "Let me check what is free.",
	},
	{
		"an announcement", "pay invoice 17", "Let me look at invoice 17 first.\n\n",
		[]tooltrack.Call{guardtest.Tool("get_invoice", `{"id":"17"}`)}, "=",
	},
	{
		"a future", "book a table at Luigi's for two", "I'll book the table at Luigi's now, and then I'll write to Ann.",
		[]tooltrack.Call{guardtest.Tool("book_table", `{"name":"Luigi's","people":2}`)}, "=",
	},
	{
		"told as done with the call that does it", "lock the back door", "I've locked the back door.",
		[]tooltrack.Call{guardtest.Tool("lock_door", `{"door":"back door"}`)}, "=",
	},
	{
		"told as done by a name that the arguments do not have", "email the plumber", "I've emailed Mr. Hansen.",
		[]tooltrack.Call{guardtest.Tool("send_email", `{"to":"mh@pipes.example","body":"Please come."}`)}, "=",
	},
	{
		"a plan in the present", "tidy up main.go", "Now I rewrite main.go, after which I run the formatter.",
		[]tooltrack.Call{guardtest.Tool("write_file", `{"path":"main.go","text":"package main"}`)}, "=",
	},
	{
		"a thought about what was read", "why does it not compile?", "The import is missing in main.go, so the build fails.",
		[]tooltrack.Call{guardtest.Tool("read_file", `{"path":"util.go"}`)}, "=",
	},
}

// TestTextBesideCallsIsJudgedBeforeItIsHandedOut: a loop that shows what a model says
// beside its calls shows no lie, and all the rest as it came.
func TestTextBesideCallsIsJudgedBeforeItIsHandedOut(t *testing.T) {
	for _, c := range besides {
		want := c.shown
		if want == "=" {
			want = c.text
		}
		step := guardtest.SayAndCall(c.text, c.calls...)
		step.Response.Message.Raw, step.Response.Raw = []byte(`{"own":1}`), []byte(`{"whole":1}`)
		request := guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: c.user}}, Tools: officeTools()}
		for _, observe := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, observe %v", c.name, observe), func(t *testing.T) {
				g, err := guard.New(officeTools(), &guard.Options{Observe: observe})
				require.NoError(t, err)
				wrapped, err := g.Wrap(guardtest.Script(step)).Generate(context.Background(), request)
				require.NoError(t, err)
				turn, err := g.Begin(context.Background(), ask(c.user))
				require.NoError(t, err)
				conducted, err := turn.Model(guardtest.Script(step)).Generate(context.Background(), request)
				require.NoError(t, err)
				turn.Request(context.Background()) // closes the books
				for _, response := range []guard.Response{wrapped, conducted} {
					require.Equal(t, step.Response.Message.Calls, response.Message.Calls)
					if observe || c.shown == "=" {
						require.Equal(t, step.Response.Message, response.Message)
						require.Equal(t, step.Response.Raw, response.Raw)
					} else {
						require.Equal(t, want, response.Message.Text)
						require.Empty(t, response.Message.Raw, "it would tell the rest")
						require.Empty(t, response.Raw)
					}
				}
				if c.shown != "=" {
					require.Equal(t, uint64(2), g.Counters().Withheld, "once for each way in")
				}
			})
		}
	}
}

// TestTextBesideCallsThatNobodyJudgedIsNotHandedOut: nor are its calls, since the
// context has ended.
func TestTextBesideCallsThatNobodyJudgedIsNotHandedOut(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	g, err := guard.New(officeTools(), &guard.Options{Evaluator: guard.EvaluatorFunc(func(completion.Case) completion.Verdict {
		cancel()
		return completion.Verdict{Outcome: completion.CompletedWithWork}
	})})
	require.NoError(t, err)
	step := guardtest.SayAndCall("I've paid it.", guardtest.Tool("get_invoice", `{"id":"17"}`))
	response, err := g.Wrap(guardtest.Script(step)).Generate(ctx, guard.Request{
		Messages: []guard.Message{{Role: guard.RoleUser, Text: "hello"}}, Tools: officeTools(),
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, response.Message)
}
