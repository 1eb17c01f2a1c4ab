package guard

import (
	"slices"
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
	return policy.RedactText(t.guard.evaluator.Account(completion.Turn{Tools: t.guard.tools, Records: withDoubts(records)}))
}

// withDoubts are records in which a change whose result reads like an error is
// one of unknown fate, so that people are told that and what it said.
func withDoubts(records []*tooltrack.Record) []*tooltrack.Record {
	for i, record := range records {
		if !record.Effect.MayChange() || !record.Succeeded() || record.Proves() {
			continue
		}
		doubtful := *record
		doubtful.Result = tooltrack.UnknownResult(record.Result.Text())
		records = append(append(slices.Clip(records[:i]), &doubtful), records[i+1:]...)
	}
	return records
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
