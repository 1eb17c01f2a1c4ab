package resolver

import (
	"cmp"
	"slices"
)

// A shelf is the immutable part of an Index: tables that lead from a reference
// to the few titles that are worth grading.
//
// The content words of a title are hashed and summed up, so that their order
// does not matter. A title is found by its sum, and by its sum without any one
// word: a reference in which one word is mistyped has that in common with it.
type shelf struct {
	keys  table    // sums, cut words and ids
	words table    // content words
	odd   []uint32 // titles without a word, or of little words alone
	short []brief  // titles of one or two content words, by their letters
	runs  []uint32 // titles in scripts without spaces
	ids   uint64   // lengths of ids, one bit each
}

// idLength is the bit of the length of an id.
func idLength(id string) uint64 { return 1 << min(len(id), 63) }

// A brief is a short title: what is needed to rule it out lies together.
type brief struct {
	tally tally
	title uint32
	size  uint16
}

func (b brief) letters() int { return int(b.size & 0xff) }

// Kinds of keys are kept apart by what is added to them.
const (
	cutKey = 0x5bf0_3635_dcd1_e9a7
	idKey  = 0x27d4_eb2f_1656_67c5
)

// hashID hashes an id.
func hashID(id string) uint64 {
	h := uint64(len(id)) * mixB
	for ; len(id) > 8; id = id[8:] {
		h = mix(h^firstEightOf(id), 0)
	}
	return mix(h^firstEightOf(id), 0) + idKey
}

// newShelf builds the tables for entries and stores the mark of each.
func newShelf(entries []Entry, marks *marks) *shelf {
	var keys, words keyed
	var p phrase
	s := &shelf{}
	for i := range entries {
		n := uint32(i)
		p.analyse(entries[i].Title)
		marks.add(&p)
		letters, size := marks.letters[i], marks.sizes[i]
		if entries[i].ID != "" {
			keys.add(hashID(entries[i].ID), 0, n)
			s.ids |= idLength(entries[i].ID)
		}
		s.note(&p, n)
		if p.count <= 2 {
			s.short = append(s.short, brief{letters, n, size})
		}
		keys.add(p.sum, 0, n)
		keys.add(p.cuts()+cutKey, 0, n)
		for j := range p.tokens {
			t := &p.tokens[j]
			if !t.is(isContent) {
				continue
			}
			words.add(t.broad, size, n)
			if p.count > 1 && p.count <= maxTokens {
				keys.add(p.sum-t.broad, 0, n)
			}
		}
	}
	s.keys, s.words = newTable(&keys), newTable(&words)
	slices.SortStableFunc(s.short, func(a, b brief) int { return cmp.Compare(a.letters(), b.letters()) })
	s.odd, s.short, s.runs = slices.Clip(s.odd), slices.Clip(s.short), slices.Clip(s.runs)
	return s
}

// note keeps a list of the titles that the tables alone do not find.
func (s *shelf) note(p *phrase, n uint32) {
	plain, run := false, false
	for i := range p.tokens {
		t := &p.tokens[i]
		plain = plain || t.class&little == 0 && !t.is(isSymbol)
		run = run || t.is(unsegmented)
	}
	if !plain {
		s.odd = append(s.odd, n)
	}
	if run {
		s.runs = append(s.runs, n)
	}
}

// search finds the best titles on the shelf. Each step is complete for the
// tiers that it names, so that the first one that finds something ends it.
func (x *Index) search(s *scratch) {
	q := &s.query
	s.best, s.found = rank{}, s.found[:0]
	if q.void {
		return
	}
	x.look(s, x.shelf.odd)
	switch {
	case len(q.tokens) == 0: // only titles without a word can match
	case !q.wordy:
		x.searchSums(s, 0)
	case q.vague:
		x.scanFrom(s, 1)
	default:
		lists, unknown := x.lists(s)
		if (unknown > 0 && !q.runs) || !x.searchWords(s, lists) {
			x.searchTyped(s, lists, unknown)
		}
	}
}

// searchWords looks for titles without typing errors and reports whether there
// are any.
func (x *Index) searchWords(s *scratch, lists [][]slot) bool {
	x.searchSums(s, 0) // up to the same words in any form
	if s.reached(Words, mixedForms) {
		return true
	}
	x.searchParts(s, lists) // up to any part of a title
	return s.reached(Words, someOfThem)
}

// searchTyped looks for titles with ever more mistyped words, and for cut
// words if there is none.
func (x *Index) searchTyped(s *scratch, lists [][]slot, unknown int) {
	q, f := &s.query, &s.query.filter
	switch {
	case f.errors == 0:
		x.lookUp(s, q.cuts()+cutKey)
		return
	case q.count <= 2 && len(q.around) > 0:
		x.scanFrom(s, 1)
		return
	case q.count > 1:
		x.searchSingles(s, unknown)
		if s.reached(Typing, typingStep(1)+1) {
			return
		}
	}
	if q.count <= 2 {
		x.searchShort(s, lists)
	} else if unknown <= 2 && f.errors >= 2 {
		x.searchAnchors(s, lists, 3-unknown)
	}
	switch {
	case s.reached(Typing, typingStep(2)+1):
	case f.errors >= manyWords && f.tokens >= manyWords:
		x.scanFrom(s, manyWords)
	default:
		x.lookUp(s, q.cuts()+cutKey)
	}
}

// searchSingles looks for titles with one mistyped word. A word that no title
// has must be the one.
func (x *Index) searchSingles(s *scratch, unknown int) {
	q := &s.query
	if unknown > 1 {
		return
	}
	for i := range q.tokens {
		t := &q.tokens[i]
		if !q.must(t) || t.is(isSymbol) || unknown == 1 && len(x.shelf.words.find(t.broad)) > 0 {
			continue
		}
		x.searchSums(s, t.broad)
	}
}

// lookUp grades the titles that have a key.
func (x *Index) lookUp(s *scratch, key uint64) {
	for _, slot := range x.shelf.keys.find(key) {
		x.grade(s, slot.title())
	}
}

// look grades titles one after the other.
func (x *Index) look(s *scratch, titles []uint32) {
	for _, n := range titles {
		x.grade(s, n)
	}
}

func (x *Index) grade(s *scratch, n uint32) {
	if !x.dead.has(n) {
		s.grade(int32(n), x.entries[n].Title)
	}
}

// searchSums looks up the sum of the required words without one of them, alone
// and together with what stands around the title: that may belong to it.
func (x *Index) searchSums(s *scratch, without uint64) {
	q := &s.query
	sum := q.sum - without
	for mask := range 1 << len(q.around) {
		key := sum
		for i, hash := range q.around {
			if mask>>i&1 != 0 {
				key += hash
			}
		}
		for _, slot := range x.shelf.keys.find(key) {
			n := slot.title()
			if without == 0 || x.likely(s, n, 1) {
				x.grade(s, n)
			}
		}
	}
}

// maxAround bounds the words around a title that searchSums combines.
const maxAround = 4

// lists returns the titles of each required word, the shortest list first, and
// the number of words that no title has.
func (x *Index) lists(s *scratch) (lists [][]slot, unknown int) {
	q := &s.query
	s.lists = s.lists[:0]
	for i := range q.tokens {
		t := &q.tokens[i]
		if !q.must(t) || t.is(isSymbol) {
			continue
		}
		list := x.shelf.words.find(t.broad)
		if len(list) == 0 {
			unknown++
			continue
		}
		s.lists = append(s.lists, list)
		for j := len(s.lists) - 1; j > 0 && len(list) < len(s.lists[j-1]); j-- {
			s.lists[j], s.lists[j-1] = s.lists[j-1], s.lists[j]
		}
	}
	return s.lists, unknown
}

// searchParts grades the titles that hold the rarest word, and all others as
// far as letters tell.
func (x *Index) searchParts(s *scratch, lists [][]slot) {
	q := &s.query
	if q.runs {
		for _, n := range x.shelf.runs {
			if q.filter.broken(x.marks.pairs[n]) == 0 {
				x.grade(s, n)
			}
		}
	}
	if len(lists) < q.count {
		return
	}
	for _, slot := range lists[0] {
		n := slot.title()
		if q.filter.broken(x.marks.pairs[n]) == 0 {
			x.grade(s, n)
		}
	}
}

// searchAnchors looks for titles with two mistyped words. Of any three words
// one is intact then, so the rarest three lead to every such title; fewer if
// some of the three are known to be mistyped.
func (x *Index) searchAnchors(s *scratch, lists [][]slot, needed int) {
	total := 0
	for _, list := range lists[:min(needed, len(lists))] {
		total += len(list)
	}
	if len(lists) < needed || total > x.built/4 {
		x.scanFrom(s, 2)
		return
	}
	x.searchLists(s, lists[:needed])
}

// searchShort does the same for references of one or two words. If both are
// mistyped the title has no other content word, and is a short one.
func (x *Index) searchShort(s *scratch, lists [][]slot) {
	x.searchLists(s, lists)
	q, f := &s.query, &s.query.filter
	q.tally()
	slack, lost, gained := 2*f.errors, f.lost[2], f.gained[2]
	if q.count == 2 { // one error in each; a little word may have another form
		slack, lost, gained = f.tokens, min(2, lost), min(2, gained)
	}
	first, _ := slices.BinarySearchFunc(x.shelf.short, f.least-slack, func(b brief, letters int) int {
		return cmp.Compare(b.letters(), letters)
	})
	for i := first; i < len(x.shelf.short); i++ {
		b := &x.shelf.short[i]
		if b.letters() > f.most+slack {
			break
		}
		if f.needs.lacking(b.tally) <= lost && b.tally.lacking(f.all) <= gained && f.fits(b.size) &&
			(q.count == 1 || f.bruised(x.marks.pairs[b.title])) {
			x.grade(s, b.title)
		}
	}
}

// likely reports whether a title on the shelf may match with typing errors in
// at most so many words. If one is mistyped and two are not, little is left to
// rule out.
func (x *Index) likely(s *scratch, n uint32, words int) bool {
	f := &s.query.filter
	broken := f.broken(x.marks.pairs[n])
	return broken == 0 || broken <= words && !s.settled() && f.fits(x.marks.sizes[n]) &&
		(len(f.words) > 2*words || s.query.typed(x.marks.letters[n], words))
}

// searchLists grades the titles of the lists that may have two mistyped words.
func (x *Index) searchLists(s *scratch, lists [][]slot) {
	f := &s.query.filter
	for _, list := range lists {
		for _, slot := range list {
			n := slot.title()
			if f.fits(slot.size()) && x.likely(s, n, 2) {
				x.grade(s, n)
			}
		}
	}
}

// scanFrom grades all titles on the shelf that their bags do not rule out,
// beginning with so many mistyped words.
func (x *Index) scanFrom(s *scratch, words int) {
	s.scan(x.titles(0, x.built), words)
}
