package chatwire

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestPiecesOfAnotherText: they make up the text, and none is empty while there
// are characters.
func TestPiecesOfAnotherText(t *testing.T) {
	for _, c := range []struct {
		text   string
		pieces []string
	}{
		{"{}", []string{"{}"}},
		{"", []string{"", "", ""}},
		{"a", []string{"a", "", ""}},
		{"ab", []string{"a", "b", ""}},
		{"abcdef", []string{"abcd", "e", "f"}},
		{"größe €", []string{"größe", " ", "€"}},
	} {
		e := editor{edits: make([][]edit, len(c.pieces))}
		places := make([]place, len(c.pieces))
		for i := range places {
			places[i].chunk = i
		}
		if err := e.replace(places, c.text); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, edits := range e.edits {
			var piece string
			if err := json.Unmarshal(edits[0].with, &piece); err != nil {
				t.Fatal(err)
			}
			got = append(got, piece)
		}
		if !slices.Equal(got, c.pieces) {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.pieces)
		}
	}
}

// TestMembersAreTakenOut wherever they stand, several in a row, too.
func TestMembersAreTakenOut(t *testing.T) {
	for body, want := range map[string]string{
		`{"a":1}`: `{}`, `{"a":1, "b":2}`: `{}`, `{"a":1,"x":3}`: `{"x":3}`, `{"a":1,"b":2,"a":3,"x":4}`: `{"x":4}`,
		`{"x":1,"a":2,"b":3}`: `{"x":1}`, `{"x":1,"a":2,"b":3,"y":4,"a":5}`: `{"x":1,"y":4}`, `{"x":1}`: `{"x":1}`, `[]`: `[]`,
	} {
		object, err := whole([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(splice([]byte(body), without(object, "a", "b"))); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}
