package guard

import (
	"bytes"
	"encoding/json"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// subjectArg is the entity that a call names, as far as its arguments tell.
func subjectArg(tool *tooltrack.Tool, args json.RawMessage) []tooltrack.Subject {
	if tool.Subject.Arg == "" {
		return nil
	}
	var id string
	eachMember(args, func(key, value []byte) {
		if string(key) == tool.Subject.Arg {
			id = plain(value)
		}
	})
	if id == "" {
		return nil
	}
	return []tooltrack.Subject{{Kind: tool.Subject.Kind, ID: id}}
}

// subjectIn reads id and title from a result, or from its "data".
func subjectIn(data json.RawMessage) tooltrack.Subject {
	found, inner := entity(data)
	if found.ID == "" && found.Title == "" && len(inner) > 0 {
		found, _ = entity(inner)
	}
	return found
}

// entity reads id and title of an object; "name" stands in for a title.
func entity(object []byte) (found tooltrack.Subject, data []byte) {
	var name []byte
	eachMember(object, func(key, value []byte) {
		switch string(key) {
		case "id":
			found.ID = plain(value)
		case "title":
			found.Title = plain(value)
		case "name":
			name = value
		case "data":
			data = value
		}
	})
	if found.Title == "" {
		found.Title = plain(name)
	}
	return found, data
}

// plain is a string or a number as text; anything else is empty.
func plain(value []byte) string {
	switch {
	case len(value) == 0:
		return ""
	case value[0] == '"':
		if len(value) < 2 || value[len(value)-1] != '"' {
			return "" // cut off: nobody knows how it goes on
		}
		if bytes.IndexByte(value, '\\') < 0 {
			return string(value[1 : len(value)-1])
		}
		var text string
		if json.Unmarshal(value, &text) != nil {
			return ""
		}
		return text
	case value[0] == '-' || value[0] >= '0' && value[0] <= '9':
		return string(value)
	}
	return ""
}

// eachMember visits the members of a JSON object without decoding them. Every
// result passes here, and most of what is in one does not matter. A text that
// is no object has none.
func eachMember(object []byte, visit func(key, value []byte)) {
	i := skipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return
	}
	for i = skipSpace(object, i+1); i < len(object) && object[i] == '"'; {
		end := skipValue(object, i)
		if end-i < 2 {
			return
		}
		key := object[i+1 : end-1]
		i = skipSpace(object, skipSpace(object, end)+1) // behind the colon
		if end = skipValue(object, i); end <= i {
			return
		}
		visit(key, object[i:end])
		if i = skipSpace(object, end); i < len(object) && object[i] == ',' {
			i = skipSpace(object, i+1)
		}
	}
}

func skipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n') {
		i++
	}
	return i
}

// skipValue returns the index behind the value that begins at i. What is no
// JSON ends somewhere; nothing is read beyond the end.
func skipValue(data []byte, i int) int {
	for depth := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return min(i+1, len(data))
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return min(i, len(data)) // a string that was cut off ends beyond
}
