package tooltrack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

const (
	// keyLimit is the length up to which a key holds the arguments, and not their digest.
	keyLimit = 160
	// maxAlike is how long a text may be, in bytes, that is compared by what it says: names,
	// amounts and dates are short.
	maxAlike = 80
)

// callKey names a call by its tool and what its arguments say, as [Turn.Begin] tells: white space,
// key order, escapes and the spelling of numbers make no difference, and in a short text neither
// do outer space, invisible characters and compatibility forms (fullwidth letters, the two ways
// to write é). Letter case is never folded, nor letters of different scripts. Arguments without
// a canonical form are told apart byte by byte.
func callKey(tool *Tool, call Call) string { return keyOf(call, tool.alike) }

// exactKey is a key for a call that is known to be another one than its key says.
func exactKey(call Call) string {
	return "= " + keyOf(call, func(key, canonical []byte) []byte { return append(key, canonical...) })
}

func keyOf(call Call, write func(key, canonical []byte) []byte) string {
	var room, space [keyLimit + 64]byte // most keys need no more, and none on the heap
	key := append(append(room[:0], call.Tool...), ' ')
	start := len(key)
	if jsonspan.SkipSpace(call.Args, 0) == len(call.Args) {
		return string(append(key, "{}"...))
	}
	canonical, fault := jsonspan.AppendCanonical(space[:0], call.Args)
	if fault != nil {
		sum := sha256.Sum256(call.Args)
		return string(hex.AppendEncode(append(key, "raw:"...), sum[:]))
	}
	if key = write(key, canonical); len(key) > keyLimit {
		sum := sha256.Sum256(key[start:])
		key = hex.AppendEncode(append(key[:start], "sha256:"...), sum[:])
	}
	return string(key)
}

// alike appends what canonical arguments say.
func (t *Tool) alike(key, canonical []byte) []byte {
	if jsonspan.KindOf(canonical) != jsonspan.Object {
		return append(key, canonical...)
	}
	key = append(key, '{')
	first := true
	for name, value := range jsonspan.Members(canonical) {
		switch kind := jsonspan.KindOf(value); {
		case isNothing(value):
			if !t.argument(name).hasNull() {
				continue
			}
		case kind == jsonspan.String && len(value) <= maxAlike+2 && !isVerbatim(name) && !t.argument(name).isEnum():
			text, _ := jsonspan.Text(value)
			said, isNumber := plainText(text)
			if said == "" && !t.argument(name).hasNull() {
				continue
			}
			if value = jsonspan.AppendQuoted(nil, said); isNumber {
				value = jsonspan.AppendNumber(nil, []byte(said))
			}
		}
		if !first {
			key = append(key, ',')
		}
		first = false
		key = append(append(append(append(key, '"'), name...), `":`...), value...)
	}
	return append(key, '}')
}

func isNothing(value []byte) bool {
	text := string(value)
	return text == "null" || text == `""` || text == "[]" || text == "{}"
}

// plainText is a text without what nobody sees in it, and whether it is a number: one without a
// leading zero, which would belong to a code, and with at most the sign of a currency before it.
func plainText(text string) (plain string, isNumber bool) {
	text = strings.TrimSpace(norm.NFKC.String(strings.Map(visible, text)))
	if amount := amounts().FindStringSubmatch(text); amount != nil {
		return amount[1] + strings.ReplaceAll(amount[2], ",", "") + amount[3], true
	}
	return text, false
}

var amounts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\p{Sc} ]*(-?)[\p{Sc} ]*(0|,?[1-9]\d\d(?:,\d{3})*|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(\.\d+)?$`)
})

// visible drops characters that change nothing that is seen: joiners, marks of
// direction, variation selectors, fillers.
func visible(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
		return -1
	}
	return r
}

// isVerbatim reports whether an argument is compared as it is, by the words of its name.
func isVerbatim(name []byte) bool {
	start := 0
	for i := 1; i <= len(name); i++ {
		isEnd := i == len(name) || !isLetter(name[i]) || isUpper(name[i]) && !isUpper(name[i-1])
		if isEnd && isWord(strings.ToLower(string(bytes.Trim(name[start:i], "_-. "))), "asis") {
			return true
		}
		if isEnd {
			start = i
		}
	}
	return false
}

// schema is what a tool's schema says of one argument; nil if it says nothing.
type schema []byte

func (t *Tool) argument(name []byte) schema {
	properties := jsonspan.Member(t.Parameters, "properties")
	return jsonspan.Member(properties, string(jsonspan.Key(name)))
}

func (s schema) isEnum() bool {
	return jsonspan.Member(s, "enum") != nil || jsonspan.Member(s, "const") != nil
}

// hasNull reports whether null is one of the types or values that a schema names: then it means
// something else than leaving the argument out.
func (s schema) hasNull() bool {
	is := func(v []byte) bool {
		return string(v) == `"null"` || string(v) == "null" || len(v) > 0 && v[0] == '{' && schema(v).hasNull()
	}
	for _, name := range []string{"type", "enum", "anyOf", "oneOf"} {
		value := jsonspan.Member(s, name)
		if name == "type" && is(value) || slices.ContainsFunc(slices.Collect(jsonspan.Elements(value)), is) {
			return true
		}
	}
	return string(jsonspan.Member(s, "nullable")) == "true"
}

// hasOtherCurrency reports whether two calls of one key are told apart all the same: their
// amounts are in different currencies.
func hasOtherCurrency(a, b json.RawMessage) bool {
	for name, value := range jsonspan.Members(a) {
		one, two := currencyOf(value), currencyOf(jsonspan.Member(b, string(jsonspan.Key(name))))
		if one != 0 && two != 0 && one != two {
			return true
		}
	}
	return false
}

func currencyOf(value []byte) rune {
	if jsonspan.KindOf(value) == jsonspan.String && len(value) <= maxAlike {
		for _, r := range norm.NFKC.String(jsonspan.Scalar(value)) {
			if unicode.Is(unicode.Sc, r) {
				return r
			}
		}
	}
	return 0
}
