package tooltrack

import (
	"strings"
	"testing"
)

// The short cut must take the everyday arguments, or it saves nothing, and
// must leave alone whatever needs a decoder.
func TestShortCutTakesFlatArguments(t *testing.T) {
	left := "" // to the decoder
	cases := []struct{ name, args, want string }{
		{"nothing", "", `{}`},
		{"blank", " \t\r\n", `{}`},
		{"an empty object", `{}`, `{}`},
		{"an empty object with space", " { } \n", `{}`},
		{"a string", `{"id":"8c2f"}`, `{"id":"8c2f"}`},
		{"an empty string", `{"":""}`, `{"":""}`},
		{"the first and last characters of ASCII", `{"a":" ~"}`, `{"a":" ~"}`},
		{"every literal", `{"a":true,"b":false,"c":null}`, `{"a":true,"b":false,"c":null}`},
		{"numbers", `{"a":0,"b":1,"c":90,"d":1029384756}`, `{"a":0,"b":1,"c":90,"d":1029384756}`},
		{"space everywhere", " { \"a\" : 1 ,\n\t\"b\" : \"x y\" } ", `{"a":1,"b":"x y"}`},
		{"up to the limit", `{"a":"` + strings.Repeat("x", keyLimit-8) + `"}`, `{"a":"` + strings.Repeat("x", keyLimit-8) + `"}`},
		{"beyond the limit", `{"a":"` + strings.Repeat("x", keyLimit-7) + `"}`, left},
		{"keys that descend", `{"b":1,"a":2}`, left},
		{"a key twice", `{"a":1,"a":2}`, left},
		{"an escape", `{"a":"\n"}`, left},
		{"an escaped key", `{"\u0061":1}`, left},
		{"a control character", "{\"a\":\"\x1f\"}", left},
		{"a character beyond ASCII", `{"a":"é"}`, left},
		{"the first byte beyond ASCII", "{\"a\":\"\x80\"}", left},
		{"a nested object", `{"a":{}}`, left},
		{"a list", `{"a":[1]}`, left},
		{"a fraction", `{"a":1.5}`, left},
		{"an exponent", `{"a":1e3}`, left},
		{"a negative number", `{"a":-1}`, left},
		{"a leading zero", `{"a":01}`, left},
		{"a word that is no literal", `{"a":truth}`, left},
		{"no value", `{"a":}`, left},
		{"no colon", `{"a" 1}`, left},
		{"no comma", `{"a":1 "b":2}`, left},
		{"a comma at the end", `{"a":1,}`, left},
		{"no key", `{:1}`, left},
		{"a key without quotes", `{a:1}`, left},
		{"text behind the object", `{"a":1}x`, left},
		{"two objects", `{}{}`, left},
		{"a list of arguments", `[]`, left},
		{"a string of arguments", `"{}"`, left},
		{"cut behind the brace", `{`, left},
		{"cut in a key", `{"a`, left},
		{"cut behind a key", `{"a"`, left},
		{"cut behind the colon", `{"a":`, left},
		{"cut in a string", `{"a":"x`, left},
		{"cut behind a value", `{"a":1`, left},
		{"cut behind a comma", `{"a":1,`, left},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, ok := appendFlat([]byte("tool "), []byte(c.args))
			if ok != (c.want != left) || ok && string(got) != "tool "+c.want {
				t.Errorf("%q: taken %v as %q, want %q", c.args, ok, got, c.want)
			}
		})
	}
}

// Nesting is bounded: deeper arguments are told apart byte by byte.
func TestCallKeyOfNestedArguments(t *testing.T) {
	nested := func(depth int, open, space, shut string) string {
		return callKey(Call{Tool: "t", Args: []byte(strings.Repeat(open, depth) + space + "1" + strings.Repeat(shut, depth))})
	}
	for name, brackets := range map[string][2]string{"lists": {"[", "]"}, "objects": {`{"a":`, "}"}} {
		for depth, alike := range map[int]bool{1: true, 63: true, 64: false, 200: false} {
			a, b := nested(depth, brackets[0], "", brackets[1]), nested(depth, brackets[0], " ", brackets[1])
			if (a == b) != alike {
				t.Errorf("%d %s with and without a space: the same key %v, want %v", depth, name, a == b, alike)
			}
		}
	}
}
