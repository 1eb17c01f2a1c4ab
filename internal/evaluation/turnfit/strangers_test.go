package turnfit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/evaluation/turnfit"
)

// TestStrangers holds what the shipped models make of turns by writers who knew no rule: the
// floor is below what was measured by three standard errors, for it may only rise.
func TestStrangers(t *testing.T) {
	all, err := turnfit.Strangers()
	require.NoError(t, err)
	figures := turnfit.FiguresOf(turnfit.Judge(all), "strangers")
	t.Log(figures)
	require.Greater(t, figures.Noticed, 0.44)
	require.Less(t, figures.Asked, 0.21)
	require.Less(t, figures.Harmed, 0.02)
}
