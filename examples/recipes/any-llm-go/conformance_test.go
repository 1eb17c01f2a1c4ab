package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// open is an agent that remembers what was said.
func open(s *guardtest.Setting, streamed bool) guardtest.Talk {
	provider, err := newProvider(s.Address, s.Guard)
	require.NoError(s.T, err)
	return playtest.Looped(s, streamed, newLoop(provider, s.Tools))
}

func TestConformance(t *testing.T) {
	except := map[string]string{
		"retry":    "no: its client does not retry",
		"parallel": "no: its client answers them one by one, which Gemini refuses",
	}
	playtest.Table(t, guardtest.Adapter{Name: "any-llm-go", Except: except}, open)
}

func TestRecipe(t *testing.T) { playtest.Run(t, build) }
