package proof

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Widths of what a model is reminded of. It has seen the whole.
const (
	nameWidth  = 80  // of a tool's name
	argsWidth  = 120 // of all arguments
	dataWidth  = 160 // of all of a result
	valueWidth = 48  // of one value
)

// writeRecord writes a record as one line: tool, arguments, outcome, and what it returned.
func writeRecord(text *strings.Builder, record *tooltrack.Record) {
	text.WriteString(plainName(record.Tool))
	if title := titleOf(record); title != "" {
		text.WriteByte(' ')
		text.WriteString(oneLine(title, valueWidth))
	}
	writeMembers(text, record.Args, argsWidth)
	text.WriteString(" → ")
	text.WriteString(outcomeOf(record))
	said := len(record.Result.Data) > 0 && record.Result.Error == tooltrack.NoReason // a linter's findings
	if !record.Succeeded() && record.Result.Error != "" && !said {
		text.WriteByte(' ')
		text.WriteString(oneLine(record.Result.Error, dataWidth))
		return
	}
	data := []byte(record.Result.Text())
	switch {
	case len(data) == 0:
	case isCompound(data) && json.Valid(data):
		writeMembers(text, data, dataWidth)
	default:
		text.WriteByte(' ')
		text.WriteString(oneLine(string(data), dataWidth))
	}
}

func isCompound(data []byte) bool {
	kind := jsonspan.KindOf(data)
	return kind == jsonspan.Object || kind == jsonspan.Array
}

// titleOf is the title of the entity that a call was about.
func titleOf(record *tooltrack.Record) string {
	for _, subject := range record.Touched {
		if subject.Title != "" {
			return subject.Title
		}
	}
	return ""
}

// outcomeOf is how a call ended: "ok" for most.
func outcomeOf(record *tooltrack.Record) string {
	switch {
	case record.Ruling.Denied:
		return tooltrack.Denied.String()
	case record.Proves():
		return "ok"
	case record.Succeeded():
		return "ok, in doubt"
	}
	return record.Result.Status.String()
}

// writeMembers writes the members of an object as name=value, up to a width. Of lists it
// writes the first elements.
func writeMembers(text *strings.Builder, data []byte, width int) {
	end := text.Len() + width
	writeValue(text, "", data, end)
	if text.Len() >= end {
		text.WriteString(" …")
	}
}

func writeValue(text *strings.Builder, name string, value []byte, end int) {
	if text.Len() >= end {
		return
	}
	switch jsonspan.KindOf(value) {
	case jsonspan.Object:
		for key, member := range jsonspan.Members(value) {
			writeValue(text, join(name, string(jsonspan.Key(key))), member, end)
		}
	case jsonspan.Array:
		for element := range jsonspan.Elements(value) {
			writeValue(text, name, element, end)
		}
	default:
		scalar := jsonspan.Scalar(value)
		if jsonspan.KindOf(value) == jsonspan.Bool && name != "success" && name != "ok" { // these, the outcome says
			scalar = string(value)
		}
		if scalar == "" {
			return
		}
		text.WriteByte(' ')
		if name != "" {
			text.WriteString(plainWord(name))
			text.WriteByte('=')
		}
		text.WriteString(plainWord(scalar))
	}
}

func join(name, member string) string {
	if name == "" {
		return member
	}
	return name + "." + member
}

// plainWord is a value as it is, or quoted where it has a space, or a mark that could be
// taken for something else.
func plainWord(value string) string {
	if len(value) > valueWidth {
		return oneLine(value, valueWidth)
	}
	odd := func(r rune) bool { return r <= ' ' || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zs) }
	if strings.ContainsAny(value, "\"#→=") || strings.ContainsFunc(value, odd) {
		return oneLine(value, valueWidth)
	}
	return value
}

// plainName is a tool's name as it is, unless somebody made it up to look like something
// else.
func plainName(name string) string {
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.:/", r)) {
			return oneLine(name, nameWidth)
		}
	}
	if name == "" || len(name) > nameWidth {
		return oneLine(name, nameWidth)
	}
	return name
}

// oneLine quotes a piece of text so that it stays on its line.
func oneLine(text string, width int) string {
	if len(text) > width {
		cut := width
		if space := strings.LastIndexByte(text[:cut+1], ' '); space > width*3/4 {
			cut = space // half a word, or half an id, would be another one
		}
		text = clip.Text(text, cut)
	}
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(strings.ToValidUTF8(text, "�")) != nil {
		return `""`
	}
	return strings.TrimSuffix(quoted.String(), "\n")
}
