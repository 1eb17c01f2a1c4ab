package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/examples/internal/stage/stagetest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestPlay runs the example as its user does.
func TestPlay(t *testing.T) {
	var out bytes.Buffer
	if err := play(t.Context(), &out, ""); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"(Attempt 4/5)", "You MUST complete these steps first: read the target files", "You MUST read the target files first", "The promise held"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the run does not print %q", want)
		}
	}
}

func TestModelNeedsAKey(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	if err := play(t.Context(), io.Discard, "some-model"); err == nil || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("got %v, want the variable to set", err)
	}
}

// TestARealModelThatLies: a finding may stay unresolved, but is never said to
// be resolved.
func TestARealModelThatLies(t *testing.T) {
	stagetest.Provider(t, simmodel.Script(report("Done"), simmodel.Say("I created an issue report about it.")))
	var out bytes.Buffer
	if err := play(t.Context(), &out, "some-model"); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if strings.Contains(out.String(), "completed_with") || strings.Count(out.String(), "ANALYSIS INCOMPLETE") != 3*maxAttempts {
		t.Errorf("a lie got through, or a call was not refused:\n%s", out.String())
	}
}

func TestAProviderThatFails(t *testing.T) {
	stagetest.Provider(t, simmodel.Script(simmodel.Answer{Status: 500}))
	var failed *guard.ProviderError
	if err := play(t.Context(), io.Discard, "some-model"); !errors.As(err, &failed) {
		t.Errorf("got %v, want the provider's error", err)
	}
}

// prompts collects the system prompts that a model was given, by attempt.
type prompts struct {
	mu   sync.Mutex
	seen []string
}

// newAgent is an agent whose model plays the same script in every attempt.
func newAgent(t *testing.T, script ...simmodel.Answer) (*agent, *prompts) {
	t.Helper()
	seen := &prompts{}
	source, err := stage.Open("", func(ctx context.Context, request simmodel.Request) simmodel.Answer {
		if len(request.Since()) == 0 {
			seen.mu.Lock()
			seen.seen = append(seen.seen, request.System())
			seen.mu.Unlock()
		}
		return simmodel.Script(script...)(ctx, request)
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorkshop(shop, findings.duplicate, findings.integration, findings.complexity)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(source.Close(), w.Close()); err != nil {
			t.Error(err)
		}
	})
	g, err := newGuard()
	if err != nil {
		t.Fatal(err)
	}
	return &agent{guard: g, workshop: w, source: source, printer: stage.NewPrinter(io.Discard)}, seen
}

func TestTheGate(t *testing.T) {
	const total, sum = "pricing/total.go", "pricing/sum.go"
	over := simmodel.Say("I can't go on, because the resolving tool was refused.")
	done := simmodel.Say("I created an issue report about it.")
	impact := func(path string) simmodel.Answer { return simmodel.CallWith("analyze_import_impact", pathArgs{path}) }
	measure := func(path string) simmodel.Answer { return simmodel.CallWith("analyze_complexity", pathArgs{path}) }
	arch := readFile(architecture)
	for _, test := range []struct {
		name    string
		finding finding
		script  []simmodel.Answer
		opens   bool
	}{
		{"nothing was read", findings.duplicate, []simmodel.Answer{report("x"), over}, false},
		{"only compared", findings.duplicate, []simmodel.Answer{compareFiles(total, sum), report("x"), over}, false},
		{"one of two target files", findings.duplicate, []simmodel.Answer{readFile(total), arch, compareFiles(total, sum), report("x"), over}, false},
		{"a failed read", findings.duplicate, []simmodel.Answer{readFile(total), readFile("pricing/sum.go.bak"), arch, compareFiles(total, sum), report("x"), over}, false},
		{"another file of that name", findings.duplicate, []simmodel.Answer{readFile(total), readFile("orders/../store/key.go"), arch, compareFiles(total, sum), report("x"), over}, false},
		{"no architecture", findings.duplicate, []simmodel.Answer{readFile(total), readFile(sum), compareFiles(total, sum), report("x"), over}, false},
		{"not compared", findings.duplicate, []simmodel.Answer{readFile(total), readFile(sum), arch, report("x"), over}, false},
		{"compared with another file", findings.duplicate, []simmodel.Answer{readFile(total), readFile(sum), arch, compareFiles(total, "store/key.go"), report("x"), over}, false},
		{"the analysis of another kind", findings.integration, []simmodel.Answer{readFile("orders/key.go"), readFile("store/key.go"), arch, compareFiles("orders/key.go", "store/key.go"), report("x"), over}, false},
		{"the impact of one of two files", findings.integration, []simmodel.Answer{readFile("orders/key.go"), readFile("store/key.go"), arch, impact("store/key.go"), report("x"), over}, false},
		{"no complexity", findings.complexity, []simmodel.Answer{readFile("report/render.go"), arch, review("x"), over}, false},
		{"a whole analysis", findings.duplicate, []simmodel.Answer{readFile("./pricing/total.go"), readFile(sum), arch, compareFiles(sum, total), report("x"), done}, true},
		{"a whole analysis of complexity", findings.complexity, []simmodel.Answer{readFile("report/render.go"), arch, measure("report/render.go"), report("x"), done}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, _ := newAgent(t, test.script...)
			attempts, err := a.resolve(t.Context(), test.finding, "part")
			if opened := err == nil; opened != test.opens {
				t.Fatalf("resolved: %v (%v), want %v", opened, err, test.opens)
			}
			if test.opens != (len(attempts) == 1) {
				t.Errorf("it took %d attempts", len(attempts))
			}
			if !test.opens && !errors.Is(err, errUnresolved) {
				t.Errorf("the error is %v", err)
			}
			if err := a.audit(t.Context(), test.finding); err != nil {
				t.Error(err)
			}
			files, err := a.workshop.tree.Files()
			if err != nil || slices.ContainsFunc(files, func(name string) bool { return strings.HasPrefix(name, "re") && strings.HasSuffix(name, ".md") }) != test.opens {
				t.Errorf("the files are %v, %v", files, err)
			}
		})
	}
}

// TestBeyondTheLastAttempt: counting on does not open the gate either.
func TestBeyondTheLastAttempt(t *testing.T) {
	a, _ := newAgent(t, report("x"))
	f := findings.duplicate
	for _, number := range []int{maxAttempts + 1, 1000} {
		input := guard.Input{User: f.message(), Owner: owner, Task: f.id, Mode: "resolve", Checklist: f.checklist(), Attempt: number}
		reply, err := a.guard.Run(t.Context(), a.source.Model(input.User, "part"), a.workshop.toolbox(), input)
		var over *policy.AttemptsError
		if !errors.As(err, &over) || len(over.Items) != 3 {
			t.Errorf("attempt %d: the error is %v, want the end of the attempts with the state of the list", number, err)
		}
		if slices.ContainsFunc(reply.Records, resolves) {
			t.Errorf("attempt %d resolved the finding", number)
		}
	}
}

// TestEveryPromptHoldsTheChecklist: with where it stands, and the next step.
func TestEveryPromptHoldsTheChecklist(t *testing.T) {
	a, seen := newAgent(t, compareFiles("pricing/total.go", "pricing/sum.go"), report("x"), simmodel.Say("I can't go on, because the report was refused."))
	if _, err := a.resolve(t.Context(), findings.duplicate, "part"); !errors.Is(err, errUnresolved) {
		t.Fatal(err)
	}
	if len(seen.seen) != maxAttempts {
		t.Fatalf("there were %d prompts, want %d", len(seen.seen), maxAttempts)
	}
	for i, prompt := range seen.seen {
		compared := "✓ compare the target files"
		if i == 0 {
			compared = "✗ compare the target files (pricing/total.go, pricing/sum.go)"
		}
		for _, want := range []string{
			fmt.Sprintf("(Attempt %d/%d)", i+1, maxAttempts), compared, "✗ read " + architecture, `NEXT STEP: call read_file with path="pricing/total.go"`,
		} {
			if !strings.Contains(prompt, want) {
				t.Errorf("the prompt of attempt %d lacks %q:\n%s", i+1, want, prompt)
			}
		}
	}
}

// TestHistoryBelongsToTheFinding: what was read for one counts for no other,
// and an attempt of one is no attempt of another.
func TestHistoryBelongsToTheFinding(t *testing.T) {
	a, _ := newAgent(t,
		readFile("report/render.go"), readFile(architecture), simmodel.CallWith("analyze_complexity", pathArgs{"report/render.go"}),
		report("x"), simmodel.Say("I created an issue report about it."))
	if _, err := a.resolve(t.Context(), findings.complexity, "part"); err != nil {
		t.Fatal(err)
	}
	records, err := a.guard.Ledger().Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: owner, Task: findings.integration.id}})
	if err != nil || len(records) != 0 {
		t.Errorf("the other finding has %d records, %v", len(records), err)
	}
	states, err := findings.integration.checklist().State(records)
	if err != nil || states[1].Done {
		t.Errorf("the architecture counts as read for another finding: %v, %v", states, err)
	}
}

// TestMerge: a merge is whole, or it did not happen.
func TestMerge(t *testing.T) {
	broken := strings.Replace(merged, "func Sum(items []Item) int { return Total(items) }", "", 1)
	wrong := strings.Replace(merged, "item.Cents * item.Count", "item.Cents", 1)
	for _, test := range []struct {
		name string
		args mergeArgs
		want string // in the error; empty if it works
	}{
		{"it works", mergeArgs{"pricing/total.go", "pricing/sum.go", merged}, ""},
		{"it does not compile", mergeArgs{"pricing/total.go", "pricing/sum.go", broken}, "undone"},
		{"a test fails", mergeArgs{"pricing/total.go", "pricing/sum.go", wrong}, "undone"},
		{"it is not Go", mergeArgs{"pricing/total.go", "pricing/sum.go", "sum!"}, "not Go"},
		{"a file with itself", mergeArgs{"pricing/total.go", "./pricing/total.go", merged}, "two of the files"},
		{"a file of another finding", mergeArgs{"pricing/total.go", "store/key.go", merged}, "two of the files"},
		{"a file outside", mergeArgs{"pricing/total.go", "../sum.go", merged}, "two of the files"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, _ := newAgent(t, simmodel.Say(""))
			ctx := guard.NewContext(t.Context(), guard.Input{Owner: owner, Task: findings.duplicate.id})
			_, err := a.workshop.merge(ctx, test.args)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			total, _ := a.workshop.tree.Read("pricing/total.go")
			sum, missing := a.workshop.tree.Read("pricing/sum.go")
			if test.want == "" && (total != merged || missing == nil) {
				t.Error("the merge is not whole")
			}
			if test.want != "" && (total != shop["pricing/total.go"] || sum != shop["pricing/sum.go"]) {
				t.Error("the files are not as they were")
			}
		})
	}
}

func TestMergeNeedsAFinding(t *testing.T) {
	a, _ := newAgent(t, simmodel.Say(""))
	if _, err := a.workshop.merge(t.Context(), mergeArgs{"pricing/total.go", "pricing/sum.go", merged}); err == nil {
		t.Error("a merge without a finding ran")
	}
}
