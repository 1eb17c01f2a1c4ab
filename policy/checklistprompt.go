package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// refusal tells a model why a resolving tool may not run. It says more from attempt to
// attempt: the steps and which comes first, then the next call, then the whole list.
func refusal(states []StepState, stage int) string {
	text := "ANALYSIS INCOMPLETE. You MUST complete these steps first: " + strings.Join(missingSteps(states), ", ")
	if next := next(states); stage >= 2 {
		text += ". Next: " + next.call()
	} else { // its name as it stands inside a sentence
		first, size := utf8.DecodeRuneInString(next.Step.Name)
		text += ". You MUST " + string(unicode.ToLower(first)) + next.Step.Name[size:] + " first"
	}
	if stage >= 3 {
		text += ". Every step is required: " + strings.Join(marks(states), ", ")
	}
	return text
}

func marks(states []StepState) []string {
	lines := make([]string, len(states))
	for i, state := range states {
		lines[i] = map[bool]string{true: "✓ ", false: "✗ "}[state.Done] + state.String()
	}
	return lines
}

// next is the first open step; there is one.
func next(states []StepState) StepState {
	return states[slices.IndexFunc(states, func(state StepState) bool { return !state.Done })]
}

// Prompt prints the list for the model: the attempt, what is done and what is
// not, what is blocked until then, and the next step. It derives from the same
// judgement as the gate. The error says that the list cannot be judged.
func (c *Checklist) Prompt(history []*tooltrack.Record, attempt, most int) (string, error) {
	states, err := c.State(history)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "MANDATORY ANALYSIS CHECKLIST (Attempt %d/%d)\n\n", attempt, most)
	for _, line := range marks(states) {
		text.WriteString(line + "\n")
	}
	tools := list(c.Resolving)
	switch missing := missingSteps(states); {
	case len(missing) > 0:
		fmt.Fprintf(&text, "✗ Resolve the task: BLOCKED until every step above is done\n\nYou CANNOT call %s until ALL "+
			"steps are complete.\n", tools)
		if attempt >= 3 {
			text.WriteString("Every step is required now; a resolving call will be refused.\n")
		}
		fmt.Fprintf(&text, "\nNEXT STEP: %s\n", next(states).call())
	case attempt >= onlyResolvingFrom:
		fmt.Fprintf(&text, "✓ Resolve the task: allowed\n\nThe analysis is complete. ONLY %s may be called now.\n\nNEXT "+
			"STEP: call one of %s\n", tools, tools)
	default:
		fmt.Fprintf(&text, "✓ Resolve the task: allowed\n\nThe analysis is complete.\n\nNEXT STEP: call one of %s\n", tools)
	}
	return text.String(), nil
}
