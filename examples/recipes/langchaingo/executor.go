package main

import (
	"context"
	"encoding/json"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Langchaingo's agents run tools themselves. Their tools take one text, which the model sends under this name.
const onlyArg = "__arg1"

// described is a tool of langchaingo's, for the guard.
func described(tool tools.Tool, effect tooltrack.Effect, kind string) tooltrack.Tool {
	return tooltrack.Tool{
		Name: tool.Name(), Description: tool.Description(), Effect: effect,
		Subject: tooltrack.SubjectArg{Arg: onlyArg, Kind: kind},
	}
}

// recordedTool runs a tool under the ledger. A call that failed is told to the
// model; without it, a failed tool ends langchaingo's run.
type recordedTool struct {
	tools.Tool
	described tooltrack.Tool
	turn      *tooltrack.Turn
	told      play.Run
}

func (r recordedTool) Call(ctx context.Context, input string) (string, error) {
	args, err := json.Marshal(map[string]string{onlyArg: input})
	if err != nil {
		return "", err
	}
	run := func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
		text, err := r.Tool.Call(ctx, input)
		return []byte(text), err
	}
	done, err := r.turn.Do(ctx, r.described, tooltrack.Call{Tool: r.Name(), Args: args}.WithID(), nil, run)
	if err != nil {
		return "", err
	}
	return r.told.Tell(done), nil
}

// deleteTask is a tool as langchaingo's users write one.
type deleteTask struct{ tasks *play.Tasks }

func (deleteTask) Name() string        { return "delete_task" }
func (deleteTask) Description() string { return "Delete a task of the user." }
func (d deleteTask) Call(_ context.Context, title string) (string, error) {
	return d.tasks.Delete(title)
}

// answerByExecutor is the loop that langchaingo brings along.
func answerByExecutor(ctx context.Context, llm llms.Model, stage *play.Stage, user string) (string, error) {
	ctx = guard.NewContext(ctx, guard.Input{Owner: play.Owner, Turn: play.Turn})
	turn, err := stage.Ledger.Open(tooltrack.Scope{Owner: play.Owner, Turn: play.Turn})
	if err != nil {
		return "", err
	}
	tool := deleteTask{stage.Tasks}
	recorded := recordedTool{tool, described(tool, tooltrack.Changes, "task"), turn, play.Run{}}
	executor := agents.NewExecutor(agents.NewOpenAIFunctionsAgent(llm, []tools.Tool{recorded}))
	return chains.Run(ctx, executor, user)
}
