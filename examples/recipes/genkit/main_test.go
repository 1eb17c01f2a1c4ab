package main

import (
	"encoding/json"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai"
	"github.com/openai/openai-go/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

func TestRecipe(t *testing.T) { playtest.Run(t, build) }

// plain sets Genkit up as it is without a guard.
func plain(t *testing.T, stage *play.Stage, options ...option.RequestOption) (*genkit.Genkit, []ai.GenerateOption) {
	t.Helper()
	provider := &compat_oai.OpenAICompatible{Provider: "sim", APIKey: "no key", BaseURL: stage.URL, Opts: options}
	g := genkit.Init(t.Context(), genkit.WithPlugins(provider))
	model := provider.DefineModel("sim", "sim", ai.ModelOptions{Supports: &compat_oai.Multimodal})
	tools := []ai.ToolRef{
		genkit.DefineTool(g, "delete_task", "Delete a task of the user.",
			func(_ *ai.ToolContext, args deleteArgs) (string, error) { return stage.Tasks.Delete(args.Title) }),
	}
	return g, []ai.GenerateOption{ai.WithModel(model), ai.WithTools(tools...)}
}

// TestTheErrorSurvivesGenkit: the middleware's error reaches the caller.
func TestTheErrorSurvivesGenkit(t *testing.T) {
	stage, _ := playtest.Open(t, playtest.Scene(t, "a lie, kept up"), build)
	turn, err := stage.Guard.Begin(t.Context(), play.Input("delete Read book"))
	require.NoError(t, err)
	g, options := plain(t, stage)
	options = append(options, ai.WithPrompt("delete Read book"), ai.WithMiddleware(guardedModel))
	_, err = genkit.Generate(withTurn(t.Context(), turn), g, options...)
	var lied *guard.TurnError
	require.ErrorAs(t, err, &lied)
	require.ErrorIs(t, err, guard.ErrInsufficientProgress)
	assert.Equal(t, completion.UnbackedClaim, lied.Verdict.Reason)
}

// TestOneLine: for plugins on openai-go one option guards the client, where the
// ledger is not needed. The guard's error survives.
func TestOneLine(t *testing.T) {
	for _, name := range []string{"honest", "a lie, mended", "a lie, kept up", "two calls at once"} {
		t.Run(name, func(t *testing.T) {
			scene := playtest.Scene(t, name)
			stage, _ := playtest.Open(t, scene, build)
			guarded := option.WithMiddleware(chatwire.Middleware(stage.Guard, nil))
			g, options := plain(t, stage, guarded)
			response, err := genkit.Generate(t.Context(), g, append(options, ai.WithPrompt("%s", scene.Person))...)
			assert.Equal(t, scene.Notes["ran"], stage.Tasks.Ran())
			if play.Failure(scene) != nil {
				require.ErrorIs(t, err, play.Failure(scene))
				return
			}
			require.NoError(t, err)
			assert.Equal(t, scene.Note("shown"), response.Text())
		})
	}
}

// TestWithoutATurnNothingRuns: a forgotten withTurn is an error, not a way around
// the guard.
func TestWithoutATurnNothingRuns(t *testing.T) {
	stage, _ := playtest.Open(t, playtest.Scene(t, "honest"), build)
	g, options := plain(t, stage)
	options = append(options, ai.WithPrompt("delete Read book"), ai.WithMiddleware(guardedModel))
	_, err := genkit.Generate(t.Context(), g, options...)
	require.ErrorIs(t, err, errNoTurn)
	assert.Empty(t, stage.Tasks.Ran())
}

// TestAFailedToolEndsGenkitsRun is why tools are wrapped even where nothing lies.
func TestAFailedToolEndsGenkitsRun(t *testing.T) {
	stage, _ := playtest.Open(t, playtest.Scene(t, "a failure, hidden"), build)
	g, options := plain(t, stage)
	_, err := genkit.Generate(t.Context(), g, append(options, ai.WithPrompt("delete Pay rent"))...)
	require.ErrorContains(t, err, "the task is locked by Bob")
}

// TestMessagesStayAsTheyWere: what the guard does not read reaches the model, and
// results of parallel calls stay one message.
func TestMessagesStayAsTheyWere(t *testing.T) {
	messages := []*ai.Message{
		ai.NewUserMessage(ai.NewTextPart("hello"), ai.NewMediaPart("image/png", "data:image/png;base64,AAAA")),
		ai.NewModelMessage(ai.NewReasoningPart("two at once", []byte("signature")),
			ai.NewToolRequestPart(&ai.ToolRequest{Name: "list_tasks", Ref: "1", Input: map[string]any{}}),
			ai.NewToolRequestPart(&ai.ToolRequest{Name: "list_tasks", Ref: "2", Input: map[string]any{}})),
		ai.NewMessage(ai.RoleTool, nil,
			ai.NewToolResponsePart(&ai.ToolResponse{Name: "list_tasks", Ref: "1", Output: "Read book"}),
			ai.NewToolResponsePart(&ai.ToolResponse{Name: "list_tasks", Ref: "2", Output: "Read book"})),
	}
	converted, err := toGuard(messages)
	require.NoError(t, err)
	assert.Len(t, converted, 4)
	back, err := fromGuard(converted)
	require.NoError(t, err)
	assert.Equal(t, wire(t, messages), wire(t, back))
}

func wire(t *testing.T, messages []*ai.Message) string {
	t.Helper()
	text, err := json.Marshal(messages)
	require.NoError(t, err)
	return string(text)
}
