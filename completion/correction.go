package completion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/telling"
)

// Calling says which calls a correction may ask for. No correction may lead to something
// that the user took back, forbade, only asked about or never asked for.
type Calling uint8

const (
	// AnyCall may be asked for: the work is due.
	AnyCall Calling = iota
	// LookUps may be asked for, and no change.
	LookUps
	// NoCall may be asked for: only the words are to be put right.
	NoCall
)

// corrections are what the model is told for a reason.
var corrections = map[Reason]telling.Correction{
	NoWork: telling.NoWork, ReadOnlyLoop: telling.ReadOnlyLoop,
	Promise: telling.Promise, LeakedCall: telling.LeakedCall,
	UnreportedFailure: telling.UnreportedFailure, NoClosure: telling.NoClosure,
	EmptyText: telling.EmptyText, MissingRequirement: telling.MissingRequirement,
}

// CorrectionFor is the [Verdict.Correction] for a turn in which not every call may be asked for.
func (v *Verdict) CorrectionFor(turn Case, calling Calling) string {
	return v.correctionFor(&turn, calling)
}

// correctionFor is what the model is told about a verdict; empty for a completed turn.
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
		made, failed, _ := telling.Made(turn.Records, turn.changes)
		if about = failed; about == "" { // it is under way
			return "The text does not say what is not done yet. Tell the user only what is on record: " + made + "."
		}
	case MissingRequirement:
		about = strings.Join(v.Missing, "; ")
	}
	words, wrong := corrections[v.Reason]
	if !wrong {
		return ""
	}
	return strings.Replace(words.Text(int(calling)), "{about}", about, 1)
}

// claimCorrections are what the model is told about a claim.
var claimCorrections = [...]telling.Correction{
	ClaimChange: telling.UnbackedChange, ClaimLookup: telling.UnbackedLookup,
	ClaimFailure: telling.UnbackedFailure, ClaimVerification: telling.UnbackedVerification,
}

func claimCorrection(claim *Claim, turn *Case, calling Calling) string {
	said, why := clip.Text(strings.Join(strings.Fields(claim.Text), " "), 200), claim.Fault
	made, failed, open := telling.Made(turn.Records, turn.changes)
	if claim.Kind == ClaimChange && failed != "" && (why == faultNoRecord || why == faultFailed) {
		why = "this did not succeed: " + failed
	}
	if why == faultOther {
		why = cmp.Or(otherValue(claim, turn), why)
	}
	words := claimCorrections[claim.Kind]
	if claim.Kind == ClaimChange && made != "" {
		// To deny what was done would be a lie, too, and to order it again would do it twice.
		made = "ell the user only what is on record: " + made + "."
		words.Then = [...]string{"Make the call that is missing, or t" + made, "", "T" + made}
		if open {
			words.Then[AnyCall], words.Then[LookUps] = "", "Look how it stands now, or t"+made
		}
	}
	return fmt.Sprintf(words.Wrong, said, why) + " " + words.Advice(int(calling))
}

// otherValue names what a claim says otherwise than the record that comes nearest; empty where
// that is no single value, or would take too much work to find.
func otherValue(claim *Claim, turn *Case) string {
	defer func() {
		if fault := recover(); fault != nil && fault != any(match.ErrTooMuch) {
			panic(fault)
		}
	}()
	records := slices.Concat(turn.Earlier, turn.Records)
	number := slices.Index(records, claim.Nearest) + 1
	if number == 0 {
		return ""
	}
	words := match.Words{User: turn.User, Previous: turn.Previous}
	_, found := match.NewTurn(nil, turn.Tools, words, len(turn.Earlier), records).Shows(claim.Text, []int{number})
	if found.Relation != match.Contradicts || found.Said == "" || found.Recorded == "" || found.By == "act" {
		return ""
	}
	return fmt.Sprintf("it says %q, and the call of %s says %q", found.Said, claim.Nearest.Tool, found.Recorded)
}
