package guard_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// dueBy is a classifier that finds something due with a probability, and names
// no tool.
func dueBy(probability float64) guard.Classifier {
	return intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		return intent.Intent{Kind: intent.Chat, Due: probability}, nil
	})
}

// judging is an evaluator that always says the same.
func judging(verdict completion.Verdict) guard.Evaluator {
	return guard.EvaluatorFunc(func(completion.Case) completion.Verdict { return verdict })
}

const nothingToShow = `{"message":null,"items":[]}`

// TestWhenProofIsAskedFor: always means every text but talk, and talk is what
// asks for nothing, calls nothing and claims nothing.
func TestWhenProofIsAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		mode   guard.ProofMode
		due    float64
		budget int
		calls  bool
		text   string
		asked  bool
	}{
		"always, talk":                       {guard.Always, 0.49, 0, false, "Hello!", false},
		"always, something may be due":       {guard.Always, 0.5, 0, false, "Hello!", true},
		"always, talk after a call":          {guard.Always, 0.49, 0, true, "Hello!", true},
		"always, talk with a claim in doubt": {guard.Always, 0.49, 0, false, "It is gone.", true},
		"when unsure, a clean text":          {guard.WhenUnsure, 0.49, 0, true, "Hello!", false},
		"when unsure, a claim in doubt":      {guard.WhenUnsure, 0.49, 0, false, "It is gone.", true},
		"never":                              {guard.Never, 0.9, 0, false, "It is gone.", false},
		"no budget":                          {guard.WhenUnsure, 0.49, -1, false, "It is gone.", false},
		"a budget of one":                    {guard.WhenUnsure, 0.49, 1, false, "It is gone.", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) {
				o.Proof, o.Classifier, o.Evaluator, o.Thresholds.Due, o.Budgets.Proof = c.mode, dueBy(c.due), doubting("gone"), 0.5, c.budget
			})
			steps := []guardtest.Step{guardtest.Say(c.text), guardtest.Say(nothingToShow), guardtest.Say(nothingToShow)}
			if c.calls {
				steps = append([]guardtest.Step{guardtest.Call(lists())}, steps...)
			}
			_, err := g.Run(context.Background(), guardtest.Script(steps...), w, ask("hello"))
			require.NoError(t, err)
			require.Equal(t, c.asked, g.Counters().ProofsAsked == 1)
		})
	}
}

// TestHowOftenProofIsAskedFor: a report that does not hold is told once what is
// wrong with it, and a budget of one has no second try.
func TestHowOftenProofIsAskedFor(t *testing.T) {
	for budget, calls := range map[int]int{1: 2, 2: 3, 0: 3} {
		w := newWorld()
		g := unsureWorld(t, w, func(o *guard.Options) { o.Budgets.Proof = budget })
		model := guardtest.Script(guardtest.Say("Read book is gone."), guardtest.Say("What?"), guardtest.Say("What?"), guardtest.Say("What?"))
		reply, err := g.Run(context.Background(), model, w, ask("hm"))
		require.NoError(t, err)
		require.Equal(t, calls, model.Calls(), "with a budget of %d", budget)
		require.Equal(t, calls, reply.Execution.ModelCalls)
		require.Equal(t, []string{"Read book is gone."}, reply.Unproven)
	}
}

// TestCallsInsteadOfProofComeToAnEnd: each is progress, up to a point.
func TestCallsInsteadOfProofComeToAnEnd(t *testing.T) {
	w := newWorld()
	g := unsureWorld(t, w, nil)
	var script []guardtest.Step
	for _, title := range []string{"A", "B", "C", "D"} {
		script = append(script, guardtest.Say("It is gone."), guardtest.Call(adds(title)))
	}
	reply, err := g.Run(context.Background(), guardtest.Script(append(script, guardtest.Say("It is gone."))...), w, ask("hm"))
	require.NoError(t, err)
	require.Equal(t, []uint64{3, 3}, []uint64{g.Counters().ProofsAsked, g.Counters().ProofsCalled})
	require.Equal(t, []string{"It is gone."}, reply.Unproven, "then the text passes, and is marked")
}

// TestTextsThatMayFallShort: without proof an announcement of what is due ends in an
// error, for nobody will do it afterwards; a failure that may be kept quiet is told by code.
func TestTextsThatMayFallShort(t *testing.T) {
	broken := guardtest.Say("What?")
	quiet := completion.Verdict{Reason: completion.UnreportedFailure, Confidence: 0.6, Otherwise: completion.CompletedWithWork}
	claiming := quiet
	claiming.Claims = []completion.Claim{{Text: "It is gone", Tier: completion.Unsure, Doubt: 0.9}}
	for name, c := range map[string]struct {
		verdict completion.Verdict
		text    string
		shown   string
	}{
		"a failure kept quiet":            {quiet, "All is well.", "All is well.\n\nOn record in this turn:\nFailed to delete Read book: the database is locked"},
		"a failure kept quiet by a claim": {claiming, "Well. It is gone.", "Well.\n\nA part of the answer is left out, because no record of a call shows it.\nOn record in this turn:\nFailed to delete Read book: the database is locked"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.fail["delete_task"] = errDatabase
			g := guardFor(t, w, func(o *guard.Options) { o.Classifier, o.Evaluator = dueBy(0), judging(c.verdict) })
			reply, err := g.Run(context.Background(), guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(c.text), broken, broken), w, ask("hm"))
			require.NoError(t, err)
			require.Equal(t, c.shown, reply.Text)
			require.Equal(t, c.text, reply.Draft)
		})
	}
	promise := completion.Verdict{Reason: completion.Promise, Confidence: 0.6, Otherwise: completion.CompletedWithWork}
	announcing := func(due float64) (*guard.Reply, error) {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.Classifier, o.Evaluator = dueBy(due), judging(promise) })
		return g.Run(context.Background(), guardtest.Script(guardtest.Say("I will do it."), broken, broken), w, ask("hm"))
	}
	reply, err := announcing(0)
	require.NoError(t, err, "nothing is due")
	require.Equal(t, "I will do it.", reply.Text)
	reply, err = announcing(0.9)
	require.ErrorIs(t, err, guard.ErrInsufficientProgress)
	require.Empty(t, reply.Text)
	require.Equal(t, completion.Promise, reply.Verdict.Reason)
}

// TestReportsOfTheLastTool: what the report tool may cite, and how much.
func TestReportsOfTheLastTool(t *testing.T) {
	items := func(n int) string {
		return strings.TrimSuffix(strings.Repeat(`{"what":"Read book","status":"answered","calls":[{"tool":"list_tasks"}]},`, n), ",")
	}
	parts := func(n int) string {
		return strings.TrimSuffix(strings.Repeat(`{"text":"Read it.","calls":["list_tasks"]},`, n), ",")
	}
	for name, c := range map[string]struct {
		args  string
		fault string
	}{
		"the first call":        {`{"message":"Read it.","items":[{"what":"Read book","status":"answered","calls":[{"tool":"list_tasks","n":1}]}]}`, ""},
		"the second call":       {`{"message":"Read it.","items":[{"what":"Read book","status":"answered","calls":[{"tool":"list_tasks","n":2}]}]}`, ""},
		"a third call":          {`{"message":"Read it.","items":[{"what":"Read book","status":"answered","calls":[{"tool":"list_tasks","n":3}]}]}`, "there is no call 3 of list_tasks among the last 100 of this turn"},
		"no number":             {`{"message":"Read it.","items":[{"what":"Read book","status":"answered","calls":[{"tool":"list_tasks"}]}]}`, ""},
		"a number below one":    {`{"message":"Read it.","items":[{"what":"Read book","status":"answered","calls":[{"tool":"list_tasks","n":-4}]}]}`, ""},
		"another tool":          {`{"message":"Read it.","items":[{"what":"Read book","status":"answered","calls":[{"tool":"add_task"}]}]}`, "there is no call 1 of add_task among the last 100 of this turn"},
		"no message":            {`{"items":[]}`, "the report lacks a text for the user"},
		"an empty message":      {`{"message":"","items":[]}`, "the report lacks a text for the user"},
		"not of the shape":      {`{"message":7}`, "the report is not of the given shape"},
		"as many items as read": {`{"message":"Read it.","items":[` + items(128) + `]}`, ""},
		"one item too many":     {`{"message":"Read it.","items":[` + items(129) + `]}`, "there are 129 items; at most 128 are read"},
		"one part too many":     {`{"parts":[` + parts(129) + `]}`, "there are 129 parts; at most 128 are read"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.Proof, o.Classifier, o.Evaluator = guard.Always, dueBy(0), doubting() })
			second := lists()
			second.Args, second.ID = []byte(`{"page":2}`), "second"
			fixed := guardtest.Call(guardtest.Tool("report", `{"message":"I could not.","items":[]}`))
			model := guardtest.Script(guardtest.Call(lists(), second), guardtest.Call(guardtest.Tool("report", c.args)), fixed)
			reply, err := g.Run(context.Background(), model, w, ask("hello"))
			require.NoError(t, err)
			if c.fault == "" {
				require.Equal(t, "Read it.", reply.Text)
				require.Equal(t, 2, model.Calls())
				return
			}
			require.Equal(t, "I could not.", reply.Text)
			messages := model.Requests()[2].Messages
			last := messages[len(messages)-1]
			require.Equal(t, guard.RoleTool, last.Role)
			require.Contains(t, last.Text, c.fault)
		})
	}
}

// TestTheReportToolIsOfferedLast: where the guard sets the tools, the choice is
// the model's, the provider has room for one more, and no tool has the name.
func TestTheReportToolIsOfferedLast(t *testing.T) {
	many := func(n int, names ...string) []tooltrack.Tool {
		tools := make([]tooltrack.Tool, 0, n+len(names))
		for i := range n {
			tools = append(tools, tooltrack.Tool{Name: fmt.Sprint("tool_", i), Effect: tooltrack.Reads})
		}
		for _, name := range names {
			tools = append(tools, tooltrack.Tool{Name: name, Effect: tooltrack.Reads})
		}
		return tools
	}
	for name, c := range map[string]struct {
		tools   []tooltrack.Tool
		options guard.Options
		offered bool
	}{
		"always":                     {many(3), guard.Options{Proof: guard.Always}, true},
		"when unsure":                {many(3), guard.Options{}, false},
		"always, watching":           {many(3), guard.Options{Proof: guard.Always, Observe: true}, false},
		"always, with a referee":     {many(3), guard.Options{Proof: guard.Always, Referee: guardtest.Script()}, false},
		"room for one more":          {many(127), guard.Options{Proof: guard.Always}, true},
		"no room":                    {many(128), guard.Options{Proof: guard.Always}, false},
		"the host has such a tool":   {many(3, "report"), guard.Options{Proof: guard.Always}, false},
		"the host has one much like": {many(3, "reports"), guard.Options{Proof: guard.Always}, true},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.Classifier = dueBy(0)
			g, err := guard.New(c.tools, &c.options)
			require.NoError(t, err)
			turn, err := g.Begin(context.Background(), ask("hello"))
			require.NoError(t, err)
			offered := turn.Request(context.Background()).Tools
			require.Equal(t, c.offered, len(offered) == len(c.tools)+1)
			require.Equal(t, c.offered, offered[len(offered)-1].Name == "report" && len(offered[len(offered)-1].Parameters) > 0)
		})
	}
}

// TestAReportBesideCallsMeansNothingYet: the calls run, and their faults stay
// with them.
func TestAReportBesideCallsMeansNothingYet(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Proof, o.Classifier, o.Evaluator = guard.Always, dueBy(0), doubting() })
	beside := guardtest.Call(adds("A"), guardtest.Tool("report", `{"message":"Done.","items":[]}`), adds("B"))
	beside.Response.Faults = []guard.CallFault{{Call: 0, Reason: "cut"}}
	end := guardtest.Call(guardtest.Tool("report", `{"message":"B is there.","items":[{"what":"add B","status":"done","calls":[{"tool":"add_task","n":2}]}]}`))
	reply, err := g.Run(context.Background(), guardtest.Script(beside, end), w, ask("hello"))
	require.NoError(t, err)
	require.Equal(t, "B is there.", reply.Text)
	require.Equal(t, 1, w.Count("add_task"))
	require.True(t, reply.Records[0].Ruling.Denied, "the call with a fault")
}

// TestTheModelIsToldWhatIsWrong: once, after its report, in the exchange that
// nobody else sees.
func TestTheModelIsToldWhatIsWrong(t *testing.T) {
	w := newWorld()
	invented := `{"message":null,"items":[{"what":"Read book","status":"done","records":[7]}]}`
	model := guardtest.Script(guardtest.Say("Read book is gone."), guardtest.Say(invented), guardtest.Say(`{"message":"I have not touched Read book.","items":[]}`))
	reply, err := unsureWorld(t, w, nil).Run(context.Background(), model, w, ask("hm"))
	require.NoError(t, err)
	messages := model.Requests()[2].Messages
	require.Equal(t, invented, messages[len(messages)-2].Text)
	require.Contains(t, messages[len(messages)-1].Text, "there is no call #7")
	require.Len(t, reply.Messages, 2, "the question and the answer")
}

// TestAnEarlierRecordShowsWhatWasDoneBefore: for a request to act now it is no
// proof, for a question about it it is.
func TestAnEarlierRecordShowsWhatWasDoneBefore(t *testing.T) {
	for kind, passes := range map[intent.Kind]bool{intent.Action: false, intent.Question: true, intent.Chat: true} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.Classifier, o.Evaluator = expecting(kind, 0.9), doubting("gone") })
		input := ask("is Read book gone?")
		input.Previous = []guard.Message{
			{Role: guard.RoleUser, Text: "delete Read book"}, {Role: guard.RoleAssistant, Calls: []tooltrack.Call{deletes(readBook)}},
			{Role: guard.RoleTool, CallID: deletes(readBook).ID, Tool: "delete_task", Text: `{"success":true}`}, {Role: guard.RoleAssistant, Text: "Done."},
		}
		model := guardtest.Script(guardtest.Say("Read book is gone."), guardtest.Say(kept), guardtest.Say(kept))
		reply, err := g.Run(context.Background(), model, w, input)
		require.NoError(t, err)
		require.Equal(t, passes, reply.Proof != nil && reply.Proof.Kept, kind)
	}
}
