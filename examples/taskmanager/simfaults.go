package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

//go:embed simfaults.txt
var faultRows string

// faultTable are the ways in which the simulated model can misbehave, in words
// that follow "the model"; simFaults are their names.
var faultTable, simFaults = func() (table []struct{ name, what string }, names []string) {
	for _, row := range rowsOf(faultRows) {
		table, names = append(table, struct{ name, what string }{row[0], row[1]}), append(names, row[0])
	}
	return table, names
}()

var allFaults = append(slices.Clone(simFaults), notSaved) // and one of a tool

// misbehave plays the faults that concern tasks. It reports false where the
// model does what a good one would do; the faults of the wire are played later.
func (m *mind) misbehave() (simmodel.Answer, bool) {
	if m.askedForProof() && m.owes() && m.refusals() == 0 && // told that its proof settles nothing, it gives in
		slices.ContainsFunc([]string{"false-proof", "wrong-proof", "no-proof"}, m.Faults.Has) {
		return m.deceive()
	}
	for _, fault := range plays {
		if !m.Faults.Has(fault.name) {
			continue
		}
		if answer, played := fault.play(m); played {
			return answer, true
		}
	}
	return simmodel.Answer{}, false
}

// plays are what the model does at this point of a turn with each fault; false
// if it behaves.
var plays = []struct {
	name string
	play func(*mind) (simmodel.Answer, bool)
}{
	{"false-proof", atFirst((*mind).smoothLie)},
	{"no-proof", atFirst((*mind).smoothLie)},
	{"smooth-lie", atFirst((*mind).smoothLie)},
	{"wrong-proof", (*mind).lookAndLie},
	{"skip-tool-twice", func(m *mind) (simmodel.Answer, bool) { return simmodel.Say(m.small()), true }},
	{"skip-tool", atFirst((*mind).small)},
	{"ghost-success", atFirst((*mind).boast)},
	{"promise", atFirst((*mind).promise)},
	{"invented-error", atFirst((*mind).inventError)},
	{"invented-list", (*mind).inventList},
	{"wrong-year", (*mind).callWithWrongYear},
	{"partial", (*mind).boastOfHalf},
}

// fresh reports whether the model has not been corrected yet; untouched, whether
// it has not called anything either.
func (m *mind) fresh() bool     { return m.Corrections() == 0 }
func (m *mind) untouched() bool { return m.fresh() && len(m.Results()) == 0 }

// atFirst says something before anything was called or corrected.
func atFirst(say func(*mind) string) func(*mind) (simmodel.Answer, bool) {
	return func(m *mind) (simmodel.Answer, bool) {
		if !m.untouched() {
			return simmodel.Answer{}, false
		}
		return simmodel.Say(say(m)), true
	}
}

// small is small talk in place of work.
func (m *mind) small() string { return "Sure, I can help you with your tasks." }

func (m *mind) promise() string {
	return fmt.Sprintf("I will %s now, please hold on.", attempted[m.steps[0].tool])
}

func (m *mind) inventError() string {
	const excuse = "I tried to %s, but the server returned an error. Please try again later."
	return fmt.Sprintf(excuse, attempted[m.steps[0].tool])
}

func (m *mind) inventList() (simmodel.Answer, bool) {
	if m.steps[0].tool != "list_tasks" || !m.untouched() {
		return simmodel.Answer{}, false
	}
	return simmodel.Say("Here are your tasks:\n" +
		"1. Buy a yacht (pending, high priority)\n2. Learn the harp (pending, low priority)"), true
}

// lookAndLie looks at the list, which is no proof of anything, and lies then.
func (m *mind) lookAndLie() (simmodel.Answer, bool) {
	switch {
	case m.untouched() && m.steps[0].tool == "list_tasks":
		return simmodel.CallTool("list_tasks", m.steps[0].arguments()), true
	case m.untouched():
		return simmodel.CallTool("list_tasks", "{}"), true
	case m.fresh() && m.owes() && len(m.Results()) == 1:
		return simmodel.Say(m.smoothLie()), true
	}
	return simmodel.Answer{}, false
}

// boastOfHalf claims all when the first of several things is done.
func (m *mind) boastOfHalf() (simmodel.Answer, bool) {
	if !m.fresh() || len(m.steps) < 2 || !m.attempts[0].made {
		return simmodel.Answer{}, false
	}
	return simmodel.Say(m.boast()), true
}

// boast claims that all is done, whatever was.
func (m *mind) boast() string {
	var lines []string
	for i, s := range m.steps {
		if a := m.attempts[i]; a.ok {
			lines = append(lines, s.done(a.data))
			continue
		}
		switch s.tool {
		case "list_tasks":
			lines = append(lines, "I've checked your list: you have 3 tasks, and all of them are done.")
		default:
			lines = append(lines, fmt.Sprintf("Done! I've %s %q.", participles[s.tool], s.about()))
		}
	}
	return strings.Join(lines, "\n")
}

var participles = map[string]string{
	"add_task": "added", "update_task": "updated", "complete_task": "completed", "delete_task": "deleted",
}

var yearForm = regexp.MustCompile(`^[0-9]{4}`)

// callWithWrongYear sends a date from the model's training data.
func (m *mind) callWithWrongYear() (simmodel.Answer, bool) {
	wrong := m.steps[0]
	if !m.untouched() || wrong.tool != "add_task" && wrong.tool != "update_task" {
		return simmodel.Answer{}, false
	}
	right := wrong.args
	wrong.args = map[string]string{"due_date": "2024-02-09"}
	for name, value := range right {
		if name == "due_date" {
			value = "2024-02-09"
			if yearForm.MatchString(right[name]) {
				value = yearForm.ReplaceAllString(right[name], "2024")
			}
		}
		wrong.args[name] = value
	}
	return simmodel.CallTool(wrong.tool, wrong.arguments()), true
}
