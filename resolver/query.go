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
	first    int  // tokens before it stand around the title
	last     int  // so do tokens from here on
	required int  // number of tokens that a title must have
	runs     bool // one of them is written without spaces
	void     bool // nothing can be meant: no letter, digit or symbol
	wordy    bool // short enough for the tiers that look at single words
	filter   filter
	lists    [][]int32 // room for holders
	titles   pairing
}

// prepare fills the query for a reference.
func (q *query) prepare(reference string, r *rules) {
	q.rules = r
	q.analyse(reference)
	q.void = bytes.IndexFunc(q.folded, hasMeaning) < 0
	q.wordy = len(q.tokens) > 0 && len(q.tokens) <= maxTokens && !q.void
	q.first, q.last, q.required, q.runs = 0, len(q.tokens), 0, false
	q.filter = filter{words: q.filter.words[:0]}
	if !q.wordy {
		q.filter.words = append(q.filter.words, q.mark().pairs)
		return
	}
	q.unwrap()
	q.require()
	q.collect()
}

// hasMeaning reports whether a reference that holds r can mean anything.
func hasMeaning(r rune) bool {
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
	if last-first > 1 && q.isGeneric(last-1) {
		last--
	} else if last-first > 1 && q.isGeneric(first) {
		first++
		if last-first > 1 && q.tokens[first].class&naming != 0 {
			first++
		}
	}
	q.first, q.last = first, last
}

// isGeneric reports whether a token is a word for "entry", the host's own
// included.
func (q *query) isGeneric(i int) bool {
	t := &q.tokens[i]
	return t.class&generic != 0 || t.narrowY == q.rules.nounY && string(q.stem(t)) == q.rules.noun
}

// require marks the tokens that a title must have: all but little words and
// what stands around the title. If that leaves none, all of them count.
func (q *query) require() {
	for i := range q.tokens {
		t := &q.tokens[i]
		if i < q.first || i >= q.last {
			t.kind |= isWrapping
		}
		if q.isRequired(t) {
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

// isRequired reports whether a title without the token cannot be meant.
func (q *query) isRequired(t *token) bool {
	return t.kind&(isContent|isSymbol) != 0 && t.kind&isWrapping == 0
}

// collect counts the required words, and fills the filter.
func (q *query) collect() {
	q.count = 0
	f := &q.filter
	for i := range q.tokens {
		t := &q.tokens[i]
		if t.is(isSymbol) {
			continue
		}
		letters := q.letters(t)
		f.tokens++
		f.most += letters
		f.wide = f.wide || t.is(wide)
		if q.isRequired(t) {
			f.least += letters
			f.words = append(f.words, pairsOf(q.broadStem(t)))
			q.count++
			q.runs = q.runs || t.is(unsegmented)
		}
	}
	if q.rules.isOn(Typing) {
		f.errors = q.rules.budget(q.runes + maxEdits)
	}
}
