package main

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestRecipe(t *testing.T) { playtest.Run(t, build) }

func newLLM(t *testing.T, stage *play.Stage, option openai.Option) *openai.LLM {
	t.Helper()
	llm, err := openai.New(openai.WithBaseURL(stage.URL), openai.WithToken("no key"), openai.WithModel("sim"), option)
	require.NoError(t, err)
	return llm
}

// TestTransport: an http.Client is enough, too. Langchaingo then has the account as
// a text, and no error of anybody's to look for.
func TestTransport(t *testing.T) {
	for _, hear := range []func(string){nil, func(string) { t.Error("something was streamed") }} {
		stage, _ := playtest.Open(t, playtest.Scene(t, "a lie, kept up"), build)
		client := &http.Client{Transport: chatwire.Transport(stage.Guard, nil, nil)}
		loop := newLoop(newLLM(t, stage, openai.WithHTTPClient(client)), play.Tools()).On(stage)
		text, err := loop.Answer(t.Context(), "delete Read book", hear)
		require.ErrorContains(t, err, "API returned unexpected status code: 400: What you asked for was not completed.")
		assert.NotErrorIs(t, err, guard.ErrInsufficientProgress)
		assert.Empty(t, text)
	}
}

// TestAStreamThatHasBegun: where a held stream was kept alive by comments, its
// status cannot be changed any more. The guard's error still ends it; but of an
// error in the stream, which is all that a transport has then, langchaingo makes an
// empty answer.
func TestAStreamThatHasBegun(t *testing.T) {
	begins := &chatwire.Options{KeepAlive: time.Nanosecond}
	lying := func(guarded func(*guard.Guard, play.Doer) play.Doer) (string, error) {
		scene := playtest.Scene(t, "a lie, kept up")
		stage, _ := playtest.Open(t, scene, build)
		begun := make(chan struct{})
		client := guarded(stage.Guard, func(request *http.Request) (*http.Response, error) {
			<-begun // the model answers after the stream has begun, and not before
			return http.DefaultClient.Do(request)
		})
		loop := newLoop(newLLM(t, stage, openai.WithHTTPClient(play.Doer(func(request *http.Request) (*http.Response, error) {
			defer close(begun)
			return client.Do(request)
		}))), play.Tools()).On(stage)
		return loop.Answer(t.Context(), scene.Person, func(piece string) { assert.Empty(t, piece) })
	}

	_, err := lying(func(g *guard.Guard, base play.Doer) play.Doer {
		middleware := chatwire.Middleware(g, begins)
		return func(request *http.Request) (*http.Response, error) { return middleware(request, base) }
	})
	require.ErrorIs(t, err, guard.ErrInsufficientProgress)

	text, err := lying(func(g *guard.Guard, base play.Doer) play.Doer {
		return chatwire.Transport(g, base, begins).RoundTrip
	})
	require.NoError(t, err, "if langchaingo has learned to read errors in streams, say so in the README")
	assert.Empty(t, text)
}

// TestExecutor: the loop that langchaingo brings along comes to the same ends. It
// streams nothing that a caller could hear.
func TestExecutor(t *testing.T) {
	build := func(_ context.Context, stage *play.Stage) (play.Agent, error) {
		tool := described(deleteTask{}, tooltrack.Changes, "task")
		g, err := play.NewGuard([]tooltrack.Tool{tool}, stage.Ledger, stage.Scene)
		require.NoError(t, err)
		llm := newLLM(t, stage, openai.WithHTTPClient(play.GuardedClient(g)))
		return func(ctx context.Context, user string, _ func(string)) (string, error) {
			return answerByExecutor(ctx, llm, stage, user)
		}, nil
	}
	for _, scene := range play.Scenes() {
		for i := range scene.Attempts[0] {
			for j := range scene.Attempts[0][i].Calls {
				call := &scene.Attempts[0][i].Calls[j]
				call.Arguments = strings.Replace(call.Arguments, "title", onlyArg, 1)
			}
		}
		t.Run(scene.Name, func(t *testing.T) { playtest.Hold(t, build, scene, false) })
	}
}
