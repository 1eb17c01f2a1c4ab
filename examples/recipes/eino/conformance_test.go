package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// described is a tool of the table.
type described struct {
	tooltrack.Tool
	executor guard.Executor
}

func (d described) Info(context.Context) (*schema.ToolInfo, error) {
	params := new(jsonschema.Schema)
	if err := json.Unmarshal(d.Parameters, params); err != nil {
		return nil, err
	}
	return &schema.ToolInfo{Name: d.Name, Desc: d.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(params)}, nil
}

func (d described) InvokableRun(ctx context.Context, args string, _ ...tool.Option) (string, error) {
	body, err := d.executor.Execute(ctx, tooltrack.Call{Tool: d.Name, Args: json.RawMessage(args)})
	return string(body), err
}

// open is an agent that remembers what was said.
func open(s *guardtest.Setting, streamed bool) guardtest.Talk {
	chatModel, err := openai.NewChatModel(context.Background(), &openai.ChatModelConfig{
		BaseURL: s.Address + "/v1", APIKey: "no key", Model: "sim",
	})
	require.NoError(s.T, err)
	var tools []tool.BaseTool
	for _, tool := range s.Tools {
		tools = append(tools, described{tool, s.Executor})
	}
	agent, err := react.NewAgent(context.Background(), &react.AgentConfig{
		ToolCallingModel: guardedModel{chatModel},
		ToolsConfig: compose.ToolsNodeConfig{
			Tools: tools, ToolCallMiddlewares: []compose.ToolMiddleware{recordedTools()}, ExecuteSequentially: true,
		},
	})
	require.NoError(s.T, err)
	a := &assistant{agent, s.Guard}
	return playtest.Turned(s, streamed, func(
		ctx context.Context, turn *guard.Turn, said []guard.Message, hear func(string),
	) (*guard.Reply, error) {
		var messages []*schema.Message
		for _, message := range said {
			converted, err := fromGuard(message)
			require.NoError(s.T, err)
			messages = append(messages, converted)
		}
		return a.reply(ctx, turn, messages, hear)
	})
}

func TestConformance(t *testing.T) {
	retries := map[string]string{"retry": "no: its client does not retry"}
	playtest.Table(t, guardtest.Adapter{Name: "eino", Except: retries}, open)
}
