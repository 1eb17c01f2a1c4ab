package resolver

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// slowly resolves a reference the obvious way: every title is graded.
func slowly(reference string, entries []Entry, o *Options) (Match, error) {
	r := newRules(o)
	s := &scratch{rules: &r}
	s.query.prepare(reference, s.rules)
	for i := range entries {
		s.title.analyse(entries[i].Title)
		s.offer(int32(i), s.query.grade(&s.title))
	}
	if len(s.found) == 0 {
		return Match{}, &NotFoundError{Reference: reference, Noun: s.rules.label}
	}
	return s.answer(reference, entries, nil)
}

// said puts a result into a form that can be compared: ids, tier and errors.
func said(m Match, err error) string {
	var ambiguous *AmbiguousError
	switch {
	case err == nil:
		return fmt.Sprintf("%s by %v, %d errors", m.ID, m.Tier, m.Errors)
	case errors.As(err, &ambiguous):
		var all []string
		for _, c := range ambiguous.Candidates {
			all = append(all, fmt.Sprintf("%s by %v, %d errors", c.ID, c.Tier, c.Errors))
		}
		slices.Sort(all)
		return strings.Join(all, "; ")
	}
	return "none"
}

// crowd makes titles that resemble one another: few words, in several scripts,
// with numbers, symbols and little words.
func crowd(r *rand.Rand, n int) []Entry {
	words := strings.Fields(`read book books reading red list milk buy call mom tom invoice invoices 12 13 v2 0.3.15
		party parties plan planned planning budget review annual quarterly meeting with the for to my on off report reports
		café Cafe crème naïve Straße ΑΘΗΝΑ молоко купить молоко книга 買い物 牛乳を買う ドッグフード 🎉 ✅ C++ C# don't o'clock
		dentist appointment appointments task item one please II III monday sunday`)
	entries := make([]Entry, n)
	for i := range entries {
		var title []string
		for range 1 + r.IntN(5) {
			title = append(title, words[r.IntN(len(words))])
		}
		separators := []string{" ", " ", " ", "  ", "-", ": "}
		entries[i] = Entry{ID: fmt.Sprintf("id-%d", i), Title: strings.Join(title, separators[r.IntN(len(separators))])}
	}
	return entries
}

// refer makes a reference to a title, with all that people do to it.
func refer(r *rand.Rand, title string) string {
	words := strings.Fields(title)
	if len(words) == 0 {
		return title
	}
	for range r.IntN(3) {
		switch r.IntN(8) {
		case 0:
			words = slices.Delete(words, 0, r.IntN(len(words)))
		case 1:
			words = words[:1+r.IntN(len(words))]
		case 2:
			r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		case 3:
			i := r.IntN(len(words))
			word := []rune(words[i])
			words[i] = string(word[:min(len(word), 3+r.IntN(3))])
		case 4:
			words = append([]string{"the"}, append(words, "task", "please")...)
		case 5:
			words = append(words, []string{"s", "book", "12", "for", "🎉"}[r.IntN(5)])
		case 6:
			i := r.IntN(len(words))
			words[i] = strings.ToUpper(words[i])
		case 7:
			words[len(words)-1] += "s"
		}
	}
	text := []rune(strings.Join(words, " "))
	for range r.IntN(4) {
		if len(text) < 2 {
			break
		}
		i := r.IntN(len(text) - 1)
		switch r.IntN(4) {
		case 0:
			text = slices.Delete(text, i, i+1)
		case 1:
			text = slices.Insert(text, i, 'a'+rune(r.IntN(26)))
		case 2:
			text[i] = 'a' + rune(r.IntN(26))
		case 3:
			text[i], text[i+1] = text[i+1], text[i]
		}
	}
	return string(text)
}

// TestFastEqualsSlow compares Resolve and Index with grading every title, on
// crowded lists, as they are built, as they grow and as they shrink.
func TestFastEqualsSlow(t *testing.T) {
	rounds, few := 40, testing.Short() || raceEnabled
	if few {
		rounds = 4
	}
	tiers := map[Tier]int{}
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 7))
		entries := crowd(r, 1+r.IntN(400))
		index := New(entries, nil)
		grown := New(entries[:len(entries)/2], nil)
		grown.Add(entries[len(entries)/2:]...)
		shrunk := New(append(crowd(r, 100), entries...), nil) // crowd uses the same ids
		for range 60 {
			reference := refer(r, entries[r.IntN(len(entries))].Title)
			match, err := slowly(reference, entries, nil)
			want := said(match, err)
			tiers[match.Tier]++
			for name, resolve := range map[string]func(string) (Match, error){
				"Resolve": func(s string) (Match, error) { return Resolve(s, entries, nil) },
				"New":     index.Resolve, "Add": grown.Resolve, "replaced": shrunk.Resolve,
			} {
				if name == "replaced" && len(entries) < 100 {
					continue
				}
				if got := said(resolve(reference)); got != want {
					t.Fatalf("round %d, %d entries, %s(%q):\ngot  %s\nwant %s", round, len(entries), name, reference, got, want)
				}
			}
		}
	}
	for _, tier := range []Tier{Identical, Folded, Words, Typing, Cut} {
		if tiers[tier] == 0 && !few {
			t.Errorf("no reference matched by %v: the test proves nothing about it", tier)
		}
	}
}

func TestRemovedEntriesAreGone(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	entries := crowd(r, 300)
	index := New(entries, nil)
	for len(entries) > 0 {
		for range min(len(entries), 20) {
			i := r.IntN(len(entries))
			if !index.Remove(entries[i].ID) {
				t.Fatalf("%s was not found", entries[i].ID)
			}
			entries = slices.Delete(entries, i, i+1)
		}
		if index.Len() != len(entries) || !slices.EqualFunc(index.Entries(), entries, func(a, b Entry) bool { return a.ID == b.ID }) {
			t.Fatalf("the index holds %d entries, want the %d that are left", index.Len(), len(entries))
		}
		for range 30 {
			reference := refer(r, crowd(r, 1)[0].Title)
			if got, want := said(index.Resolve(reference)), said(slowly(reference, entries, nil)); got != want {
				t.Fatalf("%d entries left, Resolve(%q):\ngot  %s\nwant %s", len(entries), reference, got, want)
			}
		}
	}
	if index.Remove("id-1") || index.Remove("") {
		t.Error("an entry was removed that is not there")
	}
}

func TestOrderOfEntriesDoesNotMatter(t *testing.T) {
	if raceEnabled {
		t.Skip("one reference after the other: the race detector has nothing to find in it")
	}
	for round := range 10 {
		r := rand.New(rand.NewPCG(uint64(round), 13))
		entries := crowd(r, 90)
		shuffled := slices.Clone(entries)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		index := New(shuffled, nil)
		for range 50 {
			reference := refer(r, entries[r.IntN(len(entries))].Title)
			want := said(Resolve(reference, entries, nil))
			if got := said(Resolve(reference, shuffled, nil)); got != want {
				t.Fatalf("Resolve(%q): got %s, want %s", reference, got, want)
			}
			if got := said(index.Resolve(reference)); got != want {
				t.Fatalf("Index.Resolve(%q): got %s, want %s", reference, got, want)
			}
		}
	}
}

// TestNormalFormsAndInvisibleCharactersDoNotMatter changes references in ways
// that nobody can see. Only the identical tier can tell, and it gives way to
// the folded one.
func TestNormalFormsAndInvisibleCharactersDoNotMatter(t *testing.T) {
	if raceEnabled {
		t.Skip("one reference after the other: the race detector has nothing to find in it")
	}
	invisible := []rune("\u00ad\u200b\u200d\u200e\u2060\u2066\ufe0f\ufeff\U000e0041")
	for round := range 10 {
		r := rand.New(rand.NewPCG(uint64(round), 17))
		entries := crowd(r, 90)
		for i := range entries { // equal titles would differ in the identical tier
			entries[i].Title += fmt.Sprintf(" x%dx", i)
		}
		index := New(entries, nil)
		for range 40 {
			reference := refer(r, entries[r.IntN(len(entries))].Title)
			want := strings.ReplaceAll(said(Resolve(reference, entries, nil)), "identical", "folded")
			hidden := []rune(norm.NFD.String(reference))
			hidden = slices.Insert(hidden, r.IntN(len(hidden)+1), invisible[r.IntN(len(invisible))])
			for name, same := range map[string]string{"NFC": norm.NFC.String(reference), "NFD": norm.NFD.String(reference), "invisible": string(hidden)} {
				for _, got := range []string{said(Resolve(same, entries, nil)), said(index.Resolve(same))} {
					if got = strings.ReplaceAll(got, "identical", "folded"); got != want {
						t.Fatalf("%s: Resolve(%+q): got %s, want %s", name, same, got, want)
					}
				}
			}
		}
	}
}
