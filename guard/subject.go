package guard

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// subjectArg is the entity that a call names, as far as its arguments tell.
func subjectArg(tool *tooltrack.Tool, args json.RawMessage) []tooltrack.Subject {
	if tool.Subject.Arg == "" {
		return nil
	}
	var id string
	for key, value := range jsonspan.Members(args) {
		if string(jsonspan.Key(key)) == tool.Subject.Arg {
			id = jsonspan.Scalar(value)
		}
	}
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
	for key, value := range jsonspan.Members(object) {
		switch string(jsonspan.Key(key)) {
		case "id":
			found.ID = jsonspan.Scalar(value)
		case "title":
			found.Title = jsonspan.Scalar(value)
		case "name":
			name = value
		case "data":
			data = value
		}
	}
	if found.Title == "" {
		found.Title = jsonspan.Scalar(name)
	}
	return found, data
}
