package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Most calls take ids, and people speak of titles. What a listing of the conversation
// says of an id tells which title it has: who says that "Call mom" is deleted, while the
// call deleted what is listed as "Read book", tells of another thing. Of an id that
// nothing describes, no title is wrong.

// entry is an object of a listing.
type entry struct {
	object  []byte
	members []leaf
	title   string // what it is called
	titled  keys   // the words of that
	words   keys   // of all its values
}

// maxEntries is how many objects of a list are looked at, maxLists how many lists.
const (
	maxEntries = 200
	maxLists   = 20
)

// anotherThing finds a title in a text that is not that of the things which calls
// changed.
func (c *checker) anotherThing(text string, calls []*tooltrack.Record) (said, other string) {
	read := func(r *tooltrack.Record) bool { return !r.Succeeded() || !c.mayChange(r) }
	if calls = slices.DeleteFunc(slices.Clone(calls), read); len(calls) == 0 || c.known.hedged(text) {
		return "", ""
	}
	if c.lists == nil {
		c.lists = append([][]entry{}, c.known.listings(c.turn.List.records)...)
	}
	if said, other = c.known.takenFor(text, c.lists, calls); said == "" {
		said, other = c.known.mistitled(text, calls)
	}
	if said == "" {
		said, other = c.inPlaceOf(text, calls)
	}
	if said == "" {
		said, other = c.otherSubject(text, calls)
	}
	return said, other
}

// listings are the lists of titled objects that calls gave as results.
func (k *knowledge) listings(records []*tooltrack.Record) (lists [][]entry) {
	for _, record := range records {
		if record.Succeeded() {
			lists = k.appendListings(lists, record.Result.Data, 0)
		}
	}
	return lists
}

func (k *knowledge) appendListings(lists [][]entry, data []byte, depth int) [][]entry {
	switch kind := jsonspan.KindOf(data); {
	case depth > 8 || len(lists) >= maxLists:
	case kind == jsonspan.Object:
		for _, member := range jsonspan.Members(data) {
			lists = k.appendListings(lists, member, depth+1)
		}
	case kind == jsonspan.Array:
		var list []entry
		for element := range jsonspan.Elements(data) {
			if jsonspan.KindOf(element) == jsonspan.Object && len(list) < maxEntries {
				list = append(list, k.entryOf(element))
			}
		}
		if len(list) > 1 {
			lists = append(lists, list)
		}
	}
	return lists
}

func (k *knowledge) entryOf(object []byte) entry {
	one := entry{object: object, members: leafList(object), titled: keys{}, words: keys{}}
	for _, member := range one.members {
		one.words.add(k.content(member.value))
		if called(member.key) && one.title == "" {
			one.title = member.value
			one.titled.add(k.content(member.value))
		}
	}
	return one
}

// called reports whether a member of a result tells what a thing is called.
func called(name string) bool { return titleKeys[name] || name == "item" }

// isOf reports whether a call names an entry by one of its values: by an id, or by a
// number under the same name or under that of an id.
func (e *entry) isOf(record *tooltrack.Record) bool {
	for key, value := range leaves(record.Args) {
		for _, member := range e.members {
			if member.value != value || called(member.key) {
				continue
			}
			id := strings.ContainsAny(value, "0123456789") && !isFigure(value)
			if id || member.key == key || member.key == "id" && strings.HasSuffix(key, "id") {
				return true
			}
		}
	}
	return false
}

// takenFor finds the title in a text of an entry of a listing, while the calls were about
// another entry of it that the text does not name. What the calls themselves say, and
// what is listed of any of their arguments, is no such title.
func (k *knowledge) takenFor(text string, lists [][]entry, calls []*tooltrack.Record) (said, other string) {
	if len(lists) == 0 {
		return "", ""
	}
	told, own := k.toldIn(text), keys{}
	for _, record := range calls {
		own.add(k.values(textOf(record)))
	}
	var meant [][]bool // of each list, the entries that the calls are about
	for _, list := range lists {
		about := make([]bool, len(list))
		for i := range list {
			about[i] = slices.ContainsFunc(calls, list[i].isOf)
			for key := range list[i].words {
				own[key] = own[key] || about[i]
			}
		}
		meant = append(meant, about)
	}
	for l, list := range lists {
		for i := range list {
			if !meant[l][i] || len(list[i].titled) == 0 {
				continue
			}
			for j := range list {
				if !meant[l][j] && list[j].namedIn(told, own) && !tells(told, list[i].words, list[j].words) {
					return list[j].title, list[i].title
				}
			}
		}
	}
	return "", ""
}

// namedIn reports whether a text has half of the words by which an entry is called, those
// left out that the calls' own things share.
func (e *entry) namedIn(told, own keys) bool {
	said, all := 0, 0
	for key := range e.titled {
		if own[key] {
			continue
		}
		if all++; told[key] {
			said++
		}
	}
	return said > 0 && 2*said >= all
}

// tells reports whether a text has any of some words, but for others.
func tells(told, words, but keys) bool {
	for key := range words {
		if told[key] && !but[key] {
			return true
		}
	}
	return false
}

// mistitled finds a title in a text, of the user's, while the only call gives another one
// as that of the thing that it was about.
func (k *knowledge) mistitled(text string, calls []*tooltrack.Record) (said, other string) {
	if len(calls) != 1 {
		return "", ""
	}
	title := titleOf(calls[0])
	if title == "" || k.meets(title, k.toldIn(text)) {
		return "", ""
	}
	return k.object(text), title
}

// titleOf is what a call says that its thing is called; empty if it says nothing, or more
// than one thing.
func titleOf(record *tooltrack.Record) (title string) {
	for _, subject := range record.Touched {
		if title != "" && subject.Title != title {
			return ""
		}
		title = subject.Title
	}
	if title != "" || jsonspan.KindOf(record.Result.Data) != jsonspan.Object {
		return title
	}
	for name, value := range leaves(record.Result.Data) {
		if !titleKeys[name] {
			continue
		}
		if title != "" {
			return ""
		}
		title = value
	}
	return title
}

// object is the title that stands where a text says what was done to what, if it is the
// user's and no call has a word of it: "deleted Call mom", `"Call mom" is deleted`.
func (k *knowledge) object(text string) string {
	read := k.reader.Read(nil, text)
	for i := range read.Clauses {
		verb := read.Clauses[i].Verb
		if verb < 0 || verb+1 >= len(read.Tokens) || !told(&read.Clauses[i]) {
			continue
		}
		first, last := verb+1, verb+1
		quoted := read.Tokens[first].Flags&lexicon.Quoted != 0
		capital := !quoted && read.Tokens[first].Flags&lexicon.Capital != 0
		for last+1 < len(read.Tokens) {
			inside := read.Tokens[last+1].Flags&lexicon.Quoted != 0
			if quoted && !inside || capital && !names(read, last+1) || !quoted && !capital {
				break
			}
			last++
		}
		title := text[read.Tokens[first].Start:read.Tokens[last].End]
		other := func(v reading.Value) bool { return !k.said[v.Key] || k.inRecords(v.Key) }
		if words := k.content(title); (quoted || capital) && len(words) > 0 && !slices.ContainsFunc(words, other) {
			return title
		}
	}
	return ""
}
