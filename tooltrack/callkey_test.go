package tooltrack

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestCallKey(t *testing.T) {
	key := func(args string) string { return callKey(&Tool{}, Call{Tool: "t", Args: []byte(args)}) }
	alike := [][]string{
		{`{}`, ``, "  \n", ` { } `},
		{`{"a":1,"b":"x"}`, `{"b":"x","a":1}`, "{\n \"a\" : 1 , \"b\" : \"\\u0078\" }"},
		{`{"a":{"c":[1,{"e":2,"d":1}],"b":null}}`, `{"a":{"b":null,"c":[1,{"d":1,"e":2}]}}`},
		{`{"a":"é"}`, `{"a":"\u00e9"}`},
		{`{"amount":100}`, `{"amount":100.0}`, `{"amount":1e2}`, `{"amount":1000e-1}`},
		{`{"a":-0}`, `{"a":0}`, `{"a":0.0e9}`},
	}
	for _, group := range alike {
		for _, args := range group[1:] {
			if key(args) != key(group[0]) {
				t.Errorf("%q and %q have the keys %q and %q", args, group[0], key(args), key(group[0]))
			}
		}
	}
	apart := []string{
		`{}`, `{"a":1}`, `{"a":"01"}`, `{"a":1.5}`, `{"a":[1]}`, `{"a":9007199254740992}`, `{"a":9007199254740993}`,
		`{"a":1,"a":2}`, `{"a":2,"a":1}`, `{"a":2}`, `{"A":1}`, `{"a":"\u0000"}`, `{"a":"\ud800"}`, `{"a":"\ud801"}`, `{"a":"\ufffd"}`, `{"a":`, `{"a":1}{}`, "{\"a\":\"\xff\"}", "{\"a\":\"\xfe\"}", `"{}"`,
	}
	seen := map[string]string{}
	for _, args := range apart {
		if other, twice := seen[key(args)]; twice {
			t.Errorf("%q and %q have the same key", args, other)
		}
		seen[key(args)] = args
	}
	if callKey(&Tool{}, Call{Tool: "t"}) == callKey(&Tool{}, Call{Tool: "u"}) {
		t.Error("two tools have the same key")
	}
}

func TestLongArgumentsHaveShortKeys(t *testing.T) {
	long := `{"a":"` + string(bytes.Repeat([]byte("x"), 10_000)) + `"}`
	a := callKey(&Tool{}, Call{Tool: "t", Args: []byte(long)})
	b := callKey(&Tool{}, Call{Tool: "t", Args: []byte(long[:len(long)-2] + `y"}`)})
	if len(a) > 200 || a == b {
		t.Errorf("keys of %d and %d bytes, alike: %v", len(a), len(b), a == b)
	}
}

// Nesting is bounded: deeper arguments are told apart byte by byte.
func TestCallKeyOfNestedArguments(t *testing.T) {
	nested := func(depth int, open, space, shut string) string {
		return callKey(&Tool{}, Call{Tool: "t", Args: []byte(strings.Repeat(open, depth) + space + "1" + strings.Repeat(shut, depth))})
	}
	for name, brackets := range map[string][2]string{"lists": {"[", "]"}, "objects": {`{"a":`, "}"}} {
		for depth, alike := range map[int]bool{1: true, 64: true, 65: false, 200: false} {
			a, b := nested(depth, brackets[0], "", brackets[1]), nested(depth, brackets[0], " ", brackets[1])
			if (a == b) != alike {
				t.Errorf("%d %s with and without a space: the same key %v, want %v", depth, name, a == b, alike)
			}
		}
	}
}

// FuzzCallKey holds the key against another spelling of the same arguments.
func FuzzCallKey(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{"b":"x","a":[1,2]}`, ` {"a": true}`, `{"a":1,"a":2}`, `{"a":1e400}`, `[]`, `{"a":"\ud800"}`, `{"a":-0}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		var indented bytes.Buffer
		if strings.Contains(callKey(&Tool{}, Call{Args: args}), "raw:") || json.Indent(&indented, args, " ", "\t") != nil {
			return
		}
		if a, b := callKey(&Tool{}, Call{Args: args}), callKey(&Tool{}, Call{Args: indented.Bytes()}); a != b {
			t.Errorf("%q and its indented form have the keys %q and %q", args, a, b)
		}
	})
}
