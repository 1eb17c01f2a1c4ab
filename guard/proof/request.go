package proof

import (
	"fmt"
	"slices"
	"strings"
)

// Doubt is one thing that proof is asked of.
type Doubt struct {
	// Claim is the piece of the draft that is in doubt; empty where the request may
	// not be met.
	Claim string
	// Due is the piece of the user's message that may still be due; both are empty
	// where only something may be due.
	Due string
}

// Calling says whether a request for proof may be answered with a call instead.
type Calling uint8

const (
	// CallsInvited invites the call that is missing.
	CallsInvited Calling = iota
	// CallsThatRead invites a look-up only, since the user's message asks for no
	// change.
	CallsThatRead
	// CallsHeldBack invites none, since the user's message holds something back.
	CallsHeldBack
	// CallsBarred says nothing of calls: none can be made.
	CallsBarred
	numCallings
)

var callings = [...]string{
	CallsInvited: callInstead, CallsThatRead: lookUpInstead, CallsHeldBack: heldBack, CallsBarred: answerOnly,
}

// Ask is the request for proof, as the model reads it. It accuses of nothing and
// commands nothing: the answer may be right as it stands.
func Ask(list List, doubts []Doubt, calling Calling) string {
	var text strings.Builder
	text.Grow(len(answerFor) + len(callInstead) + len(shape) + 512)
	text.WriteString("Before your answer is shown: what does it rest on?\n\nThe calls on record:\n")
	if list.left > 0 {
		fmt.Fprintf(&text, "(%d older ones are not listed)\n", list.left)
	}
	text.WriteString(list.String())
	describe(&text, doubts)
	text.WriteString(callings[calling%numCallings])
	text.WriteString(shape)
	return text.String()
}

// Reasons are those of faults, once each: what is wrong with a sentence is not told of
// its pieces as well.
func Reasons(faults []Fault) []string {
	var reasons []string
	for i, fault := range faults {
		within := func(j int) bool {
			other := &faults[j]
			return other.Rule == fault.Rule && other.Item == 0 && fault.Item == 0 && fault.Words != "" &&
				strings.Contains(other.Words, fault.Words) && (other.Words != fault.Words || j < i)
		}
		told := false
		for j := range faults {
			told = told || j != i && within(j)
		}
		if !told && !slices.Contains(reasons, fault.Reason) {
			reasons = append(reasons, fault.Reason)
		}
	}
	return reasons
}

// Again is what the model is told once about a report that cannot be accepted.
func Again(reasons []string, calling Calling) string {
	var text strings.Builder
	text.WriteString("That does not settle it:\n")
	for _, reason := range reasons[:min(len(reasons), 8)] {
		fmt.Fprintf(&text, "- %s\n", reason)
	}
	text.WriteString("Answer once more with one JSON object and nothing else. ")
	text.WriteString("Change the message where a record does not show what it says")
	switch calling {
	case CallsInvited:
		text.WriteString(", or call the tool that is missing")
	case CallsThatRead:
		text.WriteString(", or look up what is missing")
	}
	text.WriteString(".")
	return text.String()
}

const answerFor = `Each piece of your answer in this list needs an item that names it: with the call that shows it, ` +
	`with status general if it tells of nothing that was done or looked up, or with not_done or needs_input if it says so.
`

const callInstead = `
If something that the user asked for still has to be done with a tool, and nothing speaks against it, ` +
	`you may call the tool instead of answering. Otherwise answer with one JSON object and nothing else:`

const lookUpInstead = `
If something that the user asks about still has to be looked up with a tool, you may do that instead of answering. ` +
	`Otherwise answer with one JSON object and nothing else:`

const heldBack = `
The user may have taken something back, or only asked about it: leave that undone. ` +
	`Answer with one JSON object and nothing else:`

const answerOnly = `
Answer with one JSON object and nothing else:`

const shape = `
{"message": null, "items": [{"what": "…", "status": "…", "records": [1], "reason": "…"}]}

message: null if your answer is right as it stands. Otherwise the corrected answer for the user, in its own ` +
	`language; change what no record shows, and keep the rest. A mistake that was made stays told.
items: one for each action or look-up that the answer says happened, and one for each thing that the user asked for ` +
	`in this turn. A recap may be one item. General facts, policies, advice, small talk, arithmetic, text of your own ` +
	`and a request not to act need none.
status: done (something was changed), answered (something was looked up, or the state already held), partial, ` +
	`pending (accepted, not done yet), failed (also denied, timed out or of unknown outcome), not_done, ` +
	`withdrawn (the user took it back), needs_input, general (it tells of nothing that was done or looked up).
records: the numbers of the calls that show it, for done, answered, partial, pending and failed. Only the numbers ` +
	`above count, and only where target and values are the same; earlier calls show what happened then. ` +
	`For the other statuses give the reason instead.
`

// MaxDoubts is how many doubts a request names.
const MaxDoubts = 8

// describe names what is in doubt.
func describe(text *strings.Builder, doubts []Doubt) {
	if len(doubts) == 0 {
		return
	}
	text.WriteString("\nWhat could not be told from the words alone:\n")
	claims := false
	for _, doubt := range doubts[:min(len(doubts), MaxDoubts)] {
		switch {
		case doubt.Claim != "":
			claims = true
			fmt.Fprintf(text, "- whether a call shows this: %s\n", oneLine(doubt.Claim, 160))
		case doubt.Due != "":
			fmt.Fprintf(text, "- whether this is still to be done: %s\n", oneLine(doubt.Due, 160))
		default:
			text.WriteString("- whether something that the user asked for is still to be done\n")
		}
	}
	if claims {
		text.WriteString(answerFor)
	}
}
