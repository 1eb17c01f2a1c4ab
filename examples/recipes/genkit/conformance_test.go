package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

type taskArgs struct {
	ID any `json:"id,omitempty"`
}

type pageArgs struct {
	Limit any `json:"limit,omitempty"`
}

// open is an agent that remembers what was said.
func open(s *guardtest.Setting, streamed bool) guardtest.Talk {
	provider := &compat_oai.OpenAICompatible{Provider: "sim", APIKey: "no key", BaseURL: s.Address + "/v1"}
	g := genkit.Init(context.Background(), genkit.WithPlugins(provider))
	a := &assistant{genkit: g, guard: s.Guard}
	a.model = provider.DefineModel("sim", "sim", ai.ModelOptions{Supports: &compat_oai.Multimodal})
	for _, tool := range s.Tools {
		if tool.Name == "delete_task" {
			a.tools = append(a.tools, defineRecordedTool(g, tool.Name, tool.Description, execute[taskArgs](s, tool.Name)))
			continue
		}
		a.tools = append(a.tools, defineRecordedTool(g, tool.Name, tool.Description, execute[pageArgs](s, tool.Name)))
	}
	return playtest.Turned(s, streamed, func(
		ctx context.Context, turn *guard.Turn, said []guard.Message, hear func(string),
	) (*guard.Reply, error) {
		messages, err := fromGuard(said)
		require.NoError(s.T, err)
		return a.reply(ctx, turn, messages, hear)
	})
}

// execute runs a tool of the table.
func execute[In any](s *guardtest.Setting, name string) ai.ToolFunc[In, string] {
	return func(ctx *ai.ToolContext, in In) (string, error) {
		args, err := json.Marshal(in)
		if err != nil {
			return "", err
		}
		if strings.Contains(string(args), `"2"`) { // a slow one: Genkit runs calls at the same time, so others overtake it
			time.Sleep(200 * time.Millisecond)
		}
		body, err := s.Executor.Execute(ctx, tooltrack.Call{Tool: name, Args: args})
		return string(body), err
	}
}

func TestConformance(t *testing.T) {
	order := map[string]string{"parallel": "at the same time, each with its own result"}
	playtest.Table(t, guardtest.Adapter{Name: "genkit", Except: order}, open)
}
