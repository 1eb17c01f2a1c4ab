package resolver

import (
	"cmp"
	"math/bits"
	"slices"
)

// How many titles are looked at closely for suggestions, and how many of those
// whose letters are not known beforehand.
const (
	shortlist  = 6
	unreadable = 256
)

// A hunch is a title that may come close.
type hunch struct {
	title   int32
	present int // required words whose pairs of letters it holds
	lost    int // pairs of letters of required words that it lacks
}

func closer(a, b hunch) int {
	return cmp.Or(cmp.Compare(b.present, a.present), cmp.Compare(a.lost, b.lost), cmp.Compare(a.title, b.title))
}

// suggest returns the entries that come closest to a reference that matches
// none: those that share at least half of its words, nearly or entirely.
func (s *scratch) suggest(list *titles) []Entry {
	f := &s.query.filter
	if !s.query.wordy || len(f.words) == 0 {
		return nil
	}
	var short [shortlist]hunch
	n, guessed := 0, 0
	for i := range list.entries {
		var pairs uint64
		switch {
		case list.marks != nil:
			pairs = list.marks[i].pairs
		case list.pairs[i] != allPairs:
			pairs = list.pairs[i]
		default:
			if guessed++; guessed > unreadable {
				continue
			}
			s.title.analyse(list.entries[i].Title)
			pairs = s.title.mark().pairs
		}
		h := f.hunch(pairs)
		h.title = int32(i)
		if h.present == 0 && h.lost > 2*len(f.words) || n == shortlist && closer(short[n-1], h) < 0 || list.dead.has(uint32(i)) {
			continue
		}
		n = min(n+1, shortlist)
		short[n-1] = h
		for j := n - 1; j > 0 && closer(short[j], short[j-1]) < 0; j-- {
			short[j], short[j-1] = short[j-1], short[j]
		}
	}
	return s.closest(short[:n], list.entries)
}

// hunch judges a title by its pairs of letters.
func (f *filter) hunch(pairs uint64) (h hunch) {
	for i := range f.words {
		n := bits.OnesCount64(f.words[i] &^ pairs)
		if n == 0 {
			h.present++
		}
		h.lost += n
	}
	return h
}

// closest judges the titles of a list by their words.
func (s *scratch) closest(list []hunch, entries []Entry) []Entry {
	kept := list[:0]
	for _, h := range list {
		s.title.analyse(entries[h.title].Title)
		h.present, h.lost = s.query.kinship(&s.title)
		if 2*h.present >= s.query.required {
			kept = append(kept, h)
		}
	}
	slices.SortFunc(kept, closer)
	var close []Entry
	for _, h := range kept[:min(len(kept), namedSuggestions)] {
		close = append(close, entries[h.title])
	}
	return close
}

// kinship counts the required words that a title holds, nearly or entirely,
// and the words of either side that the other lacks.
func (q *query) kinship(t *phrase) (shared, apart int) {
	m := &q.titles
	m.match(q, t)
	shared, apart = q.required-m.missing, m.missing+m.left
	for i := range q.tokens {
		u := &q.tokens[i]
		if m.ofQuery[i] >= 0 || !q.must(u) || u.is(isSymbol) {
			continue
		}
		for j := range t.tokens {
			if v := &t.tokens[j]; !m.taken[j] && similar(q.text(u), t.text(v)) {
				m.taken[j] = true
				shared++
				apart--
				break
			}
		}
	}
	return shared, apart
}

// similar reports whether two words differ by a third of their letters at most.
func similar(a, b []byte) bool {
	limit := min(len(a)/3, len(b)/3, maxEdits)
	if limit == 0 || max(len(a), len(b))-min(len(a), len(b)) > limit {
		return false
	}
	return distanceASCII(a, b, limit) <= limit
}
