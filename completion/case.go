package completion

import "github.com/bonafide-go/bonafide/tooltrack"

// Case is what is known of a turn when its final text is there. The records
// are the only evidence: no text in here proves anything, whoever wrote it.
type Case struct {
	// User is the message that the turn answers, and Previous the assistant's
	// text before it. They tell what was asked for now; both may be empty.
	User, Previous string
	// Text is the final text to be judged.
	Text string
	// Tools are the tools that the model was offered. A claim that fits one of
	// them which was not called is not backed by another one that was.
	Tools []tooltrack.Tool
	// Records are the calls of this turn, in order, of whatever fate.
	Records []*tooltrack.Record
	// Earlier are the calls of earlier turns of the conversation. They back
	// texts that look back, never a claim of having done now what is asked now.
	Earlier []*tooltrack.Record
	// Expected are the names of the tools that the request needs, as intent or the host found them.
	Expected []string
	// Context is what the model was told besides: the prompt, and older messages.
	Context []string
	// Contract says what is due. The zero value asks for a change or a blocker.
	Contract Contract
}

// effectOf is what a record's call does to the world: what the record says, or else what its tool declares. A tool
// that declares nothing, and whose words say that it looks something up, is judged as a look: it proves no change.
func (t *Case) effectOf(record *tooltrack.Record) tooltrack.Effect {
	effect, implied := record.Effect, record.Implied
	for i := range t.Tools {
		if effect == tooltrack.UnknownEffect && t.Tools[i].Name == record.Tool {
			effect, implied = t.Tools[i].Effect, t.Tools[i].Implied
		}
	}
	return declaredOrReads(effect, implied)
}

// declaredOrReads is the declared effect or, where none is and its words say so, that it only reads.
func declaredOrReads(effect tooltrack.Effect, implied *tooltrack.Implied) tooltrack.Effect {
	if effect == tooltrack.UnknownEffect && implied != nil && implied.Reads {
		return tooltrack.Reads
	}
	return effect
}

// changes reports whether a call may have changed something.
func (t *Case) changes(record *tooltrack.Record) bool { return t.effectOf(record).MayChange() }

// Options tunes an [Evaluator]. Nil is the default.
type Options struct {
	// Claims are phrases by which the host's models report work, beside those that the evaluator knows.
	Claims []ClaimPhrase
	// Blockers are phrases by which they say what prevents it.
	Blockers []BlockerPhrase
	// Unsure is the doubt from which on proof is asked for a claim; 0 means 0.48. Sure is the doubt from which on
	// the most doubtful claim of a turn is treated as false; 0 means 0.63. It is that of a second model, which
	// accuses more reluctantly. If a change of the turn may be what the claim tells in other words, this doubt
	// alone does not make it false. A claim is also treated as false if a rule says why. The defaults were found on
	// turns of domains that the models had not seen; the head of data/model.txt has the figures.
	Sure, Unsure float64
	// Wording is how the account speaks of a tool, by the tool's name, and
	// DefaultWording of all others: a host that translates sets it.
	Wording        map[string]Wording
	DefaultWording Wording
}

// ClaimPhrase is a phrase that claims work wherever it is stated: not negated, planned, asked or quoted.
type ClaimPhrase struct {
	// Text is the phrase, in any letter case: "synced to the cloud".
	Text string
	// Tool is the tool whose success backs it; empty for any change.
	Tool string
}

// BlockerPhrase is a phrase that names a blocker.
type BlockerPhrase struct {
	// Text is the phrase, in any letter case: "parental controls are on".
	Text string
	// Kind is what kind of blocker it is.
	Kind BlockerKind
}

// The default thresholds of doubt; see [Options].
const (
	defaultSure   = 0.63
	defaultUnsure = 0.48
)
