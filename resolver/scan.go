package resolver

import (
	"cmp"
	"slices"
	"sync"
)

// scratch holds what one resolution works with; it is pooled, so that nothing
// is allocated on the way.
type scratch struct {
	query  query
	title  phrase
	rules  *rules
	given  rules // where those of a one-shot lie, if there are any
	best   rank
	found  []int32  // positions of the titles of the best rank
	pairs  []uint64 // of the titles, in a scan without an Index
	tally  []tally  // of those of them that were looked at twice; see letters
	broken []uint8  // required words that each title lacks, for those that were sifted
	sifted [2]int   // the first and the last of them
	late   []int32  // found outside the shelf of an Index
	lists  [][]slot
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
	s.rules = &defaultRules
	if o != nil {
		s.given = newRules(o)
		s.rules = &s.given
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
	list := titles{entries: entries, marks: marks{pairs: s.pairs}, last: len(entries)}
	if s.best.tier == 0 {
		if isUUID(reference) {
			return Match{}, &NotFoundError{Reference: reference, Noun: s.rules.label}
		}
		s.ask(reference)
		s.scan(&list, 1)
	}
	return s.answer(reference, &list)
}

// ask makes the query ready.
func (s *scratch) ask(reference string) {
	s.query.prepare(reference, s.rules)
	s.broken, s.tally, s.sifted = s.broken[:0], s.tally[:0], [2]int{}
}

// titles are the entries that a scan looks at, those from first to last.
type titles struct {
	entries     []Entry
	marks       marks
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
	s.sift(list)
	most := min(f.errors, len(f.words))
	for words = min(words, most); ; words++ {
		if words == manyWords {
			words = len(f.words)
		}
		s.pass(list, words)
		enough := s.reached(Typing, typingStep(words)+1)
		if enough || words >= most {
			return
		}
	}
}

// sift counts the required words that each title lacks, unless that is known.
func (s *scratch) sift(list *titles) {
	if s.sifted == [2]int{list.first, list.last} {
		return
	}
	s.sifted = [2]int{list.first, list.last}
	pairs := list.marks.pairs[list.first:list.last]
	s.broken = slices.Grow(s.broken[:0], len(pairs))[:len(pairs)]
	var w [4]uint64 // most references have no more words
	rest := s.query.filter.words[copy(w[:], s.query.filter.words):]
	for i := range s.broken {
		p := pairs[i]
		n := lacks(w[0], p) + lacks(w[1], p) + lacks(w[2], p) + lacks(w[3], p)
		for _, word := range rest {
			n += lacks(word, p)
		}
		s.broken[i] = uint8(n)
	}
}

// pass looks at the titles with typing errors in at most so many words. Where
// many words are mistyped, or all of several, each has one error at most.
func (s *scratch) pass(list *titles, words int) {
	s.best, s.found = rank{}, s.found[:0]
	f := &s.query.filter
	once := max(2, len(f.words)) // from so many broken words on
	if words >= manyWords {
		once = 1
	}
	hardest := f.hardest()
	for i, broken := range s.broken {
		n := list.first + i
		if int(broken) > words {
			continue
		}
		if int(broken) >= once && (fourOf(hardest&^list.marks.pairs[n]) != 0 || !f.bruised(list.marks.pairs[n])) {
			continue
		}
		if (broken == 0 || s.likely(list, n, words)) && !list.dead.has(uint32(n)) {
			s.grade(int32(n), list.entries[n].Title)
		}
	}
}

// likely reports whether a title may match no worse than the best one so far,
// with typing errors in at most so many words. In a short list there is little
// left to rule out, and no need to count letters.
func (s *scratch) likely(list *titles, n, words int) bool {
	q, f, m := &s.query, &s.query.filter, &list.marks
	switch {
	case s.settled() || m.sizes != nil && !f.fits(m.sizes[n]):
		return false
	case len(f.words) > words+1 && list.last-list.first < 32:
		return true
	case m.letters != nil:
		return q.typed(m.letters[n], words)
	}
	return q.typed(s.letters(list, n), words)
}

// letters counts the letters of a raw title once.
func (s *scratch) letters(list *titles, n int) tally {
	if len(s.tally) < list.last {
		s.tally = slices.Grow(s.tally[:0], list.last)[:list.last]
		clear(s.tally)
	}
	if s.tally[n] == 0 {
		s.tally[n] = tallyOf(list.entries[n].Title)
	}
	return s.tally[n]
}

// settled reports whether a title was found that matches without errors.
func (s *scratch) settled() bool { return s.best.tier != 0 && s.best.tier < Typing }

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
