package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// missing are the expected tools that were not called. A call that failed or
// was denied was called: the text has to say so. Another call may answer for an
// expected one, once for each expectation, because a request can often be met
// by more than one tool and words alone do not tell which. Where a person has
// taken over, nothing is left for the model to call.
func missing(expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool) []intent.Expectation {
	var open []intent.Expectation
	var spent []*tooltrack.Record
	for _, expected := range expect {
		if called(records, expected.Tool) || readAlong(expected, expect, records, tools) {
			continue
		}
		if other := instead(expected, expect, records, tools, spent); other != nil {
			spent = append(spent, other)
			continue
		}
		open = append(open, expected)
	}
	if len(open) > 0 && handedOver(records, tools) {
		return nil
	}
	return open
}

func toolsOf(expect []intent.Expectation) []string {
	tools := make([]string, len(expect))
	for i, expected := range expect {
		tools[i] = expected.Tool
	}
	return tools
}

func called(records []*tooltrack.Record, tool string) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Tool == tool })
}

func changed(records []*tooltrack.Record) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Proves() && r.Effect.MayChange() })
}

// looked reports whether something was looked up.
func looked(records []*tooltrack.Record) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Succeeded() && !r.Effect.MayChange() })
}

// readAlong reports whether the very words that ask for a look-up asked for
// another call, which was made: "yes, cancel it" need not read the order first.
func readAlong(
	expected intent.Expectation, expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool,
) bool {
	wanted := toolNamed(tools, expected.Tool)
	if wanted == nil || wanted.Effect.MayChange() || expected.Words == "" {
		return false
	}
	return slices.ContainsFunc(expect, func(e intent.Expectation) bool {
		return e.Tool != expected.Tool && e.Words == expected.Words && called(records, e.Tool)
	})
}

// handedOver reports whether a successful call has passed the conversation on to
// a person.
func handedOver(records []*tooltrack.Record, tools []tooltrack.Tool) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool {
		used := toolNamed(tools, r.Tool)
		if used == nil || !r.Succeeded() {
			return false
		}
		reading := readingOf(used)
		return reading.HandsOver
	})
}

// instead finds a call that answers for an expected one. A tool that is
// expected itself only answers for itself.
func instead(
	expected intent.Expectation, expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool,
	spent []*tooltrack.Record,
) *tooltrack.Record {
	wanted := toolNamed(tools, expected.Tool)
	if wanted == nil {
		return nil
	}
	for _, record := range records {
		if !record.Succeeded() || slices.Contains(spent, record) || expects(expect, record.Tool) {
			continue
		}
		if used := toolNamed(tools, record.Tool); used != nil && answersFor(wanted, used, expected.Confidence) {
			return record
		}
	}
	return nil
}

// perhapsDone reports whether a call for which nothing else was expected may have done
// what an expected change was for: a shell has edited the file, a request by HTTP has
// sent the mail, an agent was sent to do it. To order the expected one on top would do
// it twice, so the model is asked instead.
func perhapsDone(expected intent.Expectation, expect []intent.Expectation, turn completion.Case) bool {
	wanted := toolNamed(turn.Tools, expected.Tool)
	if wanted == nil || !wanted.Effect.MayChange() {
		return false
	}
	return slices.ContainsFunc(turn.Records, func(r *tooltrack.Record) bool {
		used := toolNamed(turn.Tools, r.Tool)
		delegated := used != nil && used.Delegates
		return (r.Succeeded() || r.Result.Status == tooltrack.Pending) && (r.Effect.MayChange() || delegated) &&
			!expects(expect, r.Tool)
	})
}

// beyondDoubt is the confidence from which only a closely related tool answers
// for the expected one.
const beyondDoubt = 0.9

// answersFor says whether a successful call of one tool can be what a request
// meant for which another was expected. Nothing but a change answers for a
// change. Where the host has declared what the tools work on, that decides;
// otherwise the confidence and the tools' names do.
func answersFor(wanted, used *tooltrack.Tool, confidence float64) bool {
	if wanted.Effect.MayChange() && !used.Effect.MayChange() {
		return false
	}
	if wanted.Subject.Kind != "" && used.Subject.Kind != "" {
		return wanted.Subject.Kind == used.Subject.Kind
	}
	if confidence < beyondDoubt {
		return true
	}
	one, other := readingOf(wanted), readingOf(used)
	if wanted.Effect.MayChange() { // a tool that names no object does its act to whatever it is given
		return one.SameVerb(&other) && (one.SameObject(&other) || len(one.Nouns) == 0 || len(other.Nouns) == 0)
	}
	return one.SameObject(&other) && !used.Effect.MayChange()
}

func expects(expect []intent.Expectation, tool string) bool {
	return slices.ContainsFunc(expect, func(e intent.Expectation) bool { return e.Tool == tool })
}
