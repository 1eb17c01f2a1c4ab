package turnfit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/sampling"
)

// TestLetterCase: a text that shouts or whispers is judged as it would be otherwise. What
// is left are names that stand nowhere else: their capital alone says what they are.
func TestLetterCase(t *testing.T) {
	domains, err := labelled.Domains()
	require.NoError(t, err)
	evaluator := completion.New(nil)
	for name, row := range map[string]struct {
		recase func(string) string
		most   float64
	}{"upper": {strings.ToUpper, 0.015}, "lower": {strings.ToLower, 0.03}} {
		turns, moved := 0, 0
		for i := 0; i < len(domains); i += sampling.Every(21) {
			for _, turn := range domains[i].Turns {
				if turn.Kind == "leak" {
					continue
				}
				given := caseOf(&domains[i], &turn)
				before := evaluator.Evaluate(given)
				given.Text = row.recase(given.Text)
				after := evaluator.Evaluate(given)
				turns++
				if tierOf(&before) != tierOf(&after) || before.Outcome != after.Outcome {
					moved++
				}
			}
		}
		t.Logf("%s: %d of %d verdicts move", name, moved, turns)
		chance.AtMost(t, name, moved, turns, row.most)
	}
}
