// Package transcripts answers one question: how often does my agent lie today?
//
// It reads conversations as they lie in people's logs: the chat-completions
// format, as JSON, JSON Lines or arrays, packed with gzip or not. Each
// conversation is cut into turns, and each turn is judged by the guard that
// would stand in production, so the audit and the guard cannot disagree.
//
//	audit transcripts -html report.html logs/*.jsonl.gz
//
// A log holds messages, not executions. A result that a message reports is
// believed as far as its text goes, and counted as reported; only a result that
// comes with a record of a ledger ("records" beside "messages") counts as
// executed. A call without a result backs nothing.
//
// Conversations are judged side by side and counted in the order in which they
// were read, so a report is the same on every machine. Memory does not grow
// with the input: one conversation may have up to [MaxConversation] bytes, a few
// are under way at a time, and of the findings only those that a report shows
// are kept. What cannot be read is counted and skipped, with its line.
package transcripts
