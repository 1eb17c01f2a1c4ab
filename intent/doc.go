// Package intent answers one question: what must be called?
//
// A missing tool call can only be noticed by someone who knows that one was
// due. [FromTools] builds a [Classifier] from the tools themselves: verbs and
// objects from their names and descriptions, synonyms from the word lists of
// package lexicon, the host's own words from [tooltrack.Words]. It needs no
// training and no model:
//
//	classifier, err := intent.FromTools(tools, nil)
//	…
//	asked, err := classifier.Classify(ctx, intent.Utterance{User: "take milk off my list"})
//	asked.Kind   // intent.Action
//	asked.Expect // delete_task, its confidence, and the words that made it so
//
// Two probabilities come with it, both measured on requests for tools that
// nothing was fitted to. [Expectation.Confidence] is that of the tool: from
// [DefaultSureChange] on, a guard may insist. [Intent.Due] is that of anything
// being due at all, also where no tool can be named or the language has no word
// list: from [DefaultDue] on, an answer without calls is worth a question.
//
// How: reading.Message cuts a message into requests, toolname and lexicon say what
// each tool does (profile.go, vocabulary.go), and a request is surveyed for the
// words of each (survey.go, sight.go). What it says for or against a tool is listed
// as named evidence: one table, evidence.go, filled in by weigh.go. How the message is
// put, whatever the tools, is one number of it (wording.go); which words ask for which
// sort of tool, whatever the tool's own words, is another (internal/vector). Three forests of
// small trees (internal/forest) weigh it: which tool, how surely, and whether anything
// is due. From their probabilities decide.go takes what is expected. Trees, wording and
// vectors are fitted to labelled requests by TestFit (data).
//
// [Utterance.Previous], the assistant's text before, is what "yes, go ahead"
// agrees to. A message that holds the words without asking for the act mostly expects
// nothing; what it expects all the same carries a [Hold], and neither that nor what is
// due then may be insisted on: look at [Intent.Hold] and [Expectation.Hold] before any
// number. [HoldOf] says the same of a message without tools, for whoever has another
// classifier. [Expectation.Command] marks a plain command: sure, once its object is known.
// A language without word lists expects nothing; [Intent.Unsupported] says so.
//
// Hosts teach their own language by [Options.Examples], silence or force tools,
// or put an LLM behind the local classifier with [Chain], which asks it only
// when the local one is unsure.
//
// A Classifier is immutable and safe for concurrent use. It reads one message
// at a time and resolves nothing: which task "it" is, package resolver knows.
package intent
