package resolver

import "sync"

// scratch holds what one resolution works with; it is pooled, so that nothing
// is allocated on the way.
type scratch struct {
	query query
	title phrase
	rules rules
	best  rank
	found []int32 // positions of the titles of the best rank
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
	s.best, s.found = rank{}, s.found[:0]
	for i := range entries {
		if entries[i].ID == reference && reference != "" {
			s.offer(int32(i), rank{tier: ByID})
		}
	}
	if s.best.tier == 0 && !isUUID(reference) {
		s.query.prepare(reference, &s.rules)
		for i := range entries {
			bag := bagOf(entries[i].Title)
			if bag < 1<<36 && !s.query.may(bag, s.best.tier) {
				continue
			}
			s.title.analyse(entries[i].Title)
			s.offer(int32(i), s.query.grade(&s.title))
		}
	}
	return s.answer(reference, entries)
}

// answer says what was found.
func (s *scratch) answer(reference string, entries []Entry) (Match, error) {
	switch len(s.found) {
	case 0:
		return Match{}, &NotFoundError{Reference: reference, Noun: s.rules.label}
	case 1:
		return newMatch(entries[s.found[0]], s.best), nil
	}
	e := &AmbiguousError{Reference: reference, Noun: s.rules.label}
	for _, i := range s.found {
		e.Candidates = append(e.Candidates, newMatch(entries[i], s.best))
	}
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
