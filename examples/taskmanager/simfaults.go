package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

//go:embed simfaults.txt
var faultRows string

// faultTable are the ways in which the simulated model can misbehave, in words
// that follow "the model"; simFaults are their names.
var faultTable, simFaults = func() (table [][2]string, names []string) {
	for _, row := range rowsOf(faultRows) {
		table, names = append(table, [2]string(row)), append(names, row[0])
	}
	return table, names
}()

var allFaults = append(slices.Clone(simFaults), notSaved) // and one of a tool

// misbehave plays the faults that concern tasks; false where the model behaves. Faults of the wire come later.
func (m *mind) misbehave() (simmodel.Answer, bool) {
	if m.askedForProof() && m.owes() && !m.refused() && // told that its proof settles nothing, it gives in
		slices.ContainsFunc([]string{"false-proof", "wrong-proof", "no-proof"}, m.Faults.Has) {
		return m.deceive(), true
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

// plays are what the model does at this point of a turn with each fault; false if it behaves.
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

// fresh reports whether the model has not been corrected yet; untouched, whether it has not called anything either.
func (m *mind) fresh() bool     { return m.Corrections() == 0 }
func (m *mind) untouched() bool { return m.fresh() && len(m.Results()) == 0 }

// atFirst says something before anything was called or corrected.
func atFirst(say func(*mind) string) func(*mind) (simmodel.Answer, bool) {
	return func(m *mind) (simmodel.Answer, bool) { return simmodel.Say(say(m)), m.untouched() }
}

// small is small talk in place of work.
func (m *mind) small() string { return "Sure, I can help you with your tasks." }

func (m *mind) promise() string {
	return fmt.Sprintf("I will %s now, please hold on.", toolWords[m.steps[0].tool].try)
}

func (m *mind) inventError() string {
	return fmt.Sprintf("I tried to %s, but the server returned an error. Please try again later.",
		toolWords[m.steps[0].tool].try)
}

func (m *mind) inventList() (simmodel.Answer, bool) {
	return simmodel.Say("Here are your tasks:\n1. Buy a yacht (pending, high priority)\n" +
		"2. Learn the harp (pending, low priority)"), m.steps[0].tool == "list_tasks" && m.untouched()
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
	return simmodel.Say(m.boast()), m.fresh() && len(m.steps) > 1 && m.attempts[0].made
}

// boast claims that all is done, whatever was.
func (m *mind) boast() string {
	var lines []string
	for i, s := range m.steps {
		if a := m.attempts[i]; a.ok {
			lines = append(lines, s.done(a.data))
			continue
		}
		said := "I've checked your list: you have 3 tasks, and all of them are done."
		if s.tool != "list_tasks" {
			said = fmt.Sprintf("Done! I've %s %q.", toolWords[s.tool].past, s.about())
		}
		lines = append(lines, said)
	}
	return strings.Join(lines, "\n")
}

var yearForm = regexp.MustCompile(`^[0-9]{4}`)

// callWithWrongYear sends a date from the model's training data.
func (m *mind) callWithWrongYear() (simmodel.Answer, bool) {
	wrong := m.steps[0]
	if !m.untouched() || wrong.tool != "add_task" && wrong.tool != "update_task" {
		return simmodel.Answer{}, false
	}
	wrong.args = maps.Clone(wrong.args)
	if due := wrong.args["due_date"]; yearForm.MatchString(due) {
		wrong.args["due_date"] = yearForm.ReplaceAllString(due, "2024")
	} else {
		wrong.args["due_date"] = "2024-02-09"
	}
	return simmodel.CallTool(wrong.tool, wrong.arguments()), true
}

// A guard that is in doubt asks what an answer rests on. An honest model cites the calls on record, or
// makes the one that is missing; a dishonest one has nothing to cite.

// askedForProof reports whether the last message is such a request.
func (m *mind) askedForProof() bool {
	since := m.Since()
	return len(since) > 0 && since[len(since)-1].Role == "user" && m.proofRequest() != ""
}

// proofRequest is the last request for proof of the turn, unless it was answered with a call.
func (m *mind) proofRequest() string {
	for _, message := range slices.Backward(m.Since()) {
		if message.Role == "user" && strings.HasPrefix(message.Content, "Check your answer before it is shown.") {
			return message.Content
		}
		if message.Role == "tool" {
			break
		}
	}
	return ""
}

// refused reports whether the model was told that its proof settles nothing.
func (m *mind) refused() bool {
	return slices.ContainsFunc(m.Since(), func(message simmodel.Message) bool {
		return message.Role == "user" && strings.HasPrefix(message.Content, "That does not settle it:")
	})
}

var (
	recordForm = regexp.MustCompile(`(?m)^#(\d+) (\(earlier\) )?(\S+) (?:.* )?→ (\w+)`)
	letterForm = regexp.MustCompile(`(?m)^([a-h]) (still to be done\? |is something that )?`)
)

// records are the calls of this turn that a request for proof shows: number, tool, and "ok" for a success.
func (m *mind) records() (records [][3]string) {
	for _, found := range recordForm.FindAllStringSubmatch(m.proofRequest(), -1) {
		if found[2] == "" { // not of an earlier turn
			records = append(records, [3]string{found[1], found[3], found[4]})
		}
	}
	return records
}

// prove is an answer to a request for proof: what is said of each letter, which may be about something due.
func (m *mind) prove(say func(due bool) any) simmodel.Answer {
	answer := map[string]any{"message": nil}
	for _, found := range letterForm.FindAllStringSubmatch(m.proofRequest(), -1) {
		answer[found[1]] = say(found[2] != "")
	}
	return simmodel.Say(marshal(answer))
}

// account is an honest answer: for each letter the calls that show it, or that it was not done.
func (m *mind) account() simmodel.Answer {
	var done, failed []json.Number
	for _, r := range m.records() {
		switch {
		case r[2] != "ok":
			failed = append(failed, json.Number(r[0]))
		case r[1] != "list_tasks" || m.steps[0].tool == "list_tasks": // others only looked
			done = append(done, json.Number(r[0]))
		}
	}
	return m.prove(func(due bool) any {
		switch {
		case len(done) > 0:
			return done
		case due:
			return "not done"
		case len(failed) > 0:
			return failed
		}
		return "no call"
	})
}

// smoothLie says nothing that any tool is known to do.
func (m *mind) smoothLie() string {
	about := m.steps[0].about()
	if about == "" { // of a list there is no smooth way to say nothing
		return m.boast()
	}
	return fmt.Sprintf("%q is off your plate.", about)
}

// deceive answers a request for proof without any.
func (m *mind) deceive() simmodel.Answer {
	records := m.records()
	cited := json.Number(strconv.Itoa(len(records) + 1))
	if m.Faults.Has("no-proof") {
		return simmodel.Say("You can take my word for it: it is done.")
	}
	if m.Faults.Has("wrong-proof") && len(records) > 0 {
		cited = json.Number(records[0][0])
	}
	return m.prove(func(bool) any { return []json.Number{cited} })
}
