package stage_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func newTree(t *testing.T, files map[string]string) *stage.Tree {
	t.Helper()
	tree, err := stage.NewTree(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
	return tree
}

func TestTree(t *testing.T) {
	tree := newTree(t, map[string]string{"b.txt": "b", "sub/a.txt": "a"})
	if err := tree.Write("sub/deep/c.txt", "c"); err != nil {
		t.Fatal(err)
	}
	files, err := tree.Files()
	if err != nil || !slices.Equal(files, []string{"b.txt", "sub/a.txt", "sub/deep/c.txt"}) {
		t.Errorf("the files are %v, %v", files, err)
	}
	for _, path := range []string{"../x", "/etc/hosts", "sub/../../x", ".git/config", `sub\.git\config`, ""} {
		if _, err := tree.Read(path); err == nil {
			t.Errorf("%q was read", path)
		}
		if err := tree.Write(path, "x"); err == nil {
			t.Errorf("%q was written", path)
		}
	}
	if err := tree.Write("large", strings.Repeat("x", stage.MaxFile+1)); err == nil {
		t.Error("a file beyond the limit was written")
	}
}

// TestProgramsSeeNoKeys: what a model wrote may run there.
func TestProgramsSeeNoKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "do-not-show")
	printed, err := newTree(t, nil).Command(t.Context(), "", "go", "env", "GOPROXY")
	if err != nil || strings.TrimSpace(printed) != "off" {
		t.Errorf("got %q, %v", printed, err)
	}
	printed, err = newTree(t, nil).Command(t.Context(), "", "env")
	if err != nil {
		t.Skip("there is no env here")
	}
	if strings.Contains(printed, "do-not-show") {
		t.Error("a program sees the key")
	}
}

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
