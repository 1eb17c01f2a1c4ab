package main

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// open is an agent that remembers what was said.
func open(s *guardtest.Setting, streamed bool) guardtest.Talk {
	llm, err := openai.New(openai.WithBaseURL(s.Address+"/v1"), openai.WithToken("no key"), openai.WithModel("sim"),
		openai.WithHTTPClient(play.GuardedClient(s.Guard)))
	require.NoError(s.T, err)
	return playtest.Looped(s, streamed, newLoop(llm, s.Tools))
}

func TestConformance(t *testing.T) {
	retries := map[string]string{"retry": "no: its client does not retry"}
	playtest.Table(t, guardtest.Adapter{Name: "langchaingo", Except: retries}, open)
}
