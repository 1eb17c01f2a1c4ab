package tooltrack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"unicode/utf8"
)

// keyLimit is the length up to which a key holds the arguments themselves;
// longer ones are represented by their digest.
const keyLimit = 160

// callKey names a call by its tool and canonical arguments: two calls that
// differ only in white space, key order or escapes have the same key.
// Arguments without a canonical form are told apart byte by byte.
func callKey(call Call) string {
	key := make([]byte, 0, keyLimit+64)
	key = append(append(key, call.Tool...), ' ')
	start := len(key)
	key, ok := appendFlat(key, call.Args)
	if !ok {
		canonical, err := canonicalJSON(call.Args)
		if err != nil {
			sum := sha256.Sum256(call.Args)
			return string(hex.AppendEncode(append(key[:start], "raw:"...), sum[:]))
		}
		key = append(key[:start], canonical...)
	}
	if len(key) > keyLimit {
		sum := sha256.Sum256(key[start:])
		key = hex.AppendEncode(append(key[:start], "sha256:"...), sum[:])
	}
	return string(key)
}

// appendFlat appends the canonical form of arguments that are nearly in it
// already: one flat object whose keys ascend, without escapes. It is the
// common case, and needs no decoding.
func appendFlat(dst []byte, args []byte) ([]byte, bool) {
	i := skipSpace(args, 0)
	if i == len(args) {
		return append(dst, "{}"...), true
	}
	if args[i] != '{' || len(args) > keyLimit {
		return dst, false
	}
	dst = append(dst, '{')
	i = skipSpace(args, i+1)
	var last []byte
	for first := true; i < len(args) && args[i] != '}'; first = false {
		if !first {
			if args[i] != ',' {
				return dst, false
			}
			dst = append(dst, ',')
			i = skipSpace(args, i+1)
		}
		key, next, ok := plainString(args, i)
		if !ok || !first && bytes.Compare(last, key) >= 0 {
			return dst, false
		}
		last = key
		i = skipSpace(args, next)
		if i >= len(args) || args[i] != ':' {
			return dst, false
		}
		value, next, ok := plainScalar(args, skipSpace(args, i+1))
		if !ok {
			return dst, false
		}
		dst = append(append(append(dst, key...), ':'), value...)
		i = skipSpace(args, next)
	}
	if i >= len(args) || skipSpace(args, i+1) != len(args) {
		return dst, false
	}
	return append(dst, '}'), true
}

// plainString returns the ASCII string literal at i, if it needs no decoding.
func plainString(data []byte, i int) (literal []byte, next int, ok bool) {
	if i >= len(data) || data[i] != '"' {
		return nil, i, false
	}
	for end := i + 1; end < len(data); end++ {
		switch c := data[end]; {
		case c == '"':
			return data[i : end+1], end + 1, true
		case c == '\\' || c < ' ' || c >= utf8.RuneSelf:
			return nil, i, false
		}
	}
	return nil, i, false
}

// plainScalar returns the string, true, false, null or small integer at i.
// Anything else, and any doubtful number, is left to the decoder.
func plainScalar(data []byte, i int) (literal []byte, next int, ok bool) {
	if i < len(data) && data[i] == '"' {
		return plainString(data, i)
	}
	end := i
	for end < len(data) && (data[end] >= 'a' && data[end] <= 'z' || data[end] >= '0' && data[end] <= '9') {
		end++
	}
	literal = data[i:end]
	switch string(literal) {
	case "true", "false", "null", "0":
		return literal, end, true
	}
	for _, c := range literal {
		if c < '0' || c > '9' {
			return nil, i, false
		}
	}
	return literal, end, len(literal) > 0 && literal[0] != '0'
}

var (
	errNotCanonical = errors.New("the arguments have no canonical form")
	maxKeyDepth     = 64
)

// canonicalJSON writes the arguments with sorted keys, no white space and
// minimal escapes. Numbers keep their spelling, so large integers stay exact.
// An object that names a key twice has no canonical form: readers disagree
// about which value counts.
func canonicalJSON(args []byte) ([]byte, error) {
	if !utf8.Valid(args) {
		return nil, errNotCanonical
	}
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.UseNumber()
	canonical, err := appendCanonical(nil, decoder, maxKeyDepth)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotCanonical
	}
	return canonical, nil
}

func appendCanonical(dst []byte, decoder *json.Decoder, depth int) ([]byte, error) {
	token, err := decoder.Token()
	if err != nil || depth == 0 {
		return nil, errNotCanonical
	}
	switch token {
	case json.Delim('{'):
		return appendObject(dst, decoder, depth-1)
	case json.Delim('['):
		return appendArray(dst, decoder, depth-1)
	}
	return appendScalar(dst, token)
}

func appendScalar(dst []byte, token json.Token) ([]byte, error) {
	var literal bytes.Buffer
	encoder := json.NewEncoder(&literal)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(token); err != nil {
		return nil, errNotCanonical
	}
	return append(dst, bytes.TrimRight(literal.Bytes(), "\n")...), nil
}

func appendArray(dst []byte, decoder *json.Decoder, depth int) ([]byte, error) {
	dst = append(dst, '[')
	for first := true; decoder.More(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendCanonical(dst, decoder, depth); err != nil {
			return nil, err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, errNotCanonical
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, decoder *json.Decoder, depth int) ([]byte, error) {
	members := map[string][]byte{}
	var names []string
	for decoder.More() {
		token, err := decoder.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			return nil, errNotCanonical
		}
		if _, twice := members[name]; twice {
			return nil, errNotCanonical
		}
		if members[name], err = appendCanonical(nil, decoder, depth); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, errNotCanonical
	}
	slices.Sort(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendScalar(dst, name); err != nil {
			return nil, err
		}
		dst = append(append(dst, ':'), members[name]...)
	}
	return append(dst, '}'), nil
}
