package policy

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// DecisionKind is what was decided about a call. The zero value is [Deny].
type DecisionKind uint8

const (
	// Deny is a call that must not run.
	Deny DecisionKind = iota
	// Approve is a call that runs exactly as sent.
	Approve
	// Rewrite is a call that runs with changed arguments.
	Rewrite
	// Hold is a call that a person has to approve before it runs, with Args.
	Hold
)

var decisionNames = [...]string{"deny", "approve", "rewrite", "hold"}

// String is "deny", "approve", "rewrite" or "hold".
func (k DecisionKind) String() string {
	if int(k) < len(decisionNames) {
		return decisionNames[k]
	}
	return fmt.Sprintf("decision(%d)", uint8(k))
}

// Decision is the answer of a review. It is data: a denial is no error.
type Decision struct {
	// Kind is Deny, Approve, Rewrite or Hold.
	Kind DecisionKind
	// Args are the bytes to run: as sent when approved, canonical when rewritten, either when
	// held, nil when denied. Blank arguments, where none are required, are approved as {}.
	Args json.RawMessage
	// Original are the bytes as sent, when others are to run.
	Original json.RawMessage
	// Rule names the first rule that denied or rewrote, such as "length". It is
	// empty for an approval.
	Rule string
	// Reason says in one line, written for a model, everything that has to change
	// or was changed.
	Reason string
	// Faults are the single findings behind the reason, in a stable order. For a
	// rewrite they say what was changed.
	Faults []Fault
	// Summary says to people what a held call would do, where the rule has words for
	// it, and Within how long its approval can be given and used; 0 is no limit.
	Summary string
	Within  time.Duration
}

// Fault is one finding about a call.
type Fault struct {
	// Rule is the name of the rule, such as "range".
	Rule string
	// Arg is the place of the argument, such as "max_results" or "tags[2]"; empty
	// for a finding about the call as a whole.
	Arg string
	// Reason is the finding in words for a model.
	Reason string
}

// Allowed reports whether the call may run, with [Decision.Args].
func (d Decision) Allowed() bool { return d.Kind == Approve || d.Kind == Rewrite }

// Record is the decision in the form that a ledger keeps. A call that is held may not
// run now, so to those who know no approvals it is denied.
func (d Decision) Record() tooltrack.Ruling {
	return tooltrack.Ruling{Denied: !d.Allowed(), Rewritten: d.Original, Rule: d.Rule, Reason: d.Reason}
}

// maxFaults bounds what one call can make a model read.
const maxFaults = 20

// decide makes a decision of findings; there is at least one.
func decide(kind DecisionKind, faults []Fault) Decision {
	reason := faults[0].Reason
	for _, fault := range faults[1:min(len(faults), maxFaults)] {
		reason += "; " + fault.Reason
	}
	if more := len(faults) - maxFaults; more > 0 {
		reason += fmt.Sprintf("; and %d more", more)
	}
	return Decision{Kind: kind, Rule: faults[0].Rule, Reason: reason, Faults: faults}
}

func deny(rule, format string, args ...any) Decision {
	return decide(Deny, []Fault{{Rule: rule, Reason: fmt.Sprintf(format, args...)}})
}
