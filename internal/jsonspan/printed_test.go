package jsonspan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFromPrinted(t *testing.T) {
	for text, want := range map[string]string{
		`{'a': True, 'b': None}`:               `{"a": true, "b": null}`,
		`{'a': "it's", 'b': 'a "b"'}`:          `{"a": "it's", "b": "a \"b\""}`,
		`{'a': 'it\'s', 'b': 'x\n'}`:           `{"a": "it's", "b": "x\n"}`,
		`{"a": NaN, "b": -Infinity}`:           `{"a": null, "b": null}`,
		`{'a': [1, 2.5e3, -inf]}`:              `{"a": [1, 2.5e3, null]}`,
		`{"a": [true, false, null]}`:           `{"a": [true, false, null]}`,
		`[]`:                                   `[]`,
		`{'a'`:                                 "",
		`{'a': 'b`:                             "",
		`{'a': <object at 0x7f>}`:              "",
		`{a: 1}`:                               "",
		`{'a': '\x41'}`:                        "",
		`{'a': 1,}`:                            "",
		"{'a': '\n'}":                          "",
		strings.Repeat(" ", MaxPrinted) + `{}`: "",
	} {
		got, ok := FromPrinted(text)
		require.Equal(t, want != "", ok, "%.80s", text)
		if ok {
			require.Equal(t, want, string(got))
		}
	}
}

func FuzzFromPrinted(f *testing.F) {
	for _, seed := range []string{`{'a': True}`, `{"a": NaN}`, `{'a': "it's"}`, `{'`, `'\`, `-Infinity`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if converted, ok := FromPrinted(text); ok && !json.Valid(converted) {
			t.Errorf("%q becomes %q, which is no JSON", text, converted)
		}
	})
}
