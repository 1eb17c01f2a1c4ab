package transcripts

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// turn is a user message and everything up to the next one.
type turn struct {
	number         int // in the conversation, from 1
	user, previous string
	text           string
	claims         string // what the text claims, as the log has it beside the text
	system         string // what the host has told the model so far
	asides         []aside
	from, to       int // its calls, among those of the conversation
	// open is a turn that the log leaves before its end: nothing was said yet, or
	// the calls were not answered with words.
	open bool
	// unseen says why the calls of the turn cannot be seen; empty if they can.
	unseen string
}

// saidIn are the texts of turns, the latest first, as far back as a recap may go.
func saidIn(turns []turn) (texts []string) {
	const farthest = 100
	for _, t := range slices.Backward(turns[max(0, len(turns)-farthest):]) {
		for _, text := range []string{t.text, t.user} {
			if text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// aside is a text beside calls. It is judged when those calls have finished.
type aside struct {
	text string
	to   int // the calls up to here were made before it is judged
}

// turns cuts a conversation at its user messages. Several of them in a row are one request. What
// the assistant says before the first is no turn; it is what the user answers to.
func turns(messages []guard.Message, unseen map[int]string) []turn {
	s := splitter{made: map[string]bool{}}
	for i := range messages {
		switch message := &messages[i]; message.Role {
		case guard.RoleSystem:
			s.system += message.Text + "\n"
		case guard.RoleUser:
			s.user(message.Text)
		case guard.RoleAssistant:
			s.assistant(message)
		case guard.RoleTool:
			if !s.made[message.CallID] {
				s.hide(orphanResult)
			}
		}
		if why := unseen[i]; why != "" {
			s.hide(why)
		}
	}
	s.end()
	if n := len(s.done); n > 0 { // after the others somebody went on to talk
		last := &s.done[n-1]
		last.open = last.text == ""
	}
	return s.done
}

type splitter struct {
	done     []turn
	current  *turn
	pending  []string // texts that no call followed yet
	answered bool     // the assistant did something in this turn
	last     string   // what the assistant said last
	system   string
	calls    int
	made     map[string]bool // the calls so far, by id
}

// orphanResult is why a turn is not judged that shows results of calls it does
// not show: what else was called cannot be known.
const orphanResult = "the log holds results of calls that it does not hold"

func (s *splitter) hide(why string) {
	if s.current != nil && s.current.unseen == "" {
		s.current.unseen = why
	}
}

func (s *splitter) user(text string) {
	if s.current != nil && !s.answered {
		s.current.user = strings.TrimSpace(s.current.user + "\n" + text)
		return
	}
	s.end()
	s.current = &turn{number: len(s.done) + 1, user: text, previous: s.last, from: s.calls}
}

func (s *splitter) assistant(message *guard.Message) {
	s.answered = true
	if message.Text != "" {
		s.last = message.Text
		s.pending = append(s.pending, message.Text)
	}
	if len(message.Calls) == 0 {
		return
	}
	s.calls += len(message.Calls)
	for i := range message.Calls {
		s.made[message.Calls[i].ID] = true
	}
	if s.current != nil {
		for _, text := range s.pending {
			s.current.asides = append(s.current.asides, aside{text, s.calls})
		}
	}
	s.pending = s.pending[:0]
}

// end closes the current turn. What was said in one go, though in several messages, is one text.
func (s *splitter) end() {
	if s.current != nil {
		s.current.text = strings.Join(s.pending, "\n")
		s.current.to, s.current.system = s.calls, s.system
		s.done = append(s.done, *s.current)
	}
	s.current, s.answered, s.pending = nil, false, s.pending[:0]
}
