package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// What a message means depends on what was said before: "it", "what did you do?", and the
// answer to a question of the model.

var (
	pronoun   = regexp.MustCompile(`(?i)^(?:its?|that|this|that one|this one|that task|this task|the same(?: one)?)$`)
	confirmed = regexp.MustCompile(`(?m)^(?:Added|Updated|Completed|Deleted): (.+?)(?: \([^()]*\))*$`)
	numbered  = regexp.MustCompile(`(?m)^\d+\. (?:"(.+)"|(.+?)(?: \([^()]*\))?)$`)
)

const askWhich = "Which task do you mean?"

func whichOne(titles []string) string {
	text := askWhich
	for i, title := range titles {
		text += fmt.Sprintf("\n%d. %q", i+1, title)
	}
	return text
}

// recall takes a message as the answer to the model's own question, where it
// asked one and the message is no request by itself.
func (m *mind) recall() {
	before := m.Before()
	if len(m.steps) > 0 || len(before) == 0 || before[len(before)-1].Role != "assistant" {
		return
	}
	question, answer := before[len(before)-1].Content, endings.ReplaceAllString(strings.TrimSpace(m.Asked()), "")
	if answer == "" || smallAnswer.MatchString(answer) {
		return
	}
	steps := understand((&simmodel.Request{Messages: before}).Asked())
	switch {
	case len(steps) != 1:
		return
	case strings.Contains(question, askWhich) && steps[0].note == noteAll:
		steps[0] = step{tool: "delete_task", ref: unquote(answer), args: map[string]string{}}
	case strings.Contains(question, askWhich) && steps[0].ref != "":
		steps[0].ref = unquote(answer)
	default:
		return
	}
	m.steps = steps
}

var smallAnswer = regexp.MustCompile(`(?i)\b(?:thanks?|hello|hi|no|none|never ?mind|forget it|stop|neither|nothing)\b`)

// settle puts titles in the place of what only points at them: at the last task of this message,
// or else of the conversation. Where there is none, it asks.
func (m *mind) settle() {
	last := "" // what this message has spoken of
	for i := range m.steps {
		s := &m.steps[i]
		if pronoun.MatchString(s.ref) {
			if s.ref = cmp.Or(last, m.mentioned()); s.ref == "" {
				s.ask = askWhich
			}
		}
		switch {
		case s.note == noteRecap:
			s.ask = m.recap()
		case s.note == noteAll:
			s.ask = "I delete tasks one by one, so that none goes by mistake. " + askWhich
		case s.tool == clearCompleted:
			if s.many = m.known("(Status: completed"); len(s.many) == 0 {
				s.ask = "You have no completed tasks."
			}
		}
		last = cmp.Or(s.args["title"], s.ref, last) // a task that was renamed goes by its new name
	}
}

// known are the titles of the prompt, or those of them whose line holds a mark.
func (m *mind) known(mark string) (titles []string) {
	_, list, _ := strings.Cut(m.System(), "THE USER'S TASKS:\n")
	for line := range strings.Lines(list) {
		if strings.Contains(line, mark) {
			titles = append(titles, titlesIn(line)...)
		}
	}
	return titles
}

func titlesIn(text string) []string {
	var titles []string
	for _, found := range numbered.FindAllStringSubmatch(text, -1) {
		titles = append(titles, found[1]+found[2])
	}
	return titles
}

// candidates are the titles that a list in running text names.
func (m *mind) candidates(list string) []string {
	var titles []string
	for _, title := range m.known("") {
		if strings.Contains(list, title) {
			titles = append(titles, title)
		}
	}
	if len(titles) == 0 { // more tasks than the prompt shows
		titles = strings.Split(strings.ReplaceAll(list, " and ", ", "), ", ")
	}
	return titles
}

// mentioned is the task that was talked of last.
func (m *mind) mentioned() string {
	for _, message := range slices.Backward(m.Before()) {
		switch message.Role {
		case "assistant":
			if found := confirmed.FindAllStringSubmatch(message.Content, -1); found != nil {
				return found[len(found)-1][1]
			}
			if titles := titlesIn(message.Content); len(titles) == 1 {
				return titles[0]
			}
		case "user":
			if steps := understand(message.Content); len(steps) > 0 {
				if about := steps[len(steps)-1].about(); about != "" && !pronoun.MatchString(about) {
					return about
				}
			}
		}
	}
	return ""
}

// recap tells what the calls of this conversation did.
func (m *mind) recap() string {
	lines := []string{"In this conversation:"}
	byUser := func(m simmodel.Message) bool { return m.Role == "user" }
	calls := slices.DeleteFunc(slices.Clone(m.Before()), byUser)
	whole := simmodel.Request{Messages: append([]simmodel.Message{{Role: "user"}}, calls...)} // as one turn
	for _, result := range whole.Results() {
		if ok, _, data := readResult(result.Text); ok && result.Call.Name != "list_tasks" {
			s := step{tool: result.Call.Name, args: map[string]string{}}
			_ = json.Unmarshal([]byte(result.Call.Arguments), &s.args) // a list of titles is in the data as well
			lines = append(lines, s.done(data))
		}
	}
	if len(lines) == 1 {
		return "I have changed nothing in this conversation."
	}
	return strings.Join(lines, "\n")
}
