package guard

import (
	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// finding is the judgement of one text. The zero value is a text that passes.
type finding struct {
	fault   fault
	verdict completion.Verdict
	missing []intent.Expectation // for faultMissing
}

// judge decides whether a text may end a turn. It is pure: the same turn and
// text get the same answer whichever way in they came.
func judge(evaluator *completion.Evaluator, turn completion.Turn, expect []intent.Expectation) finding {
	verdict := evaluator.Evaluate(turn)
	found := finding{verdict: verdict}
	leaked := !verdict.Outcome.Completed() && verdict.Reason == completion.LeakedCall
	if !leaked && verdict.Outcome != completion.CompletedWithBlocker {
		found.missing = missing(expect, turn.Records, turn.Tools)
		if verdict.Outcome.Completed() && verdict.Blocker.Kind != completion.NoBlocker && (len(found.missing) < len(expect) || changed(turn.Records)) {
			found.missing = nil // a part is done, and the text says what the rest waits for
		}
	}
	switch {
	case leaked:
		found.fault = faultLeaked
	case len(found.missing) > 0:
		found.fault = faultMissing
		found.verdict.Outcome = completion.InsufficientProgress
		if verdict.Outcome.Completed() {
			found.verdict.Reason = completion.NoWork
		}
	case verdict.Outcome.Completed():
	case verdict.Reason == completion.UnbackedClaim || verdict.Reason == completion.FabricatedFailure:
		found.fault = faultClaim
	default:
		found.fault = faultOther
	}
	return found
}

func toolNamed(tools []tooltrack.Tool, name string) *tooltrack.Tool {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return nil
}
