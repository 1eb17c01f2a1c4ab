package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Checklist holds resolving tools back until the analysis is done. It is judged
// by the records of successful calls alone, and no number of attempts opens it.
type Checklist struct {
	// Steps must all be done first, in the order in which they are best done.
	Steps []Step
	// Resolving are the tools that wait: merge, report, ask for review.
	Resolving []string
	// Targets are the files of the task at hand; see [Step.EachTarget].
	Targets []string
	// Root is the folder that absolute paths are taken relative to, such as
	// "/repo". Without it an absolute path equals only itself.
	Root string
	// MaxAttempts is the last stage that is judged; the one after it is a
	// [*AttemptsError]. Default: 5.
	MaxAttempts int
}

// Step is one step of a checklist: a successful call of a tool, with matching
// arguments.
type Step struct {
	// Name is the step in words, such as "Read target files".
	Name string
	// Tool is the tool that must have been called.
	Tool string
	// Args are arguments that the call must have had, exactly.
	Args map[string]string
	// PathArg names the argument that holds a path. Together with Path it asks
	// for one file, together with EachTarget for every target of the checklist.
	// Paths are compared whole, after cleaning.
	PathArg string
	Path    string
	// EachTarget asks for one successful call for every target.
	EachTarget bool
}

const defaultAttempts = 5

// For returns the checklist for a task with these target files.
func (c Checklist) For(targets ...string) *Checklist {
	c.Targets = slices.Clone(targets)
	return &c
}

// Validate reports all that is wrong with the list, a line for each fault.
func (c *Checklist) Validate() error { return errors.Join(c.faults()...) }

func (c *Checklist) faults() (wrong faults) {
	wrong.when(len(c.Steps) == 0, "there are no steps; a list without steps would hold nothing back")
	wrong.when(len(c.Resolving) == 0, "there are no resolving tools; name those that must wait")
	wrong.when(c.MaxAttempts < 0, "max attempts is %d; use a number from 1, or 0 for %d", c.MaxAttempts, defaultAttempts)
	for i, step := range c.Steps {
		switch {
		case step.Name == "" || step.Tool == "":
			wrong.add("steps[%d] needs a name and a tool", i)
		case (step.Path != "" || step.EachTarget) && step.PathArg == "":
			wrong.add("step %q compares paths; name the argument that holds them in PathArg", step.Name)
		case step.Path != "" && step.EachTarget:
			wrong.add("step %q asks for one path and for each target; choose one", step.Name)
		case slices.Contains(c.Resolving, step.Tool):
			wrong.add("step %q waits for %s, which is a resolving tool and waits for the list", step.Name, step.Tool)
		}
	}
	return wrong
}

// idle are the parts of the list that would hold nothing back. They are told when a set
// is made; a list that a request brings is judged by the rest of it.
func (c *Checklist) idle() (wrong faults) {
	each := func(step Step) bool { return step.EachTarget }
	wrong.when(len(c.Targets) > 0 && !slices.ContainsFunc(c.Steps, each),
		"there are targets, but no step asks for each of them; set EachTarget, or leave them out")
	for _, step := range c.Steps {
		wrong.when(step.PathArg != "" && step.Path == "" && !step.EachTarget,
			"step %q names PathArg, but no path to compare; set Path or EachTarget, or leave it out", step.Name)
	}
	return wrong
}

// StepState is how far a step is.
type StepState struct {
	Step
	// Done is true when nothing is missing.
	Done bool
	// Missing are the targets without a successful call, for steps that ask for each one.
	Missing []string
}

// String words the step as a model reads it, with the files that are missing.
func (s StepState) String() string {
	if len(s.Missing) > 0 {
		return s.Name + " (" + list(s.Missing) + ")"
	}
	return s.Name
}

// call is how to do the step.
func (s StepState) call() string {
	var with []string
	add := func(arg, value string) { with = append(with, arg+"="+jsonspan.Quote([]byte(value))) }
	switch {
	case len(s.Missing) > 0:
		add(s.PathArg, s.Missing[0])
	case s.Path != "":
		add(s.PathArg, s.Path)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		add(name, s.Args[name])
	}
	if with == nil {
		return "call " + s.Tool
	}
	return "call " + s.Tool + " with " + strings.Join(with, " and ")
}

// State judges every step by the history: only calls that succeeded beyond doubt count. The
// error says that the list itself cannot be judged.
func (c *Checklist) State(history []*tooltrack.Record) ([]StepState, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	states := make([]StepState, len(c.Steps))
	for i, step := range c.Steps {
		if step.EachTarget && len(c.Targets) == 0 {
			return nil, fmt.Errorf("step %q asks for each target, but the checklist has no targets; set them with For",
				step.Name)
		}
		files := []string{step.Path}
		if step.EachTarget {
			files = c.Targets
		}
		var missing []string
		for _, file := range files {
			did := func(record *tooltrack.Record) bool { return c.isDoneBy(step, file, record) }
			if !slices.ContainsFunc(history, did) {
				missing = append(missing, file)
			}
		}
		states[i] = StepState{Step: step, Done: missing == nil}
		if step.EachTarget {
			states[i].Missing = missing
		}
	}
	return states, nil
}

func (c *Checklist) isDoneBy(step Step, file string, record *tooltrack.Record) bool {
	if record == nil || record.Tool != step.Tool || !record.Proves() {
		return false
	}
	if file == "" && len(step.Args) == 0 {
		return true
	}
	args, err := Decode(record.Args)
	if err != nil {
		return false
	}
	for name, want := range step.Args {
		if value := args.Value(name); value.kind == Missing || string(value.body) != want {
			return false
		}
	}
	return file == "" || c.isPathOf(args.Value(step.PathArg), file)
}

// isPathOf reports whether an argument is the path of a file, or a list with it. Whole, cleaned
// paths are compared, so neither a backup copy nor a file of the same name elsewhere counts.
func (c *Checklist) isPathOf(value Value, file string) bool {
	if value.kind != Array {
		path := value.Text()
		return path != "" && c.clean(path) == c.clean(file)
	}
	for element := range jsonspan.Elements(value.body) {
		if one := valueOf(element); one.kind != Array && c.isPathOf(one, file) {
			return true
		}
	}
	return false
}

func (c *Checklist) clean(name string) string {
	name = path.Clean(name)
	if c.Root == "" || !path.IsAbs(name) {
		return name
	}
	return strings.TrimPrefix(name, strings.TrimSuffix(path.Clean(c.Root), "/")+"/")
}

// ErrAttempts matches every [*AttemptsError] with errors.Is.
var ErrAttempts = errors.New("the last attempt is over")

// AttemptsError says that the last attempt is over. It carries the state of the list. No
// report is made up in its place.
type AttemptsError struct {
	// Attempt is the one that was asked for, Max the last that there was.
	Attempt, Max int
	// Items is the state of the list.
	Items []StepState
}

// Error says how many attempts there were.
func (e *AttemptsError) Error() string {
	text := fmt.Sprintf("attempt %d is beyond the last (%d); ", e.Attempt, e.Max)
	if missing := missingSteps(e.Items); len(missing) > 0 {
		return text + "still missing: " + list(missing)
	}
	return text + "the analysis was complete, but nothing was resolved"
}

// Is makes errors.Is(err, ErrAttempts) true.
func (e *AttemptsError) Is(target error) bool { return target == ErrAttempts }

func missingSteps(states []StepState) (steps []string) {
	for _, state := range states {
		if !state.Done {
			steps = append(steps, state.String())
		}
	}
	return steps
}

// onlyResolvingFrom is the attempt from which a complete analysis may not be continued for
// its own sake.
const onlyResolvingFrom = 4

// gate adds a fault to a resolving call while the list is incomplete, and to any other call
// once it is complete and the free attempts are over.
func (c *Checklist) gate(r *review, request *Proposal) error {
	states, err := c.State(request.History)
	if err != nil {
		return fmt.Errorf("checklist: %w", err)
	}
	stage := max(request.Stage, 1)
	if last := cmp.Or(c.MaxAttempts, defaultAttempts); stage > last {
		return &AttemptsError{Attempt: stage, Max: last, Items: states}
	}
	isComplete, isResolving := missingSteps(states) == nil, slices.Contains(c.Resolving, request.Call.Tool)
	switch {
	case isResolving && !isComplete:
		r.add("checklist", "", "%s", refusal(states, stage))
	case !isResolving && isComplete && stage >= onlyResolvingFrom:
		r.add("checklist", "", "ANALYSIS COMPLETE. You MUST resolve the task now: call one of %s; %s is no longer allowed",
			list(c.Resolving), request.Call.Tool)
	}
	return nil
}

// refusal tells a model why a resolving tool may not run. It says more from attempt to
// attempt: the steps and which comes first, then the next call, then the whole list.
func refusal(states []StepState, stage int) string {
	text := "ANALYSIS INCOMPLETE. You MUST complete these steps first: " + strings.Join(missingSteps(states), ", ")
	if next := next(states); stage >= 2 {
		text += ". Next: " + next.call()
	} else { // its name as it stands inside a sentence
		first, size := utf8.DecodeRuneInString(next.Name)
		text += ". You MUST " + string(unicode.ToLower(first)) + next.Name[size:] + " first"
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
