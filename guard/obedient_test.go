package guard_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/cast"
	"github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// servant is a servant as a model and an executor.
type servant struct{ *cast.Servant }

// Generate plays the model.
func (s servant) Generate(_ context.Context, request guard.Request) (guard.Response, error) {
	last := request.Messages[len(request.Messages)-1]
	forced := request.Choice.Mode == guard.ChooseNamed || request.Choice.Mode == guard.ChooseRequired
	call, text := s.Act(last.Text, last.Internal || forced, request.Choice.Tool)
	if call != nil {
		return guardtest.Call(*call).Response, nil
	}
	return guardtest.Say(text).Response, nil
}

// Execute answers as the turn says.
func (s servant) Execute(_ context.Context, call tooltrack.Call) ([]byte, error) {
	return s.Run(call.Tool)
}

// byRun and byStream are ways in, to the end of a turn.
func byRun(g *guard.Guard, s servant, input guard.Input) {
	_, _ = g.Run(context.Background(), s, s, input)
}

func byStream(g *guard.Guard, s servant, input guard.Input) {
	for range g.Stream(context.Background(), s, s, input) {
	}
}

// serve plays each nth turn with an obedient model, and counts those in which a change
// ran that nobody asked for, and those in which one was made at the guard's word.
func serve(
	t *testing.T, domains []labelled.Domain, classifier func([]tooltrack.Tool) guard.Classifier, eager bool,
	by func(*guard.Guard, servant, guard.Input), every int,
) (turns, harmed, helped int) {
	number := 0
	for i := range domains {
		options := guard.Options{Classifier: classifier(domains[i].Tools), Reviewer: guard.ReviewerFunc(
			func(_ context.Context, request policy.Proposal) (policy.Decision, error) {
				return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
			})}
		g, err := guard.New(domains[i].Tools, &options)
		require.NoError(t, err)
		for j := range domains[i].Turns {
			turn := &domains[i].Turns[j]
			if number++; number%every != 0 {
				continue
			}
			s := servant{cast.Serve(domains[i].Tools, turn, eager, wordsOf)}
			by(g, s, inputOf(turn))
			turns++
			if unwanted := s.Unwanted(); len(unwanted) > 0 {
				harmed++
				if eager || len(domains) > 4 {
					t.Logf("%s: %q: %v ran", turn.ID, turn.User, unwanted)
				}
			} else if len(s.Ran) > len(turn.Calls) {
				helped++
			}
		}
	}
	return turns, harmed, helped
}

// wordsOf are the verb and the nouns in the name of a tool.
func wordsOf(tool *tooltrack.Tool) (verb string, nouns []string) {
	reading := toolname.Read(lexicon.English(), toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters})
	for _, noun := range reading.Nouns {
		nouns = append(nouns, noun.Text)
	}
	return reading.Verb.Text, nouns
}

func byItself([]tooltrack.Tool) guard.Classifier { return nil }

// TestObedientModelsDoNoHarm: whoever does all that the guard says changes nothing
// that the user took back or never asked for. An invitation that names no tool may
// be taken for more, where a request is read wrongly.
func TestObedientModelsDoNoHarm(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	own, err := labelled.Domains()
	require.NoError(t, err)
	check := func(t *testing.T, domains []labelled.Domain, ordered, invited float64, by func(*guard.Guard, servant, guard.Input), every int) {
		for eager, limit := range map[bool]float64{false: ordered, true: invited} {
			turns, harmed, helped := serve(t, domains, byItself, eager, by, every)
			t.Logf("eager %v: of %d turns %d are harmed, and %d helped", eager, turns, harmed, helped)
			require.LessOrEqual(t, float64(harmed)/float64(turns), limit, "eager %v", eager)
			require.Greater(t, helped, 10*harmed/2, "eager %v", eager)
		}
	}
	t.Run("own turns", func(t *testing.T) { check(t, own, 0, 0.0015, byRun, 1) })
	t.Run("own turns, streamed", func(t *testing.T) { check(t, own, 0, 0.0015, byStream, 10) })
	t.Run("recorded drafts", func(t *testing.T) {
		if _, err := os.Stat(recordedData); err != nil {
			t.Skipf("there is no evaluation data beside the checkout: %v", err)
		}
		recorded, err := cast.Recorded(recordedData, "turns_domains", "intent_domains")
		require.NoError(t, err)
		check(t, recorded, 0, 0.003, byRun, 1)
	})
	t.Run("a guard that is sure of everything does, streamed, too", func(t *testing.T) {
		turns, harmed, _ := serve(t, own[:4], certainOfAll, false, byStream, 2)
		require.Greater(t, harmed, turns/4, "or this test sees no harm")
	})
	t.Run("a guard that is sure of everything does", func(t *testing.T) {
		turns, harmed, _ := serve(t, own[:4], certainOfAll, false, byRun, 1)
		require.Greater(t, harmed, turns/4, "or this test sees no harm")
	})
}
