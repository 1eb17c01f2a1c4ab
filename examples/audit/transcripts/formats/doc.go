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
