// Package intent answers one question: what must be called?
//
// A missing tool call can only be noticed if one knows that it was due. [FromTools]
// builds a [Classifier] from the tools themselves: verbs and nouns from their names
// and descriptions, synonyms from word lists, and your own words from
// [tooltrack.Words]. It needs no training and no model:
//
//	classifier, err := intent.FromTools(tools, nil)
//	…
//	asked, err := classifier.Classify(ctx, intent.Utterance{User: "take milk off my list"})
//	asked.Kind   // intent.Action
//	asked.Expect // delete_task, its confidence, and the words that made it so
//
// It gives two probabilities, both measured on requests for tools that nothing was
// fitted to. [Expectation.Confidence] is for one tool: from [DefaultSureChange] on,
// a guard may insist on it. [Intent.Due] is for anything at all, also if no tool can
// be named or the language has no word list: from [DefaultDue] on, an answer without
// calls is worth a question.
//
// Look at [Intent.Hold] and [Expectation.Hold] before any number. A message can use
// the words of a request without making it ("don't send it", "how do I delete it?").
// It then carries a [Hold], and nothing may be insisted on. [HoldOf] says the same of
// a message without tools, for those who have another classifier.
// [Expectation.Command] marks a plain command: it is sure once its object is known.
//
// [Utterance.Previous] is the assistant's text before; "yes, go ahead" agrees to it.
// In a language without a word list nothing is expected, and [Intent.Unsupported] is
// true.
//
// [Options.Examples] teach your users' language. Options also silence or force tools.
// [Chain] puts an LLM behind the local classifier, and asks it only when the local
// one is unsure.
//
// How it works: the message is cut into requests, and each request is compared with
// what each tool does. What speaks for or against a tool is listed as named evidence
// (evidence.go, filled in by weigh.go). Three forests of small trees weigh it: which
// tool, how surely, and whether anything is due. They are fitted to labelled requests
// (data).
//
// A Classifier is immutable and safe for concurrent use. It reads one message at a
// time and resolves nothing: package resolver finds out which task "it" is.
package intent
