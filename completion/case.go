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
	// Expected are the names of the tools that the request needs, as intent or
	// the host found them.
	Expected []string
	// Context is what the model was told besides: the prompt, and older messages.
	Context []string
	// Contract says what is due. The zero value asks for a change or a blocker.
	Contract Contract
}

// effectOf is what a record's call does to the world: what the record says, or what the tool's
// description says where the record is silent. A tool of which nothing is declared, and whose
// words say that it looks something up, is judged as a look: it proves no change.
func (t *Case) effectOf(record *tooltrack.Record) tooltrack.Effect {
	effect, implied := record.Effect, record.Implied
	for i := range t.Tools {
		if effect == tooltrack.UnknownEffect && t.Tools[i].Name == record.Tool {
			effect, implied = t.Tools[i].Effect, t.Tools[i].Implied
		}
	}
	return judgedAs(effect, implied)
}

func judgedAs(effect tooltrack.Effect, implied *tooltrack.Implied) tooltrack.Effect {
	if effect == tooltrack.UnknownEffect && implied != nil && implied.Reads {
		return tooltrack.Reads
	}
	return effect
}

// changes reports whether a call may have changed something.
func (t *Case) changes(record *tooltrack.Record) bool { return t.effectOf(record).MayChange() }
