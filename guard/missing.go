package guard

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/lexicon"
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

func called(records []*tooltrack.Record, tool string) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Tool == tool })
}

func changed(records []*tooltrack.Record) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Succeeded() && r.Effect.MayChange() })
}

// readAlong reports whether the very words that ask for a look-up asked for
// another call, which was made: "yes, cancel it" need not read the order first.
func readAlong(expected intent.Expectation, expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool) bool {
	wanted := toolNamed(tools, expected.Tool)
	return wanted != nil && !wanted.Effect.MayChange() && expected.Words != "" && slices.ContainsFunc(expect, func(e intent.Expectation) bool {
		return e.Tool != expected.Tool && e.Words == expected.Words && called(records, e.Tool)
	})
}

// handedOver reports whether a successful call has passed the conversation on to
// a person.
func handedOver(records []*tooltrack.Record, tools []tooltrack.Tool) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool {
		used := toolNamed(tools, r.Tool)
		return used != nil && r.Succeeded() && handsOver(used)
	})
}

// handsOver reads from a tool's name and description whether it brings in a
// person. Both words are needed, since money is transferred, too.
func handsOver(tool *tooltrack.Tool) bool {
	words := nameWords(tool.Name)
	if len(words) == 0 || !slices.Contains([]string{"transfer", "escalate", "hand", "handoff", "handover", "connect", "forward"}, words[0]) {
		return false
	}
	return slices.ContainsFunc(append(words[1:], nameWords(tool.Description)...), func(word string) bool {
		return slices.Contains([]string{"human", "agent", "person", "people", "operator", "supervisor", "representative", "staff", "colleague", "specialist"}, word)
	})
}

// instead finds a call that answers for an expected one. A tool that is
// expected itself only answers for itself.
func instead(expected intent.Expectation, expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool, spent []*tooltrack.Record) *tooltrack.Record {
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
	sameVerb, sameObject := related(wanted.Name, used.Name)
	if wanted.Effect.MayChange() {
		return sameVerb && sameObject
	}
	return sameObject && !used.Effect.MayChange()
}

// editing are verbs that toolmakers use for one thing: to bring new content
// into something that is there.
var editing = []string{"write", "edit", "update", "modify", "change", "set", "patch", "replace"}

// related compares two tools by the words of their names: whether they begin
// with the same one, as modify_order_items and modify_order_address do, and
// whether they share another.
func related(a, b string) (sameVerb, sameObject bool) {
	first, second := nameWords(a), nameWords(b)
	if len(first) == 0 || len(second) == 0 {
		return false, false
	}
	sameVerb = first[0] == second[0] || slices.Contains(editing, first[0]) && slices.Contains(editing, second[0])
	for _, word := range first[1:] {
		sameObject = sameObject || slices.Contains(second[1:], word)
	}
	return sameVerb, sameObject
}

// nameWords are the words of a tool's name or description without the s of a
// plural, so that list_tasks and get_task are about the same.
func nameWords(name string) []string {
	words := lexicon.NameWords(name)
	for i, word := range words {
		if len(word) > 3 {
			words[i] = strings.TrimSuffix(word, "s")
		}
	}
	return words
}

func expects(expect []intent.Expectation, tool string) bool {
	return slices.ContainsFunc(expect, func(e intent.Expectation) bool { return e.Tool == tool })
}
