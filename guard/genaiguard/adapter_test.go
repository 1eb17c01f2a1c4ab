package genaiguard_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/genaiguard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/promisetable"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// clientOf is a client of a server on loopback that retries at once.
func clientOf(t testing.TB, address string, vertex bool, through *http.Client) *genai.Client {
	retry := &genai.HTTPRetryOptions{Attempts: genai.Ptr[int32](3), InitialDelay: genai.Ptr(0.001), Jitter: genai.Ptr(0.0)}
	config := &genai.ClientConfig{
		APIKey: "test-key", Backend: genai.BackendGeminiAPI, HTTPClient: through,
		HTTPOptions: genai.HTTPOptions{BaseURL: address, RetryOptions: retry},
	}
	if vertex {
		config.Backend, config.APIKey, config.Project, config.Location = genai.BackendVertexAI, "", "p", "global"
		if through == nil {
			config.HTTPClient = &http.Client{}
		}
	}
	client, err := genai.NewClient(context.Background(), config)
	require.NoError(t, err)
	return client
}

// loop is an agent loop as people write it, with no knowledge of a guard.
type loop struct {
	client   *genai.Client
	config   *genai.GenerateContentConfig
	executor guard.Executor
	streamed bool
	contents []*genai.Content
}

// say sends a message and returns what the user reads.
func (l *loop) say(ctx context.Context, user string) (string, error) {
	l.contents = append(l.contents, genai.NewContentFromText(user, genai.RoleUser))
	var read strings.Builder
	for {
		content, err := l.ask(ctx, &read)
		if err != nil {
			return read.String(), err
		}
		if len(content.Parts) > 0 {
			l.contents = append(l.contents, content)
		}
		var results []*genai.Part
		for _, part := range content.Parts {
			if call := part.FunctionCall; call != nil {
				args, err := json.Marshal(call.Args)
				if err != nil {
					return "", err
				}
				said := map[string]any{}
				body, err := l.executor.Execute(ctx, tooltrack.Call{ID: call.ID, Tool: call.Name, Args: args})
				if said["output"] = string(body); err != nil {
					said = map[string]any{"error": err.Error()}
				}
				results = append(results, &genai.Part{FunctionResponse: &genai.FunctionResponse{ID: call.ID, Name: call.Name, Response: said}})
			}
		}
		if results == nil {
			return read.String(), nil
		}
		l.contents = append(l.contents, &genai.Content{Role: genai.RoleUser, Parts: results})
	}
}

func (l *loop) ask(ctx context.Context, read *strings.Builder) (*genai.Content, error) {
	if !l.streamed {
		response, err := l.client.Models.GenerateContent(ctx, "sim", l.contents, l.config)
		if err != nil {
			return nil, err
		}
		return shown(response, read), nil
	}
	all := &genai.Content{Role: genai.RoleModel}
	for response, err := range l.client.Models.GenerateContentStream(ctx, "sim", l.contents, l.config) {
		if err != nil {
			return nil, err
		}
		all.Parts = append(all.Parts, shown(response, read).Parts...)
	}
	return all, nil
}

// shown is the content of an answer, whose text the user reads.
func shown(response *genai.GenerateContentResponse, read *strings.Builder) *genai.Content {
	content := response.Candidates[0].Content
	for _, part := range content.Parts {
		if !part.Thought {
			read.WriteString(part.Text)
		}
	}
	return content
}

func toolsOf(tools []tooltrack.Tool) []*genai.Tool {
	var declared []*genai.FunctionDeclaration
	for _, tool := range tools {
		declared = append(declared, &genai.FunctionDeclaration{Name: tool.Name, Description: tool.Description, ParametersJsonSchema: tool.Parameters})
	}
	return []*genai.Tool{{FunctionDeclarations: declared}}
}

// openLoop is a loop whose client has the guard's transport.
func openLoop(vertex, streamed bool) func(s *guardtest.Setting) guardtest.Talk {
	return func(s *guardtest.Setting) guardtest.Talk {
		config := &genai.GenerateContentConfig{Tools: toolsOf(s.Tools), SystemInstruction: genai.NewContentFromText("Be brief.", genai.RoleUser)}
		l := &loop{client: clientOf(s.T, s.Address, vertex, genaiguard.HTTPClient(s.Guard, nil, nil)), config: config, executor: s.Executor, streamed: streamed}
		return l.say
	}
}

// openModel lets the guard run the turn.
func openModel(vertex, streamed bool) func(s *guardtest.Setting) guardtest.Talk {
	return func(s *guardtest.Setting) guardtest.Talk {
		config := &genai.GenerateContentConfig{Temperature: genai.Ptr[float32](0), SystemInstruction: genai.NewContentFromText("Be brief.", genai.RoleUser)}
		model, err := genaiguard.NewModel(clientOf(s.T, s.Address, vertex, nil), "sim", &genaiguard.Options{Config: config})
		require.NoError(s.T, err)
		return guardtest.Conversation(s.Guard, model, s.Executor, streamed)
	}
}

func adapters() []guardtest.Adapter {
	messagesOnly := map[string]string{
		"written": "no: it does not run it", "once": "no: it does not run it", "error": "status 400 with code and account",
	}
	var list []guardtest.Adapter
	for variant, how := range map[string][2]bool{
		"": {}, "streamed": {false, true}, "Vertex": {true, false}, "Vertex, streamed": {true, true},
	} {
		list = append(list,
			guardtest.Adapter{Name: "genaiguard.Model", Variant: variant, Open: openModel(how[0], how[1]), Wire: true, Streams: how[1]},
			guardtest.Adapter{Name: "genaiguard.HTTPClient", Variant: variant, Open: openLoop(how[0], how[1]), Wire: true, Streams: how[1], Except: messagesOnly})
	}
	return list
}

func TestAdapters(t *testing.T) {
	promisetable.Check(t, guardtest.Promises(), guardtest.TestAdapters(t, adapters()...))
}

// TestARefusalIsAnAPIError: the client reads it, and what a program wants to know is in its
// details.
func TestARefusalIsAnAPIError(t *testing.T) {
	lie := guardtest.Say("I've deleted Read book.")
	for _, streamed := range []bool{false, true} {
		talk, _ := open(t, openLoop(false, streamed), lie, lie, lie, lie)
		_, err := talk(context.Background(), "delete Read book")
		var told genai.APIError
		require.True(t, errors.As(err, &told), "%v", err)
		require.Equal(t, http.StatusBadRequest, told.Code)
		require.Contains(t, []any{"tool_not_triggered", "insufficient_progress"}, told.Details[0]["reason"])
		require.Contains(t, told.Message, "Nothing was changed")
	}
}
