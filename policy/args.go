package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Args are the arguments of one call, strictly decoded: one JSON object, valid
// UTF-8, no key twice, bounded in size and depth. Every decoder reads the same
// meaning from such bytes, which is why they may run exactly as sent.
type Args struct {
	raw    []byte
	fields []field
}

// MaxArgsBytes is the longest text that is read as arguments. Fifty thousand
// bytes of content written as \u escapes stay below it.
const MaxArgsBytes = 1 << 20

// MaxDepth is how deep objects and arrays may nest, the outermost included.
const MaxDepth = jsonspan.MaxDepth

// ErrDecode matches every [*DecodeError] with errors.Is.
var ErrDecode = errors.New("the arguments could not be read")

// DecodeError says why arguments could not be read. Reason is written for the
// model that sent them.
type DecodeError struct {
	// Rule is the name under which a [Decision] reports it: "json", "utf8",
	// "nul", "duplicate_key", "depth" or "size".
	Rule string
	// Offset is the byte at which reading stopped.
	Offset int
	// Reason tells what is wrong and what to send instead.
	Reason string
}

// Error says what is wrong, in words for the model.
func (e *DecodeError) Error() string { return fmt.Sprintf("%s (byte %d)", e.Reason, e.Offset) }

// Is makes errors.Is(err, ErrDecode) true.
func (e *DecodeError) Is(target error) bool { return target == ErrDecode }

// scanner reads arguments: keys that a decoder could confuse, as encoding/json matches
// struct fields, are duplicates.
var scanner = &jsonspan.Scanner{MaxBytes: MaxArgsBytes, Fold: foldKey}

// Decode reads arguments strictly, or returns a [*DecodeError]. The result
// shares the memory of data.
func Decode(data []byte) (*Args, error) {
	args := new(Args)
	if err := args.read(data); err != nil {
		return nil, err
	}
	return args, nil
}

// read decodes into args, whose memory is used again.
func (a *Args) read(data []byte) *DecodeError {
	if fault := scanner.Object(data); fault != nil {
		return &DecodeError{fault.Rule, fault.Offset, fault.Reason}
	}
	a.raw, a.fields = data, a.fields[:0]
	for key, value := range jsonspan.Members(data) {
		a.fields = append(a.fields, field{jsonspan.Key(key), value})
	}
	return nil
}

// Len is the number of arguments.
func (a *Args) Len() int { return len(a.fields) }

// Name is the name of the i-th argument, in the order sent.
func (a *Args) Name(i int) string { return string(a.fields[i].key) }

// Value returns an argument; its kind is [Missing] when it was not sent.
func (a *Args) Value(name string) Value {
	if i := a.index(name); i >= 0 {
		return valueOf(a.fields[i].value)
	}
	return Value{}
}

func (a *Args) index(name string) int {
	return slices.IndexFunc(a.fields, func(f field) bool { return string(f.key) == name })
}

// valueOf reads a validated JSON value.
func valueOf(raw []byte) Value {
	v := Value{kind: Kind(jsonspan.KindOf(raw)), body: raw}
	if v.kind == String {
		v.body = jsonspan.Key(raw[1 : len(raw)-1])
	}
	return v
}

// unwrap undoes one layer of string encoding, which some providers add around
// the whole arguments. The content is judged as strictly as any other.
func unwrap(data []byte) ([]byte, bool) {
	data = bytes.Trim(data, " \t\n\r")
	if jsonspan.KindOf(data) != jsonspan.String || len(data) > MaxArgsBytes {
		return nil, false
	}
	if _, fault := scanner.Value(data); fault != nil {
		return nil, false
	}
	inner := jsonspan.AppendUnquoted(nil, data[1:len(data)-1])
	return inner, jsonspan.KindOf(inner[jsonspan.SkipSpace(inner, 0):]) == jsonspan.Object
}

func isBlankJSON(data []byte) bool { return len(bytes.Trim(data, " \t\n\r")) == 0 }

// canonicalOf appends the canonical form of JSON that was accepted before.
func canonicalOf(dst, value []byte) []byte {
	form, fault := jsonspan.AppendCanonical(dst, value)
	if fault != nil { // cannot happen: the reader that accepted it is stricter
		return append(dst, value...)
	}
	return form
}

// field is a key, without escapes, and its value.
type field struct {
	key, value []byte
}

// appendFields writes an object, its members in the order given.
func appendFields(dst []byte, fields []field) []byte {
	dst = append(dst, '{')
	for i := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonspan.AppendQuoted(dst, fields[i].key), ':')
		dst = append(dst, fields[i].value...)
	}
	return append(dst, '}')
}
