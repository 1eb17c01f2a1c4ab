package proof

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/match"
)

// Older versions asked for items: what, status, and the records that show it. Models that
// were taught so, or that make up a list of their own, are still understood: their items are
// translated into letters here, and nothing else knows them.

// maxItems is how many items are read.
const maxItems = 128

// item is one thing that happened, or was asked for, in the words of a model.
type item struct {
	what    string
	records []int
	cites   bool // its status rests on calls
	done    bool // it says that something was changed
	none    bool // it tells of nothing that was done or looked up
	open    bool // it was not done, or did not work
	undone  bool // it was not tried
	denied  bool // it says that the letter is not so
}

//go:embed names.txt
var namesData string

// ourNames are the parts of an item and its statuses by what models call them.
var ourNames = readNames(namesData)

func readNames(data string) map[string]string {
	read := map[string]string{}
	for line := range strings.Lines(data) {
		ours, others, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		for other := range strings.FieldsSeq(others) {
			read[other] = ours
		}
	}
	return read
}

// nameOf is our name for a part or a status, as a model calls it: "Looked up", "done (by the
// tool)", "**Status**".
func nameOf(written string) string {
	written, _, _ = strings.Cut(written, "(")
	written = strings.ToLower(strings.Trim(strings.TrimSpace(written), ".!*_` ✓✔✅☑"))
	return ourNames[strings.NewReplacer(" ", "_", "-", "_").Replace(written)]
}

// itemOf is an item from its parts.
func itemOf(r *reader, parts map[string]any) item {
	one := item{records: r.numbers(parts["records"])}
	one.what, _ = parts["what"].(string)
	if reason, isText := parts["reason"].(string); isText {
		one.what += "\n" + reason
	}
	status, _ := parts["status"].(string)
	switch nameOf(status) {
	case "general":
		one.none = true
	case "withdrawn":
		one.open = true
	case "not_done", "needs_input":
		one.open, one.undone = true, true
	case "failed", "pending", "partial":
		one.cites, one.open = true, true
	case "done":
		one.cites, one.done = true, true
	case "answered", "shown":
		one.cites = true
	default:
		one.cites = len(one.records) > 0
		if !one.cites && status != "" {
			r.fail("the status %.40q is not known", status)
		}
	}
	return one
}

// lettersOf says of each letter what the items say of it: the calls of those that name it,
// or of all where none does. What only an item without calls names is not done, or needs no
// call.
func lettersOf(items []item, letters []Letter) map[string]Basis {
	read := map[string]Basis{}
	for i := range letters {
		letter := &letters[i]
		var basis Basis
		about := slices.DeleteFunc(slices.Clone(items), func(one item) bool { return !one.names(letter) })
		for _, one := range about {
			basis.take(&one, letter)
		}
		if len(basis.Records) > 0 {
			basis.NoCall, basis.NotDone = false, false
		}
		if !basis.isGiven() && !letter.Due {
			for _, one := range items {
				if one.cites {
					basis.Records = append(basis.Records, one.records...)
				}
			}
		}
		undone := func(one item) bool { return one.undone }
		if !basis.isGiven() && (!letter.Due || slices.ContainsFunc(items, undone)) {
			basis.NoCall = true // what needs no call needed no item, and what is undone has a line of its own
		}
		if basis.isGiven() {
			read[letter.Name] = basis
		}
	}
	return read
}

// deedsOf are what items say was changed, with the calls that they cite for it, and what they
// say was not done.
func deedsOf(items []item) (deeds []Shown, undone []string) {
	for _, one := range items {
		what, reason, _ := strings.Cut(one.what, "\n")
		switch {
		case one.done && !match.IsLook(what):
			deeds = append(deeds, Shown{Sentence: what, Records: one.records})
		case one.undone:
			undone = append(undone, strings.TrimSuffix(what+": "+reason, ": "))
		}
	}
	return deeds, undone
}

// names reports whether an item is about a letter.
func (i *item) names(letter *Letter) bool {
	if letter.Text == "" {
		return true
	}
	if letter.Due {
		return match.Meets(i.what, letter.Text)
	}
	return match.Names(i.what, letter.Text)
}

// take adds what an item says. That a sentence is open, which says so itself, is no fault of
// it.
func (b *Basis) take(one *item, letter *Letter) {
	switch {
	case len(one.records) > 0 && (one.cites || !letter.Due):
		b.Records = append(b.Records, one.records...)
	case one.none:
		b.NoCall = true
	case one.denied:
		b.NotDone = true
	case one.open && !letter.Due:
		b.NoCall = true // a sentence is held against the calls, whatever the item says of it
	case one.open:
		b.NotDone = true
	case one.cites && letter.Due:
		b.NotDone = true
	}
}
