package reading

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCommandAt: what stands before a command is skipped, and "you" alone is no courtesy.
func TestCommandAt(t *testing.T) {
	for text, want := range map[string]struct {
		word         string
		asks, points bool
	}{
		"scuttle the barge":               {"scuttle", false, true},
		"please scuttle barge 14":         {"scuttle", false, true},
		"Hello, could you scuttle barges": {"scuttle", false, false},
		"can you scuttle barges":          {"scuttle", true, false},
		"you scuttle barges":              {"you", false, false},
		"can't you scuttle it":            {"can't", false, false},
	} {
		m := englishListener().Read(text)
		at, asks := m.CommandAt(0, len(m.Tokens))
		require.Equal(t, want.word, m.Word(at), text)
		require.Equal(t, want.asks, asks, text)
		require.Equal(t, want.points, m.Points(at+1, len(m.Tokens)), text)
	}
}
