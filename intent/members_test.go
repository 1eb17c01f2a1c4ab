package intent

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

func TestMembers(t *testing.T) {
	for object, want := range map[string][]string{
		`{}`:                              nil,
		`{"title":1,"due":{"inner":[2]}}`: {"title", "1", "due", `{"inner":[2]}`},
		" { \"a\" : \"b,\\\"c}\", \"d\\u0065\":{\"x\":{\"y\":1}} ,\n\"f\":[\"g\",{\"h\":\"i\"}],\"j\":null}": {"a", `"b,\"c}"`, "de", `{"x":{"y":1}}`, "f", `["g",{"h":"i"}]`, "j", "null"},
		`["a",{"b":1},"c"]`: nil,
		`"a"`:               nil,
		`null`:              nil,
		`7`:                 nil,
		``:                  nil,
	} {
		var got []string
		for name, value := range members([]byte(object)) {
			got = append(got, name, string(value))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", object, got, want)
		}
	}
	for range members([]byte(`{"a":1,"b":2}`)) {
		break
	}
}

// FuzzMembers compares the reader of names with the decoder of maps.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":{"c":"d\\\"e"}}`, `{"\ud800":[{}],"":{}}`, `[{"a":1}]`, `{"a":1,"a":2}`, ` { "a" : [ 1 , 2 ] , "b" : 3 } `} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			return
		}
		got, want := map[string]json.RawMessage{}, map[string]json.RawMessage{}
		for name, value := range members(data) {
			if !json.Valid(value) {
				t.Fatalf("%q: the value of %q is %q", data, name, value)
			}
			got[name] = value
		}
		_ = json.Unmarshal(data, &want)
		same := func(a, b json.RawMessage) bool { return slices.Equal(compact(t, a), compact(t, b)) }
		if !maps.EqualFunc(got, want, same) {
			t.Errorf("%q has %q, want %q", data, got, want)
		}
	})
}

func compact(t *testing.T, value json.RawMessage) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
