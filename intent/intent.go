package intent

import (
	"context"
	"io"
	"slices"
)

// Utterance is one message of a user.
type Utterance struct {
	// User is what the user wrote.
	User string
	// Previous is the assistant's text before it, if there was one. It is what
	// "yes, go ahead" agrees to.
	Previous string
}

// Intent is what a message asks for.
type Intent struct {
	// Kind is the sort of answer that is due.
	Kind Kind
	// Expect are the tools that must be called, in the order asked for; none if
	// the message can be answered without a tool.
	Expect []Expectation
	// Due is the probability that the message asks for something that a tool must do, in
	// any language, whether or not the tool can be named. It was measured where three of
	// four messages do. From [DefaultDue] on, an answer without calls is worth a question;
	// but look at Hold first. By words alone it is at most 0.998: 1 is for a host that
	// knows.
	Due float64
	// Hold says that the message holds back what it speaks of: it is withdrawn,
	// forbidden, only drafted, asked about. Nothing that such a message expects is
	// to be insisted on, whatever its confidence.
	Hold Hold
	// Unsupported is true when the message is in a language that has no word
	// list, and neither the host's examples nor its phrases know it. Nothing is
	// expected then: no answer is better than a wrong one.
	Unsupported bool
	// Unsure is true when the reading is a guess: a second classifier may know
	// better. See [Chain].
	Unsure bool
}

// Expects reports whether the tool is among the expectations.
func (i Intent) Expects(tool string) bool {
	return slices.ContainsFunc(i.Expect, func(e Expectation) bool { return e.Tool == tool })
}

// Expectation is a tool that must be called, and why.
type Expectation struct {
	// Tool is the tool's name.
	Tool string
	// Confidence is the probability that the message asks for the tool, measured
	// on requests for tools that nothing was fitted to. See [DefaultSureChange].
	Confidence float64
	// Command is true when a plain command with the tool's own verb, or another of the
	// same meaning, asks for it here and now: "delete Read book". Whoever knows that
	// Read book is an entry of the kind that the tool works on may be sure of it.
	Command bool
	// Hold says that the message holds this tool back: see [Intent.Hold].
	Hold Hold
	// Words is the piece of the message that made it so, as written.
	Words string
}

// Func is a function that classifies. It is the shape of an LLM-backed or
// otherwise foreign classifier.
type Func func(ctx context.Context, request Utterance) (Intent, error)

// Classify calls the function.
func (f Func) Classify(ctx context.Context, request Utterance) (Intent, error) {
	return f(ctx, request)
}

// Options tunes [FromTools]. Nil is the default.
type Options struct {
	// Language is the word list that messages are read with, in the format of
	// the lists in internal/lexicon/data; nil is English.
	Language io.Reader
	// Examples are labelled messages of the host's own, also of messages that need no tool.
	// A message of the same form as an example, with the same verb and the same things, is
	// taken to ask for the same tools, if it is much nearer to it than to examples that ask
	// for something else. Three examples that agree show that their things may vary; so may
	// a title between the same four words or more. Examples can add a tool, remove one that
	// no command asks for, or choose between guesses. They never raise a confidence to
	// [DefaultSureChange]. See [Learn] and [ReadExamples].
	Examples []Example
	// Silence names tools that are never expected.
	Silence []string
	// Force maps a tool to words or phrases; a message that holds one as whole
	// words, outside quotations, expects the tool.
	Force map[string][]string
}

// Example is a message and the tools that it asks for, none for a message that
// asks for none.
type Example struct {
	// User is the message.
	User string `json:"user"`
	// Expected are the tools that it needs; empty means none.
	Expected []string `json:"expected"`
}
