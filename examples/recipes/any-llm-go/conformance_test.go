package main

import (
	"context"
	"strings"
	"testing"

	anyllm "github.com/mozilla-ai/any-llm-go"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// open is an agent that remembers what was said.
func open(s *guardtest.Setting, streamed bool) guardtest.Talk {
	provider, err := newProvider(s.Address, s.Guard)
	require.NoError(s.T, err)
	loop := newLoop(provider, s.Tools)
	loop.Ledger, loop.Tools, loop.Execute = s.Options.Ledger, s.Tools, s.Executor.Execute
	var messages []anyllm.Message
	return func(ctx context.Context, user string) (string, error) {
		input, _ := guard.FromContext(ctx)
		var heard strings.Builder
		hear := func(piece string) { heard.WriteString(piece) }
		if !streamed {
			hear = nil
		}
		messages = append(messages, anyllm.Message{Role: anyllm.RoleUser, Content: user})
		text, said, err := loop.Converse(ctx, input, messages, hear)
		messages = said
		if streamed {
			return heard.String(), err
		}
		return text, err
	}
}

func TestConformance(t *testing.T) {
	except := map[string]string{
		"retry":    "no: its client does not retry",
		"parallel": "no: its client answers them one by one, which Gemini refuses",
	}
	playtest.Table(t, guardtest.Adapter{Name: "any-llm-go", Except: except}, open)
}

func TestScenes(t *testing.T)  { playtest.Run(t, build) }
func TestPrinted(t *testing.T) { playtest.Printed(t, build) }
func TestAgain(t *testing.T)   { playtest.Again(t, build) }
