package policy

import (
	"bytes"
	"encoding/json"
)

// Args are the arguments of one call, strictly decoded: one JSON object, valid
// UTF-8, no key twice, bounded in size and depth. Every decoder reads the same
// meaning from such bytes, which is why they may run exactly as sent.
type Args struct {
	raw     []byte
	members []member
}

// Decode reads arguments strictly, or returns a [*DecodeError]. The result
// shares the memory of data.
func Decode(data []byte) (*Args, error) {
	args := new(Args)
	var s scanner
	if err := args.read(data, &s); err != nil {
		return nil, err
	}
	return args, nil
}

// read decodes into args and reuses the memory of both.
func (a *Args) read(data []byte, s *scanner) *DecodeError {
	*s = scanner{data: data, members: a.members[:0], keys: s.keys[:0]}
	ok := s.object()
	a.raw, a.members = data, s.members
	if !ok {
		return s.err
	}
	return nil
}

// Raw is the text that was decoded.
func (a *Args) Raw() json.RawMessage { return a.raw }

// Len is the number of arguments.
func (a *Args) Len() int { return len(a.members) }

// Name is the name of the i-th argument, in the order sent.
func (a *Args) Name(i int) string { return string(a.name(i)) }

// Value returns an argument; its kind is [Missing] when it was not sent.
func (a *Args) Value(name string) Value {
	if i := a.index(name); i >= 0 {
		return valueOf(a.rawValue(i))
	}
	return Value{}
}

func (a *Args) index(name string) int {
	for i := range a.members {
		m := &a.members[i]
		if m.keyEscaped {
			if string(a.name(i)) == name {
				return i
			}
		} else if int(m.keyEnd-m.keyStart) == len(name) && string(a.raw[m.keyStart:m.keyEnd]) == name {
			return i
		}
	}
	return -1
}

func (a *Args) name(i int) []byte {
	m := &a.members[i]
	if m.keyEscaped {
		return appendUnescaped(nil, a.raw[m.keyStart:m.keyEnd])
	}
	return a.raw[m.keyStart:m.keyEnd]
}

// rawValue is the i-th argument as JSON.
func (a *Args) rawValue(i int) []byte {
	m := &a.members[i]
	return a.raw[m.valueStart:m.valueEnd]
}

// valueOf reads a validated JSON value.
func valueOf(raw []byte) Value {
	v := Value{body: raw}
	switch raw[0] {
	case '{':
		v.kind = Object
	case '[':
		v.kind = Array
	case '"':
		v.kind = String
		v.body = raw[1 : len(raw)-1]
		if bytes.IndexByte(v.body, '\\') >= 0 {
			v.body = appendUnescaped(nil, v.body)
		}
	case 't', 'f':
		v.kind = Bool
	case 'n':
		v.kind = Null
	default:
		v.kind = Number
	}
	return v
}

// unwrap undoes one layer of string encoding, which some providers add around
// the whole arguments. The content is judged as strictly as any other.
func unwrap(data []byte) ([]byte, bool) {
	data = bytes.TrimFunc(data, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' })
	if len(data) < 2 || data[0] != '"' || len(data) > MaxArgsBytes {
		return nil, false
	}
	s := scanner{data: data}
	if _, _, ok := s.str(); !ok || s.pos != len(data) {
		return nil, false
	}
	inner := appendUnescaped(nil, data[1:len(data)-1])
	start := bytes.TrimLeft(inner, " \t\r\n")
	return inner, len(start) > 0 && start[0] == '{'
}

func blankJSON(data []byte) bool {
	for _, c := range data {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}
