package jsonspan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

func TestObject(t *testing.T) {
	text := []byte(` {"a": 1, "b\u0063": "x\ny", "": [ {} ], "d":null, "e":true } `)
	var scan jsonspan.Scanner
	require.Nil(t, scan.Object(text))
	var got []string
	for key, value := range jsonspan.Members(text) {
		got = append(got, string(key)+"="+string(value))
	}
	require.Equal(t, []string{"a=1", `b\u0063="x\ny"`, "=[ {} ]", "d=null", "e=true"}, got)
	for value, kind := range map[string]jsonspan.Kind{
		"1": jsonspan.Number, `"x"`: jsonspan.String, "[]": jsonspan.Array, "{}": jsonspan.Object, "null": jsonspan.Null, "true": jsonspan.Bool, "": jsonspan.Missing,
	} {
		require.Equal(t, kind, jsonspan.KindOf([]byte(value)), value)
	}
	fault := scan.Object([]byte(`[1]`))
	require.Equal(t, "json", fault.Rule)
	require.Contains(t, fault.Error(), "an array")
}

func TestValue(t *testing.T) {
	var scan jsonspan.Scanner
	for text, want := range map[string]string{` [1, 2] `: `[1, 2]`, "\n\"x\"": `"x"`, `-1.5e3`: `-1.5e3`, `null`: `null`, `{"a":{}}`: `{"a":{}}`} {
		value, fault := scan.Value([]byte(text))
		require.Nil(t, fault, text)
		require.Equal(t, want, string(value))
	}
	for text, rule := range map[string]string{``: "json", ` `: "json", `1 2`: "json", `nul`: "json", `"\u0000"`: "nul", `"\udc00"`: "utf8", `{"a":1,"a":2}`: "duplicate_key"} {
		_, fault := scan.Value([]byte(text))
		require.NotNil(t, fault, text)
		require.Equal(t, rule, fault.Rule, text)
	}
	scan = jsonspan.Scanner{AllowNUL: true, MaxBytes: 10}
	_, fault := scan.Value([]byte(`"\u0000"`))
	require.Nil(t, fault)
	_, fault = scan.Value([]byte(`"123456789"`))
	require.Equal(t, "size", fault.Rule)
}

func TestDuplicateKeys(t *testing.T) {
	exact, folding := jsonspan.Scanner{}, jsonspan.Scanner{Fold: func(key []byte) string { return strings.ToLower(string(key)) }}
	many := `{"k0":0` // beyond what is compared one by one
	for i := 1; i < 40; i++ {
		many += `,"k` + string(rune('0'+i/10)) + string(rune('0'+i%10)) + `":0`
	}
	for _, c := range []struct {
		text          string
		exact, folded bool
	}{
		{`{"a":1,"b":2}`, false, false},
		{`{"a":1,"A":2}`, false, true},
		{`{"a":1,"\u0061":2}`, true, true},
		{`{"\u0061":1,"\u0041":2}`, false, true},
		{`{"é":1,"É":2}`, false, true},
		{`{"@":1,"` + "`" + `":2}`, false, false}, // alike but for the bit of case
		{many + `}`, false, false},
		{many + `,"k07":1}`, true, true},
		{many + `,"K07":1}`, false, true},
	} {
		fault := exact.Object([]byte(c.text))
		require.Equal(t, c.exact, fault != nil, "%s: %v", c.text, fault)
		fault = folding.Object([]byte(c.text))
		require.Equal(t, c.folded, fault != nil, "%s: %v", c.text, fault)
	}
}

func TestWalks(t *testing.T) {
	var got []string
	for key, value := range jsonspan.Members([]byte(" { \"a\" : \"}\\\"\" , \"b\\u0063\":[1 , {\"x\":2}],\"d\":-1.5 } ")) {
		got = append(got, string(jsonspan.Key(key))+"="+string(value))
	}
	require.Equal(t, []string{`a="}\""`, `bc=[1 , {"x":2}]`, "d=-1.5"}, got)
	got = nil
	for value := range jsonspan.Elements([]byte(` [ 1 , "],[" , [ ] , { } , null ] `)) {
		got = append(got, string(value))
	}
	require.Equal(t, []string{"1", `"],["`, "[ ]", "{ }", "null"}, got)
	for range jsonspan.Members([]byte(`[1]`)) {
		t.Error("an array has members")
	}
	for range jsonspan.Elements([]byte(`{"a":1}`)) {
		t.Error("an object has elements")
	}
	for _, value := range jsonspan.Members([]byte(`{"a":1,"b":2}`)) {
		got = append(got, string(value))
		break
	}
	require.Equal(t, "1", got[len(got)-1])
}

func TestTexts(t *testing.T) {
	for value, want := range map[string]string{`"a"`: "a", `""`: "", `"\u00e9\n\""`: "é\n\"", `"\ud83d\ude00"`: "😀", `"\u0000"`: "\x00"} {
		text, ok := jsonspan.Text([]byte(value))
		require.True(t, ok, value)
		require.Equal(t, want, text)
	}
	for _, value := range []string{``, `"`, `"a`, `a"`, `1`, `null`, `"\ud800"`, `"\x"`, `"\"`} {
		_, ok := jsonspan.Text([]byte(value))
		require.False(t, ok, value)
	}
	for value, want := range map[string]string{`"7"`: "7", `7`: "7", `-1.5`: "-1.5", `true`: "", `null`: "", `[1]`: "", `{}`: "", ``: "", `x`: "", `"cut`: ""} {
		require.Equal(t, want, jsonspan.Scalar([]byte(value)), value)
	}
	for text, want := range map[string]string{"a\"b\\\n\r\t\x01é": `"a\"b\\\n\r\t\u0001é"`, "": `""`} {
		require.Equal(t, want, string(jsonspan.AppendQuoted(nil, text)))
	}
	require.Equal(t, `a\x`, string(jsonspan.Key([]byte(`a\x`))), "a key that no reader accepted is left alone")
	require.Equal(t, `"`+strings.Repeat("é", 40)+`"…`, jsonspan.Quote([]byte(strings.Repeat("é", 41))))
	require.Equal(t, `"a\u202eb"`, jsonspan.Quote([]byte("a\u202eb")))
}

// FuzzWalks goes over anything without leaving it, and over what a reader has
// accepted finds what the standard library finds.
func FuzzWalks(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[1,{"c":"x"}]}`, `{"a"`, `{"a":`, `{"a":"`, `{"a":"\`, `[1,`, `{"a":1,,"b":2}`, `{"a":}`, `{"":[]}`, `"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var keys []string
		for key, value := range jsonspan.Members(text) {
			keys = append(keys, string(jsonspan.Key(key)))
			_, _ = jsonspan.Text(value)
			for element := range jsonspan.Elements(value) {
				_ = jsonspan.Scalar(element)
			}
		}
		scan := jsonspan.Scanner{AllowNUL: true}
		if fault := scan.Object(text); fault != nil {
			if fault.Rule == "json" && json.Valid(text) && strings.HasPrefix(strings.TrimLeft(string(text), " \t\r\n"), "{") {
				t.Fatalf("%q is valid JSON and refused as none: %v", text, fault)
			}
			return
		}
		var decoded map[string]json.RawMessage
		if err := json.Unmarshal(text, &decoded); err != nil || len(decoded) != len(keys) {
			t.Fatalf("%q: %d walked, %d decoded, %v", text, len(keys), len(decoded), err)
		}
		for key, value := range jsonspan.Members(text) {
			if string(decoded[string(jsonspan.Key(key))]) != string(value) {
				t.Fatalf("%q: %q is %q", text, key, value)
			}
		}
	})
}
