package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
)

const (
	refactoring = "/refactor pricing/sum.go pricing/total.go"
	sum, total  = "pricing/sum.go", "pricing/total.go"
	plans       = "ARCHITECTURE.md"
)

// TestTheGate: nothing but the whole analysis lets an edit through, however often it is tried.
func TestTheGate(t *testing.T) {
	over := simmodel.Say("I can't go on, because the edit was refused.")
	edit := write(sum, oneSum)
	for _, test := range []struct {
		name   string
		script []simmodel.Answer
		opens  bool
	}{
		{"nothing was read", []simmodel.Answer{edit, over}, false},
		{"one of two target files", []simmodel.Answer{readFile(total), readFile(plans), edit, over}, false},
		{"a failed read", []simmodel.Answer{readFile(total), readFile(sum + ".bak"), readFile(plans), edit, over}, false},
		{"another file of that name", []simmodel.Answer{readFile(total), readFile("pricing/../orders/sum.go"), readFile(plans), edit, over}, false},
		{"no architecture", []simmodel.Answer{readFile(total), readFile(sum), edit, over}, false},
		{"only searched", []simmodel.Answer{simmodel.CallWith("search", map[string]string{"text": "Sum"}), edit, over}, false},
		{"by a patch", []simmodel.Answer{patch(sum, multiply), over}, false},
		{"a whole analysis", []simmodel.Answer{readFile("./" + total), readFile(sum), readFile(plans), edit, simmodel.Say("I changed pricing/sum.go: Sum calls Total now.")}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, source, repository := rehearsal(t, test.script...)
			prompts := &strings.Builder{}
			reply, err := attempt(t.Context(), g, source, stage.NewPrinter(prompts), simmodel.Scene{Name: "part"}, repository, read(refactoring))
			if reply == nil {
				t.Fatal(err)
			}
			changed, err := repository.changed(t.Context())
			if err != nil || slices.Equal(changed, []string{sum}) != test.opens || !test.opens && len(changed) > 0 {
				t.Errorf("changed are %v, %v", changed, err)
			}
			attempts := map[bool]int{true: 1, false: 5}[test.opens]
			for i := range 5 {
				if shown := strings.Contains(prompts.String(), fmt.Sprintf("(Attempt %d/5)", i+1)); shown != (i < attempts) {
					t.Errorf("attempt %d is shown: %v", i+1, shown)
				}
			}
		})
	}
}

// rehearsal is an agent whose model plays the same script in every attempt.
func rehearsal(t *testing.T, script ...simmodel.Answer) (*guard.Guard, *stage.Source, *repository) {
	t.Helper()
	source, err := stage.Open("", simmodel.Script(script...), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = source.Close() })
	g, err := newGuard()
	if err != nil {
		t.Fatal(err)
	}
	return g, source, newTestRepository(t, shop)
}

// TestBeyondTheLastAttempt: counting on does not open the gate either.
func TestBeyondTheLastAttempt(t *testing.T) {
	g, source, repository := rehearsal(t, write(sum, oneSum))
	for _, number := range []int{6, 1000} {
		input := read(refactoring)
		input.Attempt = number
		reply, err := g.Run(t.Context(), source.Model(input.User, "part"), repository.toolbox(), input)
		var over *policy.AttemptsError
		if !errors.As(err, &over) || len(over.Items) != 2 {
			t.Errorf("attempt %d: the error is %v, want the end of the attempts with the state of the list", number, err)
		}
		if len(touched(reply)) > 0 {
			t.Errorf("attempt %d edited %v", number, touched(reply))
		}
	}
}

// TestHistoryBelongsToTheTask: what was read for one refactoring counts for no other.
func TestHistoryBelongsToTheTask(t *testing.T) {
	g, source, repository := rehearsal(t, readFile(sum), readFile(total), readFile(plans),
		simmodel.Say("I can't refactor them, because I need to know which of them should stay. Please tell me."))
	printer := stage.NewPrinter(&strings.Builder{})
	if _, err := attempt(t.Context(), g, source, printer, simmodel.Scene{Name: "part"}, repository, read(refactoring)); err != nil {
		t.Fatal(err)
	}
	other := &strings.Builder{}
	_, _ = attempt(t.Context(), g, source, stage.NewPrinter(other), simmodel.Scene{Name: "other"}, repository, read("/refactor "+sum+" calc.go"))
	if first, _, _ := strings.Cut(other.String(), "NEXT STEP"); !strings.Contains(first, "✗ read ARCHITECTURE.md") {
		t.Errorf("the other refactoring begins with %s", first)
	}
}
