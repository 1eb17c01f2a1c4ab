package guard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

const ruleLoop = "loop"

// A circle has at most longestCircle steps. One in which something may have been changed has to be gone through
// more often before it counts: pressing a key eight times may be just what is wanted. The ledger draws the same
// line.
const longestCircle, changingCircle = 8, 8

// note takes a call with its result. Whatever says that it is not done yet is worth asking about again, and after a
// change everything is.
func (s *steps) note(tool *tooltrack.Tool, call tooltrack.Call, result *tooltrack.Result) {
	one := step{tool: call.Tool, failure: result.Error, call: callHash(call), mayChange: !isReading(tool)}
	one.outcome = hashed(hashed(one.call+uint64(result.Status), string(result.Data)), result.Error)
	seen := slices.ContainsFunc(s.taken, func(other step) bool { return other.outcome == one.outcome })
	pending := result.Status == tooltrack.Pending ||
		seen && tooltrack.ResultOf(result.Data, nil).Status == tooltrack.Pending
	news := one.mayChange && result.Success() && (tool.Repeatable || !slices.Contains(s.changes, one.outcome))
	if pending || news {
		s.taken = s.taken[:0]
	}
	if news {
		s.changes = append(s.changes, one.outcome)
	}
	if !pending {
		s.taken = append(s.taken, one)
	}
	if most := longestCircle * changingCircle; len(s.taken) > 2*most {
		s.taken = slices.Clone(s.taken[most:])
	}
}

func callHash(call tooltrack.Call) uint64 { return hashed(hashed(0, call.Tool), string(call.Args)) }

// hashed adds a text to a hash, by FNV-1a, which needs no memory.
func hashed(sum uint64, text string) uint64 {
	sum ^= 14695981039346656037
	for i := range len(text) {
		sum = (sum ^ uint64(text[i])) * 1099511628211
	}
	return sum
}

// circle is the shortest row of steps that the last ones repeat often enough, and how often; nil if they do not go
// in circles.
func (s *steps) circle(enough int) (row []step, times int) {
	for length := 1; enough > 0 && length <= min(longestCircle, len(s.taken)); length++ {
		row = s.taken[len(s.taken)-length:]
		same := length
		for at := len(s.taken) - length - 1; at >= 0 && s.taken[at].outcome == s.taken[at+length].outcome; at-- {
			same++
		}
		needed := enough
		if slices.ContainsFunc(row, func(one step) bool { return one.mayChange }) {
			needed = max(enough, changingCircle)
		}
		if times = same / length; times >= needed {
			return row, times
		}
	}
	return nil, 0
}

// stopCircling is the ruling that denies the calls of an answer which goes on in a circle, and says why; the second
// time it is an error, as it is where nothing is left to spend.
func stopCircling(ctx context.Context, t *Turn, calls []tooltrack.Call) (denied tooltrack.Ruling, err error) {
	if err := overspent(ctx, t); err != nil { // their results could not be told to the model
		return denied, err
	}
	row, often := t.steps.circle(t.guard.budgets.Repeats)
	goesOn := func(call tooltrack.Call) bool {
		hash := callHash(call)
		return slices.ContainsFunc(row, func(one step) bool { return one.call == hash })
	}
	if slices.ContainsFunc(calls, func(call tooltrack.Call) bool { return !goesOn(call) }) {
		return denied, nil
	}
	circle := &TurnError{Kind: ErrLoop, Attempts: often}
	for _, one := range row {
		circle.Tools = append(circle.Tools, one.tool)
	}
	circle.Reason = fmt.Sprintf("%s, %s with the same result", strings.Join(circle.Tools, ", "), timesInWords(often))
	if t.guard.options.Observe && t.steps.told {
		return denied, nil
	}
	t.measure(ctx, "loop", "end of a circle of "+strings.Join(circle.Tools, ", "),
		"rule", ruleLoop, "times", often, "told", t.steps.told)
	switch {
	case t.guard.options.Observe:
	case t.steps.told:
		t.guard.counters.refused(faultLoop)
		return denied, circle
	default:
		denied = tooltrack.Ruling{Denied: true, Rule: ruleLoop, Reason: loopReason(row, often)}
	}
	t.steps.told = true
	return denied, nil
}

func loopReason(row []step, often int) string {
	what, result := "this call", "the result was the same each time"
	if len(row) > 1 {
		what = fmt.Sprintf("this row of %d calls", len(row))
	} else if row[0].failure != "" {
		result = "it failed each time: " + printable(row[0].failure, maxLogged)
	}
	return fmt.Sprintf("%s was made %d times, and %s; it was not run again. Use the result that you have, do something "+
		"else, or tell the user what prevents you", what, often, result)
}

// noteAll takes the calls of earlier requests, where only messages are known.
func (s *steps) noteAll(records []*tooltrack.Record, tools []tooltrack.Tool) {
	for _, record := range records {
		if tool := toolNamed(tools, record.Tool); tool != nil {
			s.note(tool, record.Call, &record.Result)
		}
	}
}
