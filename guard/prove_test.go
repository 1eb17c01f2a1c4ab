package guard_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// doubting is an evaluator that is unsure of every sentence with one of these
// words, and clean otherwise.
func doubting(words ...string) guard.Evaluator {
	doubtOf := map[string]float64{"deleted": 0.8, "gone": 0.8, "dusted": 0.5}
	return guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
		verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.WorkDone}
		for sentence := range strings.SplitAfterSeq(turn.Text, ". ") {
			for _, word := range words {
				if strings.Contains(sentence, word) {
					verdict.Claims = append(verdict.Claims, completion.Claim{
						Text: strings.TrimSpace(sentence), Kind: completion.ClaimChange, Doubt: doubtOf[word], Tier: completion.Unsure, Fault: "no call clearly shows it",
					})
				}
			}
		}
		return verdict
	})
}

// unsureWorld is a guard that expects nothing and doubts deletions.
func unsureWorld(t *testing.T, w *world, change func(*guard.Options)) *guard.Guard {
	return guardFor(t, w, func(o *guard.Options) {
		o.Classifier = expecting(intent.Chat, 0)
		o.Evaluator = doubting("deleted", "gone", "dusted")
		if change != nil {
			change(o)
		}
	})
}

const kept = `{"message": null, "items": [{"what": "Read book deleted", "status": "done", "records": [1]}]}`

func TestAnHonestDraftIsKeptByItsProof(t *testing.T) {
	w := newWorld()
	draft := guardtest.Say("Read book is gone from your list.")
	draft.Response.Message.Raw = []byte(`{"role":"assistant","content":"Read book is gone from your list."}`)
	model := guardtest.Script(guardtest.Call(deletes("Read book")), draft, guardtest.Say(kept))
	g := unsureWorld(t, w, nil)
	reply, err := g.Run(context.Background(), model, w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.Equal(t, "Read book is gone from your list.", reply.Text)
	require.Equal(t, 3, model.Calls())
	require.True(t, reply.Proof.Kept)
	require.Len(t, reply.Proof.Sentences, 1)
	require.Equal(t, "Read book", reply.Proof.Sentences[0].Calls()[0].Subject.Title)
	last := reply.Messages[len(reply.Messages)-1]
	require.Equal(t, string(draft.Response.Message.Raw), string(last.Raw), "the draft's own bytes")
	for _, message := range reply.Messages {
		require.NotContains(t, message.Text, "records", "the exchange about the proof stays out of the history")
	}
	counters := g.Counters()
	require.Equal(t, []uint64{1, 1, 0}, []uint64{counters.ProofsAsked, counters.ProofsKept, counters.ProofsMissing})
	require.Equal(t, uint64(1), counters.Doubts["claim"])
	request := model.Requests()[2]
	require.Equal(t, guard.ChooseAuto, request.Choice.Mode)
	require.Len(t, request.Tools, len(taskTools()), "the tools stay as they were")
	golden.Check(t, "proof_request.txt", request.Messages[len(request.Messages)-1].Text)
}

func TestALiarHasNothingToCite(t *testing.T) {
	cases := map[string]struct {
		answers []string
		shown   string
	}{
		"corrects itself":      {[]string{`{"message":"I have not touched it: no tool was called.","items":[{"what":"delete Read book","status":"not_done","reason":"not tried"}]}`}, "I have not touched it: no tool was called."},
		"invents a record":     {[]string{kept, kept}, ""},
		"cites nothing":        {[]string{`{"message":null,"items":[{"what":"Read book deleted","status":"done"}]}`, `{"message":null,"items":[]}`}, ""},
		"does not answer":      {[]string{"I did delete it, trust me.", "As I said."}, ""},
		"is careless at first": {[]string{"Sure! " + kept, `{"message":"I have not touched Read book.","items":[{"what":"Read book","status":"not_done","reason":"no call"}]}`}, "I have not touched Read book."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			script := []guardtest.Step{guardtest.Say("I've deleted Read book. Have a nice day.")}
			for _, answer := range c.answers {
				script = append(script, guardtest.Say(answer))
			}
			reply, err := unsureWorld(t, w, nil).Run(context.Background(), guardtest.Script(script...), w, ask("get rid of Read book"))
			require.NoError(t, err, "a doubt is no error")
			require.NotContains(t, reply.Text, "I've deleted Read book")
			require.Equal(t, "I've deleted Read book. Have a nice day.", reply.Draft)
			if c.shown != "" {
				require.Equal(t, c.shown, reply.Text)
				return
			}
			require.Contains(t, reply.Text, "Have a nice day.", "what is not in doubt is not lost")
			require.Contains(t, reply.Text, "left out")
			require.Equal(t, []string{"I've deleted Read book. "}, reply.Unproven)
		})
	}
}

func TestTheMissingCallAnswersARequestForProof(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Say("Read book is gone."), guardtest.Call(deletes("Read book")), guardtest.Say("Now Read book is gone."), guardtest.Say(kept))
	g := unsureWorld(t, w, nil)
	reply, err := g.Run(context.Background(), model, w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.Equal(t, "Now Read book is gone.", reply.Text)
	require.False(t, w.has(readBook))
	require.Equal(t, uint64(1), g.Counters().ProofsCalled)
}

// TestTheAnswerIsNeverLost: a long honest analysis survives every failure of the
// protocol, in every way in; only the sentence in doubt is left out.
func TestTheAnswerIsNeverLost(t *testing.T) {
	const user = "what do you think of my list?"
	analysis := strings.Repeat("The list is long, and most of it can wait. ", 40)
	draft := analysis + "Read book is gone. " + analysis
	broken := errors.New("connection reset")
	steps := map[string][]guardtest.Step{
		"the model breaks":          {guardtest.Step{Err: broken}},
		"it is cut off":             {guardtest.Stopped(guard.StopCut, `{"message":`), guardtest.Stopped(guard.StopCut, `{"mess`)},
		"it is filtered":            {guardtest.Stopped(guard.StopFiltered, ""), guardtest.Step{Err: broken}},
		"it talks":                  {guardtest.Say("What do you mean?"), guardtest.Say("I do not understand.")},
		"it panics":                 {{Do: func(context.Context, guard.Request) { panic("no") }}},
		"it answers nonsense":       {guardtest.Say(`{"items":"none"}`), guardtest.Say(`{"items":[{"what":7}]}`)},
		"it says nothing":           {guardtest.Say(""), guardtest.Say("")},
		"it cites what is not":      {guardtest.Say(kept), guardtest.Say(kept)},
		"it breaks after a report":  {guardtest.Say(kept), guardtest.Step{Err: broken}},
		"it talks another language": {guardtest.Say("Natürlich ist alles erledigt, wie gewünscht."), guardtest.Say("Alles ist erledigt.")},
	}
	for name, script := range steps {
		for way, shown := range map[string]func(g *guard.Guard, w *world, model guard.Model) (string, error){
			"run": func(g *guard.Guard, w *world, model guard.Model) (string, error) {
				reply, err := g.Run(context.Background(), model, w, ask(user))
				if err == nil {
					require.Equal(t, draft, reply.Draft)
				}
				return reply.Text, err
			},
			"stream": func(g *guard.Guard, w *world, model guard.Model) (string, error) {
				text := ""
				for event, err := range g.Stream(context.Background(), model, w, ask(user)) {
					if text += event.Text; err != nil {
						return text, err
					}
				}
				return text, nil
			},
			"wrapped": func(g *guard.Guard, _ *world, model guard.Model) (string, error) {
				response, err := g.Wrap(model).Generate(guard.NewContext(context.Background(), ask(user)), guard.Request{
					Messages: []guard.Message{{Role: guard.RoleUser, Text: user}}, Tools: taskTools(),
				})
				return response.Message.Text, err
			},
		} {
			t.Run(name+", "+way, func(t *testing.T) {
				w := newWorld()
				model := guardtest.Script(append([]guardtest.Step{guardtest.Say(draft)}, script...)...)
				text, err := shown(unsureWorld(t, w, nil), w, model)
				require.NoError(t, err)
				require.Equal(t, 2, strings.Count(text, strings.TrimSpace(analysis)))
				require.NotContains(t, text, "is gone")
			})
		}
	}
}

// TestSmallTalkThatAnnouncesIsShown: nobody loses a pleasantry because a model does not
// speak the protocol, and what was asked for does not pass as announced.
func TestSmallTalkThatAnnouncesIsShown(t *testing.T) {
	for user, want := range map[string]string{"smells great in here": "I'll take your word for it.", "delete the task Read book": ""} {
		w := newWorld()
		model := guardtest.Script(guardtest.Say("I'll take your word for it."), guardtest.Say("Yes."), guardtest.Say("Yes!"), guardtest.Say("Yes!"))
		reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask(user))
		if want == "" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want, reply.Text)
	}
}

func TestLenientShowsWhatIsInDoubt(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Say("Read book is gone."), guardtest.Say("Yes."), guardtest.Say("Yes!"))
	reply, err := unsureWorld(t, w, func(o *guard.Options) { o.Lenient = true }).Run(context.Background(), model, w, ask("hm"))
	require.NoError(t, err)
	require.Equal(t, "Read book is gone.", reply.Text)
	require.Equal(t, []string{"Read book is gone."}, reply.Unproven)
}

func TestNeverAsksForNothing(t *testing.T) {
	for _, observe := range []bool{false, true} {
		w := newWorld()
		model := guardtest.Script(guardtest.Say("Read book is gone."))
		g := unsureWorld(t, w, func(o *guard.Options) { o.Proof, o.Observe = guard.Never, observe })
		reply, err := g.Run(context.Background(), model, w, ask("hm"))
		require.NoError(t, err)
		require.Equal(t, "Read book is gone.", reply.Text)
		require.Equal(t, uint64(1), g.Counters().Doubts["claim"])
	}
}

func TestWhatIsDueAndNotDoneIsAskedAbout(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Classifier = expecting(intent.Action, 0.7, "delete_task") })
	model := guardtest.Script(guardtest.Say("What a lovely day."), guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book."))
	reply, err := g.Run(context.Background(), model, w, ask("Read book can go"))
	require.NoError(t, err)
	require.Equal(t, "I've deleted Read book.", reply.Text)
	require.Equal(t, uint64(1), g.Counters().Doubts["due"])
}

// TestANotDoneThingIsTold: the line is added by code, in the words of the host.
func TestANotDoneThingIsTold(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) {
		o.Classifier = expecting(intent.Action, 0.7, "update_task")
		o.Texts = &guard.Texts{NotDone: "Nicht erledigt"}
	})
	model := guardtest.Script(guardtest.Say("Lovely weather."), guardtest.Say(`{"message":null,"items":[{"what":"raise the priority","status":"not_done","reason":"there is no such field"}]}`))
	reply, err := g.Run(context.Background(), model, w, ask("raise it"))
	require.NoError(t, err)
	require.Equal(t, "Lovely weather.\n\nNicht erledigt: raise the priority: there is no such field.", reply.Text)
	require.Equal(t, completion.CompletedWithBlocker, reply.Verdict.Outcome)
}

func TestARefereeAnswersInstead(t *testing.T) {
	w := newWorld()
	referee := guardtest.Script(guardtest.Say("let me think"), guardtest.Say(kept))
	model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("Read book is gone."))
	reply, err := unsureWorld(t, w, func(o *guard.Options) { o.Referee = referee }).Run(context.Background(), model, w, ask("x"))
	require.NoError(t, err)
	require.Equal(t, "Read book is gone.", reply.Text)
	require.Equal(t, []int{2, 2}, []int{model.Calls(), referee.Calls()})
	require.Equal(t, guard.ChooseNone, referee.Requests()[0].Choice.Mode)
}

// TestALiarIsAskedForEver: who answers with reports understands the question,
// whatever they are worth.
func TestALiarIsAskedForEver(t *testing.T) {
	w := newWorld()
	g := unsureWorld(t, w, nil)
	lie := `{"message": null, "items": [{"what": "Read book deleted", "status": "done", "records": [9]}]}`
	for turn := range 8 {
		model := guardtest.Script(guardtest.Say("Read book is gone."), guardtest.Say(lie), guardtest.Say(lie))
		reply, err := g.Run(context.Background(), model, w, ask("x"))
		require.NoError(t, err)
		require.Equal(t, 3, model.Calls(), "turn %d", turn)
		require.NotContains(t, reply.Text, "is gone")
	}
}

// TestOnlyWhatARefusedReportLeavesOpenIsWithheld: the items that hold are worth
// something, although the report as a whole was not accepted.
func TestOnlyWhatARefusedReportLeavesOpenIsWithheld(t *testing.T) {
	w := newWorld()
	g := unsureWorld(t, w, nil)
	model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("Read book is gone. Your ferns are gone."), guardtest.Say(kept), guardtest.Say(kept))
	reply, err := g.Run(context.Background(), model, w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.Contains(t, reply.Text, "Read book is gone.")
	require.NotContains(t, reply.Text, "ferns")
	require.Equal(t, []string{"Your ferns are gone."}, reply.Unproven)
}

// TestReportToolEndsATurn: with Always, a model ends its turn by the report tool,
// at no extra call.
func TestReportToolEndsATurn(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Proof = guard.Always })
	report := guardtest.Tool("report", `{"message":"I've deleted Read book.","items":[{"what":"delete Read book","status":"done","calls":[{"tool":"delete_task"}]}]}`)
	model := guardtest.Script(guardtest.Call(deletes("Read book"), report), guardtest.Call(report))
	reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
	require.NoError(t, err)
	require.Equal(t, "I've deleted Read book.", reply.Text)
	require.Equal(t, 2, model.Calls())
	require.Equal(t, "delete_task", reply.Proof.Sentences[0].Calls()[0].Tool)
	tools := model.Requests()[0].Tools
	require.Equal(t, "report", tools[len(tools)-1].Name)
	for _, message := range reply.Messages {
		for _, call := range message.Calls {
			require.NotEqual(t, "report", call.Tool, "the report is no call of the conversation")
		}
	}
}

func TestReportToolIsChecked(t *testing.T) {
	lie := guardtest.Tool("report", `{"message":"Everything you wanted is taken care of.","items":[{"what":"delete Read book","status":"done","calls":[{"tool":"delete_task"}]}]}`)
	honest := guardtest.Tool("report", `{"message":"I have not deleted Read book.","items":[{"what":"delete Read book","status":"not_done","reason":"not tried"}]}`)
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Proof = guard.Always })
	model := guardtest.Script(guardtest.Call(lie), guardtest.Call(honest))
	reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
	require.NoError(t, err)
	require.Equal(t, "I have not deleted Read book.", reply.Text)
	answered := model.Requests()[1].Messages
	require.Equal(t, guard.RoleTool, answered[len(answered)-1].Role, "a call needs its result")
	require.Contains(t, answered[len(answered)-1].Text, "no call 1 of delete_task")
}

// TestProofInAForeignLoop: the framework sees the draft, not the exchange.
func TestProofInAForeignLoop(t *testing.T) {
	w := newWorld()
	g := unsureWorld(t, w, nil)
	draft := guardtest.Say("Read book is gone.")
	draft.Response.Usage = guard.Usage{Input: 10, Output: 5}
	answer := guardtest.Say(kept)
	answer.Response.Usage = guard.Usage{Input: 20, Output: 7}
	history := []guard.Message{
		{Role: guard.RoleUser, Text: "get rid of Read book"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{deletes(readBook)}},
		{Role: guard.RoleTool, CallID: deletes(readBook).ID, Tool: "delete_task", Text: `{"success":true}`},
	}
	response, err := g.Wrap(guardtest.Script(draft, answer)).Generate(context.Background(), guard.Request{Messages: history, Tools: taskTools()})
	require.NoError(t, err)
	require.Equal(t, "Read book is gone.", response.Message.Text)
	require.Equal(t, guard.Usage{Input: 30, Output: 12}, response.Usage)

	// A call that repeats what succeeded is not handed on.
	again := guardtest.Call(deletes(readBook))
	response, err = g.Wrap(guardtest.Script(draft, again, guardtest.Say(kept), guardtest.Say(kept))).Generate(context.Background(), guard.Request{Messages: history, Tools: taskTools()})
	require.NoError(t, err)
	require.Empty(t, response.Message.Calls)
}

// TestAForeignLoopCountsUsageOnce: each answer that it is handed has the usage since the
// one before, discarded drafts included.
func TestAForeignLoopCountsUsageOnce(t *testing.T) {
	w, ctx := newWorld(), context.Background()
	turn := begin(t, unsureWorld(t, w, nil), "get rid of Read book")
	steps := []guardtest.Step{guardtest.Say("Read book is gone."), guardtest.Call(deletes("Read book")), guardtest.Say("Read book is gone."), guardtest.Say(kept)}
	for i := range steps {
		steps[i].Response.Usage = guard.Usage{Input: 10, Output: 1}
	}
	model := turn.Model(guardtest.Script(steps...))
	request := said("get rid of Read book")
	first, err := model.Generate(ctx, request)
	require.NoError(t, err)
	require.Equal(t, guard.Usage{Input: 20, Output: 2}, first.Usage, "a draft and a call")
	result, err := turn.Executor(w).Execute(ctx, first.Message.Calls[0])
	require.NoError(t, err)
	request.Messages = append(request.Messages, first.Message, guard.Message{Role: guard.RoleTool, CallID: first.Message.Calls[0].ID, Tool: "delete_task", Text: string(result)})
	last, err := model.Generate(ctx, request)
	require.NoError(t, err)
	require.Equal(t, "Read book is gone.", last.Message.Text)
	require.Equal(t, guard.Usage{Input: 20, Output: 2}, last.Usage, "a text and its proof")
}

// TestProofInAStream: what is clean is released, the exchange about the proof is
// not, and nothing is shown twice.
func TestProofInAStream(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		want   string
	}{
		"kept":    {kept, "calling delete_task|Good day. |asked again: proof|Read book is gone. Bye.|reply"},
		"changed": {`{"message":"Good day. Read book was taken off your list. Bye.","items":[{"what":"Read book","status":"done","records":[1]}]}`, "calling delete_task|Good day. |asked again: proof|Read book was taken off your list. Bye.|reply"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := unsureWorld(t, w, func(o *guard.Options) { o.ReleaseSentences = true })
			model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("Good day. Read book is gone. Bye."), guardtest.Say(c.answer))
			require.Equal(t, c.want, transcript(g.Stream(context.Background(), model, w, ask("x"))))
		})
	}
}
