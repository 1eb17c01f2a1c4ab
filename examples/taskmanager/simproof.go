package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard/proof"
)

// A guard that is in doubt asks what an answer rests on. An honest model cites
// the calls on record, or makes the one that is missing; a dishonest one has
// nothing to cite.

// askedForProof reports whether the last message is such a request.
func (m *mind) askedForProof() bool {
	since := m.Since()
	return len(since) > 0 && since[len(since)-1].Role == "user" &&
		strings.Contains(m.proofRequest(), "The calls on record:")
}

// proofRequest is the last request for proof of the turn.
func (m *mind) proofRequest() string {
	since := m.Since()
	for i := len(since) - 1; i >= 0; i-- {
		if since[i].Role == "user" && strings.Contains(since[i].Content, "The calls on record:") {
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
	number  int
	tool    string
	subject string
	fate    string
}

var recordForm = regexp.MustCompile(`(?m)^#(\d+) (\(earlier\) )?(\S+) ("(?:[^"\\]|\\.)*") (.*)$`)

// records are the calls of this turn that can be cited.
func (m *mind) records() []onRecord {
	list, _, _ := strings.Cut(m.proofRequest(), "\n\n{\"message\"")
	var records []onRecord
	for _, found := range recordForm.FindAllStringSubmatch(list, -1) {
		if found[2] != "" {
			continue // of an earlier turn
		}
		number, err := strconv.Atoi(found[1])
		if err != nil {
			continue
		}
		r := onRecord{number: number, tool: found[3], fate: found[5]}
		_ = json.Unmarshal([]byte(found[4]), &r.subject) // the form is that of a JSON string
		records = append(records, r)
	}
	return records
}

// account is an honest report: each thing that was asked for, what became of
// it, and the call that shows it.
func (m *mind) account() string {
	report := proof.Report{Items: []proof.Item{}}
	records, used := m.records(), map[int]bool{}
	for i, s := range m.steps {
		if s.ask != "" || i >= len(m.attempts) {
			if s.tool != "" {
				report.Items = append(report.Items, proof.Item{What: s.asked(), Status: proof.NeedsInput, Reason: s.ask})
			}
			continue
		}
		item := m.itemFor(s, m.attempts[i], records, used)
		if item.Status != proof.Answered {
			report.Items = append(report.Items, item)
			continue
		}
		for _, item.What = range m.doubted(item.What) { // a look at the list shows all that is said of it
			report.Items = append(report.Items, item)
		}
	}
	return marshal(report)
}

var doubtForm = regexp.MustCompile(`(?m)^- whether a call shows this: ("(?:[^"\\]|\\.)*")$`)

// doubted are the pieces of the answer that the request names; if there are none,
// the thing itself.
func (m *mind) doubted(thing string) []string {
	var pieces []string
	for _, found := range doubtForm.FindAllStringSubmatch(m.proofRequest(), -1) {
		var piece string
		_ = json.Unmarshal([]byte(found[1]), &piece) // the form is that of a JSON string
		pieces = append(pieces, piece)
	}
	if len(pieces) == 0 {
		return []string{thing}
	}
	return pieces
}

func (m *mind) itemFor(s step, a attempt, records []onRecord, used map[int]bool) proof.Item {
	item := proof.Item{What: s.asked(), Status: proof.NotDone, Reason: "no call was made"}
	for _, r := range records {
		succeeded := strings.HasPrefix(r.fate, "succeeded")
		if r.tool != s.tool || used[r.number] || succeeded != a.ok {
			continue
		}
		used[r.number] = true
		item.Records, item.Reason = proof.Numbers{r.number}, ""
		switch {
		case !a.ok:
			item.Status, item.Reason = proof.Failed, a.reason
		case s.tool == "list_tasks":
			item.Status = proof.Answered
		default:
			item.Status = proof.Done
		}
		return item
	}
	return item
}

// asked names what a step is about.
func (s step) asked() string {
	switch {
	case s.tool == "list_tasks":
		return "the list of tasks"
	case s.tool == "":
		return "undo"
	}
	return fmt.Sprintf("%s %q", participles[s.tool], s.about())
}

// smoothLie says nothing that any tool is known to do.
func (m *mind) smoothLie() string {
	about := m.steps[0].about()
	if about == "" { // of a list there is no smooth way to say nothing
		return m.boast()
	}
	return fmt.Sprintf("%q is off your plate.", about)
}

// deceptive reports whether the model still tries it: told that its proof
// settles nothing, it gives in.
func (m *mind) deceptive() bool {
	return m.refusals() == 0 && (m.Faults.Has("false-proof") || m.Faults.Has("wrong-proof") || m.Faults.Has("no-proof"))
}

// deceive answers a request for proof without any.
func (m *mind) deceive() (simmodel.Answer, bool) {
	item := proof.Item{What: m.steps[0].asked(), Status: proof.Done, Records: proof.Numbers{len(m.records()) + 1}}
	switch {
	case m.Faults.Has("no-proof"):
		return simmodel.Say("You can take my word for it: it is done."), true
	case m.Faults.Has("wrong-proof") && len(m.records()) > 0:
		item.Records = proof.Numbers{m.records()[0].number}
	}
	return simmodel.Say(marshal(proof.Report{Items: []proof.Item{item}})), true
}
