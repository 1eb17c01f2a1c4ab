package main

import (
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// open is an agent that remembers what was said.
func open(s *guardtest.Setting, streamed bool) guardtest.Talk {
	config := openai.DefaultConfig("no key")
	config.BaseURL, config.HTTPClient = s.Address+"/v1", play.GuardedClient(s.Guard)
	return playtest.Looped(s, streamed, newLoop(openai.NewClientWithConfig(config), s.Tools))
}

func TestConformance(t *testing.T) {
	retries := map[string]string{"retry": "no: its client does not retry"}
	playtest.Table(t, guardtest.Adapter{Name: "go-openai", Except: retries}, open)
}
