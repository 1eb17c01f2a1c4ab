package main

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestWireText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", `"abc"`, "abc"},
		{"empty", `""`, ""},
		{"null", `null`, ""},
		{"escapes", `"\"\\\n\u0041"`, "\"\\\nA"},
		{"a pair", `"\ud83d\uDE00"`, "😀"},
		{"an escaped backslash", `"\\ud83d"`, `\ud83d`},
		{"the first half", `"a\ud83db"`, "a\xed\xa0\xbdb"},
		{"the second half", `"\ude00"`, "\xed\xb8\x80"},
		{"the wrong way round", `"\ude00\ud83d"`, "\xed\xb8\x80\xed\xa0\xbd"},
		{"half before a pair", `"\ud83d\ud83d\ude00"`, "\xed\xa0\xbd😀"},
		{"half before an escape", `"\ud83d\n"`, "\xed\xa0\xbd\n"},
		{"a replacement character", `"\ufffd�"`, "\ufffd\ufffd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got wireText
			if err := json.Unmarshal([]byte(c.in), &got); err != nil || string(got) != c.want {
				t.Errorf("%q, %v, want %q", got, err, c.want)
			}
		})
	}
	if err := json.Unmarshal([]byte(`5`), new(wireText)); err == nil {
		t.Error("a number is read as a text")
	}
}

// What is valid UTF-8 is what encoding/json reads; the rest only differs where
// it writes replacement characters.
func FuzzWireText(f *testing.F) {
	f.Add(`"\ud83d\ude00 \\ud83d \udc00"`)
	f.Fuzz(func(t *testing.T, in string) {
		var got wireText
		var want string
		err := json.Unmarshal([]byte(in), &want)
		if ours := json.Unmarshal([]byte(in), &got); (ours == nil) != (err == nil) {
			t.Fatalf("%v, but %v", ours, err)
		}
		if err == nil && utf8.Valid(got) && string(got) != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
