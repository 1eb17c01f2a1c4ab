package resolver

import "slices"

// How many titles are looked at closely for suggestions, and how many of those
// in vain before the search ends.
const (
	shortlist = 6
	vain      = 3
)

// A hunch is a title that may come close: the fewer required words it lacks, and
// then the fewer pairs of their letters, the smaller it is. Of equals the first
// title is the smallest.
type hunch uint64

func newHunch(missing, lost, title int) hunch {
	return hunch(min(missing, 1<<15)<<48 | min(lost, 1<<16-1)<<32 | title)
}

func (h hunch) title() int { return int(uint32(h)) }

// suggest returns the entries that come closest to a reference that matches
// none: those that share at least half of its words, nearly or entirely. Marks
// are those of the entries, or nil.
func (s *scratch) suggest(entries []Entry, marks []mark) []Entry {
	f := &s.query.filter
	if !s.query.wordy || len(f.words) == 0 {
		return nil
	}
	var short [shortlist + 1]hunch // the last one has just come or gone
	n := 0
	for i := range entries {
		m := s.markOf(i, entries, marks)
		missing, lost := f.broken(m.pairs), f.lost(m.pairs)
		if m.gone || missing == len(f.words) && lost > 2*missing {
			continue
		}
		short[n] = newHunch(missing, lost, i)
		for j := n; j > 0 && short[j] < short[j-1]; j-- {
			short[j], short[j-1] = short[j-1], short[j]
		}
		n = min(n+1, shortlist)
	}
	return s.closest(short[:n], entries)
}

func (s *scratch) markOf(i int, entries []Entry, marks []mark) mark {
	if marks != nil {
		return marks[i]
	}
	s.title.analyse(entries[i].Title)
	return s.title.mark()
}

// closest judges the titles of a shortlist by their words, the likeliest first,
// until enough are found or too many have come to nothing.
func (s *scratch) closest(list []hunch, entries []Entry) []Entry {
	kept := list[:0]
	for i, h := range list {
		if len(kept) == namedSuggestions || len(kept) == 0 && i == vain {
			break
		}
		s.title.analyse(entries[h.title()].Title)
		shared, apart := s.query.kinship(&s.title)
		if 2*shared >= s.query.required {
			kept = append(kept, newHunch(s.query.required-shared, apart, h.title()))
		}
	}
	slices.Sort(kept)
	var close []Entry
	for _, h := range kept {
		close = append(close, entries[h.title()])
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
		if m.ofQuery[i] >= 0 || !q.isRequired(u) || u.is(isSymbol) {
			continue
		}
		word := q.text(u)
		for j := range t.tokens {
			if !m.taken[j] && isSimilar(word, t.text(&t.tokens[j])) {
				m.taken[j] = true
				shared++
				apart--
				break
			}
		}
	}
	return shared, apart
}

// isSimilar reports whether two words differ by a third of their letters at most.
func isSimilar(a, b []byte) bool {
	limit := min(len(a)/3, len(b)/3, maxEdits)
	if limit == 0 || max(len(a), len(b))-min(len(a), len(b)) > limit {
		return false
	}
	return distance(a, b, limit) <= limit
}
