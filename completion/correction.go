package completion

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// corrections are what the model is told for a reason, where {about} is what it is
// about. Each text says what is wrong and leaves two ways out: to do the work, or to
// say what prevents it.
var corrections = map[Reason]string{
	NoWork: "The request asks for something to be done, and no call and no reason against it is there. " +
		"Make the call now, or say exactly what prevents it.",
	ReadOnlyLoop: "The request asks for a change, but this turn only read. " +
		"Make the change now, or say exactly what prevents it and what is needed to go on.",
	Promise: "The turn ended with an announcement of work that nobody will do afterwards. " +
		"Make the call now instead of announcing it, or say exactly what prevents it.",
	LeakedCall: "A call of {about} was written as text, so it was not executed. " +
		"Make it as a real tool call, or say exactly what prevents it.",
	UnreportedFailure: "A change failed in this turn and the text does not say so: {about}. " +
		"Try it again, or tell the user what failed and why.",
	NoClosure: "The work is recorded, but the final text is missing. " +
		"Report in a few words what was done, and nothing that was not.",
	EmptyText: "The answer is empty. " +
		"Do what the user asked for, or say exactly what prevents it and what is needed to go on.",
	MissingRequirement: "The turn cannot end yet. Still missing: {about}. " +
		"Do that now, or say exactly what prevents it.",
}

// correction is what the model is told about a verdict; empty for a completed turn.
func correction(v *Verdict, turn *Case) string {
	about := ""
	switch v.Reason {
	case UnbackedClaim, FabricatedFailure:
		return claimCorrection(v.Unbacked(), turn)
	case LeakedCall:
		about = cmp.Or(v.Leak.Tool, "a tool")
	case UnreportedFailure:
		about = failedChanges(turn)
	case MissingRequirement:
		about = strings.Join(v.Missing, "; ")
	}
	return strings.Replace(corrections[v.Reason], "{about}", about, 1)
}

// claimCorrections are what the model is told about a claim, which is quoted, and why
// it is not so.
var claimCorrections = [...]string{
	ClaimChange: "The text reports work as done (%q), but %s. " +
		"Make the call now, or tell the user plainly that it was not done and why.",
	ClaimLookup: "The text reports what was looked up (%q), but %s. " +
		"Make the lookup now and report only what it returns, or say that it was not made.",
	ClaimFailure: "The text reports a failure (%q), but %s. " +
		"Make the call first and report its real result.",
	ClaimVerification: "The text says that a check passed (%q), but %s. " +
		"Run the check now and report its real result, or say that it was not run.",
}

func claimCorrection(claim *Claim, turn *Case) string {
	said, why := clip.Text(strings.Join(strings.Fields(claim.Text), " "), 200), claim.Fault
	failed := failedChanges(turn)
	if claim.Kind == ClaimChange && failed != "" && why == faultNoRecord {
		why = "this did not succeed: " + failed
	}
	return fmt.Sprintf(claimCorrections[claim.Kind], said, why)
}

// failedChanges lists the changes of a turn that did not succeed, with their
// reasons.
func failedChanges(turn *Case) string {
	var failed []string
	for _, record := range turn.Records {
		if record != nil && !record.Succeeded() && turn.effectOf(record).MayChange() {
			failed = append(failed, fmt.Sprintf("%s (%s)", record.Tool, clip.Text(whyNot(record), 120)))
		}
	}
	return strings.Join(failed, "; ")
}

// whyNot is the first line of why a call did not do its work.
func whyNot(record *tooltrack.Record) string {
	reason := record.Result.Error
	if record.Ruling.Denied {
		reason = cmp.Or(record.Ruling.Reason, reason)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(cmp.Or(reason, record.Result.Text())), "\n")
	return line
}
