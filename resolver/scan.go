package resolver

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// scratch holds what one resolution works with; it is pooled, so that nothing
// is allocated on the way.
type scratch struct {
	query query
	title phrase
	rules *rules
	given rules // where those of a one-shot lie, if there are any
	best  rank
	found []int32 // positions of the titles of the best rank
	// likely are the entries that are looked at first.
	likely []int32
}

var scratches = sync.Pool{New: func() any { return &scratch{likely: []int32{}} }}

func newScratch(r *rules) *scratch {
	s := scratches.Get().(*scratch)
	s.rules, s.best, s.found = r, rank{}, s.found[:0]
	return s
}

// Resolve finds the entry that a reference means, without building an Index:
// the right choice for a list that is fetched for this one question.
//
// The error is an [*AmbiguousError], a [*NotFoundError] or
// [ErrReferenceTooLong].
func Resolve(reference string, entries []Entry, o *Options) (Match, error) {
	if len(reference) > MaxReference {
		return Match{}, ErrReferenceTooLong
	}
	s := newScratch(&defaultRules)
	defer scratches.Put(s)
	if o != nil {
		s.given = newRules(o)
		s.rules = &s.given
	}
	for i := range entries {
		if entries[i].ID == reference && reference != "" {
			s.offer(int32(i), rank{tier: ByID})
		}
	}
	if s.best.tier == 0 {
		if isUUID(reference) {
			return Match{}, &NotFoundError{Reference: reference, Noun: s.rules.label}
		}
		s.query.prepare(reference, s.rules)
		for i := range entries {
			s.grade(int32(i), entries[i].Title)
		}
	}
	return s.answer(reference, entries, nil)
}

// search finds the best titles of an index. Those that hold one of the required
// words come first: any other one has all of them mistyped or cut.
func (s *scratch) search(x *Index) {
	q, f := &s.query, &s.query.filter
	if q.wordy && !q.runs && len(f.words) > 0 {
		s.likely = q.holders(x.holders, s.likely[:0])
		if s.scan(x, s.likely); s.hasReached(Typing, typingStep(len(f.words))-1) {
			return
		}
	}
	s.best, s.found = rank{}, s.found[:0]
	s.scan(x, nil)
}

// holders are the entries whose titles hold a required word, in order.
func (q *query) holders(of map[string][]int32, found []int32) []int32 {
	q.lists = q.lists[:0]
	for i := range q.tokens {
		if t := &q.tokens[i]; q.isRequired(t) && !t.is(isSymbol) {
			q.lists = append(q.lists, of[string(q.key(t))])
		}
	}
	for {
		next := int32(math.MaxInt32)
		for _, list := range q.lists {
			if len(list) > 0 {
				next = min(next, list[0])
			}
		}
		if next == math.MaxInt32 {
			return found
		}
		found = append(found, next)
		for i, list := range q.lists {
			if len(list) > 0 && list[0] == next {
				q.lists[i] = list[1:]
			}
		}
	}
}

// scan grades every title that its mark does not rule out, of some entries or, for
// nil, of all: first those that hold all words, and those with ever more mistyped
// words only as long as none is better than they can be.
func (s *scratch) scan(x *Index, among []int32) {
	f, n := &s.query.filter, len(among)
	if among == nil {
		n = len(x.marks)
	}
	most := min(f.errors, len(f.words))
	for words := 0; words <= most; words++ {
		last := words >= manyWords // more of them are ranked alike
		for i := range n {
			if among != nil {
				i = int(among[i])
			}
			m := &x.marks[i]
			broken := f.broken(m.pairs)
			if m.gone || broken < words || broken > words && !last || broken > 0 && !f.isNear(m) {
				continue
			}
			s.grade(int32(i), x.entries[i].Title)
		}
		if last || s.hasReached(Typing, typingStep(words)+1) {
			break
		}
	}
	slices.Sort(s.found)
}

// grade compares a title with the query and offers it.
func (s *scratch) grade(i int32, title string) {
	s.title.analyse(title)
	s.offer(i, s.query.grade(&s.title))
}

// offer keeps a title if none is better.
func (s *scratch) offer(i int32, r rank) {
	switch {
	case r.tier == 0 || s.best.isBetterThan(r):
	case r.isBetterThan(s.best):
		s.best = r
		s.found = append(s.found[:0], i)
	default:
		s.found = append(s.found, i)
	}
}

// hasReached reports whether a title was found that is at least as good.
func (s *scratch) hasReached(tier Tier, step uint8) bool {
	return s.best.tier != 0 && !(rank{tier: tier, step: step}).isBetterThan(s.best)
}

// answer says what was found. Marks are those of the entries, or nil.
func (s *scratch) answer(reference string, entries []Entry, marks []mark) (Match, error) {
	switch len(s.found) {
	case 0:
		return Match{}, &NotFoundError{
			Reference: reference, Noun: s.rules.label, Suggestions: s.suggest(entries, marks),
		}
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
