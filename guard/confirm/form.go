package confirm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// value is what something is compared with, or given to the read: a literal, or a path in
// the arguments or the result of the change.
type value struct {
	literal  json.RawMessage
	of, path string
}

// binding is an argument of the read.
type binding struct {
	name string
	from value
}

// condition is what must hold of what was read. The path "." is that itself.
type condition struct {
	path, word string
	values     []value
	inner      []condition // of has, once and lacks
}

// readCall reads "get_order(id = $args.id)".
func readCall(text string) (tool string, args []binding, err error) {
	parts := regexp.MustCompile(`(?s)^\s*([\w.:-]+)\s*\((.*)\)\s*$`).FindStringSubmatch(text)
	if parts == nil {
		return "", nil, fmt.Errorf("%q is no call; write it as tool(argument = $args.name)", clip.Text(text, maxShown))
	}
	for _, piece := range split(parts[2], ",") {
		name, given, _ := strings.Cut(piece, "=")
		one := binding{name: strings.TrimSpace(name)}
		if one.from, err = readValue(given); err != nil || one.name == "" {
			return "", nil, fmt.Errorf("%q is no argument; write it as name = $args.name", clip.Text(piece, maxShown))
		}
		args = append(args, one)
	}
	return parts[1], args, nil
}

// readConditions reads conditions that are joined by commas.
func readConditions(text string) (all []condition, err error) {
	form := regexp.MustCompile(`(?s)^(?:([\w.-]+)\s*)??(?:\b(exists|absent)|(=|\bcontains\b)(.+)|\b(has|once|lacks)\s*\((.+)\))$`)
	for _, piece := range split(text, ",") {
		parts := form.FindStringSubmatch(strings.TrimSpace(piece))
		if parts == nil {
			return nil, fmt.Errorf("%q is no condition; write exists, absent, name = value, name contains value, or "+
				"name has (…), once (…), lacks (…)", clip.Text(piece, maxShown))
		}
		one := condition{path: cmp.Or(parts[1], "."), word: parts[2] + parts[3] + parts[5]}
		for _, allowed := range split(parts[4], "|") {
			next, err := readValue(allowed)
			if err != nil {
				return nil, err
			}
			one.values = append(one.values, next)
		}
		if one.inner, err = readConditions(parts[6]); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// readValue reads $args.id, "a text", or a plain word or number.
func readValue(text string) (value, error) {
	text = strings.TrimSpace(text)
	if parts := regexp.MustCompile(`^\$(args|result)\.([\w.-]+)$`).FindStringSubmatch(text); parts != nil {
		return value{of: parts[1], path: parts[2]}, nil
	}
	switch {
	case text == "" || strings.HasPrefix(text, "$"):
		return value{}, fmt.Errorf("%q is no value; write a word, $args.name or $result.name", clip.Text(text, maxShown))
	case json.Valid([]byte(text)):
		return value{literal: json.RawMessage(text)}, nil
	}
	return value{literal: jsonspan.AppendQuoted(nil, text)}, nil
}

// split cuts a text at a mark that stands in no quotes and no brackets.
func split(text, mark string) (pieces []string) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	quoted, open := regexp.MustCompile(`"(?:[^"\\]|\\.)*"`), false
	for piece := range strings.SplitSeq(text, mark) {
		if open {
			pieces[len(pieces)-1] += mark + piece
		} else {
			pieces = append(pieces, piece)
		}
		outside := quoted.ReplaceAllString(pieces[len(pieces)-1], "")
		open = strings.Contains(outside, `"`) || strings.Count(outside, "(") > strings.Count(outside, ")")
	}
	return pieces
}

// in is a value as a call has it; one that is null was not given.
func (v value) in(change *tooltrack.Record) (found []byte, known bool) {
	switch v.of {
	case "args":
		found = member(change.Args, v.path)
	case "result":
		found = member(change.Result.Data, v.path)
	default:
		return v.literal, true
	}
	return found, len(found) > 0 && string(found) != "null"
}

// member is what a path leads to; nil if nowhere.
func member(data []byte, path string) []byte {
	for path != "." && path != "" {
		name, rest, _ := strings.Cut(path, ".")
		var inner []byte
		for key, value := range jsonspan.Members(data) {
			if string(jsonspan.Key(key)) == name {
				inner = value
			}
		}
		data, path = inner, rest
	}
	return data
}
