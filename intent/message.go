package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// message is what a classifier reads of one message, and of the text before it.
type message struct {
	reader
	previous
	signals
	hold     Hold
	said     lexicon.Families // by all verbs of the message
	clauses  []*clause
	whole    []tally       // what the message as a whole says, by tool
	supports []support     // and what the clauses say
	point    vector.Vector // where the words point
	talk     bool          // it has no clause, only words: "thanks", "hello there"
	corrects bool          // it says that it was another one
	replies  bool          // it only answers what the assistant said
	judgement
}

// maxMessage bounds what is read of a message. Of a longer one its beginning
// and its end are read: that is where people ask, before or behind what they
// pasted.
const maxMessage = 16 << 10

// read finds out what a message asks for.
func (c *Classifier) read(u Utterance) *message {
	text := u.User
	if len(text) > maxMessage {
		text = text[:maxMessage/2] + "\n" + text[len(text)-maxMessage/2:]
	}
	m := &message{reader: reader{c.listener.Read(text), c}, previous: c.readPrevious(u.Previous),
		whole: make([]tally, len(c.profiles)), supports: make([]support, len(c.profiles))}
	m.hold = Hold(m.Held.Kind)
	m.Foreign = m.Foreign || m.strange && m.asked && m.Unlisted
	if m.Foreign { // not if it commands a tool by the words of its name
		if called, _, _ := m.called(); called != nil {
			m.Foreign = false
			m.Understand()
		}
	}
	if m.Foreign || m.Courteous {
		m.due = courteousDue
	} else {
		m.understand()
	}
	if c.memory != nil && !m.Held.Over {
		c.memory.recollect(m)
	}
	m.force()
	return m
}

// understand reads the requests of a message, and decides which tools they ask for.
func (m *message) understand() {
	for i := range m.Requests {
		m.said = m.said.Union(m.Requests[i].Families)
	}
	if len(m.Requests) > 1 {
		m.whole = m.tallyAll()
	}
	m.clauses = make([]*clause, 0, len(m.Requests))
	for i := range m.Requests {
		m.judge(&m.Requests[i])
	}
	m.signals = m.reader.signals()
	agrees, corrects := m.reply()
	m.corrects = corrects && !m.asked
	m.replies = agrees || m.corrects
	m.decide()
	m.expect()
	m.callByName()
}
