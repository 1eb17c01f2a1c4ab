package guard

import (
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// account says what is proven, for people: the error in one sentence, then what
// the ledger knows.
func (t *Turn) account(err error) string {
	return policy.RedactText(t.guard.texts.headline(err)) + "\n" + t.told(t.records...)
}

// told puts records into words. The wording may be the host's own. Tools quote
// the addresses that they could not reach, and keys with them: what looks like a
// secret is left out.
func (t *Turn) told(records ...*tooltrack.Record) string {
	return policy.RedactText(t.guard.evaluator.Account(completion.Turn{Tools: t.guard.tools, Records: records}))
}

// headline is an error as a user reads it.
func (t *Texts) headline(err error) string {
	switch e := err.(type) {
	case *ToolNotTriggeredError:
		return t.NotTriggered + " Expected: " + strings.Join(e.Expected, ", ") + "."
	case *InsufficientProgressError:
		return t.NotCompleted
	case *StoppedError:
		if e.Refusal != "" {
			return e.Refusal
		}
		return t.CutOff
	case *DeniedError:
		return t.NotAllowed + " " + e.Reason
	case *ProviderError:
		return t.Unreachable
	}
	return t.Ended
}
