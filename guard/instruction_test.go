package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/policy"
)

func TestForcedInstruction(t *testing.T) {
	cases := []struct {
		name   string
		user   string
		limits guard.Capabilities
		role   guard.Role
	}{
		{"forced_one.txt", "delete Read book", guard.Capabilities{}, guard.RoleSystem},
		{"forced_two.txt", "delete Read book and add Buy milk", guard.Capabilities{NoLateSystem: true}, guard.RoleUser},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			model := guardtest.Script(guardtest.Say("Sure, done."), guardtest.Say("Really."))
			model.Limits = c.limits
			_, _ = guardFor(t, w, nil).Run(context.Background(), model, w, ask(c.user))
			messages := model.Requests()[1].Messages
			last := messages[len(messages)-1]
			if last.Role != c.role || !last.Internal {
				t.Errorf("the instruction is a %s message, internal %v", last.Role, last.Internal)
			}
			golden.Check(t, c.name, last.Text)
		})
	}
}

func TestSystemPromptComesFromTheDefinitions(t *testing.T) {
	w := newWorld()
	lookup := guard.Mode{Mode: policy.QuickLookup(), Instructions: "Answer in one sentence."}
	lookup.Deeper = ""
	checklist := &policy.Checklist{Steps: []policy.Step{{Name: "List the tasks", Tool: "list_tasks"}}, Resolving: []string{"delete_task"}}
	g := guardFor(t, w, func(o *guard.Options) {
		o.System = "You manage tasks. Internal: " + readBook + " is the first."
		o.Modes = []guard.Mode{lookup}
	})
	input := ask("hello")
	input.Mode, input.Task, input.Checklist = "quick_lookup", "finding-1", checklist
	turn, err := g.Begin(context.Background(), input)
	if err != nil {
		t.Fatal(err)
	}
	prompt := turn.Request(context.Background()).Messages[0]
	if prompt.Role != guard.RoleSystem || strings.Contains(prompt.Text, readBook) {
		t.Errorf("the prompt is a %s message: %s", prompt.Role, prompt.Text)
	}
	golden.Check(t, "system.txt", prompt.Text)
}
