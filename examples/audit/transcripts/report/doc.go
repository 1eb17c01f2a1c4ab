// Package report shows what an audit found, to people and to machines.
//
// A [Report] is the sum, a [Finding] one turn that may not end as it did. They are written for a
// terminal ([WriteTerminal]), as a page ([WritePage]) and as JSON ([Stream]). Findings are
// streamed: of a million only those are kept that a page or a terminal shows ([Keeper]).
//
// What a log holds is shown, never run: no control character reaches a terminal,
// and the page has neither a script nor a link.
package report
