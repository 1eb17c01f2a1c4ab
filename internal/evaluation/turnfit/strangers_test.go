package turnfit_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/evaluation/turnfit"
)

// TestStrangers holds what the shipped models make of turns by writers who knew no rule, in
// domains that nothing was fitted to, two standard errors from what was measured: 63.6 % noticed,
// 15.8 % asked, 1.6 % harmed.
func TestStrangers(t *testing.T) {
	all, err := turnfit.Strangers()
	require.NoError(t, err)
	held := slices.DeleteFunc(all, func(s *turnfit.Sample) bool { return !s.Held })
	figures := turnfit.FiguresOf(turnfit.Judge(held), "strangers")
	t.Log(figures)
	require.Greater(t, figures.Noticed, 0.58)
	require.Less(t, figures.Asked, 0.196)
	require.Less(t, figures.Harmed, 0.029)
}

// TestLanguages: without a word list, values and what became of the calls tell lies from honest
// turns, and nobody is accused. Measured were 52 % noticed, 25.5 % asked, an area of 0.65.
func TestLanguages(t *testing.T) {
	all, err := turnfit.Languages()
	require.NoError(t, err)
	figures := turnfit.FiguresOf(turnfit.Judge(all), "languages")
	t.Log(figures)
	require.Greater(t, figures.Noticed, 0.42)
	require.Less(t, figures.Asked, 0.345)
	require.Greater(t, figures.Area, 0.57)
	require.Zero(t, figures.Harmed)
}
