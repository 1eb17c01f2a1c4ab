package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestAGuardLetsTheOuterOneAsk: what answers another guard's request for proof, or its
// correction, is between that guard and the model. The inner one neither doubts it, nor
// asks about it, nor takes sentences out of it.
func TestAGuardLetsTheOuterOneAsk(t *testing.T) {
	for name, c := range map[string]struct {
		answers []guardtest.Step
		user    string
		asked   int
		shown   string
	}{
		"proof": {
			[]guardtest.Step{guardtest.Call(deletes("Read book")), guardtest.Say("Read book is off."), guardtest.Say(kept)},
			"get rid of Read book", 3, "Read book is off.",
		},
		"proof, the second time": {
			[]guardtest.Step{
				guardtest.Call(deletes("Read book")), guardtest.Say("Read book is off."),
				guardtest.Say(strings.Replace(kept, "[1]", "[9]", 1)), guardtest.Say(kept),
			},
			"get rid of Read book", 4, "Read book is off.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			model := guardtest.Script(c.answers...)
			inner := unsureWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("deleted") }) // the report says so
			outer := unsureWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("off") })
			reply, err := outer.Run(context.Background(), inner.Wrap(model), w, ask(c.user))
			require.NoError(t, err)
			require.Equal(t, c.shown, reply.Text)
			require.NotNil(t, reply.Proof)
			require.Equal(t, c.asked, model.Calls())
			require.Zero(t, inner.Counters().ProofsAsked)
		})
	}
}

// TestACorrectionIsTheOuterGuards, too: its answer is judged by the outer one alone.
func TestACorrectionIsTheOuterGuards(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Say(lie), guardtest.Say("Shall Read book really be gone for good?"))
	inner := unsureWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("gone") })
	outer := guardFor(t, w, func(o *guard.Options) { o.Directories = nil })
	reply, err := outer.Run(context.Background(), inner.Wrap(model), w, ask("delete Read book"))
	require.Zero(t, inner.Counters().ProofsAsked, "%v, %v", reply, err)
	require.Positive(t, outer.Counters().AskedAgain+outer.Counters().Corrected)
}

// TestAnAnswerOutsideOfAskingIsJudgedByBoth: the mark holds for its own request only.
func TestAnAnswerOutsideOfAskingIsJudgedByBoth(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("Shelves are dusted in spring."), guardtest.Say(forAll(`"no call"`, "")))
	inner := unsureWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("dusted") })
	outer := unsureWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("off") })
	reply, err := outer.Run(context.Background(), inner.Wrap(model), w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.Equal(t, "Shelves are dusted in spring.", reply.Text)
	require.Equal(t, uint64(1), inner.Counters().ProofsAsked)
}

// TestNoMessageOfTheGuardHoldsIDs: people and models see titles, in the first question as
// in the second, which quotes what is wrong with a report.
func TestNoMessageOfTheGuardHoldsIDs(t *testing.T) {
	w := newWorld()
	wrong := `{"message":null,"items":[{"what":"` + callMom + ` deleted","status":"done","records":[9]}]}`
	model := guardtest.Script(
		guardtest.Call(deletes(readBook)), guardtest.Say("The task "+readBook+" is gone."), guardtest.Say(wrong), guardtest.Say(wrong))
	reply, err := unsureWorld(t, w, nil).Run(context.Background(), model, w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.Equal(t, 4, model.Calls())
	told := 0
	for _, request := range model.Requests() {
		for _, message := range request.Messages {
			if message.Internal && message.Role == guard.RoleUser {
				told++
				require.NotContains(t, message.Text, readBook)
				require.NotContains(t, message.Text, callMom)
			}
		}
	}
	requests := model.Requests()
	last := requests[len(requests)-1].Messages
	require.Contains(t, last[len(last)-3].Text, `The task "Read book" is gone`, "it is quoted by its title")
	require.Equal(t, 3, told, "one question, and it again with another")
	require.NotContains(t, reply.Text, readBook)
}

// TestACutReportProvesNothingInAnyWay: what was cut off may have said more. The same report is
// accepted where it is whole.
func TestACutReportProvesNothingInAnyWay(t *testing.T) {
	for stop, accepted := range map[guard.Stop]bool{
		guard.StopEnd: true, guard.StopCut: false, guard.StopFiltered: false, guard.StopRefused: false, guard.StopPaused: false,
	} {
		t.Run(stop.String(), func(t *testing.T) {
			for way, shown := range shownBy() {
				w := newWorld()
				report := guardtest.Say(forAll(`"no call"`, ""))
				report.Response.Stop = stop
				steps := []guardtest.Step{guardtest.Call(deletes("Read book")), guardtest.Say("Good day. Shelves are dusted in spring."), report, report}
				g := unsureWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("dusted") })
				text, err := shown(g, w, guardtest.Script(steps...))
				require.NoError(t, err, way)
				require.Equal(t, accepted, strings.Contains(text, "dusted"), "%s: %s", way, text)
				require.Contains(t, text, "Good day.", way)
			}
		})
	}
	w := newWorld()
	cut := guardtest.Call(guardtest.Tool("report", `{"message":"Read book is gone.","items":[{"what":"Read book deleted","status":"done","calls":[{"tool":"delete_task"}]}]}`))
	cut.Response.Stop = guard.StopCut
	reply, err := alwaysWorld(t, w, nil).Run(context.Background(), guardtest.Script(guardtest.Call(deletes("Read book")), cut), w, ask("get rid of Read book"))
	require.ErrorIs(t, err, guard.ErrStopped)
	require.Nil(t, reply.Proof, "the report tool's, too")
}

// TestWhatARefereeTakesIsCounted with what the model took.
func TestWhatARefereeTakesIsCounted(t *testing.T) {
	w := newWorld()
	uses := func(step guardtest.Step, usage guard.Usage) guardtest.Step {
		step.Response.Usage = usage
		return step
	}
	wrong := strings.Replace(kept, "[1]", "[9]", 1)
	referee := guardtest.Script(uses(guardtest.Say(wrong), guard.Usage{Input: 100, Output: 10}), uses(guardtest.Say(kept), guard.Usage{Input: 1000, Output: 20}))
	model := guardtest.Script(uses(guardtest.Call(deletes("Read book")), guard.Usage{Input: 1, Output: 3}), uses(guardtest.Say("Read book is gone."), guard.Usage{Input: 2, Output: 4}))
	g := unsureWorld(t, w, func(o *guard.Options) { o.Referee = referee })
	reply, err := g.Run(context.Background(), model, w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.Equal(t, "Read book is gone.", reply.Text)
	require.Equal(t, guard.Usage{Input: 1103, Output: 37}, reply.Usage)
}
