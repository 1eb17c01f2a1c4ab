package turnfit

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/sampling"
)

// TestNoTurnLeavesATrace: an evaluator that has judged other turns, with other tools,
// records or none, says of a turn what a new one says.
func TestNoTurnLeavesATrace(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	domains, err := labelled.Domains()
	require.NoError(t, err)
	var turns []completion.Case
	for number := 0; number < len(domains); number += sampling.Every(3) {
		domain := domains[number]
		for i := 0; i < len(domain.Turns); i += sampling.Every(120) {
			turn := domain.Turns[i]
			read := caseOf(&domain, &turn)
			turns = append(turns, read)
			read.Earlier, read.Records, read.Tools = read.Records, nil, read.Tools[:len(read.Tools)/2]
			turns = append(turns, read, completion.Case{User: turn.User, Text: turn.Text, Contract: completion.Question()})
		}
	}
	random := rand.New(rand.NewPCG(7, 8))
	evaluator := completion.New(nil)
	for range 3 {
		random.Shuffle(len(turns), func(i, k int) { turns[i], turns[k] = turns[k], turns[i] })
		for i := range turns {
			require.Equal(t, completion.New(nil).Evaluate(turns[i]), evaluator.Evaluate(turns[i]), "%s", turns[i].Text)
		}
	}
}
