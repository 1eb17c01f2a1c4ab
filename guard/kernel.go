package guard

import (
	"slices"

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
		if verdict.Outcome.Completed() && verdict.Blocker.Kind != completion.NoBlocker && len(found.missing) < len(expect) {
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

// missing are the expected tools that were not called. A call that failed or
// was denied was called: the text has to say so. A successful change of the
// same subject by another tool will do, once for each expectation; a tool that
// is expected itself only answers for itself.
func missing(expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool) []intent.Expectation {
	var open []intent.Expectation
	var spent []*tooltrack.Record
	for _, expected := range expect {
		if called(records, expected.Tool) {
			continue
		}
		if other := instead(expected, expect, records, tools, spent); other != nil {
			spent = append(spent, other)
			continue
		}
		open = append(open, expected)
	}
	return open
}

func called(records []*tooltrack.Record, tool string) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Tool == tool })
}

// instead finds a change by a tool that nobody expected, on the kind of entity
// that the expected tool works on.
func instead(expected intent.Expectation, expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool, spent []*tooltrack.Record) *tooltrack.Record {
	wanted := toolNamed(tools, expected.Tool)
	if wanted == nil || !wanted.Effect.MayChange() || wanted.Subject.Kind == "" {
		return nil
	}
	for _, record := range records {
		if !record.Succeeded() || !record.Effect.MayChange() || slices.Contains(spent, record) || expects(expect, record.Tool) {
			continue
		}
		if used := toolNamed(tools, record.Tool); used != nil && used.Subject.Kind == wanted.Subject.Kind {
			return record
		}
	}
	return nil
}

func expects(expect []intent.Expectation, tool string) bool {
	return slices.ContainsFunc(expect, func(e intent.Expectation) bool { return e.Tool == tool })
}

func toolNamed(tools []tooltrack.Tool, name string) *tooltrack.Tool {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return nil
}
