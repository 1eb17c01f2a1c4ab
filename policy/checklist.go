package policy

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Checklist holds resolving tools back until the analysis is done. It is judged
// by the records of successful calls alone, and no number of attempts opens it.
type Checklist struct {
	// Items must all be done first, in the order in which they are best done.
	Items []Item
	// Resolving are the tools that wait: merge, report, ask for review.
	Resolving []string
	// Targets are the files of the task at hand; see [Item.EachTarget].
	Targets []string
	// Root is the folder that absolute paths are taken relative to, such as
	// "/repo". Without it an absolute path equals only itself.
	Root string
	// MaxAttempts is the last stage that is judged; the one after it is a
	// [*AttemptsError]. Default: 5.
	MaxAttempts int
}

// Item is one step of a checklist: a successful call of a tool, with matching
// arguments.
type Item struct {
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

// defaultAttempts is the last attempt of a checklist that names none.
const defaultAttempts = 5

// For returns the checklist for a task with these target files.
func (c Checklist) For(targets ...string) *Checklist {
	c.Targets = slices.Clone(targets)
	return &c
}

// Validate reports the first thing that is wrong with the list.
func (c *Checklist) Validate() error {
	if len(c.Items) == 0 {
		return errors.New("there are no items; a list without items would hold nothing back")
	}
	if len(c.Resolving) == 0 {
		return errors.New("there are no resolving tools; name those that must wait")
	}
	if c.MaxAttempts < 0 {
		return fmt.Errorf("max attempts is %d; use a number from 1, or 0 for %d", c.MaxAttempts, defaultAttempts)
	}
	for i, item := range c.Items {
		switch {
		case item.Name == "" || item.Tool == "":
			return fmt.Errorf("items[%d] needs a name and a tool", i)
		case (item.Path != "" || item.EachTarget) && item.PathArg == "":
			return fmt.Errorf("item %q compares paths; name the argument that holds them in PathArg", item.Name)
		case item.Path != "" && item.EachTarget:
			return fmt.Errorf("item %q asks for one path and for each target; choose one", item.Name)
		case slices.Contains(c.Resolving, item.Tool):
			return fmt.Errorf("item %q waits for %s, which is a resolving tool and waits for the list", item.Name, item.Tool)
		}
	}
	return nil
}

// ItemState is how far an item is.
type ItemState struct {
	Item Item
	// Done is true when nothing is missing.
	Done bool
	// Missing are the targets without a successful call, for items that ask for
	// each one.
	Missing []string
}

// step is the item as a model reads it, with the files that are missing.
func (s ItemState) step() string {
	if len(s.Missing) > 0 {
		return s.Item.Name + " (" + list(s.Missing) + ")"
	}
	return s.Item.Name
}

// call is how to do the step.
func (s ItemState) call() string {
	var with []string
	file := s.Item.Path
	if len(s.Missing) > 0 {
		file = s.Missing[0]
	}
	if file != "" {
		with = append(with, s.Item.PathArg+"="+jsonspan.Quote([]byte(file)))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Item.Args)) {
		with = append(with, name+"="+jsonspan.Quote([]byte(s.Item.Args[name])))
	}
	if len(with) == 0 {
		return "call " + s.Item.Tool
	}
	return "call " + s.Item.Tool + " with " + strings.Join(with, " and ")
}

// State judges every item by the history. Only calls that succeeded beyond
// doubt count. The
// error says that the list itself cannot be judged.
func (c *Checklist) State(history []*tooltrack.Record) ([]ItemState, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	states := make([]ItemState, len(c.Items))
	for i, item := range c.Items {
		if item.EachTarget && len(c.Targets) == 0 {
			return nil, fmt.Errorf("item %q asks for each target, but the checklist has no targets; set them with For",
				item.Name)
		}
		states[i] = c.judge(item, history)
	}
	return states, nil
}

func (c *Checklist) judge(item Item, history []*tooltrack.Record) ItemState {
	state := ItemState{Item: item}
	if !item.EachTarget {
		state.Done = c.doneBy(item, item.Path, history)
		return state
	}
	for _, target := range c.Targets {
		if !c.doneBy(item, target, history) {
			state.Missing = append(state.Missing, target)
		}
	}
	state.Done = len(state.Missing) == 0
	return state
}

func (c *Checklist) doneBy(item Item, file string, history []*tooltrack.Record) bool {
	for _, record := range history {
		if record != nil && record.Tool == item.Tool && record.Proves() && c.matches(item, file, record) {
			return true
		}
	}
	return false
}

func (c *Checklist) matches(item Item, file string, record *tooltrack.Record) bool {
	if file == "" && len(item.Args) == 0 {
		return true
	}
	args, err := Decode(record.Args)
	if err != nil {
		return false
	}
	for name, want := range item.Args {
		if value := args.Value(name); value.kind == Missing || string(value.body) != want {
			return false
		}
	}
	return file == "" || c.names(args.Value(item.PathArg), file)
}

// names reports whether an argument is the path of a file, or a list with it.
func (c *Checklist) names(value Value, file string) bool {
	if value.kind == Array {
		for element := range jsonspan.Elements(value.body) {
			if c.samePath(valueOf(element).Text(), file) {
				return true
			}
		}
		return false
	}
	return c.samePath(value.Text(), file)
}

// samePath compares whole, cleaned paths, so neither a backup copy nor a file
// of the same name elsewhere counts.
func (c *Checklist) samePath(a, b string) bool {
	return a != "" && c.clean(a) == c.clean(b)
}

func (c *Checklist) clean(name string) string {
	name = path.Clean(name)
	if c.Root == "" || !path.IsAbs(name) {
		return name
	}
	root := path.Clean(c.Root)
	if rest, inside := strings.CutPrefix(name, strings.TrimSuffix(root, "/")+"/"); inside {
		return rest
	}
	return name
}

// AttemptsError says that the last attempt is over. It carries the state of the
// list, and is never replaced by a report that nobody asked for.
type AttemptsError struct {
	// Attempt is the one that was asked for, Max the last that there was.
	Attempt, Max int
	// Items is the state of the list.
	Items []ItemState
}

// Error says how many attempts there were.
func (e *AttemptsError) Error() string {
	missing := missingSteps(e.Items)
	if len(missing) == 0 {
		return fmt.Sprintf("attempt %d is beyond the last (%d); the analysis was complete, but nothing was resolved",
			e.Attempt, e.Max)
	}
	return fmt.Sprintf("attempt %d is beyond the last (%d); still missing: %s", e.Attempt, e.Max, list(missing))
}

func missingSteps(states []ItemState) (steps []string) {
	for _, state := range states {
		if !state.Done {
			steps = append(steps, state.step())
		}
	}
	return steps
}

// gate adds a fault to a resolving call while the list is incomplete, and to
// any other call once it is complete and the free attempts are over.
func (c *Checklist) gate(r *review, request *Request) error {
	states, err := c.State(request.History)
	if err != nil {
		return fmt.Errorf("checklist: %w", err)
	}
	stage := max(request.Stage, 1)
	if last := c.last(); stage > last {
		return &AttemptsError{Attempt: stage, Max: last, Items: states}
	}
	tool := request.Call.Tool
	missing := missingSteps(states)
	resolving := slices.Contains(c.Resolving, tool)
	switch {
	case resolving && len(missing) > 0:
		r.add("checklist", "", "%s", c.refusal(states, stage))
	case !resolving && len(missing) == 0 && stage >= onlyResolvingFrom:
		r.add("checklist", "", "ANALYSIS COMPLETE. You MUST resolve the task now: call one of %s; %s is no longer allowed",
			list(c.Resolving), tool)
	}
	return nil
}

// onlyResolvingFrom is the attempt from which a complete analysis may not be
// continued for its own sake.
const onlyResolvingFrom = 4

func (c *Checklist) last() int {
	if c.MaxAttempts == 0 {
		return defaultAttempts
	}
	return c.MaxAttempts
}
