package chatwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// span is a JSON value inside a body that is known to be valid. It keeps the
// place, so that a value can be replaced without touching the bytes around it.
type span struct {
	body     []byte
	from, to int
}

// whole returns the one value of a body. Bodies are judged once, strictly, so
// that everything after this line can walk them without looking for faults.
func whole(body []byte) (span, error) {
	value := bytes.TrimPrefix(body, byteOrderMark)
	switch {
	case len(bytes.TrimSpace(value)) == 0:
		return span{}, errors.New("the body is empty")
	case !utf8.Valid(value):
		return span{}, errors.New("the body is not valid UTF-8")
	case !json.Valid(value):
		return span{}, errors.New("the body is not one valid JSON value")
	}
	from := jsonspan.SkipSpace(body, len(body)-len(value))
	return span{body, from, jsonspan.SkipValue(body, from)}, nil
}

// byteOrderMark may stand before a body: some servers on Windows send one.
var byteOrderMark = []byte("\uFEFF")

func (s span) bytes() []byte { return s.body[s.from:s.to] }

// absent reports a member that is missing or null: providers use both for the
// same thing.
func (s span) absent() bool { return s.from == s.to || s.body[s.from] == 'n' }

func (s span) kind() byte {
	if s.from == s.to {
		return 0
	}
	return s.body[s.from]
}

// members finds the wanted members of an object. A wanted key that appears twice, or
// in other letters, is an error: readers disagree about which one counts, and clients
// written in Go take "Content" for "content".
func (s span) members(what string, keys ...string) ([]span, error) {
	if s.kind() != '{' {
		return nil, fmt.Errorf("%s is not a JSON object", what)
	}
	found := make([]span, len(keys))
	var err error
	s.eachMember(func(key string, value span) {
		for i, wanted := range keys {
			switch {
			case key == wanted && found[i].to > 0:
				err = fmt.Errorf("%s has %q twice", what, wanted)
			case key == wanted:
				found[i] = value
			case len(key) == len(wanted) && strings.EqualFold(key, wanted):
				err = fmt.Errorf("%s has %q, which is not %q to all readers", what, key, wanted)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// at is the first member of that name; absent where there is none.
func (s span) at(key string) (found span) {
	if s.kind() == '{' {
		s.eachMember(func(name string, value span) {
			if name == key && found.to == 0 {
				found = value
			}
		})
	}
	return found
}

// has reports a member that is not null.
func (s span) has(key string) bool { return !s.at(key).absent() }

// typed finds the type of an object, which has to be a text, and members of it.
// The first of what is found is the type.
func (s span) typed(what string, keys ...string) (kind string, found []span, err error) {
	if found, err = s.members(what, append([]string{"type"}, keys...)...); err != nil {
		return "", nil, err
	}
	kind, err = found[0].text("type")
	return kind, found, err
}

// eachIn visits the elements of a list that may be absent. An error is told with
// its place.
func (s span) eachIn(name string, visit func(element span) error) error {
	if s.absent() {
		return nil
	}
	elements, err := s.elements(name)
	if err != nil {
		return err
	}
	for i, element := range elements {
		if err := visit(element); err != nil {
			return fmt.Errorf("%s[%d]: %w", name, i, err)
		}
	}
	return nil
}

// eachOrOne is the same for a list in whose place one object may stand.
func (s span) eachOrOne(name string, visit func(element span) error) error {
	if s.kind() == '{' {
		return visit(s)
	}
	return s.eachIn(name, visit)
}

func (s span) eachMember(visit func(key string, value span)) {
	i := jsonspan.SkipSpace(s.body, s.from+1)
	for i < s.to && s.body[i] == '"' {
		end := jsonspan.SkipValue(s.body, i)
		key, _ := unquote(s.body[i:end])
		i = jsonspan.SkipSpace(s.body, jsonspan.SkipSpace(s.body, end)+1) // after the colon
		end = jsonspan.SkipValue(s.body, i)
		visit(key, span{s.body, i, end})
		i = jsonspan.SkipSpace(s.body, end)
		if s.body[i] == ',' {
			i = jsonspan.SkipSpace(s.body, i+1)
		}
	}
}

// elements are the values of an array.
func (s span) elements(what string) ([]span, error) {
	if s.kind() != '[' {
		return nil, fmt.Errorf("%s is not a JSON array", what)
	}
	var found []span
	i := jsonspan.SkipSpace(s.body, s.from+1)
	for s.body[i] != ']' {
		end := jsonspan.SkipValue(s.body, i)
		found = append(found, span{s.body, i, end})
		i = jsonspan.SkipSpace(s.body, end)
		if s.body[i] == ',' {
			i = jsonspan.SkipSpace(s.body, i+1)
		}
	}
	return found, nil
}

// words reads texts one after the other. The first that is none is the error.
type words struct{ err error }

func (w *words) of(value span, what string) string {
	text, err := value.text(what)
	if w.err == nil {
		w.err = err
	}
	return text
}

// text is the value of a string; absent is empty.
func (s span) text(what string) (string, error) {
	if s.absent() {
		return "", nil
	}
	if s.kind() != '"' {
		return "", fmt.Errorf("%s is not a string", what)
	}
	text, _ := unquote(s.bytes())
	return text, nil
}
