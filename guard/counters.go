package guard

import (
	"maps"
	"sync"
	"sync/atomic"

	"github.com/bonafide-go/bonafide/intent"
)

// Counters say how a guard has fared since it was made. Observe first, look at
// them, then enforce.
type Counters struct {
	// Turns is how many were begun, and Accepted how many ended with a text that
	// passed; what an observing guard would correct or refuse is not among them.
	Turns, Accepted uint64
	// ToolsDue is how many expected tools there were, and ToolsCalled how many of
	// them were called by the end of a turn that was not refused.
	ToolsDue, ToolsCalled uint64
	// ModelCalls is how often a model was asked.
	ModelCalls uint64
	// AskedAgain is how often a missing tool was asked for again, and
	// AskedAgainWithSuccess how many turns passed after that.
	AskedAgain, AskedAgainWithSuccess uint64
	// Corrected is how often a text was corrected for another reason, and
	// CorrectedWithSuccess how many turns passed after that.
	Corrected, CorrectedWithSuccess uint64
	// Doubts counts what the guard was not sure of, by kind: "claim", "due".
	Doubts map[string]uint64
	// ProofsAsked is how often a model was asked what its text rests on. Of these,
	// ProofsKept texts were shown as they were, ProofsChanged were corrected by the
	// model, ProofsCalled were answered by a call that had been missing, and of
	// ProofsMissing no proof came. ProofsSkipped were not asked for, because the
	// model had not understood the last ones. SentencesWithheld were left out.
	ProofsAsked, ProofsKept, ProofsChanged, ProofsCalled, ProofsMissing, ProofsSkipped, SentencesWithheld uint64
	// Would counts what an observing guard would have done, by kind and, as far as
	// one can be named, by tool: "re-ask delete_task", "proof of a claim of
	// delete_task", "proof due send_email", "correction of an unbacked claim",
	// "correction: promise of add_task", "denial of delete_task by type", "rewriting of
	// add_task", "no second run of send_email", "end of the turn after 32 rounds",
	// "refusal of a turn's name".
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
	// HostFaults counts failures of the host's own code that turns survived, by
	// the name of the callback: "Options.Classifier", "Directory.Redact". A tool that
	// can never be called, for its schema, is among them from the start:
	// "Tool.Parameters of delete_task"; see [Guard.Unreadable].
	HostFaults map[string]uint64
	// Panics counts faults of the guard itself, by the stage that panicked; see
	// [UnjudgedError].
	Panics map[string]uint64
	// LanguageUnsupported counts messages in a language without a word list.
	LanguageUnsupported uint64
}

type counters struct {
	turns, acceptedTurns, due, calledTools, modelCalls    atomic.Uint64
	askedAgain, askedAgainWell, corrected, correctedWell  atomic.Uint64
	rewritten, repeated, withheld, abandoned, unsupported atomic.Uint64
	refusals                                              [len(faultNames)]atomic.Uint64
	proofs                                                [numProofCounts]atomic.Uint64
	disputed                                              atomic.Uint64
	mu                                                    sync.Mutex
	denied, hostFaults, doubts, would, panics             map[string]uint64
}

// What is counted of proofs.
const (
	proofAsked = iota
	proofKept
	proofChanged
	proofCalled
	proofMissing
	proofSkipped
	proofWithheld
	numProofCounts
)

func (c *counters) understood(found intent.Intent) {
	c.turns.Add(1)
	if n := len(found.Expect); n > 0 {
		c.due.Add(uint64(n))
	}
	if found.Unsupported {
		c.unsupported.Add(1)
	}
}

func (c *counters) accepted(t *Turn) {
	if !t.refusable {
		c.acceptedTurns.Add(1)
	}
	for _, tool := range t.expected {
		if called(t.records, tool) {
			c.calledTools.Add(1)
		}
	}
	if t.spent.missing > 0 {
		c.askedAgainWell.Add(1)
	}
	if t.spent.progress > 0 {
		c.correctedWell.Add(1)
	}
}

func (c *counters) refused(f fault) { c.refusals[f].Add(1) }

func (c *counters) deny(rule string) { c.count(&c.denied, rule) }

func (c *counters) doubted(doubts []Doubt) {
	for _, doubt := range doubts {
		c.count(&c.doubts, doubt.Kind())
	}
}

// wouldHave counts what would have been done.
func (c *counters) wouldHave(measures ...string) {
	for _, measure := range measures {
		c.count(&c.would, measure)
	}
}

func (c *counters) hostFault(callback string) { c.count(&c.hostFaults, callback) }

func (c *counters) count(by *map[string]uint64, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *by == nil {
		*by = map[string]uint64{}
	}
	(*by)[name]++
}

// Counters are the counts so far.
func (g *Guard) Counters() Counters {
	c := &g.counters
	sum := Counters{
		Turns: c.turns.Load(), Accepted: c.acceptedTurns.Load(), ToolsDue: c.due.Load(), ToolsCalled: c.calledTools.Load(),
		ModelCalls: c.modelCalls.Load(), AskedAgain: c.askedAgain.Load(), AskedAgainWithSuccess: c.askedAgainWell.Load(),
		Corrected: c.corrected.Load(), CorrectedWithSuccess: c.correctedWell.Load(), Rewritten: c.rewritten.Load(),
		Repeated: c.repeated.Load(), Withheld: c.withheld.Load(), Abandoned: c.abandoned.Load(),
		ProofsAsked: c.proofs[proofAsked].Load(), ProofsKept: c.proofs[proofKept].Load(),
		ProofsChanged: c.proofs[proofChanged].Load(), ProofsCalled: c.proofs[proofCalled].Load(),
		ProofsMissing: c.proofs[proofMissing].Load(), ProofsSkipped: c.proofs[proofSkipped].Load(),
		SentencesWithheld: c.proofs[proofWithheld].Load(), Disputed: c.disputed.Load(),
		Doubts: map[string]uint64{}, Would: map[string]uint64{},
		LanguageUnsupported: c.unsupported.Load(), Refused: map[string]uint64{}, Denied: map[string]uint64{},
		HostFaults: map[string]uint64{}, Panics: map[string]uint64{},
	}
	for f := range c.refusals {
		if n := c.refusals[f].Load(); n > 0 {
			sum.Refused[fault(f).String()] = n
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(sum.Denied, c.denied)
	maps.Copy(sum.HostFaults, c.hostFaults)
	maps.Copy(sum.Panics, c.panics)
	maps.Copy(sum.Doubts, c.doubts)
	maps.Copy(sum.Would, c.would)
	return sum
}
