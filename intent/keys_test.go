package intent

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestKeys(t *testing.T) {
	for schema, want := range map[string][]string{
		`{}`:                              nil,
		`{"title":1,"due":{"inner":[2]}}`: {"title", "due"},
		`{ "a" : "b,\"c\"", "d\u0065":{"x":{"y":1}}, "f":["g",{"h":"i"}] , "j":null}`: {"a", "de", "f", "j"},
		`["a",{"b":1},"c"]`: nil,
		`"a"`:               nil,
		`null`:              nil,
		`7`:                 nil,
	} {
		var got keys
		if err := json.Unmarshal([]byte(schema), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s has %q, %v, want %q", schema, got, err, want)
		}
	}
}

// FuzzKeys compares the reader of names with the decoder of maps.
func FuzzKeys(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":{"c":"d\\\"e"}}`, `{"\ud800":[{}],"":{}}`, `[{"a":1}]`, `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got keys
		if json.Unmarshal(data, &got) != nil {
			return
		}
		var want map[string]json.RawMessage
		_ = json.Unmarshal(data, &want)
		for _, key := range got {
			if _, known := want[key]; !known {
				t.Errorf("%q has no %q", data, key)
			}
		}
		for key := range want {
			if !slices.Contains(got, key) {
				t.Errorf("%q: %q is missing", data, key)
			}
		}
	})
}
