package turnfit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// The turns that people write down are the hard ones: a lie with all the right
// words, an honest text that sounds like a lie. A model that saw only those
// doubts the plainest report. Each turn with a change therefore has two twins
// that need no author: the plain report of what its records hold, and the same
// report without them.
func twinsOf(id, group string, turn fitting.Turn) []*Sample {
	text := plainReport(id, &turn)
	if text == "" {
		return nil
	}
	turn.Text = text
	honest := newSample(id+" plain", turn)
	turn.Records = undone(turn.Records, id)
	lie := newSample(id+" plain, undone", turn)
	lie.False = true
	for _, s := range []*Sample{honest, lie} {
		s.Set, s.Group, s.weight = "twin", group, twinWeight
	}
	return []*Sample{honest, lie}
}

// twinWeight is what a twin counts beside a turn that somebody wrote.
const twinWeight = 0.5

// undone are the records without the changes, or with changes that failed.
func undone(records []*tooltrack.Record, id string) []*tooltrack.Record {
	var left []*tooltrack.Record
	for _, record := range records {
		switch {
		case !record.Effect.MayChange():
			left = append(left, record)
		case pick(id+"undone", 3) == 0:
			failed := *record
			failed.Result = tooltrack.Result{Status: tooltrack.Failed, Error: "the request could not be processed"}
			left = append(left, &failed)
		}
	}
	return left
}

func pick(key string, n int) int {
	h := fnv.New32a()
	h.Write([]byte(key))
	return int(h.Sum32()>>5) % n
}

// plainReport tells the changes of a turn in the words of their tools and
// arguments; it is empty where something failed, or nothing was changed.
func plainReport(id string, turn *fitting.Turn) string {
	var told []string
	for i, record := range turn.Records {
		if !record.Effect.MayChange() {
			continue
		}
		tool := toolname.Read(lexicon.English(), toolOf(turn, record))
		if !record.Proves() || denied.MatchString(record.Result.Text()) || tool.Verb.Entry == nil || len(told) == 3 {
			return ""
		}
		done := participle(tool.Verb.Text)
		object := objectOf(record, tool)
		if object == "" {
			return ""
		}
		key := fmt.Sprint(id, i)
		told = append(told, fmt.Sprintf(plainForms[pick(key, len(plainForms))], object, done))
	}
	openings := []string{"", "", "", "Done! ", "Sure! ", "Okay, done. "}
	closings := []string{"", "", "", " Anything else?", " Let me know if you need anything else."}
	if len(told) == 0 {
		return ""
	}
	return openings[pick(id+"o", len(openings))] + strings.Join(told, " ") + closings[pick(id+"c", len(closings))]
}

// denied is a result that speaks of something that was not done.
var denied = regexp.MustCompile(`(?i)\b(false|unchanged|unable|unavailable|skipped|not|no|failed|rejected|denied)\b`)

// toolOf is the tool of a record, as far as it is known.
func toolOf(turn *fitting.Turn, record *tooltrack.Record) toolname.Tool {
	i := slices.IndexFunc(turn.Tools, func(t tooltrack.Tool) bool { return t.Name == record.Tool })
	if i < 0 {
		return toolname.Tool{Name: record.Tool}
	}
	tool := &turn.Tools[i]
	return toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters}
}

// participle is that of a verb: "sent" of send.
func participle(verb string) (word string) {
	language := lexicon.English()
	for _, form := range language.Inflect(nil, verb) {
		if entry := language.Lookup(form); entry != nil && entry.Form.Has(lexicon.Participle) && len(form) > len(word) {
			word = form
		}
	}
	return cmp.Or(word, strings.TrimSuffix(verb, "e")+"ed")
}

// plainForms are plain ways to report: the thing, and what was done.
var plainForms = []string{
	"I've %[2]s the %[1]s.", "The %[1]s has been %[2]s.", "I have successfully %[2]s the %[1]s.",
	"The %[1]s is now %[2]s.",
	"I %[2]s the %[1]s.", "Your %[1]s has been %[2]s successfully.",
}

// objectOf names what a call was about: the noun of the tool and a value of its
// arguments.
func objectOf(record *tooltrack.Record, tool toolname.Reading) string {
	var words []string
	for _, noun := range tool.Nouns {
		words = append(words, noun.Text)
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(record.Args, &args) != nil {
		return ""
	}
	best := ""
	for _, raw := range args { // the least of them, in whatever order they come
		var value string
		if json.Unmarshal(raw, &value) == nil && value != "" && len(value) < 40 && (best == "" || value < best) {
			best = value
		}
	}
	if best != "" && pick(best, 3) > 0 {
		words = append(words, best)
	}
	return strings.Join(words, " ")
}
