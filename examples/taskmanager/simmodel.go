package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// simulate is a model for the task manager, which sees what any model sees. Told that an answer will not do, it
// mends its ways, unless the fault is that it never does.
func simulate(_ context.Context, request simmodel.Request) simmodel.Answer {
	m := mind{Request: request}
	if !capability.MatchString(request.Asked()) {
		m.steps = understand(request.Asked())
	}
	m.recall()
	if m.settle(); !slices.ContainsFunc(m.steps, func(s step) bool { return s.ask == "" }) { // nothing to call for
		if m.askedForProof() {
			return m.account()
		}
		return simmodel.Say(m.talk())
	}
	m.attempts = m.match()
	if answer, wrong := m.misbehave(); wrong {
		return answer
	}
	if m.askedForProof() && !m.owes() {
		return m.account()
	}
	return simmodel.Distort(request, m.proceed())
}

// owes reports whether a call is still missing.
func (m *mind) owes() bool {
	for i, s := range m.steps {
		if s.ask == "" && !m.attempts[i].made {
			return true
		}
	}
	return false
}

// talk is what is said without any call.
func (m *mind) talk() string {
	var lines []string
	for _, s := range m.steps {
		lines = append(lines, s.ask)
	}
	if len(lines) == 0 {
		return chatter(m.Asked())
	}
	return strings.Join(lines, "\n")
}

// mind is one request and what the model makes of it.
type mind struct {
	simmodel.Request
	steps    []step
	attempts []attempt // what came of each step, by its index
}

// attempt is the last call for a step.
type attempt struct {
	made   bool
	tries  int
	ok     bool
	reason string
	data   json.RawMessage
}

// match finds the last result for each step. Steps with the same tool take its results in turn.
func (m *mind) match() []attempt {
	attempts := make([]attempt, len(m.steps))
	for _, result := range m.Results() {
		at := m.stepOf(result, attempts)
		if at < 0 {
			continue
		}
		a := &attempts[at]
		a.made, a.tries = true, a.tries+1
		if !a.ok { // a repeat does not undo a success
			a.ok, a.reason, a.data = readResult(result.Text)
		}
	}
	return attempts
}

// stepOf is the step that a call was for.
func (m *mind) stepOf(result simmodel.Result, attempts []attempt) int {
	name := strings.TrimPrefix(result.Call.Name, "tasks.")
	last := -1
	for i, s := range m.steps {
		if s.tool != name || s.ask != "" {
			continue
		}
		last = i
		if !attempts[i].ok && strings.Contains(result.Call.Arguments, strings.Trim(marshal(s.about()), `"`)) {
			return i
		}
	}
	return last
}

func (s step) about() string { return cmp.Or(s.ref, s.args["title"]) }

func readResult(text string) (ok bool, reason string, data json.RawMessage) {
	var body struct {
		Success bool            `json:"success"`
		Error   string          `json:"error"`
		Data    json.RawMessage `json:"data"`
	}
	if _, rest, noted := strings.Cut(text, "\n{"); noted { // after what a person has changed about the call
		text = "{" + rest
	}
	if json.Unmarshal([]byte(text), &body) == nil {
		return body.Success, body.Error, body.Data
	}
	if strings.HasPrefix(text, "Error") {
		reason = strings.TrimPrefix(strings.TrimPrefix(text, "Error: "), "the call was not run. ")
		return false, reason, nil
	}
	return strings.Contains(text, `"success":true`), text, nil
}

// proceed is what a good model does next: call for the next step, or report.
func (m *mind) proceed() simmodel.Answer {
	for i, s := range m.steps {
		a := m.attempts[i]
		if s.ask != "" {
			continue
		}
		if !a.made || !a.ok && a.tries < 2 && m.worthRetrying(s) {
			return simmodel.CallTool(s.tool, s.arguments())
		}
	}
	return simmodel.Say(m.report())
}

// worthRetrying reports whether a call failed by the model's own doing: what was asked for was not called yet.
func (m *mind) worthRetrying(s step) bool {
	called := func(r simmodel.Result) bool { return r.Call.Name == s.tool && r.Call.Arguments == s.arguments() }
	return slices.ContainsFunc([]string{"bad-json", "unknown-tool", "wrong-year"}, m.Faults.Has) &&
		!slices.ContainsFunc(m.Results(), called)
}

func (s step) arguments() string {
	if s.tool == clearCompleted {
		return marshal(map[string]any{"titles": s.many})
	}
	args := maps.Clone(s.args)
	delete(args, "level") // the tool does not filter by it; the model does
	if s.ref != "" && s.tool != "list_tasks" {
		args["task_id"] = s.ref
	}
	return marshal(args)
}

func marshal(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return "{}" // strings and maps of strings can always be written
	}
	return string(data)
}

// report tells what came of all steps, honestly.
func (m *mind) report() string {
	var lines []string
	for i, s := range m.steps {
		switch a := m.attempts[i]; {
		case s.ask != "":
			lines = append(lines, s.ask)
		case a.ok:
			lines = append(lines, m.withID(s.done(a.data)))
		default:
			lines = append(lines, m.failed(s, a.reason))
		}
	}
	return strings.Join(lines, "\n")
}

// toolWords are what the model says of each tool: that it tries, that it has, and the confirmation.
var toolWords = map[string]struct{ try, past, confirm string }{
	"list_tasks":    {try: "list your tasks"},
	"add_task":      {"add the task", "added", "Added: "},
	"update_task":   {"update the task", "updated", "Updated: "},
	"complete_task": {"complete the task", "completed", "Completed: "},
	"delete_task":   {"delete the task", "deleted", "Deleted: "},
	clearCompleted:  {try: "delete the completed tasks", confirm: "Deleted: "},
}

func (s step) done(data json.RawMessage) string {
	if s.tool == "list_tasks" {
		return s.listing(data)
	}
	if s.tool == clearCompleted {
		var cleared struct{ Deleted []string }
		_ = json.Unmarshal(data, &cleared) // without data the model's own list will do
		if cleared.Deleted == nil {
			cleared.Deleted = s.many
		}
		return toolWords[s.tool].confirm + strings.Join(cleared.Deleted, ", ")
	}
	var task listedTask
	_ = json.Unmarshal(data, &task) // without data the user's own words will do
	text := toolWords[s.tool].confirm + cmp.Or(task.Title, s.about())
	switch {
	case s.tool == "update_task":
		for _, name := range slices.Sorted(maps.Keys(s.args)) {
			if value := map[string]string{
				"priority": task.Priority, "due_date": task.DueDate, "status": task.Status,
			}[name]; value != "" {
				text += fmt.Sprintf(" (%s: %s)", strings.ReplaceAll(name, "_", " "), value)
			}
		}
	case s.tool == "add_task" && task.DueDate != "":
		text += " (due " + task.DueDate + ")"
	}
	return text
}

func (s step) listing(data json.RawMessage) string {
	var tasks []listedTask
	_ = json.Unmarshal(data, &tasks) // what is no list is an empty one
	filter := s.args["status_filter"]
	if level := s.args["level"]; level != "" {
		filter = strings.TrimSpace(filter + " " + level + "-priority")
		tasks = slices.DeleteFunc(tasks, func(t listedTask) bool { return t.Priority != level })
	}
	if len(tasks) == 0 && filter == "" {
		return "Your task list is empty."
	}
	if len(tasks) == 0 {
		return "You have no " + filter + " tasks."
	}
	lines := []string{"Here are your " + strings.TrimSpace(filter+" tasks") + ":"}
	for i, t := range tasks {
		lines = append(lines, fmt.Sprintf("%d. %s (%s)", i+1, t.Title, t.details()))
	}
	return strings.Join(lines, "\n")
}

// failed tells the tool's reason; where several tasks could be meant, it asks.
func (m *mind) failed(s step, reason string) string {
	if _, list, several := strings.Cut(reason, "Please be more specific: "); several {
		return whichOne(m.candidates(list))
	}
	if strings.Contains(reason, "not known whether") {
		return "It is not known whether I could " + toolWords[s.tool].try +
			": the call was cut off. Please look at your list."
	}
	return "I could not " + toolWords[s.tool].try + ": " + reason
}

var uuidForm = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// withID adds an id to every line, where the fault asks for it: one that the
// model was shown, or one that it makes up.
func (m *mind) withID(text string) string {
	if !m.Faults.Has("uuid-leak") {
		return text
	}
	id := "5f0c9a52-8d1e-4c57-9b1a-6d2f60b3a7e1"
	for _, result := range m.Results() {
		if shown := uuidForm.FindString(result.Text); shown != "" {
			id = shown
		}
	}
	return strings.ReplaceAll(text, "\n", " (id: "+id+")\n") + " (id: " + id + ")"
}
