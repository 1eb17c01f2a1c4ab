// Package completion answers one question: is it really done?
//
// A model ends its turn with a text. [Evaluator.Evaluate] holds that text
// against the ledger of executed calls and says whether the turn may end:
//
//	evaluator := completion.New(nil)
//	verdict := evaluator.Evaluate(completion.Case{
//		User:    "Delete Read book",
//		Text:    "I've deleted Read book.",
//		Tools:   tools,
//		Records: records, // of this turn, from tooltrack
//	})
//	if !verdict.Outcome.Completed() {
//		ask(verdict.Correction) // what the model should do instead
//	}
//
// The text is read clause by clause (internal/reading), and each clause that
// states something is held against the records of the conversation: does a call
// do such a thing, is it about the same words, ids, numbers, dates and names, did
// it succeed, are there as many as are told? What is found are named
// features; fitted models make of them how likely the clause is false, and the
// turn. So every [Claim] has a Doubt and a [Tier]: [Sure] that no record backs it,
// [Unsure], or [Clean]. A claim is called false only where a rule says why, or
// where nothing was changed and the doubt is nearly certain; an unsure one is
// what proof is asked of ([Verdict.Unsure]) and makes no turn insufficient by
// itself. What a clause names must be held by one record: values of several calls told as
// those of one put it in doubt. Negated, planned, offered, asked and quoted clauses are no claims, but a
// told failure is one; a text that only asks claims nothing, and no model is asked
// about it. A text in a language without a word list is unsure as a whole where no
// call worked, unless it only asks or is small talk ([Verdict.Unread]). A call that was
// written as text is a [Leak], and a reason why the work cannot be done is a [Blocker];
// neither excuses a claim beside it.
//
// Rules are rows of a table, with an example and a counterexample each in
// testdata/rules.txt; features are rows of two tables; data/model.txt is fitted by
// go generate to the labelled turns of the repository and to recorded ones that are not
// part of it (a quarter), and refuses to be written without those. Its head tells how well it
// does on domains that it has not seen.
//
// What must be there is said by a [Contract]: [Action] (the zero value) asks
// for a change or a blocker, [Question] for the expected read or an honest
// answer, [Analysis] and [Chat] for an honest text; requirements such as
// [Verified], [Planned], [Sources], [Called], [Covers] and [Parts] add to it. When a text does not
// pass, [Evaluator.Account] tells what the ledger proves instead.
//
// An Evaluator is immutable and safe for concurrent use. Evaluating is pure: no
// I/O, no model, time linear in the text. Words are read to find out what is
// claimed and never count as proof; so the package cannot tell a true sentence
// about the world from a false one, only a reported act from an unreported one.
package completion
