package tooltrack

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestCallKey(t *testing.T) {
	key := func(args string) string { return callKey(Call{Tool: "t", Args: []byte(args)}) }
	alike := [][]string{
		{`{}`, ``, "  \n", ` { } `},
		{`{"a":1,"b":"x"}`, `{"b":"x","a":1}`, "{\n \"a\" : 1 , \"b\" : \"\\u0078\" }"},
		{`{"a":{"c":[1,{"e":2,"d":1}],"b":null}}`, `{"a":{"b":null,"c":[1,{"d":1,"e":2}]}}`},
		{`{"a":"é"}`, `{"a":"\u00e9"}`},
	}
	for _, group := range alike {
		for _, args := range group[1:] {
			if key(args) != key(group[0]) {
				t.Errorf("%q and %q have the keys %q and %q", args, group[0], key(args), key(group[0]))
			}
		}
	}
	apart := []string{
		`{}`, `{"a":1}`, `{"a":"1"}`, `{"a":1.0}`, `{"a":[1]}`, `{"a":9007199254740992}`, `{"a":9007199254740993}`, `{"a":null}`,
		`{"a":1,"a":2}`, `{"a":2,"a":1}`, `{"a":2}`, `{"A":1}`, `{"a":"\u0000"}`, `{"a":`, `{"a":1}{}`, "{\"a\":\"\xff\"}", "{\"a\":\"\xfe\"}", `"{}"`,
	}
	seen := map[string]string{}
	for _, args := range apart {
		if other, twice := seen[key(args)]; twice {
			t.Errorf("%q and %q have the same key", args, other)
		}
		seen[key(args)] = args
	}
	if callKey(Call{Tool: "t"}) == callKey(Call{Tool: "u"}) {
		t.Error("two tools have the same key")
	}
}

func TestLongArgumentsHaveShortKeys(t *testing.T) {
	long := `{"a":"` + string(bytes.Repeat([]byte("x"), 10_000)) + `"}`
	a := callKey(Call{Tool: "t", Args: []byte(long)})
	b := callKey(Call{Tool: "t", Args: []byte(long[:len(long)-2] + `y"}`)})
	if len(a) > 200 || a == b {
		t.Errorf("keys of %d and %d bytes, alike: %v", len(a), len(b), a == b)
	}
}

// FuzzCallKey holds the short cut against the decoder, and the decoder against
// another spelling of the same arguments.
func FuzzCallKey(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{"b":"x","a":[1,2]}`, ` {"a": true}`, `{"a":1,"a":2}`, `{"a":1e400}`, `[]`, `{"a":"\ud800"}`, `{"a":-0}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		flat, ok := appendFlat(nil, args)
		canonical, err := canonicalJSON(args)
		if ok && len(bytes.TrimSpace(args)) > 0 && (err != nil || !bytes.Equal(flat, canonical)) {
			t.Fatalf("the short cut makes %q of %q, the decoder %q (%v)", flat, args, canonical, err)
		}
		var indented bytes.Buffer
		if err != nil || json.Indent(&indented, args, " ", "\t") != nil {
			return
		}
		if a, b := callKey(Call{Args: args}), callKey(Call{Args: indented.Bytes()}); a != b {
			t.Errorf("%q and its indented form have the keys %q and %q", args, a, b)
		}
		if again, err := canonicalJSON(canonical); err != nil || !bytes.Equal(again, canonical) {
			t.Errorf("the canonical form %q of %q is not a fixed point: %q, %v", canonical, args, again, err)
		}
	})
}
