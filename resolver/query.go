package resolver

import "math/bits"

// maxTokens bounds the references that are compared word by word. Longer ones
// are compared as a whole only: identical, folded, accents dropped, the same
// words.
const maxTokens = 128

// A query is a reference made ready for comparing with many titles.
type query struct {
	phrase
	rules    *rules
	first    int    // tokens before it stand around the title
	last     int    // so do tokens from here on
	required int    // number of tokens that a title must have
	needs    uint64 // letters that every title of the words and cut-words tiers has
	content  uint64 // letters of the required tokens
	errs     int    // the most typing errors that any title may have
	runs     bool   // holds a run that is written without spaces
	wordy    bool   // short enough for the tiers that look at single words
	titles   pairing
}

// prepare fills the query for a reference.
func (q *query) prepare(reference string, r *rules) {
	q.rules = r
	q.analyse(reference)
	q.wordy = len(q.tokens) > 0 && len(q.tokens) <= maxTokens
	q.first, q.last = 0, len(q.tokens)
	q.required, q.needs, q.content, q.errs, q.runs = 0, 0, 0, 0, false
	if !q.wordy {
		q.needs = q.bag
		return
	}
	if r.on(Typing) {
		q.errs = r.budget(q.runes + maxEdits)
	}
	q.unwrap()
	q.require()
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
	if q.required == 0 {
		for i := range q.tokens {
			t := &q.tokens[i]
			t.kind = t.kind&^isWrapping | isContent
		}
		q.required = len(q.tokens)
	}
	q.sum, q.cuts, q.count = 0, 0, 0
	for i := range q.tokens {
		t := &q.tokens[i]
		if !q.must(t) {
			continue
		}
		q.content |= bagOf(q.text(t))
		q.runs = q.runs || t.is(unsegmented)
		q.needs |= bagOf(q.words[t.start:max(t.start, t.base-1)])
		if !t.is(isSymbol) {
			q.count++
			q.sum += t.broad
			q.cuts += hashWord(q.head(t), false)
		}
	}
}

// must reports whether a title without the token cannot be meant.
func (q *query) must(t *token) bool {
	return t.is(isContent|isSymbol) && !t.is(isWrapping)
}

// Sets of letters, as in a bag.
const (
	asciiLetters = 1<<36 - 1
	// freeLetters come and go with plural forms, which are no errors.
	freeLetters = 1<<('e'-'a') | 1<<('i'-'a') | 1<<('s'-'a') | 1<<('y'-'a')
)

// may reports whether a title with these letters can match in a tier that is
// no worse than the best one found so far. It only ever errs by saying yes.
func (q *query) may(bag uint64, best Tier) bool {
	if q.needs&^bag == 0 {
		return true
	}
	if best != 0 && best < Typing || q.errs == 0 {
		return false
	}
	const counted = asciiLetters &^ freeLetters
	return bits.OnesCount64(q.content&^bag&counted) <= q.errs && bits.OnesCount64(bag&^q.bag&counted) <= q.errs
}
