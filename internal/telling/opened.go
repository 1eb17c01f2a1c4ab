package telling

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Opened says how many entries a list among successful calls names, and for how many of them
// others were called one by one. A list that says more of its entries than what they are
// called shows them by itself, and does not count.
func Opened(records []*tooltrack.Record) (opened, listed int) {
	const most = 64 // of more calls nobody tells in passing
	if len(records) > most {
		return 0, 0
	}
	for _, list := range records {
		if list == nil || !list.Succeeded() {
			continue
		}
		entries := namesOnly(list.Result.Data)
		if len(entries) <= listed {
			continue
		}
		found := 0
		for _, names := range entries {
			if called(records, list, names) {
				found++
			}
		}
		if found > 0 {
			opened, listed = found, len(entries)
		}
	}
	return opened, listed
}

// called reports whether a successful call beside a list has one of some names in its
// arguments.
func called(records []*tooltrack.Record, list *tooltrack.Record, names []string) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool {
		return r != nil && r != list && r.Succeeded() && slices.ContainsFunc(names, func(name string) bool {
			return Holds(r.Args, name)
		})
	})
}

// namesOnly are the names of the entries of a list that says nothing else of them: at most
// an id and a title each.
func namesOnly(data []byte) (entries [][]string) {
	const most, fields = 200, 2
	if kind := jsonspan.KindOf(data); kind != jsonspan.Object && kind != jsonspan.Array {
		return linesOf(jsonspan.Scalar(data), most)
	}
	for _, value := range jsonspan.Members(data) {
		if jsonspan.KindOf(value) == jsonspan.Array {
			data = value
			break
		}
	}
	for entry := range jsonspan.Elements(data) {
		var names []string
		members := 0
		for _, value := range jsonspan.Members(entry) {
			members++
			names = append(names, jsonspan.Scalar(value))
		}
		if kind := jsonspan.KindOf(entry); kind == jsonspan.String || kind == jsonspan.Number {
			names = append(names, jsonspan.Scalar(entry))
		}
		if members > fields || len(entries) == most {
			return nil
		}
		entries = append(entries, names)
	}
	return entries
}

// linesOf are the lines of a text that is a list of names: no line has several words.
func linesOf(text string, most int) (entries [][]string) {
	if len(text) > most*most {
		return nil
	}
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); strings.Contains(line, " ") || len(entries) == most {
			return nil
		}
		entries = append(entries, []string{line})
	}
	return entries
}
