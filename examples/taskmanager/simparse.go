package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// step is one thing that a message asks for, as the simulated model understands it.
type step struct {
	tool string
	ref  string            // the task, in the user's words
	args map[string]string // the other arguments
	note string            // what the step becomes once the conversation is looked at
	ask  string            // what is asked or told instead of a call
	many []string          // the titles, where there are several
}

// The notes.
const (
	noteOpen  = "open" // a finished task is opened again
	noteRecap = "recap"
	noteAll   = "all" // everything at once is not deleted on one word
)

// pattern is one way of asking. The named groups are ref and the arguments.
type pattern struct {
	tool string
	form *regexp.Regexp
	note string
}

// The simulated model reads requests by a handful of forms. It is no classifier
// and shares nothing with the library's: what it misses, a guard must notice.
//
//go:embed simrequests.txt
var requestRows string

var patterns = func() (list []pattern) {
	for _, row := range rowsOf(requestRows) {
		tool, note := strings.Trim(row[0], "-"), strings.Trim(row[1], "-")
		list = append(list, pattern{tool, regexp.MustCompile(`(?is)^(?:` + row[2] + `)$`), note})
	}
	return list
}()

// rowsOf are the lines of a table with tabs between its columns.
func rowsOf(table string) (rows [][]string) {
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSpace(line), "\t"))
		}
	}
	return rows
}

var (
	politeness = regexp.MustCompile(
		`(?i)^(?:(?:please|pls|plz|hey|hi|hello|ok|okay|now|then|also|and|could you|can you|would you|will you|i want you to|i'd like you to|i want to|let's)[, ]+)+`)
	endings = regexp.MustCompile(`(?i)(?:[ ,]*(?:please|thanks|thank you|for me|now))*[ .!?]*$`)
	joint   = regexp.MustCompile(
		`(?i)(?:,? and then |; |,? and |, then )(?:(?:please|also) )?(delete|remove|erase|scrap|get rid of|add|create|mark|check|tick|complete|finish|set|make|raise|lower|rename|list|show|change|move|push|postpone|remind|reopen)\b`)
	priority = regexp.MustCompile(`(?i)(?:,? ?(?:with|at) |, )(low|medium|high) priority|,? priority (low|medium|high)`)
	due      = regexp.MustCompile(
		`(?i),? (?:due(?: on| by)?|by|until|for|on) (today|tonight|tomorrow|the day after tomorrow|next week|next month|in [a-z0-9]+ (?:days?|weeks?)|(?:this |next |on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|[0-9]{4}-[0-9]{2}-[0-9]{2})$`)
	nounEnding = regexp.MustCompile(`(?is)^(?:the |my )?(.+?)(?: task| to-?do| thing)?$`)
)

// understand reads a message. No step is small talk.
func understand(message string) []step {
	var steps []step
	for _, part := range split(message) {
		if s, ok := understandOne(part); ok {
			steps = append(steps, s)
		}
	}
	return steps
}

// split parts a message that asks for several things.
func split(message string) []string {
	var parts []string
	for {
		at := joint.FindStringSubmatchIndex(message)
		if at == nil {
			return append(parts, message)
		}
		parts = append(parts, message[:at[0]])
		message = message[at[2]:]
	}
}

func understandOne(text string) (step, bool) {
	text = strings.TrimSpace(text)
	text = politeness.ReplaceAllString(text, "")
	text = endings.ReplaceAllString(text, "")
	for _, p := range patterns {
		found := p.form.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		s := step{tool: p.tool, note: p.note, args: map[string]string{}}
		for i, name := range p.form.SubexpNames() {
			if name != "" && name != "rest" && found[i] != "" {
				s.args[name] = strings.TrimSpace(found[i])
			}
		}
		s.tidy(found[0])
		return s, true
	}
	return step{}, false
}

// tidy moves what the forms left together to where it belongs.
func (s *step) tidy(text string) {
	if ref := s.args["ref"]; ref != "" {
		s.ref = unquote(nounEnding.FindStringSubmatch(ref)[1])
		delete(s.args, "ref")
	}
	if status, has := s.args["status"]; has {
		delete(s.args, "status")
		s.args["status_filter"] = map[bool]string{
			true: "pending", false: "completed",
		}[status == "pending" || status == "open"]
	}
	if s.note == noteOpen {
		s.args["status"], s.note = "pending", ""
	}
	if s.tool == "add_task" {
		title := s.args["title"]
		if found := due.FindStringSubmatch(text); found != nil {
			s.args["due_date"], title = found[1], due.ReplaceAllString(title, "")
		}
		if found := priority.FindStringSubmatch(title); found != nil {
			s.args["priority"], title = strings.ToLower(found[1]+found[2]), priority.ReplaceAllString(title, "")
		}
		s.args["title"] = unquote(title)
	}
	for _, name := range []string{"title", "description"} {
		if value, has := s.args[name]; has && s.tool == "update_task" {
			s.args[name] = unquote(value)
		}
	}
	if value, has := s.args["priority"]; has {
		s.args["priority"] = strings.ToLower(value)
	}
}

func unquote(text string) string {
	text = strings.TrimSpace(text)
	for _, pair := range [][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}} {
		if inner, open := strings.CutPrefix(text, pair[0]); open {
			if inner, closed := strings.CutSuffix(inner, pair[1]); closed {
				return inner
			}
		}
	}
	return text
}

//go:embed simtalk.txt
var talkRows string

// capability asks what the model can do, and not to do it.
var capability = regexp.MustCompile(`(?i)^(?:hey,? |hi,? )?(?:can|could|are) you (?:able to )?(?:also )?(?:delete|remove|add|create|complete|finish|change|update|edit|rename|list) (?:a |any |my )?(?:tasks?|to-?dos?|things|stuff)\??$`)

// chatter is what the model says to a message that asks for no work.
func chatter(message string) string {
	for _, row := range rowsOf(talkRows) {
		if regexp.MustCompile(row[0]).MatchString(message) {
			return row[1]
		}
	}
	return "I did not get that. I can list your tasks, add new ones, change, complete or delete them. " +
		"What would you like to do?"
}

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

// recall takes a message as the answer to the model's own question, if it is no request by itself.
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

// settle puts titles in the place of what only points at them. Where there is none, it asks.
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
