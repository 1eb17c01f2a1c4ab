package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// fault is why an answer cannot end the turn. The order is that of precedence:
// where several apply, the first one counts.
type fault uint8

const (
	noFault       fault = iota
	faultProvider       // the model could not be asked
	faultStopped        // cut, filtered, refused or paused by the provider
	faultLeaked         // a call written as text
	faultMissing        // an expected tool was not called
	faultClaim          // a claim without a record
	faultOther          // everything else that completion finds
	faultDoubt          // nothing is sure, and something is in doubt
	faultUnjudged       // code of ours panicked
	faultLoop           // the same calls again and again
	faultBudget         // what may be spent is spent
)

var faultNames = [...]string{
	"none", "provider fault", "stopped by the provider", "leaked call", "missing tool", "unbacked claim",
	"insufficient progress", "in doubt", "could not be judged", "loop", "budget",
}

func (f fault) String() string { return faultNames[f] }

// spending counts the corrective calls of a turn.
type spending struct {
	missing, progress, proofs int
}

// allow spends one corrective call on a fault, if the budget for its kind and
// that of the whole turn permit. What the provider did is never corrected: the
// same question would get the same answer.
func (s *spending) allow(f fault, budgets Budgets) bool {
	if s.missing+s.progress >= 1+max(budgets.MissingTool, budgets.Progress) {
		return false
	}
	switch f {
	case faultMissing:
		if s.missing >= budgets.MissingTool {
			return false
		}
		s.missing++
	case faultLeaked, faultClaim, faultOther:
		if s.progress >= budgets.Progress {
			return false
		}
		s.progress++
	default:
		return false
	}
	return true
}

// finding is the judgement of one text. The zero value is a text that passes.
type finding struct {
	fault   fault
	verdict completion.Verdict
	missing []intent.Expectation // for faultMissing
	doubts  []Doubt              // for faultDoubt
	// unsettled is why the text may be insufficient, for faultDoubt; the zero value
	// where nothing says so.
	unsettled  completion.Reason
	correction string // what the model would be told about it
	records    int    // how many there were when the model was told
}

// tier is how sure the judgement is.
func (f *finding) tier() Tier {
	switch f.fault {
	case noFault:
		return Clean
	case faultDoubt:
		return Unsure
	}
	return Sure
}

// accuses reports whether the model is told that its text is false.
func (f *finding) accuses() bool { return f.fault == faultClaim || f.fault == faultLeaked }

const (
	// Clean is a text with nothing against it.
	Clean = completion.Clean
	// Unsure is a text that may claim what no record backs, or that may leave
	// undone what is due. It is asked about, never accused.
	Unsure = completion.Unsure
	// Sure is a text that claims what no record can back, or that leaves undone
	// what was asked for beyond doubt.
	Sure = completion.Sure
)

// Doubt is one thing that the guard is not sure of and asks proof of.
type Doubt struct {
	// Claim is what the text says, where a claim is in doubt; nil where the
	// request may be due.
	Claim *completion.Claim
	// Tool is the tool that may be due, if one can be named.
	Tool string
	// Words are the piece of text or message that the doubt is about.
	Words string
	// Probability is how likely it is that something is wrong.
	Probability float64
}

// Kind names the doubt: "claim" or "due".
func (d Doubt) Kind() string {
	if d.Claim != nil {
		return "claim"
	}
	return "due"
}

func claimsChange(claims []completion.Claim) bool {
	return slices.ContainsFunc(claims, func(c completion.Claim) bool {
		return c.Kind == completion.ClaimChange && !c.Earlier
	})
}

// proving is a text that waits for its proof.
type proving struct {
	draft   Response // as the model gave it
	found   finding
	list    proof.List
	letters []proof.Letter
	// answering is the tool call that the draft came by, while it is set aside.
	answering *tooltrack.Call
	fixed     bool // the model was told once what was wrong with its answer
	report    bool // the answer came as a call of the report tool
	// faults are those of the last answer; nil where none could be read.
	faults []proof.Fault
}

// Tier is how sure the guard is that a text must not end its turn. The names are those of a
// claim's tier. It acts only when it is sure; when it is not, it asks for proof.
type Tier = completion.Tier

// likely is what it must be at least that a text falls short to be asked about. Of
// turns that end in an announcement and were left out while fitting, about half do
// from here on.
const likely = 0.3

// otherwise is the outcome of a text whose doubt is settled in its favour.
func otherwise(verdict *completion.Verdict) (completion.Outcome, completion.Reason, string) {
	if verdict.Otherwise == completion.CompletedWithBlocker {
		return completion.CompletedWithBlocker, completion.Blocked, ""
	}
	return completion.CompletedWithWork, completion.NothingDue, ""
}
