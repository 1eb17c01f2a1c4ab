// Package formats answers one question: what is in this log?
//
// Logs of agents come in the shapes that providers, frameworks and tracers gave them. A [Format]
// reads one of them and makes a [Conversation] of it: who said what, which tools were called and
// what came of it. [Recognise] looks at a value of a file and says whose it is.
//
//	format, parts := formats.Recognise(value)
//	conversations, err := format.Read(parts)
//
// One value may hold a whole conversation, or one message of it, or one span of a trace: parts of
// the same key belong together, and whoever reads the file gathers them.
//
// A reader never guesses what it cannot see. Where a log shows that calls were
// made but not which, it says so in [Conversation.Unseen], and those turns are not
// judged. What cannot be read at all is described by [Shape], with a hint.
//
// All formats are stateless and safe for concurrent use.
package formats

import (
	"errors"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A Format is one kind of log.
type Format interface {
	// Name is what people call it.
	Name() string
	// Take looks at a value of a file and takes it apart. It returns false for a value of another format. A
	// value that belongs to this one and says nothing about the conversation has no parts.
	Take(v *Value) (parts []Part, ok bool)
	// Read makes conversations of parts that belong together, in the order in which they were met.
	Read(parts []Part) ([]*Conversation, error)
}

// Part is a piece of a conversation, or a whole one.
type Part struct {
	// Key names the conversation. Parts of one file with the same key are read
	// together; a part without a key is a conversation by itself.
	Key string
	// Line is where its value begins.
	Line int
	// Data is the piece, as JSON.
	Data []byte
}

// Conversation is what one conversation of a log says.
type Conversation struct {
	// Format is the name of the format that it was read as.
	Format string
	// ID and Model are empty where the log names none.
	ID, Model string
	// Line is where the conversation, or the exchange that ends it, begins.
	Line int
	// Messages are what was said and called, in order. Calls without ids have been given some.
	Messages []guard.Message
	// Tools are those that the log lists, without effects. Nil is a log that
	// lists none; an empty list is an agent that has none.
	Tools []tooltrack.Tool
	// Records are those of a ledger that lie beside the messages.
	Records []*tooltrack.Record
	// Fates are what the log says of calls beside the text of their results, by
	// call id: that one failed, or was not allowed.
	Fates map[string]tooltrack.Status
	// LastTurn is true for an entry that repeats the conversation so far: the
	// turns before the last have entries of their own.
	LastTurn bool
	// Unseen says, by the index of a message, why the calls of its turn cannot be seen.
	Unseen map[int]string
	// Probes are what was read of the world afterwards.
	Probes []Probe
	Claims []Claim
	// Truth is what a benchmark says of it; nil in a log.
	Truth *Truth
}

// all are the formats, the most particular first: where two can read a value, the first one does.
var all = []Format{otlp{}, agentTrace{}, claudeCode{}, codex{}, gemini, responses, langchain, anthropic, chat}

// Recognise finds the format of a value, and its parts. A nil format is a value that none of them knows.
func Recognise(v *Value) (Format, []Part) {
	for _, format := range all {
		if parts, ok := format.Take(v); ok {
			return format, parts
		}
	}
	return nil, nil
}

// Rank is the place of a format among all, the most particular first. Messages of one
// conversation may look like several formats, and the most particular one can read them all.
func Rank(f Format) int {
	for i, format := range all {
		if format == f {
			return i
		}
	}
	return len(all)
}

// Loose is the key of messages that lie in a file one by one.
const Loose = "messages"

// errEmpty is an entry without any message.
var errEmpty = errors.New("there are no messages in it")

// alone is the one part of a value that is a conversation by itself.
func alone(v *Value) []Part { return []Part{{Line: v.Line, Data: v.Data}} }

// loose is the one part of a value that is a message of a conversation.
func loose(v *Value) []Part { return []Part{{Key: Loose, Line: v.Line, Data: v.Data}} }
