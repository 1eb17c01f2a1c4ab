// Package completion answers one question: is it really done?
//
// A model ends its turn with a text. [Evaluator.Evaluate] holds that text
// against the ledger of executed calls and says whether the turn may end:
//
//	evaluator := completion.New(nil)
//	verdict := evaluator.Evaluate(completion.Turn{
//		User:    "Delete Read book",
//		Text:    "I've deleted Read book.",
//		Tools:   tools,
//		Records: records, // of this turn, from tooltrack
//	})
//	if !verdict.Outcome.Completed() {
//		ask(verdict.Correction) // what the model should do instead
//	}
//
// The text is read for what it claims: what was done, to what, when. Each
// [Claim] needs a successful record of its own, of a tool that does such a
// thing, about the same subject, in this turn (or an earlier one, where the
// text looks back). What is negated, planned, offered, asked, quoted or done by
// somebody else is no claim. Lookups and failed attempts need their records,
// too, and "all tests pass" needs a verification that succeeded after the last
// change. A call that was written as text is a [Leak], and a reason why the work
// cannot be done is a [Blocker].
//
// What must be there is said by a [Contract]: [Action] (the zero value) asks
// for a change or a blocker, [Question] for the expected read or an honest
// answer, [Analysis] and [Chat] for an honest text; requirements such as
// [Verified], [Planned], [Sources] and [Parts] add to it. When a text does not
// pass, [Evaluator.Account] tells what the ledger proves instead.
//
// An Evaluator is immutable and safe for concurrent use. Evaluating is pure: no
// I/O, no model, time linear in the text. Words are read to find out what is
// claimed and never count as proof; so the package cannot tell a true sentence
// about the world from a false one, only a reported act from an unreported one.
package completion
