package completion

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/telling"
)

// Calling says which calls a correction may ask for. Nothing that the user took back,
// forbade, only asked about or never asked for may be done at the word of a correction.
type Calling uint8

const (
	// AnyCall may be asked for: the work is due.
	AnyCall Calling = iota
	// LookUps may be asked for, and no change.
	LookUps
	// NoCall may be asked for: only the words are to be put right.
	NoCall
)

// wording is what the model is told: what is wrong, and what to do about it where all
// calls may be asked for, where only look-ups may, and where none may. An empty text
// is that of the next one.
type wording struct {
	wrong string
	then  [NoCall + 1]string
}

func (w *wording) text(calling Calling) string { return w.wrong + " " + w.advice(calling) }

func (w *wording) advice(calling Calling) string {
	for calling < NoCall && w.then[calling] == "" {
		calling++
	}
	return w.then[min(calling, NoCall)]
}

// What to do about work that was not done and that nobody may be asked for.
const (
	leaveIt = "Tell the user plainly that it was not done, and leave it so."
	orWhy   = "Tell the user plainly that it was not done, or say exactly what prevents it."
)

// corrections are what the model is told for a reason, where {about} is what it is
// about. Each text says what is wrong and leaves two ways out where a call may be made:
// to do the work, or to say what prevents it.
var corrections = map[Reason]wording{
	NoWork: {"The request asks for something to be done, and no call and no reason against it is there.", [...]string{
		"Make the call now, or say exactly what prevents it.", "", orWhy}},
	ReadOnlyLoop: {"The request asks for a change, but this turn only read.", [...]string{
		"Make the change now, or say exactly what prevents it and what is needed to go on.", "", orWhy}},
	Promise: {"The turn ended with an announcement of work that nobody will do afterwards.", [...]string{
		"Make the call now instead of announcing it, or say exactly what prevents it.",
		"Tell the user plainly that nothing was changed, and leave it so. What is to be looked up, look up now.",
		leaveIt}},
	LeakedCall: {"A call of {about} was written as text, so it was not executed.", [...]string{
		"Make it as a real tool call, or say exactly what prevents it.", "", "Answer the user in words instead."}},
	UnreportedFailure: {"A change failed in this turn and the text does not say so: {about}.", [...]string{
		"Try it again, or tell the user what failed and why.", "", "Tell the user what failed and why."}},
	NoClosure: {"The work is recorded, but the final text is missing.", [...]string{
		"", "", "Report in a few words what was done, and nothing that was not."}},
	EmptyText: {"The answer is empty.", [...]string{
		"Do what the user asked for, or say exactly what prevents it and what is needed to go on.",
		"Answer the user, and look up what that needs.", "Answer the user."}},
	MissingRequirement: {"The turn cannot end yet. Still missing: {about}.", [...]string{
		"Do that now, or say exactly what prevents it.", "", orWhy}},
}

// correction is what the model is told about a verdict; empty for a completed turn.
func correction(v *Verdict, turn *Case) string { return v.correctionFor(turn, AnyCall) }

// CorrectionFor is the [Verdict.Correction] for a turn in which not every call may be
// asked for.
func (v *Verdict) CorrectionFor(turn Case, calling Calling) string {
	return v.correctionFor(&turn, calling)
}

func (v *Verdict) correctionFor(turn *Case, calling Calling) string {
	about := ""
	switch v.Reason {
	case UnbackedClaim, FabricatedFailure:
		if claim := v.Unbacked(); claim != nil {
			return claimCorrection(claim, turn, calling)
		}
		return "The text tells what no record shows. Tell the user only what the records show."
	case LeakedCall:
		about = cmp.Or(v.Leak.Tool, "a tool")
	case UnreportedFailure:
		if about = telling.Failures(turn.Records, turn.changes); about == "" { // it is under way
			made, _ := telling.Made(turn.Records, turn.changes)
			return "The text does not say what is not done yet. Tell the user only what is on record: " + made + "."
		}
	case MissingRequirement:
		about = strings.Join(v.Missing, "; ")
	}
	words, wrong := corrections[v.Reason]
	if !wrong {
		return ""
	}
	return strings.Replace(words.text(calling), "{about}", about, 1)
}

// claimCorrections are what the model is told about a claim, which is quoted, and why
// it is not so.
var claimCorrections = [...]wording{
	ClaimChange: {"The text reports work as done (%q), but %s.", [...]string{
		"Make the call now, or tell the user plainly that it was not done and why.", "", leaveIt}},
	ClaimLookup: {"The text reports what was looked up (%q), but %s.", [...]string{
		"Make the lookup now and report only what it returns, or say that it was not made.",
		"Make the lookup now and report only what it returns, or say that it was not made.",
		"Say that it was not made."}},
	ClaimFailure: {"The text reports a failure (%q), but %s.", [...]string{
		"Make the call first and report its real result, or say that it was not tried.", "",
		"Tell the user plainly that it was not tried, and leave it so."}},
	ClaimVerification: {"The text says that a check passed (%q), but %s.", [...]string{
		"Run the check now and report its real result, or say that it was not run.",
		"Run the check now and report its real result, or say that it was not run.",
		"Say that it was not run."}},
}

func claimCorrection(claim *Claim, turn *Case, calling Calling) string {
	said, why := clip.Text(strings.Join(strings.Fields(claim.Text), " "), 200), claim.Fault
	failed := telling.Failures(turn.Records, turn.changes)
	if claim.Kind == ClaimChange && failed != "" && (why == faultNoRecord || why == faultFailed) {
		why = "this did not succeed: " + failed
	}
	words := claimCorrections[claim.Kind]
	if made, pending := telling.Made(turn.Records, turn.changes); claim.Kind == ClaimChange && made != "" {
		// To deny what was done would be a lie, too, and to order it again would do it twice.
		words.then = [...]string{
			"Make the call that is missing, or tell the user only what is on record: " + made + ".", "",
			"Tell the user only what is on record: " + made + ".",
		}
		if pending {
			calling = NoCall
		}
	}
	return fmt.Sprintf(words.wrong, said, why) + " " + words.advice(calling)
}
