package resolver

import (
	"cmp"
	"math/bits"
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
	bags  []uint64 // of the titles, in a scan without an Index
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
	s.best, s.found, s.bags = rank{}, s.found[:0], s.bags[:0]
	for i := range entries {
		if entries[i].ID == reference && reference != "" {
			s.offer(int32(i), rank{tier: ByID})
		}
		s.bags = append(s.bags, bagOfASCII(entries[i].Title))
	}
	list := titles{entries: entries, bags: s.bags, last: len(entries)}
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
	bags        []uint64 // of the raw titles, or
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
			s.passBags(list, words)
		}
		enough := s.reached(Typing, typingStep(words)+1)
		if enough || words >= most {
			return
		}
	}
}

// passBags looks at raw titles. Most of them fail the first test, which is
// written out because a call would take as long as the test.
func (s *scratch) passBags(list *titles, words int) {
	w := s.query.filter.sieve(words)
	for i := list.first; i < list.last; i++ {
		bag, lost := list.bags[i], 0
		if words >= manyWords {
			if bits.OnesCount64(w[0].bag&^bag) > 1 || bits.OnesCount64(w[1].bag&^bag) > 1 {
				lost = words + 1
			}
		} else {
			if w[0].bag&^bag != 0 {
				lost++
			}
			if w[1].bag&^bag != 0 {
				lost++
			}
			if w[2].bag&^bag != 0 {
				lost++
			}
			if w[3].bag&^bag != 0 {
				lost++
			}
		}
		if lost > words && bag < foreign {
			continue
		}
		title := list.entries[i].Title
		if bag >= foreign || s.likely(title, bag, words) {
			s.grade(int32(i), title)
		}
	}
}

// likely reports whether an ASCII title may match no worse than the best one so
// far, with typing errors in at most so many words.
func (s *scratch) likely(title string, bag uint64, words int) bool {
	f := &s.query.filter
	certain := f.certain(bag)
	typed := words > 0 && !s.settled() && f.typed(bag, words) && (words == 1 || !f.foreigner(bag))
	if !certain && !typed || bag&joined != 0 { // pairs would have to be joined first
		return certain || typed
	}
	pairs := pairsOf(title)
	if certain && f.pairs&^pairs == 0 {
		return true
	}
	broken := f.broken(pairs)
	if !typed || broken > words {
		return false
	}
	// In a short list there is little left to rule out.
	return words == 1 && len(f.words) > 1 && len(s.bags) < 32 || !f.exceeds(title, f.limit(words, broken))
}

// settled reports whether a title was found that matches without errors.
func (s *scratch) settled() bool { return s.best.tier != 0 && s.best.tier < Typing }

// passMarks looks at the titles of an Index.
func (s *scratch) passMarks(list *titles, words int) {
	w := s.query.filter.sieve(words)
	for i := list.first; i < list.last; i++ {
		m, lost := &list.marks[i], 0
		for j := range w {
			if w[j].bag&^m.bag|w[j].pairs&^m.pairs != 0 {
				lost++
			}
		}
		if lost <= words && s.marked(m, list.entries[i].Title, words) && !list.dead.has(uint32(i)) {
			s.grade(int32(i), list.entries[i].Title)
		}
	}
}

// marked is likely for a title of an Index.
func (s *scratch) marked(m *mark, title string, words int) bool {
	f := &s.query.filter
	if f.certain(m.bag) && f.pairs&^m.pairs == 0 {
		return true
	}
	if words == 0 || s.settled() || !f.fits(m.size, f.errors) || !f.typed(m.bag, words) || f.foreigner(m.bag) {
		return false
	}
	broken := f.broken(m.pairs)
	limit := f.limit(words, broken)
	if broken > words {
		return false
	}
	return words == 1 && len(f.words) > 1 || !f.exceeds(title, limit)
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
