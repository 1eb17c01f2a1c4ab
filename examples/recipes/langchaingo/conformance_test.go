package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// open is an agent that remembers what was said.
func open(s *guardtest.Setting, streamed bool) guardtest.Talk {
	llm, err := openai.New(openai.WithBaseURL(s.Address+"/v1"), openai.WithToken("no key"), openai.WithModel("sim"),
		openai.WithHTTPClient(play.GuardedClient(s.Guard)))
	require.NoError(s.T, err)
	loop := newLoop(llm, s.Tools)
	loop.Ledger, loop.Tools, loop.Execute = s.Options.Ledger, s.Tools, s.Executor.Execute
	var messages []llms.MessageContent
	return func(ctx context.Context, user string) (string, error) {
		input, _ := guard.FromContext(ctx)
		var heard strings.Builder
		hear := func(piece string) { heard.WriteString(piece) }
		if !streamed {
			hear = nil
		}
		messages = append(messages, llms.TextParts(llms.ChatMessageTypeHuman, user))
		text, said, err := loop.Converse(ctx, input, messages, hear)
		messages = said
		if streamed {
			return heard.String(), err
		}
		return text, err
	}
}

func TestConformance(t *testing.T) {
	retries := map[string]string{"retry": "no: its client does not retry"}
	playtest.Table(t, guardtest.Adapter{Name: "langchaingo", Except: retries}, open)
}
