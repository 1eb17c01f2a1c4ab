package chatwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// span is a JSON value inside a body that is known to be valid. It keeps the
// place, so that a value can be replaced without touching the bytes around it.
type span struct {
	body     []byte
	from, to int
	fault    *fault
}

// fault is the first thing that is found to be wrong with a body. What is read after it
// means nothing, so readers go on and whoever began the reading looks here at its end.
type fault struct{ err error }

// fail takes note of an error; nil is none.
func (s span) fail(err error) {
	if s.fault != nil && s.fault.err == nil {
		s.fault.err = err
	}
}

// apart reads a value whose faults are not those of the body, and tells the first of them.
func apart(s span, read func(span)) (told string) {
	s.fault = &fault{}
	if read(s); s.fault.err != nil {
		told = s.fault.err.Error()
	}
	return told
}

func (s span) failf(format string, args ...any) { s.fail(fmt.Errorf(format, args...)) }

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
	return span{body, from, jsonspan.SkipValue(body, from), &fault{}}, nil
}

// byteOrderMark may stand before a body: some servers on Windows send one.
var byteOrderMark = []byte("\uFEFF")

func (s span) bytes() json.RawMessage { return s.body[s.from:s.to] }

func (s span) is(literal string) bool { return string(s.bytes()) == literal }

// absent reports a member that is missing or null: providers use both for the same thing.
func (s span) absent() bool { return s.from == s.to || s.body[s.from] == 'n' }

func (s span) kind() byte {
	if s.from == s.to {
		return 0
	}
	return s.body[s.from]
}

// look finds the wanted members of an object. A wanted key that appears twice, or
// in other letters, is an error: readers disagree about which one counts, and clients
// written in Go take "Content" for "content".
func (s span) look(what string, keys ...string) (found []span, err error) {
	found = slices.Repeat([]span{{fault: s.fault}}, len(keys))
	if s.kind() != '{' {
		return found, fmt.Errorf("%s is not a JSON object", what)
	}
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
	if err != nil { // none of them counts
		found = slices.Repeat([]span{{fault: s.fault}}, len(keys))
	}
	return found, err
}

// members are the same where an error is a fault of the body.
func (s span) members(what string, keys ...string) []span {
	found, err := s.look(what, keys...)
	s.fail(err)
	return found
}

// typed are the type of an object, which has to be a text, and members of it.
// The first of what is found is the type.
func (s span) typed(what string, keys ...string) (kind string, found []span) {
	found = s.members(what, append([]string{"type"}, keys...)...)
	return found[0].text("type"), found
}

// at is the first member of that name; absent where there is none.
func (s span) at(key string) span {
	found := span{fault: s.fault}
	s.eachMember(func(name string, value span) {
		if name == key && found.to == 0 {
			found = value
		}
	})
	return found
}

// edited are the bytes of a value with some of them replaced.
func (s span) edited(edits ...edit) json.RawMessage { return splice(s.body[:s.to], edits)[s.from:] }

// with are the bytes of an object with another value of a member that it has.
func (s span) with(key string, value []byte) []byte {
	at := s.at(key)
	return s.edited(edit{at.from, at.to, value})
}

// has reports a member that is not null.
func (s span) has(key string) bool { return !s.at(key).absent() }

// each visits the elements of a list that may be absent. A fault is told with its place.
func (s span) each(name string, visit func(element span)) {
	for i, element := range s.list(name) {
		if s.fault.err != nil {
			return
		}
		if visit(element); s.fault.err != nil {
			s.fault.err = fmt.Errorf("%s[%d]: %w", name, i, s.fault.err)
		}
	}
}

// eachOrOne is the same for a list in whose place one object may stand.
func (s span) eachOrOne(name string, visit func(element span)) {
	if s.kind() == '{' {
		visit(s)
		return
	}
	s.each(name, visit)
}

// eachMember visits the members of an object; none of any other value.
func (s span) eachMember(visit func(key string, value span)) {
	for key, value := range jsonspan.Members(s.bytes()) {
		visit(string(jsonspan.AppendUnquoted(nil, key)), inside(s, value))
	}
}

// inside is a value that a walk has found in another one.
func inside(s span, value []byte) span {
	from := jsonspan.Place(s.body, value)
	return span{s.body, from, from + len(value), s.fault}
}

// list are the elements of an array that may be absent.
func (s span) list(what string) []span {
	if !s.absent() && s.kind() != '[' {
		s.failf("%s is not a JSON array", what)
	}
	return s.elements()
}

// elements are the values of an array; none for any other value.
func (s span) elements() (found []span) {
	for value := range jsonspan.Elements(s.bytes()) {
		found = append(found, inside(s, value))
	}
	return found
}

// objects are the objects of a list, or the one object that stands for a list.
func (s span) objects() []span {
	if s.kind() == '{' {
		return []span{s}
	}
	return slices.DeleteFunc(s.elements(), func(element span) bool { return element.kind() != '{' })
}

// text is the value of a string; absent is empty.
func (s span) text(what string) string {
	if !s.absent() && s.kind() != '"' {
		s.failf("%s is not a string", what)
	}
	return s.said()
}

// said is the value of a string; empty for any other value.
func (s span) said() string {
	if s.kind() != '"' {
		return ""
	}
	return string(jsonspan.AppendUnquoted(nil, s.body[s.from+1:s.to-1]))
}

// checkRole fails unless something is of this role, or does not say of which.
func checkRole(s span, role, what string) {
	if said := s.text("role"); said != role && said != "" {
		s.failf("%s is not the %s's", what, role)
	}
}

// only is a member that all readers take for the same; absent if there is none.
func (s span) only(name string) span {
	found, _ := s.look("the object", name)
	return found[0]
}

// member is such a member that is a text; empty for any other.
func (s span) member(name string) string { return s.only(name).said() }
