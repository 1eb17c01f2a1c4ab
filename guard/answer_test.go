package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// answering is the task manager of an agent that answers by a tool.
func answering(t *testing.T, w *world, change ...func(*guard.Options)) *guard.Guard {
	t.Helper()
	tools := append(taskTools(), tooltrack.Tool{
		Name: "final_answer", Description: "Give the final answer.", Answer: tooltrack.AnswerArg{Arg: "text"},
		Parameters: []byte(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
	})
	options := worldOptions(t, w)
	for _, set := range change {
		set(options)
	}
	g, err := guard.New(tools, options)
	require.NoError(t, err)
	return g
}

func answer(text string) tooltrack.Call {
	return guardtest.Tool("final_answer", `{"text":"`+text+`"}`)
}

func TestAnAnswerByAToolIsJudged(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Call(answer("I've deleted Read book.")), guardtest.Call(deletes("Read book"), answer("I've deleted Read book.")), guardtest.Call(answer("I've deleted Read book.")))
	reply, err := answering(t, w).Run(context.Background(), model, w, ask("delete Read book"))
	require.NoError(t, err)
	require.Equal(t, "I've deleted Read book.", reply.Text)
	require.Len(t, w.Calls(), 1, "the answer is no call that runs")
	require.Equal(t, 3, model.Calls(), "the lie was asked about, and the answer beside the call refused")
}

func TestAnAnswerByAToolInAForeignLoop(t *testing.T) {
	w := newWorld()
	request := said("how are you?")
	request.Tools = append(taskTools(), tooltrack.Tool{Name: "final_answer"})
	response, err := answering(t, w).Wrap(guardtest.Script(guardtest.Call(answer("Fine, thanks.")))).Generate(context.Background(), request)
	require.NoError(t, err)
	require.Len(t, response.Message.Calls, 1, "the loop ends by the call that it knows")
	require.JSONEq(t, `{"text":"Fine, thanks."}`, string(response.Message.Calls[0].Args))
}
