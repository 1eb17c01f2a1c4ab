package completion

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Wording is how the account speaks of one tool. "{title}" stands for the
// titles of what the call was about, "{tool}" for the tool's name in words,
// "{reason}" for why it did not work. An empty text leaves the built-in wording.
type Wording struct {
	// Done is said of a success: "Deleted: {title}".
	Done string
	// Failed is said of anything else: "Could not delete {title}: {reason}".
	Failed string
	// Denied, Pending and Unknown are said instead of Failed of a call that was not
	// allowed, is not done yet, or of which it is not known whether it worked.
	Denied, Pending, Unknown string
	// Listed is said of a listing, with "{entries}" for what it holds: "Your tasks:
	// {entries}".
	Listed string
	// Empty is said of a listing that holds nothing: "Your task list is empty".
	Empty string
}

// failed is what is said of a call with a status that is no success.
func (w *Wording) failed(record *tooltrack.Record) string {
	switch {
	case record.Ruling.Denied || record.Result.Status == tooltrack.Denied:
		return cmp.Or(w.Denied, w.Failed)
	case record.Result.Status == tooltrack.Pending:
		return cmp.Or(w.Pending, w.Failed)
	case record.Result.Status == tooltrack.Unknown:
		return cmp.Or(w.Unknown, w.Failed)
	}
	return w.Failed
}

// Account tells what the records of a turn prove, one line for each call that
// matters: changes, listings and failures. It names titles, never ids. It is
// what a user is shown when the model's own text does not pass.
func (e *Evaluator) Account(turn Case) string {
	c := newConversation()
	c.turn = &turn
	c.readTools()
	var lines []string
	for i, record := range turn.Records {
		if record == nil || retriedLater(turn.Records[i+1:], record) {
			continue
		}
		if line := e.accountLine(c, record); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return NothingChanged
	}
	return strings.Join(lines, "\n")
}

// NothingChanged is the account of records that hold nothing to tell.
const NothingChanged = "Nothing was changed."

// retriedLater reports whether a call that did not work was made again, with
// the same arguments, and worked.
func retriedLater(later []*tooltrack.Record, record *tooltrack.Record) bool {
	return !record.Succeeded() && slices.ContainsFunc(later, func(other *tooltrack.Record) bool {
		return other != nil && other.Succeeded() && other.Tool == record.Tool && bytes.Equal(other.Args, record.Args)
	})
}

// accountLine is the line of a record; empty for one that does not matter.
func (e *Evaluator) accountLine(c *conversation, record *tooltrack.Record) string {
	info := c.toolOf(record)
	wording, titles := e.wording[record.Tool], titlesOf(record, info, c.turn.User)
	switch {
	case !record.Succeeded():
		return failedLine(record, info, cmp.Or(wording.failed(record), e.spoken.failed(record)), titles)
	case !c.turn.effectOf(record).MayChange():
		return listingLine(record, info, cmp.Or(wording.Listed, e.spoken.Listed), cmp.Or(wording.Empty, e.spoken.Empty))
	}
	line := participle(info.Verb) + info.particle() + ": {title}"
	switch {
	case titles == "" && len(info.Nouns) == 0: // "Bashed: bash" says nothing
		line = "Called: {tool}"
	case info.Families.Has(lexicon.Complete) && titles != "":
		line = "Marked {title} as done"
	case info.Families.Has(lexicon.Create):
		line = "Added: {title}"
	}
	return fill(cmp.Or(wording.Done, e.spoken.Done, line), titles, "", info)
}

// failedLine is the line of a call that did not do its work.
func failedLine(record *tooltrack.Record, info *toolFacts, wording, titles string) string {
	opening := "Failed to "
	switch {
	case record.Ruling.Denied || record.Result.Status == tooltrack.Denied:
		opening = "Not allowed to "
	case record.Result.Status == tooltrack.Pending:
		opening = "Still waiting to "
	case record.Result.Status == tooltrack.Unknown:
		opening = "It is not known whether it worked to "
	}
	verb := cmp.Or(info.Verb.Text, "run")
	if titles == "" && len(info.Nouns) == 0 {
		verb = "run"
	}
	line := opening + verb + info.particle() + " {title}"
	reason := reading.WithoutIDs(clip.Text(whyNot(record), 300))
	if reason != "" {
		line += ": {reason}"
	}
	return fill(cmp.Or(wording, line), titles, reason, info)
}

// listingLine is the line of a read that returned a list; other reads changed
// nothing and say nothing.
func listingLine(record *tooltrack.Record, info *toolFacts, wording, empty string) string {
	entries, isList := listed(record.Result.Data)
	if !isList {
		return ""
	}
	noun := "list"
	if n := len(info.Nouns); n > 0 {
		noun = toolname.Singular(info.Nouns[n-1].Text) + " list"
	}
	if len(entries) > 0 {
		shown := strings.Join(entries[:min(len(entries), 20)], ", ")
		wording = strings.ReplaceAll(cmp.Or(wording, "Your "+noun+": {entries}"), "{tool}", toolname.InWords(info.name))
		return strings.ReplaceAll(wording, "{entries}", shown)
	}
	return strings.ReplaceAll(cmp.Or(empty, "Your "+noun+" is empty"), "{tool}", toolname.InWords(info.name))
}

// fill puts the titles, or what kind of thing it was where there are none, and the
// reason into a wording.
func fill(wording, titles, reason string, info *toolFacts) string {
	titles = cmp.Or(titles, info.object(), info.name)
	return strings.NewReplacer(
		"{title}", titles, "{reason}", reason, "{tool}", toolname.InWords(info.name)).Replace(wording)
}

// participle is "Deleted" for "delete", and of two forms the longer one: "Cancelled".
func participle(verb toolname.Word) string {
	if verb.Text == "" {
		return "Done"
	}
	word, language := "", lexicon.English()
	for _, form := range language.Inflect(nil, verb.Text) {
		if entry := language.Lookup(form); entry != nil && entry.Form.Has(lexicon.Participle) && len(form) > len(word) {
			word = form
		}
	}
	word = cmp.Or(word, strings.TrimSuffix(verb.Text, "e")+"ed")
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// particle is what belongs to the verb of a tool's name: " off" of turn_off_light, which
// is all that tells it from turn_on_light.
func (t *toolFacts) particle() string {
	words := strings.Fields(toolname.InWords(t.name))
	at := slices.Index(words, t.Verb.Text)
	if !t.Phrasal || at < 0 || at+1 == len(words) {
		return ""
	}
	return " " + words[at+1]
}

// titleKeys are the fields that name an entity, the best first.
var titleKeys = [...]string{"title", "name", "subject", "summary", "label", "filename", "path", "text"}

// titlesOf names what a call was about: what the ledger recorded, or what the
// arguments and the result call it.
func titlesOf(record *tooltrack.Record, info *toolFacts, user string) string {
	var touched []string
	for _, subject := range record.Touched {
		if presentable(subject.Title) {
			touched = append(touched, subject.Title)
		}
	}
	if len(touched) > 0 {
		return strings.Join(touched, ", ")
	}
	for _, object := range [...][]byte{record.Args, memberOf(record.Result.Data, "data"), record.Result.Data} {
		if title := titleIn(object); title != "" {
			return title
		}
	}
	return referenceOf(record, info, user)
}

// referenceOf is what a call names its object by, where no title is known. An id is told
// only to people who say such ids themselves: to them, invoices 17 and 18 are not one
// that was paid twice.
func referenceOf(record *tooltrack.Record, info *toolFacts, user string) string {
	arg := "id"
	if info.tool != nil && info.tool.Subject.Arg != "" {
		arg = info.tool.Subject.Arg
	} else if len(info.Nouns) > 0 && memberOf(record.Args, arg) == nil {
		arg = info.Nouns[len(info.Nouns)-1].Text + "_id"
	}
	value := memberOf(record.Args, arg)
	title := textOf(value)
	if jsonspan.KindOf(value) == jsonspan.Number {
		title = string(value)
	}
	isID := strings.ContainsAny(title, "0123456789_") && !strings.Contains(title, " ")
	switch {
	case !isID && presentable(title):
		return title
	case isID && sayShape(user, title):
		return strings.TrimSpace(info.object() + " " + title)
	}
	return ""
}

// sayShape reports whether a message holds a word that is written like an id.
func sayShape(message, id string) bool {
	shape := shapeOf(id)
	for word := range strings.FieldsSeq(message) {
		if shapeOf(strings.Trim(word, `"'()[]{}<>.,;:!?#`)) == shape {
			return true
		}
	}
	return false
}

// shapeOf is how a word is written: "B-203" and "B-7" are alike.
func shapeOf(word string) string {
	var shape []byte
	for _, r := range word {
		kind := byte('a')
		switch {
		case unicode.IsDigit(r):
			kind = '9'
		case !unicode.IsLetter(r):
			kind = '-'
		}
		if n := len(shape); n == 0 || shape[n-1] != kind {
			shape = append(shape, kind)
		}
	}
	return string(shape)
}

// object is what kind of thing a tool works on, by its name.
func (t *toolFacts) object() string {
	nouns := make([]string, len(t.Nouns))
	for i, noun := range t.Nouns {
		nouns[i] = noun.Text
	}
	return strings.Join(nouns, " ")
}

// memberOf is the value of a key of an object; nil if it has none.
func memberOf(object []byte, key string) []byte {
	for name, value := range jsonspan.Members(object) {
		if string(jsonspan.Key(name)) == key {
			return value
		}
	}
	return nil
}

func titleIn(object []byte) string {
	for _, key := range titleKeys {
		if title := textOf(memberOf(object, key)); presentable(title) {
			return title
		}
	}
	return ""
}

func textOf(value []byte) string {
	text, _ := jsonspan.Text(value)
	return strings.TrimSpace(text)
}

// presentable reports whether people can be shown a title: short, one line,
// and no id.
func presentable(title string) bool {
	return title != "" && len(title) <= 200 && !strings.ContainsAny(title, "\n\r") && reading.WithoutIDs(title) == title
}

// listed reads the titles of a result that is a list, or holds one.
func listed(data []byte) (titles []string, isList bool) {
	list := data
	for _, value := range jsonspan.Members(data) {
		if jsonspan.KindOf(value) != jsonspan.Array {
			continue
		}
		if jsonspan.KindOf(list) == jsonspan.Array { // several lists: nobody can tell which one is meant
			return nil, false
		}
		list = value
	}
	entries := 0
	for item := range jsonspan.Elements(list) {
		entries++
		if title := cmp.Or(textOf(item), titleIn(item)); presentable(title) {
			titles = append(titles, title)
		}
	}
	return titles, len(titles) > 0 || entries == 0 && jsonspan.KindOf(list) == jsonspan.Array
}
