package guard_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// shownBy are the ways in that run calls themselves, with what each of them shows.
func shownBy() map[string]func(*guard.Guard, *world, guard.Model) (string, error) {
	return map[string]func(*guard.Guard, *world, guard.Model) (string, error){
		"run": func(g *guard.Guard, w *world, model guard.Model) (string, error) {
			reply, err := g.Run(context.Background(), model, w, ask("get rid of Read book"))
			return reply.Text, err
		},
		"stream": func(g *guard.Guard, w *world, model guard.Model) (string, error) {
			text := ""
			for event, err := range g.Stream(context.Background(), model, w, ask("get rid of Read book")) {
				if text += event.Text; err != nil {
					return text, err
				}
			}
			return text, nil
		},
		"steps": func(g *guard.Guard, w *world, model guard.Model) (string, error) {
			ctx := context.Background()
			turn, err := g.Begin(ctx, ask("get rid of Read book"))
			for err == nil && turn.Open() {
				var response guard.Response
				if response, err = model.Generate(ctx, turn.Request(ctx)); err == nil {
					for _, call := range turn.Take(ctx, response) {
						_, _ = turn.Executor(w).Execute(ctx, call)
					}
				}
			}
			if err != nil {
				return "", err
			}
			reply, err := turn.Reply()
			return reply.Text, err
		},
		"handed over": func(g *guard.Guard, w *world, model guard.Model) (string, error) {
			ctx := context.Background()
			turn, err := g.Begin(ctx, ask("get rid of Read book"))
			if err != nil {
				return "", err
			}
			request := said("get rid of Read book")
			for {
				response, err := turn.Model(model).Generate(ctx, request)
				if err != nil || len(response.Message.Calls) == 0 {
					return response.Message.Text, err
				}
				request.Messages = append(request.Messages, response.Message)
				for _, call := range response.Message.Calls {
					result, err := turn.Executor(w).Execute(ctx, call)
					if err != nil {
						return "", err
					}
					request.Messages = append(request.Messages, guard.Message{Role: guard.RoleTool, CallID: call.ID, Tool: call.Tool, Text: string(result)})
				}
			}
		},
	}
}

// TestAReportIsNeverShown: a model that answers the request for proof with the missing
// call, and the result of that with the report, has answered both.
func TestAReportIsNeverShown(t *testing.T) {
	changed := `{"message":"I took Read book off.","items":[{"what":"Read book deleted","status":"done","records":[1]}]}`
	for name, c := range map[string]struct {
		answers []string
		shown   string
	}{
		"the draft is kept": {[]string{kept}, "Read book is gone."},
		"in prose":          {[]string{"Here it is: " + kept}, "Read book is gone."},
		"it is changed":     {[]string{changed}, "I took Read book off."},
		"it is broken":      {[]string{`{"message":null,"items":[`, kept}, "Read book is gone."},
		"it is wrong":       {[]string{strings.Replace(kept, "[1]", "[9]", 1), kept}, "Read book is gone."},
		"a plain text":      {[]string{"I took it off."}, "I took it off."},
	} {
		for way, shown := range shownBy() {
			t.Run(name+", "+way, func(t *testing.T) {
				w := newWorld()
				steps := []guardtest.Step{guardtest.Say("Read book is gone."), guardtest.Call(deletes("Read book"))}
				for _, answer := range c.answers {
					steps = append(steps, guardtest.Say(answer))
				}
				g := unsureWorld(t, w, func(o *guard.Options) { o.ReleaseSentences = true })
				text, err := shown(g, w, guardtest.Script(steps...))
				require.NoError(t, err)
				require.Equal(t, c.shown, text)
				require.False(t, w.has(readBook))
			})
		}
	}
}

// TestAReportByTheAnswerToolIsNoAnswer, neither at once nor after the missing call.
func TestAReportByTheAnswerToolIsNoAnswer(t *testing.T) {
	report, err := json.Marshal(map[string]string{"text": kept})
	require.NoError(t, err)
	reporting := guardtest.Call(guardtest.Tool("final_answer", string(report)))
	draft := guardtest.Call(answer("Read book is gone."))
	for name, steps := range map[string][]guardtest.Step{
		"at once":    {guardtest.Call(deletes("Read book")), draft, reporting},
		"after":      {draft, guardtest.Call(deletes("Read book")), reporting},
		"only after": {guardtest.Say("Read book is gone."), guardtest.Call(deletes("Read book")), reporting},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := answering(t, w, func(o *guard.Options) {
				o.Classifier, o.Evaluator = expecting(intent.Chat, 0), doubting("gone")
			})
			reply, err := g.Run(context.Background(), guardtest.Script(steps...), w, ask("get rid of Read book"))
			require.NoError(t, err)
			require.Equal(t, "Read book is gone.", reply.Text)
			require.NotNil(t, reply.Proof)
		})
	}
}

// TestADraftThatBecameALieIsNotShown: the call that it waited for failed.
func TestADraftThatBecameALieIsNotShown(t *testing.T) {
	w := newWorld()
	lie := guardtest.Say("I've deleted Cook dinner.")
	model := guardtest.Script(lie, guardtest.Call(deletes("Nothing of that name")), guardtest.Say(kept), guardtest.Say(kept), lie, lie, lie)
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("hello there"))
	require.NotContains(t, reply.Text, "I've deleted")
	require.NotContains(t, reply.Text, "items")
	if err == nil {
		require.Contains(t, reply.Text, "left out")
	}
}

// TestAnAnswerWithItemsOfItsOwnIsShown, after a correction as well: only a report is
// between the model and the guard.
func TestAnAnswerWithItemsOfItsOwnIsShown(t *testing.T) {
	const list = `{"items":[{"name":"oat milk","count":2},{"name":"bread","count":1}]}`
	w := newWorld()
	model := guardtest.Script(guardtest.Say("I've deleted Cook dinner."), guardtest.Say(list))
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("what would you buy for breakfast? as JSON"))
	require.NoError(t, err)
	require.Equal(t, list, reply.Text)
}

// TestAnAnswerWithItemsOfItsOwnIsNoLateReport: it comes where a report could, after the
// request for proof and a call.
func TestAnAnswerWithItemsOfItsOwnIsNoLateReport(t *testing.T) {
	for name, list := range map[string]string{
		"objects":             `{"items":[{"name":"oat milk","count":2},{"name":"bread","count":1}]}`,
		"objects and a note":  `{"message":"For breakfast","items":[{"name":"oat milk"}]}`,
		"texts":               `{"items":["oat milk","bread"]}`,
		"texts and a note":    `{"message":"For breakfast","items":["oat milk","bread"]}`,
		"by name":             `{"items":{"oat milk":2}}`,
		"an empty cart":       `{"cart":7,"items":[]}`,
		"in prose":            "Here is your list: {\"items\":[{\"sku\":\"A-1\"}]} Enjoy!",
		"two lists in prose":  `Monday: {"items":["milk"]} Tuesday: {"items":["bread"]}`,
		"in a fence":          "```json\n{\"items\":[\"milk\"]}\n```",
		"with a status alone": `{"items":[{"order":"A-1","status":"shipped"}]}`,
	} {
		for way, shown := range shownBy() {
			t.Run(name+", "+way, func(t *testing.T) {
				w := newWorld()
				model := guardtest.Script(guardtest.Say("Read book is gone."), guardtest.Call(deletes("Read book")), guardtest.Say(list))
				text, err := shown(unsureWorld(t, w, nil), w, model)
				require.NoError(t, err)
				require.Equal(t, list, text)
			})
		}
	}
}

// TestAnEmptyReportIsOneToo, and one that cannot be read: neither is shown.
func TestAnEmptyReportIsOneToo(t *testing.T) {
	for _, report := range []string{
		`{"message":null,"items":[]}`, `{"items":[]}`, `{"message":"","items":null}`, "```json\n{\"message\":null,\"items\":[ ]}\n```",
		`{"message":null,"items":[{"what":"x","sta`, `{"message":null,"items":`, `{"message":null,"items":["Read book deleted"]}`, kept + `{"message":"Read book is here.","items":[]}`, `{"items":[{"what":"x","status":"done","records":"none"}]}`,
	} {
		w := newWorld()
		model := guardtest.Script(guardtest.Say("Read book is gone."), guardtest.Call(deletes("Read book")), guardtest.Say(report), guardtest.Say(kept))
		reply, err := unsureWorld(t, w, nil).Run(context.Background(), model, w, ask("get rid of Read book"))
		require.NoError(t, err, report)
		require.Equal(t, "Read book is gone.", reply.Text, report)
		require.GreaterOrEqual(t, model.Calls(), 3, report)
	}
}

// TestAHangInTheProofCostsTheProof, not the answer: neither the model's own nor that of
// a referee.
func TestAHangInTheProofCostsTheProof(t *testing.T) {
	hangs := guardtest.Step{Do: func(ctx context.Context, _ guard.Request) { <-ctx.Done() }, Err: context.DeadlineExceeded}
	draft := guardtest.Say("Good day. Read book is gone. Bye.")
	for name, referee := range map[string]guard.Model{"the model": nil, "the referee": guardtest.Script(hangs)} {
		for way, shown := range shownBy() {
			if way == "steps" { // who asks sets the time there
				continue
			}
			t.Run(name+", "+way, func(t *testing.T) {
				w := newWorld()
				g := unsureWorld(t, w, func(o *guard.Options) { o.ReaskTimeout, o.Referee = 10*time.Millisecond, referee })
				text, err := shown(g, w, guardtest.Script(draft, hangs))
				require.NoError(t, err)
				require.Contains(t, text, "Good day. ")
				require.Contains(t, text, "Bye.")
				require.NotContains(t, text, "is gone")
			})
		}
	}
}

// TestTheDraftIsKeptWhenTheBudgetIsSpent: a model that answers a request for proof with
// the same call for ever loses the proof.
func TestTheDraftIsKeptWhenTheBudgetIsSpent(t *testing.T) {
	again := guardtest.Call(deletes(readBook))
	history := []guard.Message{
		{Role: guard.RoleUser, Text: "get rid of Read book"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{deletes(readBook)}},
		{Role: guard.RoleTool, CallID: deletes(readBook).ID, Tool: "delete_task", Text: `{"success":true}`},
	}
	model := guardtest.Script(guardtest.Say("Good day. Call mom is gone."), again, again, again, again, again)
	response, err := unsureWorld(t, newWorld(), nil).Wrap(model).Generate(context.Background(), guard.Request{Messages: history, Tools: taskTools()})
	require.NoError(t, err)
	require.Contains(t, response.Message.Text, "Good day.")
	require.NotContains(t, response.Message.Text, "is gone")
	require.Empty(t, response.Message.Calls)

	w := newWorld()
	g := unsureWorld(t, w, func(o *guard.Options) { o.Budgets.Rounds = 2 })
	reads := guardtest.Call(guardtest.Tool("list_tasks", `{}`))
	reply, err := g.Run(context.Background(), guardtest.Script(guardtest.Say("Good day. Read book is gone."), reads, reads, reads, reads), w, ask("how are you?"))
	require.NoError(t, err)
	require.Contains(t, reply.Text, "Good day.")
	require.NotContains(t, reply.Text, "is gone")
}

// TestNothingIsAddedToJSON: a program reads it.
func TestNothingIsAddedToJSON(t *testing.T) {
	const draft = `{"answer": "Good day. Read book is gone. Bye.", "list": [1, {"a": "\"x\""}]}`
	unshown := strings.Replace(draft, "Read book", "Call mom", 1)
	for name, c := range map[string]struct {
		draft   string
		answers []string
		shown   string
	}{
		"not done":    {draft, []string{`{"message":null,"items":[{"what":"Read book gone","status":"done","records":[1]},{"what":"Call mom","status":"not_done","reason":"no time"}]}`}, draft},
		"no proof":    {unshown, []string{"no", "no"}, `{"answer":"Good day. Bye.","list":[1,{"a":"\"x\""}]}`},
		"not changed": {draft, []string{`{"message":"{\"answer\":\"no\"}","items":[{"what":"Call mom","status":"not_done","reason":"no time"}]}`}, `{"answer":"no"}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			steps := []guardtest.Step{guardtest.Call(deletes("Read book")), guardtest.Say(c.draft)}
			for _, answer := range c.answers {
				steps = append(steps, guardtest.Say(answer))
			}
			reply, err := unsureWorld(t, w, nil).Run(context.Background(), guardtest.Script(steps...), w, ask("get rid of Read book"))
			require.NoError(t, err)
			require.Equal(t, c.shown, reply.Text)
		})
	}
}

// TestAReportWithWrongCallsKeepsItsMessage: what it cites is asked about, and its words
// are not lost.
func TestAReportWithWrongCallsKeepsItsMessage(t *testing.T) {
	reports := func(text, calls string) guardtest.Step {
		return guardtest.Call(guardtest.Tool("report", `{"message":"`+text+`","items":[{"what":"Read book deleted","status":"done","calls":`+calls+`}]}`))
	}
	for name, c := range map[string]struct {
		text, calls, shown string
		proven             bool
	}{
		"a bare name":     {"Good day. Read book is gone.", `["delete_task"]`, "Good day. Read book is gone.", true},
		"an unknown tool": {"Good day. Call mom is gone.", `["no_such_tool"]`, "Good day.", false},
		"no calls at all": {"Good day. Call mom is gone.", `7`, "Good day.", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := alwaysWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("gone") })
			step := reports(c.text, c.calls)
			reply, err := g.Run(context.Background(), guardtest.Script(guardtest.Call(deletes("Read book")), step, step), w, ask("get rid of Read book"))
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(reply.Text, c.shown), reply.Text)
			require.Equal(t, c.proven, strings.Contains(reply.Text, "is gone"))
			require.Equal(t, c.text, reply.Draft)
		})
	}
}

// TestAStreamIsWhatTheReplySays: whatever became of the first draft, the pieces make up
// the text, and nothing comes twice.
func TestAStreamIsWhatTheReplySays(t *testing.T) {
	draft := "Good day. Read book is gone. Bye."
	for name, steps := range map[string][]guardtest.Step{
		"the same again":        {guardtest.Call(deletes("Read book")), guardtest.Say(draft), guardtest.Say(kept)},
		"a report after a call": {guardtest.Call(deletes("Read book")), guardtest.Say(kept)},
		"another text":          {guardtest.Call(deletes("Read book")), guardtest.Say("Good day. I took it off. Bye.")},
		"refused":               {guardtest.Say("no"), guardtest.Say("no")},
		"changed":               {guardtest.Say(`{"message":"I have not touched it. Bye.","items":[{"what":"Read book","status":"not_done","reason":"x"}]}`)},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := unsureWorld(t, w, func(o *guard.Options) { o.ReleaseSentences = true })
			model := guardtest.Script(append([]guardtest.Step{guardtest.Say(draft)}, steps...)...)
			shown := ""
			var reply *guard.Reply
			for event, err := range g.Stream(context.Background(), model, w, ask("get rid of Read book")) {
				require.NoError(t, err)
				if shown += event.Text; event.Reply != nil {
					reply = event.Reply
				}
			}
			require.Equal(t, reply.Text, shown)
			require.Equal(t, reply.Text, reply.Messages[len(reply.Messages)-1].Text)
			require.Equal(t, 1, strings.Count(shown, "Good day. "))
		})
	}
}
