package telling

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// titleKeys are the fields that name an entity, the best first.
var titleKeys = [...]string{"title", "name", "subject", "summary", "label", "filename", "path", "text"}

// Titles names what a call was about: what the ledger recorded, or what the
// arguments and the result call it.
func Titles(record *tooltrack.Record, tool *Tool, user string) string {
	var touched []string
	for _, subject := range record.Touched {
		if presentable(subject.Title) {
			touched = append(touched, subject.Title)
		}
	}
	if len(touched) > 0 {
		return strings.Join(touched, ", ")
	}
	for _, object := range [...][]byte{record.Args, jsonspan.Member(record.Result.Data, "data"), record.Result.Data} {
		if title := titleIn(object); title != "" {
			return title
		}
	}
	return referenceOf(record, tool, user)
}

// TouchedTitle is the title of what a call was done to, as the ledger has it; empty where an
// id stands for it, since nobody knows the title.
func TouchedTitle(record *tooltrack.Record) string {
	if len(record.Touched) == 0 {
		return ""
	}
	title := record.Touched[0].Title
	if strings.ContainsAny(title, "0123456789") && !strings.Contains(title, " ") {
		return ""
	}
	return title
}

// referenceOf is what a call names its object by, where no title is known. An id is told only to
// people who say such ids themselves: to them, invoices 17 and 18 are not one that was paid twice.
func referenceOf(record *tooltrack.Record, tool *Tool, user string) string {
	arg := "id"
	if tool.Subject != "" {
		arg = tool.Subject
	} else if len(tool.Nouns) > 0 && jsonspan.Member(record.Args, arg) == nil {
		arg = tool.Nouns[len(tool.Nouns)-1].Text + "_id"
	}
	value := jsonspan.Member(record.Args, arg)
	title := textOf(value)
	if jsonspan.KindOf(value) == jsonspan.Number {
		title = string(value)
	}
	isID := strings.ContainsAny(title, "0123456789_") && !strings.Contains(title, " ")
	switch {
	case !isID && presentable(title):
		return title
	case isID && sayShape(user, title):
		return strings.TrimSpace(tool.object() + " " + title)
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

func titleIn(object []byte) string {
	for _, key := range titleKeys {
		if title := textOf(jsonspan.Member(object, key)); presentable(title) {
			return title
		}
	}
	return ""
}

func textOf(value []byte) string {
	text, _ := jsonspan.Text(value)
	return strings.TrimSpace(text)
}

// presentable reports whether people can be shown a title: short, one line, and no id.
func presentable(title string) bool {
	return title != "" && len(title) <= 200 && !strings.ContainsAny(title, "\n\r") && reading.WithoutIDs(title) == title
}

// Listed reads the titles of a result that is a list, or holds one.
func Listed(data []byte) (titles []string, isList bool) {
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
