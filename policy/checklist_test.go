package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// duplicates and complexity are two kinds of problems with a list each.
func duplicates() Checklist {
	return Checklist{
		Steps: []Step{
			{Name: "Read target files", Tool: "read_file", PathArg: "path", EachTarget: true},
			{Name: "Read ARCHITECTURE.md", Tool: "read_file", PathArg: "path", Path: "ARCHITECTURE.md"},
			{Name: "Compare implementations", Tool: "compare_files"},
		},
		Resolving: []string{"merge_files", "create_report"},
		Root:      "/repo",
	}
}

func complexity() Checklist {
	return Checklist{
		Steps:     []Step{{Name: "Analyze complexity", Tool: "analyze", Args: map[string]string{"kind": "complexity", "depth": "2"}}},
		Resolving: []string{"create_report"},
	}
}

var refactorTools = []tooltrack.Tool{{Name: "read_file"}, {Name: "compare_files"}, {Name: "analyze"}, {Name: "merge_files"}, {Name: "create_report"}, {Name: "list_files"}}

func read(path string, status tooltrack.Status) *tooltrack.Record {
	return recordOf("read_file", obj("path", path), status)
}

func complete() []*tooltrack.Record {
	return []*tooltrack.Record{
		read("src/a.go", tooltrack.Succeeded), read("src/b.go", tooltrack.Succeeded), read("ARCHITECTURE.md", tooltrack.Succeeded),
		recordOf("compare_files", `{}`, tooltrack.Succeeded),
	}
}

func TestChecklistItems(t *testing.T) {
	list := duplicates().For("src/a.go", "src/b.go")
	denied := read("ARCHITECTURE.md", tooltrack.Succeeded)
	denied.Ruling.Denied = true
	doubtful := read("ARCHITECTURE.md", tooltrack.Succeeded)
	doubtful.Result.Doubtful = "the text reads like an error"
	cases := []struct {
		name    string
		history []*tooltrack.Record
		missing string
	}{
		{"nothing", nil, "Read target files (src/a.go, src/b.go), Read ARCHITECTURE.md, Compare implementations"},
		{"all", complete(), ""},
		{"one of two targets", append(complete()[1:], nil), "Read target files (src/a.go)"},
		{"cleaned paths", []*tooltrack.Record{read("./src//a.go", tooltrack.Succeeded), read("src/x/../b.go", tooltrack.Succeeded), read("/repo/ARCHITECTURE.md", tooltrack.Succeeded)}, "Compare implementations"},
		{"a read in doubt", append(complete()[:2:2], doubtful), "Read ARCHITECTURE.md, Compare implementations"},
		{"failed reads", []*tooltrack.Record{read("src/a.go", tooltrack.Failed), read("src/b.go", tooltrack.Pending), read("ARCHITECTURE.md", tooltrack.Unknown)}, "Read target files (src/a.go, src/b.go), Read ARCHITECTURE.md, Compare implementations"},
		{"denied reads", []*tooltrack.Record{denied}, "Read target files (src/a.go, src/b.go), Read ARCHITECTURE.md, Compare implementations"},
		{"backup copy", append(complete()[:2], read("ARCHITECTURE.md.bak", tooltrack.Succeeded)), "Read ARCHITECTURE.md, Compare implementations"},
		{"same name elsewhere", append(complete()[:2], read("docs/ARCHITECTURE.md", tooltrack.Succeeded), read("/ARCHITECTURE.md", tooltrack.Succeeded), read("../ARCHITECTURE.md", tooltrack.Succeeded), read("/repository/ARCHITECTURE.md", tooltrack.Succeeded)), "Read ARCHITECTURE.md, Compare implementations"},
		{"other case", append(complete()[:2], read("architecture.md", tooltrack.Succeeded)), "Read ARCHITECTURE.md, Compare implementations"},
		{"path in another argument", append(complete()[:2], recordOf("read_file", `{"file":"ARCHITECTURE.md"}`, tooltrack.Succeeded)), "Read ARCHITECTURE.md, Compare implementations"},
		{"path is no text", append(complete()[:2], recordOf("read_file", `{"path":7}`, tooltrack.Succeeded)), "Read ARCHITECTURE.md, Compare implementations"},
		{"ambiguous arguments", append(complete()[:2], recordOf("read_file", `{"path":"x","path":"ARCHITECTURE.md"}`, tooltrack.Succeeded)), "Read ARCHITECTURE.md, Compare implementations"},
		{"list of paths", append(complete()[3:], recordOf("read_file", `{"path":["src/a.go","src/b.go","ARCHITECTURE.md"]}`, tooltrack.Succeeded)), ""},
		{"another tool", append(complete()[:2], recordOf("list_files", obj("path", "ARCHITECTURE.md"), tooltrack.Succeeded)), "Read ARCHITECTURE.md, Compare implementations"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			states, err := list.State(c.history)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(missingSteps(states), ", "); got != c.missing {
				t.Errorf("missing %q, want %q", got, c.missing)
			}
		})
	}
	other := complexity()
	for args, done := range map[string]bool{
		`{"kind":"complexity","depth":2}`: true, `{"kind":"complexity","depth":"2","more":1}`: true,
		`{"kind":"complexity","depth":3}`: false, `{"kind":"complexity"}`: false, `{"kind":"Complexity","depth":2}`: false, `nonsense`: false,
	} {
		states, err := other.State([]*tooltrack.Record{recordOf("analyze", args, tooltrack.Succeeded)})
		if err != nil || states[0].Done != done {
			t.Errorf("%s: done %v, %v", args, states[0].Done, err)
		}
	}
}

func TestChecklistGate(t *testing.T) {
	set := mustSet(t, refactorTools, nil)
	list := duplicates().For("src/a.go", "src/b.go")
	review := func(tool string, stage int, history []*tooltrack.Record) (Decision, error) {
		return set.Review(context.Background(), Proposal{Owner: "ada", Checklist: list, Stage: stage, History: history, Call: tooltrack.Call{Tool: tool, Args: json.RawMessage(`{}`)}})
	}
	text := ""
	for stage := 0; stage <= 5; stage++ { // no number of attempts opens the gate
		for _, tool := range []string{"merge_files", "create_report"} {
			d, err := review(tool, stage, complete()[:3])
			if err != nil || d.Kind != Deny || d.Rule != "checklist" || !strings.HasPrefix(d.Reason, "ANALYSIS INCOMPLETE. You MUST complete these steps first: ") {
				t.Errorf("stage %d, %s, incomplete: %s %s, %v", stage, tool, d.Kind, d.Reason, err)
			}
		}
		if d, err := review("list_files", stage, complete()[:3]); err != nil || d.Kind != Approve {
			t.Errorf("stage %d, exploring while incomplete: %s %s, %v", stage, d.Kind, d.Reason, err)
		}
		if d, err := review("merge_files", stage, complete()); err != nil || d.Kind != Approve {
			t.Errorf("stage %d, complete: %s %s, %v", stage, d.Kind, d.Reason, err)
		}
		d, err := review("list_files", stage, complete())
		if err != nil || d.Allowed() != (stage < 4) {
			t.Errorf("stage %d, exploring when complete: %s %s, %v", stage, d.Kind, d.Reason, err)
		}
		if stage > 0 {
			incomplete, _ := review("merge_files", stage, complete()[1:2])
			text += fmt.Sprintf("## attempt %d\nmerge_files: %s\nlist_files when complete: %s\n\n", stage, incomplete.Reason, d.Reason)
		}
	}
	golden.Check(t, "refusals.txt", text)
}

func TestChecklistEnds(t *testing.T) {
	set := mustSet(t, refactorTools, nil)
	list := duplicates().For("src/a.go", "src/b.go")
	list.MaxAttempts = 3
	for _, history := range [][]*tooltrack.Record{nil, complete()} {
		d, err := set.Review(context.Background(), Proposal{Owner: "ada", Checklist: list, Stage: 4, History: history, Call: tooltrack.Call{Tool: "create_report", Args: json.RawMessage(`{}`)}})
		var spent *AttemptsError
		if !errors.As(err, &spent) || d.Allowed() {
			t.Fatalf("%s, %v", d.Kind, err)
		}
		if spent.Attempt != 4 || spent.Max != 3 || len(spent.Items) != 3 || spent.Items[0].Done != (history != nil) {
			t.Errorf("%+v", spent)
		}
		if history == nil && spent.Error() != "attempt 4 is beyond the last (3); still missing: Read target files (src/a.go, src/b.go), Read ARCHITECTURE.md, Compare implementations" {
			t.Error(spent)
		}
	}
}

// Requests choose the list by the kind of problem; the set's own is the default.
func TestChecklistPerProblem(t *testing.T) {
	byKind := map[string]*Checklist{"duplicates": duplicates().For("src/a.go"), "complexity": complexity().For()}
	set := mustSet(t, refactorTools, &Options{Checklist: byKind["complexity"]})
	history := []*tooltrack.Record{recordOf("analyze", `{"kind":"complexity","depth":2}`, tooltrack.Succeeded)}
	for _, c := range []struct {
		list *Checklist
		want DecisionKind
	}{{nil, Approve}, {byKind["complexity"], Approve}, {byKind["duplicates"], Deny}} {
		d, err := set.Review(context.Background(), Proposal{Owner: "ada", Checklist: c.list, History: history, Call: tooltrack.Call{Tool: "create_report", Args: json.RawMessage(`{}`)}})
		if err != nil || d.Kind != c.want {
			t.Errorf("%s %s, %v", d.Kind, d.Reason, err)
		}
	}
}

func TestChecklistMistakes(t *testing.T) {
	noTargets := duplicates()
	if _, err := noTargets.State(nil); err == nil || !strings.Contains(err.Error(), "no targets") {
		t.Errorf("each of no targets: %v", err)
	}
	set := mustSet(t, refactorTools, nil)
	if d, err := set.Review(context.Background(), Proposal{Checklist: &noTargets, Call: tooltrack.Call{Tool: "merge_files"}}); err == nil || d.Allowed() {
		t.Errorf("a list that cannot be judged: %s, %v", d.Kind, err)
	}
	for name, list := range map[string]Checklist{
		"no steps":                 {Resolving: []string{"x"}},
		"no resolving tools":       {Steps: []Step{{Name: "a", Tool: "b"}}},
		"step without tool":        {Steps: []Step{{Name: "a"}}, Resolving: []string{"x"}},
		"path without argument":    {Steps: []Step{{Name: "a", Tool: "b", Path: "c"}}, Resolving: []string{"x"}},
		"path and each target":     {Steps: []Step{{Name: "a", Tool: "b", PathArg: "p", Path: "c", EachTarget: true}}, Resolving: []string{"x"}},
		"step is a resolving tool": {Steps: []Step{{Name: "a", Tool: "x"}}, Resolving: []string{"x"}},
		"negative number of tries": {Steps: []Step{{Name: "a", Tool: "b"}}, Resolving: []string{"x"}, MaxAttempts: -1},
	} {
		if list.Validate() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestChecklistPrompt(t *testing.T) {
	list := duplicates().For("src/a.go", "src/b.go")
	text := ""
	for _, c := range []struct {
		attempt int
		history []*tooltrack.Record
	}{{1, nil}, {2, complete()[:1]}, {3, complete()[:3]}, {3, complete()}, {4, complete()}} {
		prompt, err := list.Prompt(c.history, c.attempt, 5)
		if err != nil {
			t.Fatal(err)
		}
		text += prompt + "\n----\n"
	}
	other := complexity()
	prompt, err := other.Prompt(nil, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "checklist.txt", text+prompt)
	noTargets := duplicates()
	if _, err := noTargets.Prompt(nil, 1, 5); err == nil {
		t.Error("a list that cannot be judged has a prompt")
	}
}
