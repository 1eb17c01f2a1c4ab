// Genkit shows a guard around genkit.Generate: the model gets a middleware, and
// the tools run under the ledger. It works with models of any plugin.
//
//	go run -C examples/recipes ./genkit
package main

import (
	"context"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/guard"
)

func main() { play.Main(build) }

func build(ctx context.Context, stage *play.Stage) (play.Agent, error) {
	provider := &compat_oai.OpenAICompatible{Provider: "sim", APIKey: "no key", BaseURL: stage.URL}
	g := genkit.Init(ctx, genkit.WithPlugins(provider))
	model := provider.DefineModel("sim", "sim", ai.ModelOptions{Supports: &compat_oai.Multimodal})
	tools := []ai.ToolRef{
		defineRecordedTool(g, "delete_task", "Delete a task of the user.",
			func(_ *ai.ToolContext, args deleteArgs) (string, error) { return stage.Tasks.Delete(args.Title) }),
		defineRecordedTool(g, "list_tasks", "List the tasks of the user.",
			func(*ai.ToolContext, struct{}) (string, error) { return stage.Tasks.List() }),
	}
	a := &assistant{g, stage.Guard, model, tools}
	return a.answer, nil
}

type deleteArgs struct {
	Title string `json:"title" jsonschema_description:"the title of the task"`
}

type assistant struct {
	genkit *genkit.Genkit
	guard  *guard.Guard
	model  ai.Model
	tools  []ai.ToolRef
}

// answer answers one message: a turn is begun, Genkit works for it, and the turn says what may be shown.
func (a *assistant) answer(ctx context.Context, user string, hear func(string)) (string, error) {
	turn, err := a.guard.Begin(ctx, play.Input(user))
	if err != nil {
		return "", err
	}
	reply, err := a.reply(ctx, turn, []*ai.Message{ai.NewUserTextMessage(user)}, hear)
	return reply.Text, err
}

// reply lets Genkit work for a turn, whose end it is.
func (a *assistant) reply(
	ctx context.Context, turn *guard.Turn, messages []*ai.Message, hear func(string),
) (*guard.Reply, error) {
	options := []ai.GenerateOption{
		ai.WithModel(a.model), ai.WithTools(a.tools...), ai.WithMessages(messages...), ai.WithMiddleware(guardedModel),
	}
	if hear != nil {
		options = append(options, ai.WithStreaming(func(_ context.Context, chunk *ai.ModelResponseChunk) error {
			hear(chunk.Text())
			return nil
		}))
	}
	response, err := genkit.Generate(withTurn(ctx, turn), a.genkit, options...)
	if err != nil {
		return turn.Fail(err)
	}
	return turn.End(ctx, response.Text())
}
