package main

import (
	"regexp"
	"strings"
)

// step is one thing that a message asks for, as the simulated model understands
// it.
type step struct {
	tool string
	ref  string            // the task, in the user's words
	args map[string]string // the other arguments
	note string            // what is told of a list, or what the step becomes once the conversation is looked at
	ask  string            // what is asked or told instead of a call
	many []string          // the titles, where there are several
}

// The notes.
const (
	noteCount = "count"
	noteState = "state"
	noteOpen  = "open" // a finished task is opened again
	noteDue   = "due"  // only tasks that have a date
	noteUndo  = "undo"
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
var patterns = []pattern{
	{clearCompleted, form(`(?:delete|remove|clear|erase)(?: all)?(?: of)?(?: my| the)? (?:completed|done|finished) (?:tasks|ones|to-?dos)`), ""},
	{"", form(`(?:undo|revert|take back|reverse)(?: (?:it|that|this|the last (?:one|change|thing|action)|what you (?:just )?did))?`), noteUndo},
	{"", form(`(?:take (?:it|that) back|bring (?:it|that) back|put (?:it|that) back)`), noteUndo},
	{
		"", form(`what (?:did|have) you (?:just )?(?:do|done|change|changed)|what (?:has )?(?:just )?(?:happened|changed)`),
		noteRecap,
	},
	{"", form(`(?:delete|remove|erase|clear|scrap)(?: (?:all|everything|all of (?:it|them)|(?:all )?(?:of )?my (?:tasks|list)|all (?:the )?tasks|them all|the (?:whole )?list))`), noteAll},
	{"list_tasks", form(`(?:what(?:'s| is)|what tasks are|which tasks are|is anything) due(?: .*)?`), noteDue},
	{"list_tasks", form(`(?:list|show|display|what are|which are|which(?: tasks)? are|which of my tasks are)(?: me)?(?: my| the)? (?P<level>low|medium|high)[- ]priority(?: tasks| ones)?`), ""},
	{"list_tasks", form(`which tasks (?:are of|have) (?P<level>low|medium|high) priority`), ""},
	{"list_tasks", form(`how many(?: (?P<status>pending|open|completed|done|finished))?(?: (?P<level>low|medium|high)[- ]priority)? (?:tasks?|to-?dos?|things)(?: (?:do i have|are there|are left|have i got|do i have left|do i still have|are on my list|are still open))?(?: (?:left|open|now|in all|on my list))?`), noteCount},
	{"list_tasks", form(`(?:is|has) (?P<ref>.+?)(?: been)? (?:done|finished|completed|already done|still open|still pending|pending)(?: yet| already)?`), noteState},
	{"list_tasks", form(`(?:did i finish|have i finished|have i done) (?P<ref>.+?)(?: yet| already)?`), noteState},
	{"list_tasks", form(`(?:list|show|display|view|see|give me|tell me|read out)(?: me)?(?: all)?(?: of)?(?: my| the)?(?: (?P<status>pending|open|completed|done|finished))? (?:tasks?|to-?dos?|list|todo list|task list)(?: list)?`), ""},
	{"list_tasks", form(`what(?:'s| is| are)(?: on)? my(?: (?P<status>pending|open|completed|done|finished))? (?:tasks?|to-?dos?|list|todo list|task list)`), ""},
	{"list_tasks", form(`what do i (?:have to|need to|still have to) do.*`), ""},
	{"list_tasks", form(`which tasks (?:do i have|are (?P<status>pending|open|completed|done|finished))`), ""},
	{
		"update_task", form(`(?:set|change|raise|lower) (?:the )?priority of (?P<ref>.+?) to (?P<priority>low|medium|high)`),
		"",
	},
	{"update_task", form(`(?:set|change|raise|lower|make) (?P<ref>.+?)(?:'s)? (?:priority )?(?:to )?(?P<priority>low|medium|high)(?: priority)?`), ""},
	{"update_task", form(`(?:set|change|move) (?:the )?due date of (?P<ref>.+?) to (?P<due_date>.+)`), ""},
	{"update_task", form(`(?:move|postpone|reschedule|push|shift|delay) (?P<ref>.+?) (?:to|until) (?P<due_date>.+)`), ""},
	{"update_task", form(`(?:set|change) (?:the )?description of (?P<ref>.+?) to (?P<description>.+)`), ""},
	{"update_task", form(`rename (?P<ref>.+?) to (?P<title>.+)`), ""},
	{"update_task", form(`(?:re-?open|un-?complete) (?P<ref>.+?)`), noteOpen},
	{
		"update_task", form(`(?:mark|set) (?P<ref>.+?) (?:as|to) (?:pending|open|not done|undone|unfinished)(?: again)?`),
		noteOpen,
	},
	{"complete_task", form(`(?:mark|set|check|tick) (?P<ref>.+?) (?:as|off as|to|off) ?(?:done|complete|completed|finished|paid|sent|sorted|read|watered)?`), ""},
	{"complete_task", form(`(?:complete|finish|check off|tick off|i(?:'ve| have)? finished|i(?:'m| am) done with) (?P<ref>.+)`), ""},
	{"delete_task", form(`(?:delete|remove|erase|drop|scrap|get rid of|throw away|throw out|cross off|tidy up) (?P<ref>.+?)(?: from (?:my|the) (?:tasks|list|task list|todo list))?`), ""},
	{"delete_task", form(`(?:get|take|cross) (?P<ref>.+?) off(?: (?:my|the) (?:plate|list|task list|todo list))?`), ""},
	{"delete_task", form(`i (?:don't|do not) need (?P<ref>.+?) (?:any ?more|any longer)`), ""},
	{"add_task", form(`(?:add|create|make|new|put)(?: a| an| another| me a)?(?: new)? (?:task|to-?do|reminder)(?: (?:to|for|called|named|titled))?(?: ?[:\-])? ?(?P<title>.*)`), ""},
	{"add_task", form(`remind me to (?P<title>.+)`), ""},
	{
		"add_task", form(`(?:add|put) (?P<title>.+?) (?:to|on) (?:my|the) (?:tasks|list|task list|todo list)(?P<rest> .*)?`),
		"",
	},
	{"add_task", form(`add (?P<title>.+)`), ""},
}

func form(body string) *regexp.Regexp { return regexp.MustCompile(`(?is)^` + body + `$`) }

var (
	politeness = regexp.MustCompile(
		`(?i)^(?:(?:please|hey|hi|hello|ok|okay|now|then|also|and|could you|can you|would you|will you|i want you to|i'd like you to|i want to|let's)[, ]+)+`)
	endings = regexp.MustCompile(`(?i)(?:[ ,]*(?:please|thanks|thank you|for me|now))*[ .!?]*$`)
	joint   = regexp.MustCompile(
		`(?i)(?:,? and then |; |,? and |, then )(?:(?:please|also) )?(delete|remove|erase|scrap|get rid of|add|create|mark|check|tick|complete|finish|set|rename|list|show|change|move|push|postpone|remind|reopen|undo)\b`)
	priority = regexp.MustCompile(`(?i)(?:,? ?(?:with|at) |, )(low|medium|high) priority|,? priority (low|medium|high)`)
	due      = regexp.MustCompile(
		`(?i),? (?:due(?: on| by)?|by|until|for|on) (today|tonight|tomorrow|the day after tomorrow|next week|next month|in [a-z0-9]+ (?:days?|weeks?)|(?:this |next |on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|[0-9]{4}-[0-9]{2}-[0-9]{2}|` + dayAndMonth + `)$`)
	nounEnding = regexp.MustCompile(`(?is)^(?:the |my )?(.+?)(?: task| to-?do| thing)?$`)
)

const (
	monthNames  = `(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*`
	dayAndMonth = `(?:the )?[0-9]{1,2}(?:st|nd|rd|th)?(?: of)? ` + monthNames + `(?:,? [0-9]{4})?|` + monthNames +
		` (?:the )?[0-9]{1,2}(?:st|nd|rd|th)?(?:,? [0-9]{4})?`
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
