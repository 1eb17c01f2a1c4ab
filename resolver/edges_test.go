package resolver

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestScoresFallWithEachTier(t *testing.T) {
	titles := entriesOf("Annual budget review", "Wash dishes", "Crème brûlée", "Buy milk for the cat")
	cases := []struct {
		reference string
		tier      Tier
		errors    int
		score     float64
	}{
		{"id-A", ByID, 0, 1}, {"Wash dishes", Identical, 0, 1}, {"wash DISHES", Folded, 0, 0.98}, {"creme brulee", Accents, 0, 0.95},
		{"the wash dishes task", Words, 0, 0.9}, {"wash dish", Words, 0, 0.82}, {"milk for cat", Words, 0, 0.7}, {"wahs dishes", Typing, 1, 0.65}, {"anual budget reveiw", Typing, 2, 0.475}, {"annu budg revi", Cut, 0, 0.2},
	}
	for _, c := range cases {
		m, err := Resolve(c.reference, titles, nil)
		if err != nil || m.Tier != c.tier || m.Errors != c.errors || m.Score < c.score-1e-9 || m.Score > c.score+1e-9 {
			t.Errorf("%q: %s with %d errors and a score of %.3f (%v), want %s, %d, %.3f", c.reference, m.Tier, m.Errors, m.Score, err, c.tier, c.errors, c.score)
		}
	}
}

func TestLongestReference(t *testing.T) {
	entries := entriesOf("Read book")
	for extra, long := range map[int]bool{0: false, 1: true} {
		reference := "read book" + strings.Repeat(" ", MaxReference-len("read book")+extra)
		for name, resolve := range map[string]func() error{
			"at once": func() error { _, err := Resolve(reference, entries, nil); return err },
			"index":   func() error { _, err := New(entries, nil).Resolve(reference); return err },
			"ordinal": func() error { _, err := Ordinal("2"+reference[1:], entries, nil); return err },
		} {
			if err := resolve(); errors.Is(err, ErrReferenceTooLong) != long {
				t.Errorf("%s, %d bytes beyond the limit: %v", name, extra, err)
			}
		}
	}
}

func TestPlacesInAListing(t *testing.T) {
	listed := entriesOf("Read book", "Buy milk", "Call mom", "Buy milk", "Pay rent")
	for reference, want := range map[string]string{
		"1": "id-A", "#5": "id-E", "number two": "id-B", "no 3": "id-C", "nr 4": "id-D", "the second one": "id-B", "2nd": "id-B", "the 3rd": "id-C", "5th": "id-E", "top": "id-A",
		"last": "id-E", "the last one": "id-E", "second to last": "id-D", "second last": "id-D", "2nd from last": "id-D", "fifth to last": "id-A", "penultimate": "id-D", "bottom": "id-E", "please the first one please": "id-A",
		"Buy milk (2)": "id-D", "buy milk (2)": "id-D",
		"0": "no", "6": "none", "sixth to last": "none", "Buy milk (3)": "no", "Buy milk (1)": "no", "Buy milk": "no", "Buy milk (2": "no", "number": "no", "number two three": "no", "two": "no", "the one": "no", "1234567": "no", "one two three four five": "no", "last to last": "no", "zero": "no", "first second": "no", "": "no",
	} {
		m, err := Ordinal(reference, listed, nil)
		got := m.ID
		switch {
		case errors.Is(err, ErrNotOrdinal):
			got = "no"
		case errors.Is(err, ErrNotFound):
			got = "none"
		}
		if got != want {
			t.Errorf("%q is %s (%v), want %s", reference, got, err, want)
		}
	}
}

func TestRedactKnowsIDsByTheirLetters(t *testing.T) {
	entries := []Entry{{ID: "az09", Title: "Read book"}, {ID: "AZ90-x", Title: "Buy milk"}, {ID: "12345678", Title: "Call mom"}, {ID: "1234567", Title: "Pay rent"}, {ID: "a/b9c", Title: "Wash car"}, {ID: "home", Title: "Clean"}, {ID: "x1y", Title: "Short"}}
	for text, want := range map[string]string{
		"See az09.": `See "Read book".`, "See AZ90-x!": `See "Buy milk"!`, "See 12345678": `See "Call mom"`, "See 1234567": "See 1234567", "id: 1234567": `"Pay rent"`, "See a/b9c, too": `See "Wash car", too`,
		"go home": "go home", "id=home": `"Clean"`, "See x1y": "See x1y", "taskId: x1y": `"Short"`, "paid: home": "paid: home", "See zaz09": "See zaz09", "See az09z": "See az09z", "See az09/az09": `See "Read book"/"Read book"`,
		"Read book (az09)": "Read book", "Read book [id: az09] is due": "Read book is due", `{"id":"az09"}`: `{"id":"Read book"}`, `{"id":12345678}`: `{"id":"Call mom"}`, `{"id":12345678,"n":[12345678]}`: `{"id":"Call mom","n":["Call mom"]}`, "id:az09": `"Read book"`, "at 10:30": "at 10:30", "task:12345678": `task:"Call mom"`,
		"See 0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01 now": "See now", strings.Repeat("x", 38) + "_id: home": strings.Repeat("x", 38) + "_id: home", strings.Repeat("x", 37) + "_id: home": `"Clean"`,
	} {
		if got := Redact(text, entries); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestWhatLeavesNoMark(t *testing.T) {
	for r, want := range map[rune]bool{
		0x1f: true, ' ': false, '~': false, 0x7f: true, 0x9f: true, 0xa0: false, 0xad: true, 0x2ff: false, 0x34f: true, 0x200b: true, 0x200f: true, 0x2010: false, 0x202e: true, 0x2066: true, 0xfeff: true,
		0xfff8: true, 0xfff9: false, 0xfffb: false, 0xfffc: false, 0x13430: false, 0x13440: false, 0x600: false, 0xe0041: true, 0xfe0f: true,
	} {
		if got := isInvisible(r); got != want {
			t.Errorf("U+%04X is invisible: %v, want %v", r, got, want)
		}
	}
	for r, want := range map[rune]bool{0x1f: true, ' ': false, 0x7e: false, 0x7f: true, 0x9f: true, 0xa0: false, '\u2028': true, '\u2029': true, '\u202a': false} {
		if got := isLineBreak(r); got != want {
			t.Errorf("U+%04X breaks a line: %v, want %v", r, got, want)
		}
	}
}

// Suggestions are titles that share half of the words, nearly or entirely.
func TestSuggestions(t *testing.T) {
	titles := entriesOf("Quarterly report", "Quarterly meeting notes", "Wash dishes", "Report", "Insurance papers", "Paper boats", "Garden fence", "Fence paint", "Paint the garden fence")
	for reference, want := range map[string]string{
		"quarterly numbers": "Quarterly report, Quarterly meeting notes", "quarterle numbers": "Quarterly report, Quarterly meeting notes", "wash cups": "Wash dishes", "insuranc policies": "Insurance papers", "inxuxxnce policies": "", "completely other": "",
		"fence repair": "Garden fence, Fence paint, Paint the garden fence", "garden wall": "Garden fence, Paint the garden fence",
	} {
		for name, err := range map[string]error{"at once": second(Resolve(reference, titles, nil)), "index": second(New(titles, nil).Resolve(reference))} {
			var missing *NotFoundError
			if !errors.As(err, &missing) {
				t.Errorf("%s, %q: %v", name, reference, err)
				continue
			}
			var got []string
			for _, e := range missing.Suggestions {
				got = append(got, e.Title)
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s, %q comes close to %q, want %q", name, reference, strings.Join(got, ", "), want)
			}
		}
	}
}

// An index that lost entries says what one that never had them says.
func TestIndexAfterRemovals(t *testing.T) {
	var all, odd []Entry
	for i := range 900 {
		entry := Entry{ID: fmt.Sprintf("id-%04d", i), Title: fmt.Sprintf("Paint wall %d in room %d", i, i/7)}
		if all = append(all, entry); i%2 == 1 {
			odd = append(odd, entry)
		}
	}
	index, fresh := New(all, nil), New(odd, nil)
	for i := 0; i < len(all); i += 2 {
		index.Remove(all[i].ID)
	}
	for _, reference := range []string{"paint wall 5", "paint wall 6", "wall 701", "wall 702", "piant wall 13 in room 1", "room 3", "id-0005", "id-0006", "paint wall 899 in room 128"} {
		if got, want := told(index.Resolve(reference)), told(fresh.Resolve(reference)); got != want && !(missing(got) && missing(want)) {
			t.Errorf("%q means %s, want %s", reference, got, want)
		}
	}
}
