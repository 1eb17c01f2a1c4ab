package main

import (
	"context"
	"net/http"
	"testing"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

func TestRecipe(t *testing.T) { playtest.Run(t, build) }

// newAgent is an agent on a stage, with what is to be changed.
func newAgent(t *testing.T, stage *play.Stage, http *http.Client, change func(*react.AgentConfig)) *react.Agent {
	t.Helper()
	chatModel, err := openai.NewChatModel(t.Context(), &openai.ChatModelConfig{
		BaseURL: stage.URL, APIKey: "no key", Model: "sim", HTTPClient: http,
	})
	require.NoError(t, err)
	tools, err := toolsFor(stage.Tasks)
	require.NoError(t, err)
	config := &react.AgentConfig{ToolCallingModel: chatModel, ToolsConfig: compose.ToolsNodeConfig{Tools: tools}}
	change(config)
	agent, err := react.NewAgent(t.Context(), config)
	require.NoError(t, err)
	return agent
}

func guarded(config *react.AgentConfig) {
	config.ToolCallingModel = guardedModel{config.ToolCallingModel}
	config.ToolsConfig.ToolCallMiddlewares = []compose.ToolMiddleware{recordedTools()}
}

func asUser(user string) []*schema.Message { return []*schema.Message{schema.UserMessage(user)} }

// TestTheErrorSurvivesEino: eino wraps errors, and does not lose them.
func TestTheErrorSurvivesEino(t *testing.T) {
	stage, _ := playtest.Open(t, playtest.Scene(t, "a lie, kept up"), build)
	turn, err := stage.Guard.Begin(t.Context(), play.Input("delete Read book"))
	require.NoError(t, err)
	_, err = newAgent(t, stage, nil, guarded).Generate(withTurn(t.Context(), turn), asUser("delete Read book"))
	var lied *guard.TurnError
	require.ErrorAs(t, err, &lied)
	require.ErrorIs(t, err, guard.ErrInsufficientProgress)
	assert.Equal(t, completion.UnbackedClaim, lied.Verdict.Reason)
	assert.Contains(t, err.Error(), "NodeRunError", "wrapped by eino")
}

// TestTransport: an http.Client is enough where the ledger is not needed. The
// account is then in the message of the client's own error.
func TestTransport(t *testing.T) {
	for _, name := range []string{"honest", "a lie, mended", "a lie, kept up", "two calls at once"} {
		t.Run(name, func(t *testing.T) {
			scene := playtest.Scene(t, name)
			stage, _ := playtest.Open(t, scene, build)
			client := &http.Client{Transport: chatwire.Transport(stage.Guard, nil, nil)}
			message, err := newAgent(t, stage, client, func(*react.AgentConfig) {}).Generate(t.Context(), asUser(scene.Person))
			assert.Equal(t, scene.Notes["ran"], stage.Tasks.Ran())
			if play.Failure(scene) != nil {
				var failed *openai.APIError
				require.ErrorAs(t, err, &failed)
				assert.Equal(t, http.StatusBadRequest, failed.HTTPStatusCode)
				assert.Contains(t, failed.Message, scene.Note("account"))
				assert.NotErrorIs(t, err, play.Failure(scene))
				return
			}
			require.NoError(t, err)
			assert.Equal(t, scene.Note("shown"), message.Content)
		})
	}
}

// TestWithoutATurnNothingRuns: a forgotten withTurn is an error, not a way around
// the guard.
func TestWithoutATurnNothingRuns(t *testing.T) {
	stage, _ := playtest.Open(t, playtest.Scene(t, "honest"), build)
	_, err := newAgent(t, stage, nil, guarded).Generate(t.Context(), asUser("delete Read book"))
	require.ErrorIs(t, err, errNoTurn)
	_, err = newAgent(t, stage, nil, func(config *react.AgentConfig) {
		guarded(config)
		config.ToolCallingModel = config.ToolCallingModel.(guardedModel).inner
	}).Generate(t.Context(), asUser("delete Read book"))
	require.ErrorIs(t, err, errNoTurn)
	assert.Empty(t, stage.Tasks.Ran())
}

// TestAFailedToolEndsEinosRun is why tools are wrapped even where nothing lies.
func TestAFailedToolEndsEinosRun(t *testing.T) {
	stage, _ := playtest.Open(t, playtest.Scene(t, "a failure, hidden"), build)
	_, err := newAgent(t, stage, nil, func(*react.AgentConfig) {}).Generate(t.Context(), asUser("delete Pay rent"))
	require.ErrorContains(t, err, "the task is locked by Bob")
}

// TestToolsOfOtherKinds: one that streams is recorded whole; one that returns
// pictures is refused.
func TestToolsOfOtherKinds(t *testing.T) {
	streaming, err := utils.InferStreamTool("delete_task", "Delete a task of the user.",
		func(context.Context, deleteArgs) (*schema.StreamReader[string], error) {
			return schema.StreamReaderFromArray([]string{`{"success":true,`, `"title":"Read book"}`}), nil
		})
	require.NoError(t, err)
	pictures, err := utils.InferEnhancedTool("delete_task", "Delete a task of the user.",
		func(context.Context, deleteArgs) (*schema.ToolResult, error) {
			t.Error("it ran unrecorded")
			return &schema.ToolResult{}, nil
		})
	require.NoError(t, err)
	for name, deleteTask := range map[string]tool.BaseTool{"streaming": streaming, "pictures": pictures} {
		t.Run(name, func(t *testing.T) {
			scene := playtest.Scene(t, "honest")
			stage, _ := playtest.Open(t, scene, build)
			agent := newAgent(t, stage, nil, func(config *react.AgentConfig) {
				guarded(config)
				config.ToolsConfig.Tools = []tool.BaseTool{deleteTask}
			})
			turn, err := stage.Guard.Begin(t.Context(), play.Input(scene.Person))
			require.NoError(t, err)
			message, err := agent.Generate(withTurn(t.Context(), turn), asUser(scene.Person))
			if name == "pictures" {
				require.ErrorIs(t, err, errEnhanced)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, scene.Note("shown"), message.Content)
			records, err := stage.Records(t.Context())
			require.NoError(t, err)
			assert.Equal(t, scene.Notes["ledger"], records)
		})
	}
}

// TestMessagesStayAsTheyWere: what the guard does not read reaches the model.
func TestMessagesStayAsTheyWere(t *testing.T) {
	url := "https://example.com/list.png"
	input := []*schema.Message{
		{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{
			{Type: schema.ChatMessagePartTypeText, Text: "hello, and good morning!"},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{
				MessagePartCommon: schema.MessagePartCommon{URL: &url},
			}},
		}},
	}
	answer := &schema.Message{
		Role: schema.Assistant, Content: "Good morning!",
		ReasoningContent: "I am greeted.", Extra: map[string]any{"signature": "abc"},
	}
	var seen []*schema.Message
	inner := func(_ context.Context, input []*schema.Message, _ ...model.Option) (*schema.Message, error) {
		seen = input
		return answer, nil
	}
	stage, _ := playtest.Open(t, playtest.Scene(t, "honest"), build)
	turn, err := stage.Guard.Begin(t.Context(), play.Input("hello, and good morning!"))
	require.NoError(t, err)
	got, err := generate(withTurn(t.Context(), turn), input, nil, inner)
	require.NoError(t, err)
	assert.Equal(t, answer, got)
	assert.Equal(t, input[0], seen[len(seen)-1])
}
