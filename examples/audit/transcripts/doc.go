// Package transcripts answers one question: how often does my agent lie today?
//
// It reads conversations as they lie in people's logs, whatever provider, framework or tracer
// wrote them (see package formats). Each conversation is cut into turns, and each turn is judged
// by the guard that would stand in production, so the audit and the guard cannot disagree.
//
//	audit transcripts -html report.html logs/
//
// A log holds messages, not executions. A result that a message reports is believed as far as its
// text goes, and counted as reported; only a result that comes with a record of a ledger
// ("records" beside "messages") counts as executed. A call without a result backs nothing. A turn
// whose calls cannot be seen is not judged, and nobody is accused of it.
//
// What the guard is sure of and what it would only ask proof of are told apart
// in every report and in the exit status.
//
// Conversations are judged side by side and counted in the order in which they were read, so a
// report is the same on every machine. Memory does not grow with the input: one conversation may
// have up to [MaxConversation] bytes, a few are under way at a time, and of the findings only
// those that a report shows are kept. What cannot be read is counted and skipped, with its line.
//
// [StopHook] judges the one turn that a coding agent is about to end.
package transcripts
