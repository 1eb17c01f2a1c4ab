package resolver

import (
	"bytes"
	"unicode"
)

// maxTokens bounds the references that are compared word by word. Longer ones
// are compared as a whole only: identical, folded, accents dropped, the same
// words.
const maxTokens = 128

// A query is a reference made ready for comparing with many titles.
type query struct {
	phrase
	rules    *rules
	first    int      // tokens before it stand around the title
	last     int      // so do tokens from here on
	required int      // number of tokens that a title must have
	runs     bool     // one of them is written without spaces
	vague    bool     // they are little words or symbols, or too much stands around them
	around   []uint64 // broad stems of the content words around the title
	void     bool     // nothing can be meant: no letter, digit or symbol
	wordy    bool     // short enough for the tiers that look at single words
	filter   filter
	titles   pairing
}

// prepare fills the query for a reference.
func (q *query) prepare(reference string, r *rules) {
	q.rules = r
	q.analyse(reference)
	q.void = !q.plainly() && bytes.IndexFunc(q.folded, meaningful) < 0
	q.wordy = len(q.tokens) > 0 && len(q.tokens) <= maxTokens && !q.void
	q.first, q.last, q.required, q.runs, q.vague, q.around = 0, len(q.tokens), 0, false, false, q.around[:0]
	q.filter.clear()
	if !q.wordy {
		pairs, _, _ := q.marks()
		q.filter.words = append(q.filter.words, pairs)
		return
	}
	q.unwrap()
	q.require()
	q.collect()
}

// plainly reports whether the query begins with an ASCII word or number.
func (q *query) plainly() bool {
	return len(q.tokens) > 0 && !q.tokens[0].is(isSymbol|wide)
}

// meaningful reports whether a reference that holds r can mean anything.
func meaningful(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r)
}

// unwrap finds what people put around a title: "please", "the … task", "task
// called …". Something of the reference always remains.
func (q *query) unwrap() {
	first, last := 0, len(q.tokens)
	for last-first > 1 && q.tokens[first].class&polite != 0 {
		first++
	}
	for last-first > 1 && q.tokens[last-1].class&polite != 0 {
		last--
	}
	if last-first > 1 && q.tokens[first].class&leading != 0 {
		first++
	}
	if last-first > 1 && q.generic(last-1) {
		last--
	} else if last-first > 1 && q.generic(first) {
		first++
		if last-first > 1 && q.tokens[first].class&naming != 0 {
			first++
		}
	}
	q.first, q.last = first, last
}

// generic reports whether a token is a word for "entry", the host's own
// included.
func (q *query) generic(i int) bool {
	t := &q.tokens[i]
	return t.class&generic != 0 || t.stem == q.rules.noun
}

// require marks the tokens that a title must have: all but little words and
// what stands around the title. If that leaves none, all of them count.
func (q *query) require() {
	for i := range q.tokens {
		t := &q.tokens[i]
		if i < q.first || i >= q.last {
			t.kind |= isWrapping
		}
		if q.must(t) {
			q.required++
		}
	}
	if q.required > 0 {
		return
	}
	for i := range q.tokens {
		t := &q.tokens[i]
		t.kind = t.kind&^isWrapping | isContent
	}
	q.required = len(q.tokens)
}

// must reports whether a title without the token cannot be meant.
func (q *query) must(t *token) bool {
	return t.kind&(isContent|isSymbol) != 0 && t.kind&isWrapping == 0
}

// collect sums up the tokens, required ones above all, and notes what stands
// around them.
func (q *query) collect() {
	q.sum, q.count = 0, 0
	f := &q.filter
	first, second := 0, 0
	for i := range q.tokens {
		t := &q.tokens[i]
		if t.is(isSymbol) {
			continue
		}
		letters := q.letters(t)
		errors := tolerance(letters)
		first, second = max(first, errors), max(second, min(first, errors))
		f.tokens++
		f.most += letters
		f.wide = f.wide || t.is(wide)
		if q.must(t) {
			f.least += letters
			q.demand(t)
		} else if t.is(isWrapping) && t.is(isContent) {
			q.around = append(q.around, t.broad)
		}
	}
	f.longest = [2]int{first, second}
	if q.rules.on(Typing) {
		f.errors = q.rules.budget(q.runes + maxEdits)
	}
	q.vague = q.vague || q.count == 0 || len(q.around) > maxAround
	q.around = q.around[:min(len(q.around), maxAround)]
}

// demand sums up a required word.
func (q *query) demand(t *token) {
	q.count++
	q.sum += t.broad
	q.runs = q.runs || t.is(unsegmented)
	q.vague = q.vague || t.class&little != 0
	q.filter.add(q.words[t.start:t.base])
}
