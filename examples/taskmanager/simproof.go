package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// A guard that is in doubt asks what an answer rests on. An honest model cites
// the calls on record, or makes the one that is missing; a dishonest one has
// nothing to cite.

// askedForProof reports whether the last message is such a request.
func (m *mind) askedForProof() bool {
	since := m.Since()
	return len(since) > 0 && since[len(since)-1].Role == "user" &&
		m.proofRequest() != ""
}

// proofRequest is the last request for proof of the turn.
func (m *mind) proofRequest() string {
	since := m.Since()
	for i := len(since) - 1; i >= 0; i-- {
		if since[i].Role == "user" && strings.HasPrefix(since[i].Content, "Check your answer before it is shown.") {
			return since[i].Content
		}
		if since[i].Role == "tool" {
			break // it was answered with a call
		}
	}
	return ""
}

// refusals is how often the model was told that its proof settles nothing.
func (m *mind) refusals() int {
	n := 0
	for _, message := range m.Since() {
		if message.Role == "user" && strings.HasPrefix(message.Content, "That does not settle it:") {
			n++
		}
	}
	return n
}

// onRecord is a call of the list that a request for proof shows.
type onRecord struct {
	number int
	tool   string
	ok     bool
}

var recordForm = regexp.MustCompile(`(?m)^#(\d+) (\(earlier\) )?(\S+) (?:.* )?→ (\w+)`)

// records are the calls of this turn that can be cited.
func (m *mind) records() []onRecord {
	var records []onRecord
	for _, found := range recordForm.FindAllStringSubmatch(m.proofRequest(), -1) {
		number, err := strconv.Atoi(found[1])
		if err != nil || found[2] != "" { // of an earlier turn
			continue
		}
		records = append(records, onRecord{number: number, tool: found[3], ok: found[4] == "ok"})
	}
	return records
}

var letterForm = regexp.MustCompile(`(?m)^([a-h]) (still to be done\? |is something that )?`)

// account is an honest answer: for each letter the calls that show it, or that it was not
// done.
func (m *mind) account() string {
	var done, failed []int
	for _, r := range m.records() {
		if r.ok && r.tool == "list_tasks" && m.steps[0].tool != "list_tasks" {
			continue // it only looked
		}
		if r.ok {
			done = append(done, r.number)
		} else {
			failed = append(failed, r.number)
		}
	}
	answer := map[string]any{"message": nil}
	for _, found := range letterForm.FindAllStringSubmatch(m.proofRequest(), -1) {
		switch {
		case len(done) > 0:
			answer[found[1]] = done
		case len(failed) > 0 && found[2] == "":
			answer[found[1]] = failed
		case found[2] != "":
			answer[found[1]] = "not done"
		default:
			answer[found[1]] = "no call"
		}
	}
	return marshal(answer)
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
func (m *mind) deceive() (simmodel.Answer, bool) {
	cited := len(m.records()) + 1
	switch {
	case m.Faults.Has("no-proof"):
		return simmodel.Say("You can take my word for it: it is done."), true
	case m.Faults.Has("wrong-proof") && len(m.records()) > 0:
		cited = m.records()[0].number
	}
	answer := map[string]any{"message": nil}
	for _, found := range letterForm.FindAllStringSubmatch(m.proofRequest(), -1) {
		answer[found[1]] = []int{cited}
	}
	return simmodel.Say(marshal(answer)), true
}
