package main

import (
	"context"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// open is an agent that remembers what was said.
func open(s *guardtest.Setting, streamed bool) guardtest.Talk {
	config := openai.DefaultConfig("no key")
	config.BaseURL, config.HTTPClient = s.Address+"/v1", play.GuardedClient(s.Guard)
	loop := newLoop(openai.NewClientWithConfig(config), s.Tools)
	loop.Ledger, loop.Tools, loop.Execute = s.Options.Ledger, s.Tools, s.Executor.Execute
	var messages []openai.ChatCompletionMessage
	return func(ctx context.Context, user string) (string, error) {
		input, _ := guard.FromContext(ctx)
		var heard strings.Builder
		hear := func(piece string) { heard.WriteString(piece) }
		if !streamed {
			hear = nil
		}
		messages = append(messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: user})
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
	playtest.Table(t, guardtest.Adapter{Name: "go-openai", Except: retries}, open)
}
