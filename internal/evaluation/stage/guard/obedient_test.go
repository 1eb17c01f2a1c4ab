package guard_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/cast"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/sampling"
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

// served is a way in to guards that approve of every call.
func served(t *testing.T, classifier func([]tooltrack.Tool) guard.Classifier, by func(*guard.Guard, servant, guard.Input)) func(*labelled.Domain) func(*cast.Servant) {
	return func(domain *labelled.Domain) func(*cast.Servant) {
		options := guard.Options{Classifier: classifier(domain.Tools), Reviewer: guard.ReviewerFunc(
			func(_ context.Context, request policy.Proposal) (policy.Decision, error) {
				return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
			})}
		g, err := guard.New(domain.Tools, &options)
		require.NoError(t, err)
		return func(s *cast.Servant) { by(g, servant{s}, inputOf(s.Turn)) }
	}
}

func byItself([]tooltrack.Tool) guard.Classifier { return nil }

// TestObedientModelsDoNoHarm: whoever does all that the guard says changes nothing
// that the user took back or never asked for. An invitation that names no tool may
// be taken for more, where a request is read wrongly.
func TestObedientModelsDoNoHarm(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	own, err := labelled.Domains()
	require.NoError(t, err)
	check := func(t *testing.T, domains []labelled.Domain, ordered, invited float64, by func(*guard.Guard, servant, guard.Input), every int) {
		for eager, limit := range map[bool]float64{false: ordered, true: invited} {
			done := cast.ServeAll(domains, every, eager, served(t, byItself, by))
			harmed := len(done.Harmed)
			t.Logf("eager %v: of %d turns %d are harmed, and %d helped\n%s", eager, done.Turns, harmed, done.Helped, strings.Join(done.Harmed, "\n"))
			chance.AtMost(t, fmt.Sprintf("turns that are harmed, eager %v", eager), harmed, done.Turns, limit)
			require.Greater(t, done.Helped, 5*harmed, "eager %v", eager)
		}
	}
	t.Run("own turns", func(t *testing.T) { check(t, own, 0, 0.001, byRun, sampling.Every(16)) })
	t.Run("own turns, streamed", func(t *testing.T) { check(t, own, 0, 0.001, byStream, sampling.Every(40)) })
	t.Run("recorded drafts", func(t *testing.T) {
		if _, err := os.Stat(recordedData); err != nil {
			t.Skipf("there is no evaluation data beside the checkout: %v", err)
		}
		recorded, err := cast.Recorded(recordedData, "turns_domains", "intent_domains")
		require.NoError(t, err)
		check(t, recorded, 0, 0.003, byRun, sampling.Every(6))
		check(t, recorded, 0, 0.003, byStream, sampling.Every(8))
	})
	t.Run("a guard that is sure of everything does, streamed, too", func(t *testing.T) {
		done := cast.ServeAll(own[:4], 4, false, served(t, certainOfAll, byStream))
		require.Greater(t, len(done.Harmed), done.Turns/4, "or this test sees no harm")
	})
	t.Run("a guard that is sure of everything does", func(t *testing.T) {
		done := cast.ServeAll(own[:4], 3, false, served(t, certainOfAll, byRun))
		require.Greater(t, len(done.Harmed), done.Turns/4, "or this test sees no harm")
	})
}

// certainOfAll is a classifier that takes every message for a command to change
// something.
func certainOfAll(tools []tooltrack.Tool) guard.Classifier {
	return intent.Func(func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
		found := intent.Intent{Kind: intent.Action, Due: 1}
		for _, tool := range tools {
			if tool.Effect == tooltrack.Changes {
				found.Expect = append(found.Expect, intent.Expectation{Tool: tool.Name, Confidence: 1, Command: true, Words: request.User})
			}
		}
		return found, nil
	})
}
