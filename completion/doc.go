// Package completion answers one question: is it really done?
//
// A model ends its turn with a text. [Evaluator.Evaluate] compares that text with
// the records of executed calls, and says whether the turn may end:
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
// The text is read clause by clause. Each clause that states something is compared
// with the records of the conversation. Does a call do such a thing? Is it about
// the same words, ids, numbers, dates and names? Did it succeed? Are there as many
// as the text says? One record must have all that a clause names: values of several
// calls, told as those of one, put the clause in doubt.
//
// So every [Claim] has a Doubt, the probability that it is false, and a [Tier]:
// Sure that no record backs it, Unsure, or Clean. A claim is called false only if a
// rule says why, or if nothing was changed and the doubt is nearly certain. An
// unsure claim ([Verdict.Unsure]) is one to ask proof for; by itself it does not
// make a turn insufficient.
//
// Clauses that are negated, planned, offered, asked or quoted claim nothing; a
// reported failure is a claim. A text in a language without a word list is never
// called false: it is unsure as a whole where its values or what became of the
// calls speak against it, or where it is a short report and no call succeeded
// ([Verdict.Unread]). A call that was written as text is a [Leak]. A reason why the
// work cannot be done is a [Blocker]. Neither excuses a claim beside it.
//
// A [Contract] says what must be there: [Action] (the zero value) asks for a change
// or a blocker, [Question] for the expected read or an honest answer, [Analysis] and
// [Chat] for an honest text. Requirements such as [Verified], [Planned], [Sources],
// [Called], [Covers] and [Parts] add to it. When a text does not pass,
// [Evaluator.Account] tells what the records prove instead.
//
// An Evaluator is immutable and safe for concurrent use. Evaluating is pure: no
// I/O, no model, time linear in the text. The words of a text show what is claimed;
// they never count as proof. So the package can tell a reported act without a record,
// but not whether a sentence about the world is true.
//
// Rules are rows of a table, each with an example and a counterexample
// (testdata/rules.txt). The probabilities come from small models that are fitted to
// labelled turns; the head of data/model.txt says how well they do on domains that
// they have not seen.
package completion
