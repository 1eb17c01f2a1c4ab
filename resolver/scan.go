package resolver

import (
	"cmp"
	"slices"
	"sync"
)

// scratch holds what one resolution works with; it is pooled, so that nothing
// is allocated on the way.
type scratch struct {
	query query
	title phrase
	rules rules
	best  rank
	found []int32  // positions of the titles of the best rank
	pairs []uint64 // of the titles, in a scan without an Index
	late  []int32  // found outside the shelf of an Index
	lists [][]slot
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Resolve finds the entry that a reference means, without building an Index:
// the right choice for a list that is fetched for this one question.
//
// The error is an [*AmbiguousError], a [*NotFoundError] or
// [ErrReferenceTooLong].
func Resolve(reference string, entries []Entry, o *Options) (Match, error) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.rules = defaultRules
	if o != nil {
		s.rules = newRules(o)
	}
	return s.resolve(reference, entries)
}

// resolve compares the reference with one entry after the other.
func (s *scratch) resolve(reference string, entries []Entry) (Match, error) {
	if len(reference) > MaxReference {
		return Match{}, ErrReferenceTooLong
	}
	s.best, s.found, s.pairs = rank{}, s.found[:0], slices.Grow(s.pairs[:0], len(entries))[:len(entries)]
	for i := range s.pairs {
		if entries[i].ID == reference && reference != "" {
			s.offer(int32(i), rank{tier: ByID})
		}
		s.pairs[i] = pairsOf(entries[i].Title)
	}
	list := titles{entries: entries, pairs: s.pairs, last: len(entries)}
	if s.best.tier == 0 {
		if isUUID(reference) {
			return Match{}, &NotFoundError{Reference: reference, Noun: s.rules.label}
		}
		s.query.prepare(reference, &s.rules)
		s.scan(&list, 1)
	}
	return s.answer(reference, &list)
}

// titles are the entries that a scan looks at, those from first to last.
type titles struct {
	entries     []Entry
	pairs       []uint64 // of the raw titles, or
	marks       []mark   // all that an Index knows about them
	first, last int
	dead        bitset // entries that are left out
}

// scan grades every title that cannot be ruled out. It looks for titles with so
// many mistyped words first and for more of them only if there is none, because
// a filter is the weaker the more it has to forgive.
func (s *scratch) scan(list *titles, words int) {
	s.best, s.found = rank{}, s.found[:0]
	if s.query.void || list.first == list.last {
		return
	}
	f := &s.query.filter
	most := min(f.errors, len(f.words))
	for words = min(words, most); ; words++ {
		if words == manyWords {
			words = len(f.words)
		}
		s.best, s.found = rank{}, s.found[:0]
		if list.marks != nil {
			s.passMarks(list, words)
		} else {
			s.passPairs(list, words)
		}
		enough := s.reached(Typing, typingStep(words)+1)
		if enough || words >= most {
			return
		}
	}
}

// passPairs looks at raw titles.
func (s *scratch) passPairs(list *titles, words int) {
	f := &s.query.filter
	for i, pairs := range list.pairs {
		if broken := f.broken(pairs); broken <= words {
			if title := list.entries[i].Title; broken == 0 || s.likely(title, words) {
				s.grade(int32(i), title)
			}
		}
	}
}

// likely reports whether a raw title may match no worse than the best one so
// far, with typing errors in at most so many words. In a short list there is
// little left to rule out, and no need to count letters.
func (s *scratch) likely(title string, words int) bool {
	return !s.settled() && (words == 1 && len(s.pairs) < 32 || s.query.typed(tallyOf(title), words))
}

// settled reports whether a title was found that matches without errors.
func (s *scratch) settled() bool { return s.best.tier != 0 && s.best.tier < Typing }

// passMarks looks at the titles of an Index.
func (s *scratch) passMarks(list *titles, words int) {
	for i := list.first; i < list.last; i++ {
		if s.marked(&list.marks[i], words) && !list.dead.has(uint32(i)) {
			s.grade(int32(i), list.entries[i].Title)
		}
	}
}

// marked is likely for a title of an Index.
func (s *scratch) marked(m *mark, words int) bool {
	f := &s.query.filter
	broken := f.broken(m.pairs)
	if broken > words {
		return false
	}
	return broken == 0 || words > 0 && !s.settled() && f.fits(m.size) &&
		(words == 1 && len(f.words) > 2 || s.query.typed(m.letters, words))
}

// grade compares a title with the query and offers it.
func (s *scratch) grade(i int32, title string) {
	q, t := &s.query, &s.title
	t.fold(title)
	if t.ascii && q.wordy && !q.packs && q.rules.on(Typing) {
		if r, ok := q.walk(t); ok {
			s.offer(i, r)
			return
		}
	}
	t.cut()
	s.offer(i, q.grade(t))
}

// answer says what was found.
func (s *scratch) answer(reference string, list *titles) (Match, error) {
	entries := list.entries
	switch len(s.found) {
	case 0:
		e := &NotFoundError{Reference: reference, Noun: s.rules.label}
		e.Suggestions = s.suggest(list)
		return Match{}, e
	case 1:
		return newMatch(entries[s.found[0]], s.best), nil
	}
	e := &AmbiguousError{Reference: reference, Noun: s.rules.label, Candidates: make([]Match, len(s.found))}
	for i, n := range s.found {
		r := s.best
		if r.tier == Typing { // candidates may differ in the number of errors
			s.title.analyse(entries[n].Title)
			r = s.query.grade(&s.title)
		}
		e.Candidates[i] = newMatch(entries[n], r)
	}
	slices.SortStableFunc(e.Candidates, func(a, b Match) int { return cmp.Compare(a.Errors, b.Errors) })
	return Match{}, e
}

// offer keeps a title if none is better.
func (s *scratch) offer(i int32, r rank) {
	switch {
	case r.tier == 0 || s.best.better(r):
	case r.better(s.best):
		s.best = r
		s.found = append(s.found[:0], i)
	default:
		s.found = append(s.found, i)
	}
}

// reached reports whether a title was found that is at least as good.
func (s *scratch) reached(tier Tier, step uint8) bool {
	return s.best.tier != 0 && !(rank{tier: tier, step: step}).better(s.best)
}
