package main

import (
	"net/http"
	"testing"

	openai "github.com/sashabaranov/go-openai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

func TestRecipe(t *testing.T) { playtest.Run(t, build) }

// TestTransport: an http.Client is enough, too. Then the account is the message of
// go-openai's own error, and the guard's error is not to be had.
func TestTransport(t *testing.T) {
	for _, hear := range []func(string){nil, func(string) { t.Error("something was streamed") }} {
		stage, _ := playtest.Open(t, playtest.Scene(t, "a lie, kept up"), build)
		config := openai.DefaultConfig("no key")
		config.BaseURL = stage.URL
		config.HTTPClient = &http.Client{Transport: chatwire.Transport(stage.Guard, nil, nil)}
		loop := newLoop(openai.NewClientWithConfig(config), play.Tools()).On(stage)
		text, err := loop.Answer(t.Context(), "delete Read book", hear)
		var failed *openai.APIError
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, http.StatusBadRequest, failed.HTTPStatusCode)
		assert.Equal(t, "insufficient_progress", failed.Code)
		assert.Contains(t, failed.Message, "What you asked for was not completed.")
		assert.NotErrorIs(t, err, guard.ErrInsufficientProgress)
		assert.Empty(t, text)
		assert.Empty(t, stage.Tasks.Ran())
	}
}
