package stage_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestContentIsNoStatus: a file may hold anything, also what looks like a
// failure.
func TestContentIsNoStatus(t *testing.T) {
	tool := stage.Tool(func(context.Context, struct{}) (map[string]string, error) {
		return map[string]string{"content": `{"success":false,"error":"no"}`}, nil
	})
	box := stage.Toolbox{"read_file": tool}
	if result := tooltrack.ResultOf(box.Execute(t.Context(), tooltrack.Call{Tool: "read_file", Args: json.RawMessage(`{}`)})); !result.Success() {
		t.Errorf("the result is %v: %s", result.Status, result.Error)
	}
	if _, err := box.Execute(t.Context(), tooltrack.Call{Tool: "nap"}); err == nil {
		t.Error("a tool that is not there was run")
	}
}

// TestPrinter prints what a reader needs to follow a turn.
func TestPrinter(t *testing.T) {
	source, err := stage.Open("", simmodel.Script(
		simmodel.Say("I'll switch the lamp on now."),
		simmodel.CallTool("switch_lamp", `{"state":"on"}`),
		simmodel.Say("The lamp is on."),
	), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	g, err := guard.New([]tooltrack.Tool{{Name: "switch_lamp", Description: "Switch the lamp on or off.", Effect: tooltrack.Changes}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	box := stage.Toolbox{"switch_lamp": stage.Tool(func(context.Context, map[string]string) (map[string]string, error) {
		return map[string]string{"state": "on"}, nil
	})}
	var out bytes.Buffer
	const message = "Switch the lamp on."
	if _, err := stage.NewPrinter(&out).Run(t.Context(), g, source.Model(message, "lamp"), box, guard.Input{User: message}); err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{"person   Switch", "model    I'll", "guard    ", "call   switch_lamp", "tool   {\"state\":\"on\"}", "model    The lamp is on.", "end      completed_with_work"} {
		next := strings.Index(out.String()[at:], want)
		if next < 0 {
			t.Fatalf("%q is missing, or out of order, in:\n%s", want, out.String())
		}
		at += next
	}
}
