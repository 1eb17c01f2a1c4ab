package guard

import (
	"sync"

	"github.com/bonafide-go/bonafide/intent"
)

// Counters say how a guard has fared since it was made. Observe first, look at them, then enforce.
type Counters struct {
	// Turns is how many were begun, and Accepted how many ended with a text that passed; what an observing guard
	// would correct or refuse is not among them.
	Turns, Accepted uint64
	// ToolsDue is how many expected tools there were, and ToolsCalled how many of them were called by the end of a
	// turn that was not refused.
	ToolsDue, ToolsCalled uint64
	// ModelCalls is how often a model was asked.
	ModelCalls uint64
	// AskedAgain is how often a missing tool was asked for again, and AskedAgainWithSuccess how many turns passed
	// after that.
	AskedAgain, AskedAgainWithSuccess uint64
	// Corrected is how often a text was corrected for another reason, and CorrectedWithSuccess how many turns
	// passed after that.
	Corrected, CorrectedWithSuccess uint64
	// Doubts counts what the guard was not sure of, by kind: "claim", "due".
	Doubts map[string]uint64
	// ProofsAsked is how often a model was asked what its text rests on. Of these, ProofsKept texts were shown as
	// they were, ProofsChanged were corrected by the model, ProofsCalled were answered by a call that had been
	// missing, and of ProofsMissing no proof came. ProofsSkipped were not asked for, because the model had not
	// understood the last ones. SentencesWithheld were left out.
	ProofsAsked, ProofsKept, ProofsChanged, ProofsCalled, ProofsMissing, ProofsSkipped, SentencesWithheld uint64
	// Would counts what an observing guard would have done, by kind and, as far as one can be named, by tool:
	// "re-ask delete_task", "proof of a claim of delete_task", "proof due send_email", "correction of an unbacked
	// claim", "correction: promise of add_task", "denial of delete_task by type", "rewriting of add_task", "no
	// second run of send_email", "end of the turn after 32 rounds", "refusal of a turn's name".
	Would map[string]uint64
	// Disputed counts verdicts that the host said were wrong; see [Reply.Dispute].
	Disputed uint64
	// Refused counts turns that did not pass, by the kind of fault.
	Refused map[string]uint64
	// Denied counts calls that were not allowed, by rule.
	Denied map[string]uint64
	// Rewritten counts calls that ran with other arguments than sent.
	Rewritten uint64
	// Repeated counts changes that were answered from their first record.
	Repeated uint64
	// Withheld counts texts beside calls that were kept from people.
	Withheld uint64
	// Abandoned counts tools that did not stop when their time was up.
	Abandoned uint64
	// HostFaults counts failures of the host's own code that turns survived, by the name of the callback:
	// "Options.Classifier", "Directory.Redact". A tool that can never be called, for its schema, is among them from
	// the start: "Tool.Parameters of delete_task"; see [Guard.Unreadable].
	HostFaults map[string]uint64
	// Panics counts faults of the guard itself, by the stage that panicked; see [ErrUnjudged].
	Panics map[string]uint64
}

// counters are the counts so far.
type counters struct {
	mu  sync.Mutex
	sum Counters
}

func newCounters() counters {
	var sum Counters
	for _, by := range sum.maps() {
		*by = map[string]uint64{}
	}
	return counters{sum: sum}
}

// maps are the counts by name.
func (c *Counters) maps() []*map[string]uint64 {
	return []*map[string]uint64{&c.Doubts, &c.Would, &c.Refused, &c.Denied, &c.HostFaults, &c.Panics}
}

// note changes the counts.
func (c *counters) note(change func(sum *Counters)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.sum)
}

func (c *counters) understood(found intent.Intent) {
	c.note(func(sum *Counters) {
		sum.Turns++
		sum.ToolsDue += uint64(len(found.Expect))
	})
}

func (c *counters) refused(f fault) { c.note(func(sum *Counters) { sum.Refused[f.String()]++ }) }

func (c *counters) deny(rule string) { c.note(func(sum *Counters) { sum.Denied[rule]++ }) }

func (c *counters) hostFault(callback string) {
	c.note(func(sum *Counters) { sum.HostFaults[callback]++ })
}

// wouldHave counts what would have been done.
func (c *counters) wouldHave(measures ...string) {
	c.note(func(sum *Counters) {
		for _, measure := range measures {
			sum.Would[measure]++
		}
	})
}

// breaker stops asking a model for proof that does not understand the request: each time costs two calls and comes
// to nothing. Once in a while it is asked again.
type breaker struct {
	mu     sync.Mutex
	models map[string]int // failures in a row, and then the texts that were not asked about
}

const (
	breakerFailures = 5  // in a row, before a model is not asked any more
	breakerRetry    = 25 // texts that are not asked about before it is tried again
	breakerModels   = 1024
)

// isOpen reports whether a model is not to be asked.
func (b *breaker) isOpen(model string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch count := b.models[model]; {
	case count < breakerFailures:
		return false
	case count == breakerFailures+breakerRetry:
		b.models[model] = breakerFailures
		return false
	}
	b.models[model]++
	return true
}

func (b *breaker) failed(model string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.models == nil || len(b.models) >= breakerModels { // names may be a client's own
		b.models = map[string]int{}
	}
	b.models[model] = min(b.models[model]+1, breakerFailures)
}

func (b *breaker) succeeded(model string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.models, model)
}

// fault is why an answer cannot end the turn. The order is that of precedence: where several apply, the first one
// counts.
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
