package guard

import (
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// account says what is proven, for people: the error in one sentence, then what
// the ledger knows.
func (t *Turn) account(err error) string {
	return headline(err) + "\n" + t.told(t.records...)
}

// told puts records into words. The wording may be the host's own.
func (t *Turn) told(records ...*tooltrack.Record) string {
	return t.guard.evaluator.Account(completion.Turn{Tools: t.guard.tools, Records: records})
}

// headline is an error as a user reads it.
func headline(err error) string {
	switch e := err.(type) {
	case *ToolNotTriggeredError:
		return "Technical error: Tool not triggered. Expected: " + strings.Join(e.Expected, ", ") + "."
	case *InsufficientProgressError:
		return "Technical error: The request was not completed."
	case *StoppedError:
		if e.Refusal != "" {
			return e.Refusal
		}
		return "Technical error: The answer was cut off."
	case *DeniedError:
		return "Technical error: The call was not allowed. " + e.Reason
	case *ProviderError:
		return "Technical error: The model could not be reached."
	}
	return "Technical error: The turn was ended."
}
