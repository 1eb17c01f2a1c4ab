package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// behave plays the part that a scene asks for: with tool calls where tools are
// bound, and else in the format that the prompt explains.
func behave(ctx context.Context, request simmodel.Request) simmodel.Answer {
	for _, scene := range scenes {
		if request.Faults.Has(scene.name) {
			return spoken(request, simmodel.Script(scene.script...)(ctx, request))
		}
	}
	return simmodel.Say("I do not know this part.")
}

// spoken is the answer of a model that knows nothing of tool calls.
func spoken(request simmodel.Request, answer simmodel.Answer) simmodel.Answer {
	if len(request.Tools) > 0 || len(answer.Calls) == 0 {
		return answer
	}
	var text strings.Builder
	for _, call := range answer.Calls {
		fmt.Fprintf(&text, "TOOL_CALL\n{\"name\": %q, \"arguments\": %s}\nEND_TOOL_CALL\n", call.Name, call.Arguments)
	}
	return simmodel.Say(text.String())
}

func search(query string) simmodel.Answer {
	return simmodel.CallWith("web_search", map[string]any{"query": query})
}

func open(url string) simmodel.Answer {
	return simmodel.CallWith(toolAccess, map[string]any{"url": url})
}

func retrieve(id string) simmodel.Answer {
	return simmodel.CallWith("retrieve_context", map[string]any{"chunk_id": id})
}

func write(namespace, content string) simmodel.Answer {
	return simmodel.CallWith("memory_write", map[string]any{"namespace": namespace, "content": content})
}

func record(questions ...string) simmodel.Answer {
	return simmodel.CallWith(toolPlan, map[string]any{"sub_questions": questions})
}
