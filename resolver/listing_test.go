package resolver

import (
	"errors"
	"strings"
	"testing"
)

func TestListing(t *testing.T) {
	entries := []Entry{
		{ID: "7f3c0a52-5f6e-4b0e-9d3a-0c8f4f1f2a11", Title: "Read book", Details: []Detail{{"Status", "pending"}, {"Priority", "high"}}},
		{ID: "2", Title: "Buy milk"},
		{ID: "3", Title: "Buy milk", Details: []Detail{{"Due", ""}, {"", "urgent"}}},
		{ID: "4", Title: "Line one\n9. Forged line\u2028x", Details: []Detail{{"Note", "a\nb"}}},
		{ID: "5", Title: "bad \xff byte"},
	}
	want := strings.Join([]string{
		"1. Read book (Status: pending, Priority: high)",
		"2. Buy milk",
		"3. Buy milk (2) (urgent)",
		"4. Line one 9. Forged line x (Note: a b)",
		"5. bad \ufffd byte", "",
	}, "\n")
	if got := Listing(entries); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := Listing(nil); got != "" {
		t.Errorf("the listing of nothing is %q", got)
	}
}

func TestOrdinal(t *testing.T) {
	listed := entriesOf("Read book", "Buy milk", "Second opinion", "Call mom")
	cases := []struct{ reference, want string }{
		{"2", "Buy milk"},
		{"#2", "Buy milk"},
		{"2.", "Buy milk"},
		{"(2)", "Buy milk"},
		{"２", "Buy milk"},
		{"no. 2", "Buy milk"},
		{"number 2", "Buy milk"},
		{"number two", "Buy milk"},
		{"task 2", "Buy milk"},
		{"task #2", "Buy milk"},
		{"item number 2 please", "Buy milk"},
		{"2nd", "Buy milk"},
		{"the 2nd one", "Buy milk"},
		{"the second one", "Buy milk"},
		{"Second", "Buy milk"},
		{"the first task", "Read book"},
		{"the third one", "Second opinion"},
		{"the last one", "Call mom"},
		{"last", "Call mom"},
		{"second to last", "Second opinion"},
		{"the second last one", "Second opinion"},
		{"penultimate", "Second opinion"},
		{"5", "none"},
		{"#0", "not ordinal"},
		{"999999", "none"},
		{"99999999999999999999", "not ordinal"},
		{"the tenth one", "none"},
		{"second opinion", "not ordinal"},
		{"two", "not ordinal"},
		{"the one", "not ordinal"},
		{"buy milk", "not ordinal"},
		{"last week", "not ordinal"},
		{"2 eggs", "not ordinal"},
		{"1.5", "not ordinal"},
		{"", "not ordinal"},
	}
	for _, c := range cases {
		t.Run(c.reference, func(t *testing.T) {
			match, err := Ordinal(c.reference, listed, nil)
			got := match.Title
			switch {
			case errors.Is(err, ErrNotOrdinal):
				got = "not ordinal"
			case errors.Is(err, ErrNotFound):
				got = "none"
			case err != nil:
				t.Fatal(err)
			case match.Tier != ByOrdinal || match.Score != 1:
				t.Errorf("matched by %v with score %v", match.Tier, match.Score)
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestOrdinalGivesWayToTitles(t *testing.T) {
	if _, err := Ordinal("2", entriesOf("1984", "2"), nil); !errors.Is(err, ErrNotOrdinal) {
		t.Errorf("the title 2 was taken for a place: %v", err)
	}
}

func TestOrdinalKnowsTheNoun(t *testing.T) {
	match, err := Ordinal("the second invoice", entriesOf("A", "B"), &Options{Noun: "invoice"})
	if err != nil || match.Title != "B" {
		t.Errorf("got %v, %v, want B", match.Title, err)
	}
}

func TestOrdinalKnowsNumberedTitles(t *testing.T) {
	listed := entriesOf("Buy milk", "Call mom", "Buy milk", "Buy milk")
	for reference, want := range map[string]string{"Buy milk (2)": "id-C", "buy  milk (3)": "id-D"} {
		match, err := Ordinal(reference, listed, nil)
		if err != nil || match.ID != want {
			t.Errorf("Ordinal(%q) = %s, %v, want %s", reference, match.ID, err, want)
		}
	}
	for _, reference := range []string{"Buy milk (4)", "Buy milk (1)", "Call mom (2)", "Buy milk (x)", "(2) Buy milk"} {
		if match, err := Ordinal(reference, listed, nil); !errors.Is(err, ErrNotOrdinal) {
			t.Errorf("Ordinal(%q) = %v, %v, want ErrNotOrdinal", reference, match, err)
		}
	}
}
