package resolver

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzResolve wants no panic, the same answer from Resolve and Index, and an
// answer that the obvious way gives, too.
func FuzzResolve(f *testing.F) {
	f.Add("read books", "Read book\nWash dishes\nBook list")
	f.Add("the CAFÉ task, please", "cafe\ncafé\nCafe\u0301")
	f.Add("フード", "ドッグフード\n去Starbucks买咖啡")
	f.Add("' OR '1'='1", "1\nor\n'")
	f.Add("annu budg revi", "Annual budget review\nC++\nC#\n\xff\xfe")
	f.Add("🇩🇪 2nd 1.5 l'eau", "🇩🇪\nl'eau 1.5\n2nd")
	f.Fuzz(func(t *testing.T, reference, lines string) {
		entries := entriesOf(strings.Split(lines, "\n")...)
		if len(entries) > 200 || len(reference) > MaxReference {
			return
		}
		for i := range entries {
			entries[i].ID = ""
		}
		want := said(slowly(reference, entries, nil))
		if got := said(Resolve(reference, entries, nil)); got != want && !isUUID(reference) {
			t.Errorf("Resolve(%q) = %s, want %s", reference, got, want)
		}
		all := entries
		for _, other := range corpusOfOthers {
			all = append(all, Entry{Title: other})
		}
		want = said(slowly(reference, all, nil))
		if got := said(New(all, nil).Resolve(reference)); got != want && !isUUID(reference) {
			t.Errorf("Index.Resolve(%q) = %s, want %s", reference, got, want)
		}
	})
}

// FuzzFold wants folding to settle at once: a folded text folds to itself.
func FuzzFold(f *testing.F) {
	f.Add("  Read\u200b BOOK “x” ﬃ İ ΟΔΟΣ ´ \u0345\u0301")
	f.Fuzz(func(t *testing.T, s string) {
		var once, twice phrase
		once.analyse(s)
		twice.analyse(string(once.folded))
		if utf8.ValidString(s) && string(twice.folded) != string(once.folded) {
			t.Errorf("%+q folds to %+q, and that to %+q", s, once.folded, twice.folded)
		}
	})
}

// FuzzRedact wants no panic, and no id left that is not part of a longer word.
func FuzzRedact(f *testing.F) {
	f.Add("Deleted Read book (id: 7f3c0a52-5f6e-4b0e-9d3a-0c8f4f1f2a11).")
	f.Add(`{"id":"task-17"}`)
	f.Fuzz(func(t *testing.T, text string) {
		entries := []Entry{{ID: "7f3c0a52-5f6e-4b0e-9d3a-0c8f4f1f2a11", Title: "Read book"}, {ID: "task-17", Title: "Buy milk"}}
		got := Redact(text, entries)
		for _, word := range strings.FieldsFunc(got, func(r rune) bool { return !isPathRune(r) }) {
			if word == entries[0].ID || word == entries[1].ID {
				t.Errorf("Redact(%q) = %q still holds an id", text, got)
			}
		}
		if New(entries, nil).Redact(text) != got {
			t.Errorf("Index.Redact(%q) differs", text)
		}
	})
}

func FuzzOrdinal(f *testing.F) {
	f.Add("the second one")
	f.Add("Buy milk (2)")
	f.Fuzz(func(t *testing.T, reference string) {
		listed := entriesOf("Buy milk", "Buy milk", "Read book")
		if match, err := Ordinal(reference, listed, nil); err == nil && match.Tier != ByOrdinal {
			t.Errorf("Ordinal(%q) = %v", reference, match)
		}
	})
}
