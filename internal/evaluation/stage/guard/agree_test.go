package guard_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/evaluation/cast"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What is said about turns that are over is what a living turn meets: the audit rests on
// it, and so do the figures that it gives.

// eachLabelled hands on each n-th of our labelled turns with a guard for its tools, one
// that lets every call run and asks for proof once.
func eachLabelled(t *testing.T, every int, do func(g *guard.Guard, domain *labelled.Domain, turn *labelled.Turn)) {
	domains, err := labelled.Domains()
	require.NoError(t, err)
	options := guard.Options{
		Budgets: guard.Budgets{Proof: 1},
		Reviewer: guard.ReviewerFunc(func(_ context.Context, request policy.Proposal) (policy.Decision, error) {
			return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
		})}
	number := 0
	for i := range domains {
		for j := range domains[i].Turns {
			if number++; number%every == 0 {
				g, err := guard.New(domains[i].Tools, &options) // one that has heard no refusals before
				require.NoError(t, err)
				do(g, &domains[i], &domains[i].Turns[j])
			}
		}
	}
}

// recordedOf is a turn that was performed, as a log holds it.
func recordedOf(g *guard.Guard, turn *labelled.Turn, reply *guard.Reply) guard.Recorded {
	return guard.Recorded{
		User: turn.User, Previous: turn.Previous, Text: turn.Text,
		Records: reply.Records, Earlier: g.RecordsOf(inputOf(turn).Previous, nil),
	}
}

// TestJudgeSaysWhatALiveTurnMeets: the guard accuses and insists exactly when the
// judgement is sure, asks for proof exactly when it is not, and lets the rest pass.
func TestJudgeSaysWhatALiveTurnMeets(t *testing.T) {
	met := map[completion.Tier]int{}
	eachLabelled(t, sampling.Every(50), func(g *guard.Guard, domain *labelled.Domain, turn *labelled.Turn) {
		a, tier, said := &actor{Play: cast.New(domain.Tools, turn, cast.Characters()[0])}, completion.Clean, 0
		model := guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
			if said++; said == len(turn.Calls)+2 { // what follows the text
				if tier = completion.Sure; asksForProof(request) {
					tier = completion.Unsure
				}
			}
			return a.Generate(ctx, request)
		})
		reply, err := g.Run(t.Context(), model, a, inputOf(turn))
		require.NotNil(t, reply, "%v", err)
		judged, err := g.Judge(t.Context(), recordedOf(g, turn, reply))
		require.NoError(t, err)
		require.Equal(t, tier, judged.Tier, "%s: %q", turn.ID, turn.Text)
		met[tier]++
	})
	require.Len(t, met, 3, "each was met: %v", met)
}

// asksForProof reports whether the last message of a request is one for proof.
func asksForProof(request guard.Request) bool {
	return strings.Contains(request.Messages[len(request.Messages)-1].Text, "Check your answer before")
}

// TestQuestionSaysWhatALiveTurnAsksAndAccepts: of a turn that is over, the same is asked
// as of a living one, the same reports hold, and the same is shown.
func TestQuestionSaysWhatALiveTurnAsksAndAccepts(t *testing.T) {
	speaks := slices.DeleteFunc(cast.Characters(), func(c cast.Character) bool { return !c.Speaks })
	number, accepted, refused := 0, 0, 0
	eachLabelled(t, sampling.Every(50), func(g *guard.Guard, domain *labelled.Domain, turn *labelled.Turn) {
		number++
		a := &actor{Play: cast.New(domain.Tools, turn, speaks[number%len(speaks)])}
		asked, answer := "", ""
		model := guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
			response, err := a.Generate(ctx, request)
			if asksForProof(request) && a.calls == a.scripted()+1 { // of the text as it was first
				asked, answer = request.Messages[len(request.Messages)-1].Text, response.Message.Text
			}
			return response, err
		})
		reply, err := g.Run(t.Context(), model, a, inputOf(turn))
		if asked == "" || err != nil || reply.Draft != turn.Text {
			return // it was not asked, or not about this text
		}
		question, err := g.Question(t.Context(), recordedOf(g, turn, reply))
		require.NoError(t, err)
		same := func(calls proof.Calling) bool { return proof.Ask(question.List, question.Letters, calls) == asked }
		callings := []proof.Calling{proof.CallsInvited, proof.CallsThatRead, proof.CallsHeldBack, proof.CallsBarred}
		require.True(t, slices.ContainsFunc(callings, same), "%s: %s\nand not\n%s", turn.ID, asked, proof.Ask(question.List, question.Letters, proof.CallsInvited))
		report, err := proof.Read(answer, question.Letters, question.List)
		if err != nil {
			require.Nil(t, reply.Proof, "%s: %v", turn.ID, err)
			return
		}
		shown, faults := question.Check(t.Context(), report)
		require.Equal(t, reply.Proof != nil, len(faults) == 0, "%s: %s: %v", turn.ID, answer, faults)
		if refused++; len(faults) == 0 {
			refused--
			accepted++
			require.Equal(t, reply.Text, shown, turn.ID)
		}
	})
	t.Logf("%d reports accepted, %d refused", accepted, refused)
	require.Greater(t, accepted, 30)
	require.Greater(t, refused, 30)
}

// TestJudgeSaysWhatALiveTurnInsistsOn: a living turn demands exactly the tools that are
// said to be insisted on, and asks about an answer without calls exactly where
// something is said to be due.
func TestJudgeSaysWhatALiveTurnInsistsOn(t *testing.T) {
	insisted, due, idle := 0, 0, 0
	nobody := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { panic("nothing is called") })
	eachLabelled(t, sampling.Every(60), func(g *guard.Guard, _ *labelled.Domain, turn *labelled.Turn) {
		asked, err := g.Judge(t.Context(), guard.Recorded{User: turn.User, Previous: turn.Previous})
		require.NoError(t, err)
		say := guardtest.Say("Hm.") // it claims nothing, asks nothing and gives no reason
		model := guardtest.Script(say, say, say, say, say, say)
		input := inputOf(turn)
		input.Previous = slices.DeleteFunc(input.Previous, func(m guard.Message) bool { return len(m.Calls) > 0 || m.CallID != "" })
		_, err = g.Run(t.Context(), model, nobody, input)
		told := "" // what the guard said of the text first
		if requests := model.Requests(); len(requests) > 1 {
			told = requests[1].Messages[len(requests[1].Messages)-1].Text
		}
		switch {
		case len(asked.Insisted) > 0:
			insisted++
			for _, tool := range asked.Insisted {
				require.Contains(t, told, tool, "%s: %q: %v", turn.ID, turn.User, err)
			}
		case asked.Due:
			due++
			require.Contains(t, told, "Check your answer before", "%s: %q", turn.ID, turn.User)
		default:
			idle++
			require.Empty(t, told, "%s: %q", turn.ID, turn.User)
		}
	})
	t.Logf("%d insisted on, %d asked about, %d neither", insisted, due, idle)
	require.Greater(t, min(insisted, due, idle), 50)
}
