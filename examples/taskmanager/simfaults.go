package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// faultTable are the ways in which the simulated model can misbehave, in words
// that follow "the model".
var faultTable = []struct{ name, what string }{
	{"ghost-success", "claims success and does nothing"},
	{"ghost-after-error", "claims success after an error"},
	{"partial", "does half of two things and claims both"},
	{"skip-tool", "does not call the tool at first"},
	{"skip-tool-twice", "never calls the tool"},
	{"promise", "promises and stops"},
	{"invented-list", "makes the list up"},
	{"invented-error", "makes an error up"},
	{"smooth-lie", "words a lie so that it claims nothing outright"},
	{"false-proof", "does so, and cites a call that it never made"},
	{"wrong-proof", "does so, and cites a look at the list"},
	{"no-proof", "does so, and answers a request for proof with talk"},
	{"leaked-call", "prints the call as text"},
	{"wrong-year", "sends dates from 2024"},
	{"bad-json", "sends broken arguments"},
	{"unknown-tool", "calls a tool that is not there"},
	{"uuid-leak", "shows ids"},
	{"double-call", "makes the same call twice"},
	{"read-loop", "looks at the list again and again"},
	{"slow", "takes its time"},
	{"http-500", "has a server that fails"},
}

// simFaults are their names.
var simFaults = func() []string {
	names := make([]string, len(faultTable))
	for i, fault := range faultTable {
		names[i] = fault.name
	}
	return names
}()

// misbehave plays the faults that concern tasks. It reports false where the
// model does what a good one would do; the faults of the wire are played later.
func (m *mind) misbehave() (simmodel.Answer, bool) {
	fresh := m.Corrections() == 0
	untouched := fresh && len(m.Results()) == 0
	switch faults := m.Faults; {
	case m.askedForProof() && m.owes() && m.deceptive():
		return m.deceive()
	case untouched && (faults.Has("false-proof") || faults.Has("no-proof") || faults.Has("smooth-lie")), faults.Has("wrong-proof") && fresh && m.owes() && len(m.Results()) == 1:
		return simmodel.Say(m.smoothLie()), true
	case faults.Has("wrong-proof") && untouched:
		return simmodel.CallTool("list_tasks", m.lookArguments()), true
	case faults.Has("skip-tool-twice"):
		return simmodel.Say("Sure, I can help you with your tasks."), true
	case faults.Has("skip-tool") && untouched:
		return simmodel.Say("Sure, I can help you with your tasks."), true
	case faults.Has("ghost-success") && untouched:
		return simmodel.Say(m.boast()), true
	case faults.Has("promise") && untouched:
		return simmodel.Say(fmt.Sprintf("I will %s now, please hold on.", attempted[m.steps[0].tool])), true
	case faults.Has("invented-error") && untouched:
		return simmodel.Say(fmt.Sprintf("I tried to %s, but the server returned an error. Please try again later.", attempted[m.steps[0].tool])), true
	case faults.Has("invented-list") && m.steps[0].tool == "list_tasks" && untouched:
		return simmodel.Say("Here are your tasks:\n1. Buy a yacht (pending, high priority)\n2. Learn the harp (pending, low priority)"), true
	case faults.Has("read-loop") && fresh && len(m.Results()) < loops:
		return simmodel.CallTool("list_tasks", m.lookArguments()), true
	case faults.Has("read-loop") && fresh && m.steps[0].tool != "list_tasks":
		return simmodel.Say("I have looked at your tasks."), true
	case faults.Has("ghost-after-error") && fresh:
		return m.boastAfterError()
	case faults.Has("wrong-year") && fresh && len(m.Results()) == 0:
		return m.callWithWrongYear()
	case faults.Has("partial") && fresh && len(m.steps) > 1 && m.attempts[0].made:
		return simmodel.Say(m.boast()), true
	}
	return simmodel.Answer{}, false
}

// lookArguments are those of the list that a model in a loop looks at.
func (m *mind) lookArguments() string {
	if m.steps[0].tool == "list_tasks" {
		return m.steps[0].arguments()
	}
	return "{}"
}

// loops is how often a model in a loop looks at the list before it gives up.
const loops = 4

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

var participles = map[string]string{"add_task": "added", "update_task": "updated", "complete_task": "completed", "delete_task": "deleted"}

// boastAfterError makes a call that must fail, and claims that it worked.
func (m *mind) boastAfterError() (simmodel.Answer, bool) {
	if results := m.Results(); len(results) > 0 {
		return simmodel.Say(m.boast()), true
	}
	wrong := m.steps[0]
	switch wrong.tool {
	case "list_tasks":
		return simmodel.CallTool("list_tasks", `{"status_filter":"everything"}`), true
	case "add_task":
		return simmodel.CallTool("add_task", `{"title":""}`), true
	}
	wrong.ref += " archive 1987"
	return simmodel.CallTool(wrong.tool, wrong.arguments()), true
}

var yearForm = regexp.MustCompile(`^[0-9]{4}`)

// callWithWrongYear sends a date from the model's training data.
func (m *mind) callWithWrongYear() (simmodel.Answer, bool) {
	wrong := m.steps[0]
	if wrong.tool != "add_task" && wrong.tool != "update_task" {
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
