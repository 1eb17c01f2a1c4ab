// Eino shows a guard around a ReAct agent of cloudwego/eino: its chat model and
// its tools are wrapped, so the guard's ledger sees every call before it runs.
//
//	go run -C examples/recipes ./eino
package main

import (
	"context"
	"errors"
	"io"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/guard"
)

func main() { play.Main(build) }

func build(ctx context.Context, stage *play.Stage) (play.Agent, error) {
	chatModel, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{BaseURL: stage.URL, APIKey: "no key", Model: "sim"})
	if err != nil {
		return nil, err
	}
	tools, err := toolsFor(stage.Tasks)
	if err != nil {
		return nil, err
	}
	agent, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: guardedModel{chatModel},
		ToolsConfig: compose.ToolsNodeConfig{
			Tools:               tools,
			ToolCallMiddlewares: []compose.ToolMiddleware{recordedTools()},
			ExecuteSequentially: true, // in the order in which the model called them
		},
	})
	if err != nil {
		return nil, err
	}
	a := &assistant{agent, stage.Guard}
	return a.answer, nil
}

type deleteArgs struct {
	Title string `json:"title" jsonschema:"required" jsonschema_description:"the title of the task"`
}

func toolsFor(tasks *play.Tasks) ([]tool.BaseTool, error) {
	deleteTask, err := utils.InferTool("delete_task", "Delete a task of the user.",
		func(_ context.Context, args deleteArgs) (string, error) { return tasks.Delete(args.Title) })
	if err != nil {
		return nil, err
	}
	listTasks, err := utils.InferTool("list_tasks", "List the tasks of the user.",
		func(context.Context, struct{}) (string, error) { return tasks.List() })
	return []tool.BaseTool{deleteTask, listTasks}, err
}

type assistant struct {
	agent *react.Agent
	guard *guard.Guard
}

// answer answers one message: a turn is begun, the agent works for it, and the turn says what may be shown.
func (a *assistant) answer(ctx context.Context, user string, hear func(string)) (string, error) {
	turn, err := a.guard.Begin(ctx, play.Input(user))
	if err != nil {
		return "", err
	}
	reply, err := a.reply(ctx, turn, []*schema.Message{schema.UserMessage(user)}, hear)
	return reply.Text, err
}

// reply lets the agent work for a turn, whose end it is.
func (a *assistant) reply(
	ctx context.Context, turn *guard.Turn, messages []*schema.Message, hear func(string),
) (*guard.Reply, error) {
	message, err := a.run(withTurn(ctx, turn), messages, hear)
	if err != nil {
		return turn.Fail(err)
	}
	return turn.End(ctx, message.Content)
}

func (a *assistant) run(ctx context.Context, input []*schema.Message, hear func(string)) (*schema.Message, error) {
	if hear == nil {
		return a.agent.Generate(ctx, input)
	}
	stream, err := a.agent.Stream(ctx, input)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	var pieces []*schema.Message
	for {
		piece, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return schema.ConcatMessages(pieces)
		}
		if err != nil {
			return nil, err
		}
		hear(piece.Content)
		pieces = append(pieces, piece)
	}
}
