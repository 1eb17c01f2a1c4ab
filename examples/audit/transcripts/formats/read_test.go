package formats

import (
	"errors"
	"strings"
	"testing"
)

var errStranger = errors.New("no format knows it")

// parse reads a text that holds one conversation: a value, or values one a line.
func parse(t testing.TB, data string) (*Conversation, error) {
	t.Helper()
	found, err := readAll(data)
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		t.Fatalf("%d conversations in %.200s", len(found), data)
	}
	return found[0], nil
}

// readAll reads values, one a line unless they begin a list, and puts together
// what belongs together.
func readAll(data string) ([]*Conversation, error) {
	var order []string
	parts, owners := map[string][]Part{}, map[string]Format{}
	var values []string
	if elements := list([]byte(data)); elements != nil {
		for _, element := range elements {
			values = append(values, string(element))
		}
	} else if object([]byte(data)) != nil {
		values = []string{data}
	} else {
		values = strings.Split(strings.TrimSpace(data), "\n")
	}
	for i, value := range values {
		format, found := Recognise(&Value{Line: i + 1, Data: []byte(value)})
		if format == nil {
			return nil, errStranger
		}
		for _, part := range found {
			if part.Key == "" {
				part.Key = "alone " + string(rune('0'+i))
			}
			if parts[part.Key] == nil {
				order, owners[part.Key] = append(order, part.Key), format
			}
			if Rank(format) < Rank(owners[part.Key]) {
				owners[part.Key] = format
			}
			parts[part.Key] = append(parts[part.Key], part)
		}
	}
	var read []*Conversation
	for _, key := range order {
		found, err := owners[key].Read(parts[key])
		if err != nil {
			return nil, err
		}
		read = append(read, found...)
	}
	return read, nil
}
