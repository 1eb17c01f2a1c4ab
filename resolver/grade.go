package resolver

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// cutLetters is what a cut word keeps at least.
const cutLetters = 3

// A rank says how a title matches. The lowest tier decides, and within it the
// lowest step; titles of the same step are ambiguous. The zero rank is no
// match.
type rank struct {
	tier   Tier
	step   uint8 // within Words and Typing
	errors uint8 // within Typing: for ranking candidates only, never for picking
}

// isBetterThan reports whether r decides over s.
func (r rank) isBetterThan(s rank) bool {
	if s.tier == 0 || r.tier == 0 {
		return r.tier != 0
	}
	if r.tier != s.tier {
		return r.tier < s.tier
	}
	return r.step < s.step
}

// Steps of the Words tier.
const (
	sameWords  uint8 = iota // the same words in the same order
	sameSet                 // the same words in another order
	sameForms               // forms of the same words, little words aside
	mixedForms              // those in another order
	samePhrase              // the title holds three words or more as they stand
	someOfThem              // the title holds the words
)

// grade compares the query with a title. It is the only definition of what
// matches: an Index merely finds the titles that are worth grading.
func (q *query) grade(t *phrase) rank {
	switch {
	case q.void:
		return rank{}
	case q.rules.isOn(Identical) && q.raw == t.raw:
		return rank{tier: Identical}
	case q.rules.isOn(Folded) && bytes.Equal(q.folded, t.folded):
		return rank{tier: Folded}
	case q.rules.isOn(Accents) && bytes.Equal(q.plain, t.plain):
		return rank{tier: Accents}
	case len(q.tokens) == 0 || len(t.tokens) == 0:
		return rank{}
	case !q.wordy:
		return q.gradeLong(t)
	}
	q.titles.match(q, t)
	if q.rules.isOn(Words) {
		if r := q.gradeWords(t); r.tier != 0 {
			return r
		}
	}
	if q.rules.isOn(Typing) {
		if r := q.gradeTyping(t); r.tier != 0 {
			return r
		}
	}
	if q.rules.isOn(Cut) {
		return q.gradeCut(t)
	}
	return rank{}
}

// gradeLong compares a reference that is too long for single words.
func (q *query) gradeLong(t *phrase) rank {
	if !q.rules.isOn(Words) || len(q.tokens) != len(t.tokens) {
		return rank{}
	}
	for i := range q.tokens {
		if !isSameWord(&q.phrase, &q.tokens[i], t, &t.tokens[i]) {
			return rank{}
		}
	}
	return rank{tier: Words, step: sameWords}
}

// A pairing says which tokens of a query and a title are the same word.
type pairing struct {
	ofQuery []int32 // the title's token, or -1
	taken   []bool  // for each token of the title
	ordered bool    // pairs have the same order on both sides
	forms   int     // pairs that are different forms of a word
	missing int     // required tokens of the query without a pair
	spare   int     // little words of the query without a pair
	left    int     // words of the title without a pair
}

// match pairs each token of the query with a token of the title.
func (m *pairing) match(q *query, t *phrase) {
	m.ofQuery = slices.Grow(m.ofQuery[:0], len(q.tokens))[:len(q.tokens)]
	m.taken = slices.Grow(m.taken[:0], len(t.tokens))[:len(t.tokens)]
	clear(m.taken)
	m.ordered, m.forms, m.missing, m.spare, m.left = true, 0, 0, 0, 0
	last := int32(-1)
	for i := range q.tokens {
		j := m.find(q, t, &q.tokens[i])
		m.ofQuery[i] = j
		if j < 0 {
			switch u := &q.tokens[i]; {
			case q.isRequired(u):
				m.missing++
			case !u.is(isWrapping):
				m.spare++
			}
			continue
		}
		m.taken[j] = true
		m.ordered = m.ordered && j > last
		last = j
	}
	for j := range t.tokens {
		if !m.taken[j] && !t.tokens[j].is(isSymbol) {
			m.left++
		}
	}
}

// find returns a free token of the title that is the same word as u: the same
// form if there is one.
func (m *pairing) find(q *query, t *phrase, u *token) int32 {
	found := int32(-1)
	for j := range t.tokens {
		v := &t.tokens[j]
		switch {
		case m.taken[j]:
		case isSameWord(&q.phrase, u, t, v):
			return int32(j)
		case found < 0 && hasSameStem(&q.phrase, u, t, v):
			found = int32(j)
		}
	}
	if found >= 0 {
		m.forms++
	}
	return found
}

// gradeWords wants every required word of the query in the title.
func (q *query) gradeWords(t *phrase) rank {
	m := &q.titles
	switch {
	case m.missing > 0:
		if q.hasSameForms(t) {
			return m.formRank()
		}
		if q.hasRuns(t) {
			return rank{tier: Words, step: someOfThem}
		}
		return rank{}
	case m.left > 0:
		if m.spare > 0 && q.required < 2 {
			return rank{} // "from this dream" is not "Wildest Dreams"
		}
		if q.hasPhrase(t) {
			return rank{tier: Words, step: samePhrase}
		}
		return rank{tier: Words, step: someOfThem}
	case m.forms > 0 || m.spare > 0:
		return m.formRank()
	case !m.ordered:
		return rank{tier: Words, step: sameSet}
	}
	return rank{tier: Words, step: sameWords}
}

func (m *pairing) formRank() rank {
	if m.ordered {
		return rank{tier: Words, step: sameForms}
	}
	return rank{tier: Words, step: mixedForms}
}

// hasSameForms reports whether the words that have no pair are forms of one
// another: "reading books" and "Read book". One word at least must agree
// without that.
func (q *query) hasSameForms(t *phrase) bool {
	m := &q.titles
	if m.missing != m.left || m.missing == q.required {
		return false
	}
	j := 0
	for i := range q.tokens {
		u := &q.tokens[i]
		if m.ofQuery[i] >= 0 || !q.isRequired(u) {
			continue
		}
		j = m.free(t, j)
		if !hasSameBroadStem(&q.phrase, u, t, &t.tokens[j]) {
			return false
		}
		j++
	}
	return true
}

// hasPhrase reports whether the title holds the words of the query as they
// stand, little words included. Fewer than three words prove nothing: "read
// book" may mean "Book to read".
func (q *query) hasPhrase(t *phrase) bool {
	return q.hasTokens(t, q.tokens) || q.hasTokens(t, q.tokens[q.first:q.last])
}

func (q *query) hasTokens(t *phrase, tokens []token) bool {
	if len(tokens) < 3 {
		return false
	}
	for start := 0; start+len(tokens) <= len(t.tokens); start++ {
		i := 0
		for i < len(tokens) && isSameWord(&q.phrase, &tokens[i], t, &t.tokens[start+i]) {
			i++
		}
		if i == len(tokens) {
			return true
		}
	}
	return false
}

// hasRuns reports whether the missing tokens are parts of runs that are
// written without spaces.
func (q *query) hasRuns(t *phrase) bool {
	if q.runs && bytes.Contains(t.words, q.words) {
		return true // also across the borders of scripts
	}
	for i := range q.tokens {
		u := &q.tokens[i]
		if q.titles.ofQuery[i] >= 0 || !q.isRequired(u) {
			continue
		}
		if !u.is(unsegmented) || !hasRun(t, q.text(u)) {
			return false
		}
	}
	return true
}

func hasRun(t *phrase, run []byte) bool {
	for j := range t.tokens {
		v := &t.tokens[j]
		if v.is(unsegmented) && bytes.Contains(t.text(v), run) {
			return true
		}
	}
	return false
}

// assured is the number of intact words beside which a word may have one more
// typing error, or one at its beginning.
const assured = 3

// gradeTyping pairs the words that differ, in order, and counts the typing
// errors; another form of a word is one, too. Every word of the title must be
// accounted for. The fewer words are mistyped the better: a title that differs
// in one word and a title that differs in two are no near-duplicates.
func (q *query) gradeTyping(t *phrase) rank {
	m := &q.titles
	budget := q.rules.budget(t.runes)
	errors, left := m.forms, m.left
	if left+errors > budget || left < m.missing {
		return rank{}
	}
	optional := left > m.missing // little words of the query stand for words of the title
	j := 0
	for i := range q.tokens {
		u := &q.tokens[i]
		if m.ofQuery[i] >= 0 || !optional && !q.isRequired(u) {
			continue
		}
		if j = m.free(t, j); j == len(t.tokens) {
			return rank{}
		}
		// A symbol that is missing has no errors that are few enough.
		errors += q.errors(u, t, &t.tokens[j], budget-errors, q.count-m.missing)
		if errors > budget {
			return rank{}
		}
		left--
		j++
	}
	if left > 0 {
		return rank{}
	}
	step := typingStep(m.left)
	if !m.ordered {
		step++
	}
	return rank{tier: Typing, step: step, errors: uint8(errors)}
}

// free returns the next word of the title from j on that has no pair.
func (m *pairing) free(t *phrase, j int) int {
	for j < len(t.tokens) && (m.taken[j] || t.tokens[j].is(isSymbol)) {
		j++
	}
	return j
}

// manyWords stands for three mistyped words or more.
const manyWords = 3

// typingStep returns the step of the Typing tier for so many mistyped words in
// the right order; the next one is that of another order.
func typingStep(words int) uint8 { return uint8(2 * min(words, manyWords)) }

// errors counts the typing errors that make u of v; more than limit if v is
// another word altogether.
func (q *query) errors(u *token, t *phrase, v *token, limit, intact int) int {
	none := limit + 1
	if u.is(isSymbol) || v.is(isSymbol) || u.group != 0 && u.group == v.group {
		return none
	}
	a, b := q.text(u), t.text(v)
	if (u.is(hasDigit) || v.is(hasDigit)) && !hasSameNumber(a, b) {
		return none
	}
	if u.is(wide) || v.is(wide) {
		return wideErrors([]rune(string(a)), []rune(string(b)), limit)
	}
	if isRoman(a) && isRoman(b) || isOtherShortWord(a, b, intact) {
		return none
	}
	sameStart := a[0] == b[0]
	allowed := min(q.allowed(v, len(b), intact, sameStart), limit)
	if allowed < 1 {
		return none
	}
	if d := distance(a, b, allowed); d <= allowed {
		return d
	}
	return none
}

// allowed is the number of errors that the word v of n letters may have, by
// what else speaks for its title.
func (q *query) allowed(v *token, n, intact int, sameStart bool) int {
	allowed := tolerance(n)
	if n > 3 && (v.class&little != 0 && q.titles.left == 1 || intact >= assured && sameStart) {
		allowed++
	}
	if intact == 0 && q.count > 1 || q.titles.left >= manyWords {
		allowed = min(allowed, 1) // too little speaks for this title
	}
	return allowed
}

// wideErrors is errors for other scripts. A letter of another script is no
// typing error, and neither is another Han character: it is another word. So
// are words that differ in marks alone, which are letters in those scripts.
func wideErrors(a, b []rune, limit int) int {
	none := limit + 1
	limit = min(limit, tolerance(len(b)))
	if limit < 1 || scriptOf(a) != scriptOf(b) || scriptOf(a) == mixedScript ||
		string(unmarked(a)) == string(unmarked(b)) {
		return none
	}
	if d := distance(a, b, limit); d <= limit {
		return d
	}
	return none
}

// unmarked returns a word without any marks.
func unmarked(word []rune) []rune {
	return slices.DeleteFunc([]rune(norm.NFD.String(string(word))), unicode.IsMark)
}

// tolerance is the number of errors that a word of n letters may have.
func tolerance(n int) int { return min(n/3, 3) }

// isOtherShortWord reports whether a short word was replaced by another one, as far as
// can be told: any letter of three (Tim and Tom), or the first of four (hand
// and band), where people seldom err and near-duplicates differ.
func isOtherShortWord(a, b []byte, intact int) bool {
	if len(a) != len(b) {
		return false
	}
	switch len(b) {
	case 3:
		swapped := a[0] == b[1] && a[1] == b[0] || a[1] == b[2] && a[2] == b[1]
		return !swapped
	case 4:
		return intact < assured && a[0] != b[0] && bytes.Equal(a[1:], b[1:])
	}
	return false
}

// hasSameNumber reports whether two words are a word and the same number after
// it, as "aufgabe1" and "aufgbe1". Other mixtures of letters and digits are
// codes, in which every letter counts.
func hasSameNumber(a, b []byte) bool {
	i, j := letters(a), letters(b)
	return i >= 4 && j >= 4 && bytes.Equal(a[i:], b[j:]) && bytes.IndexFunc(a[i:], unicode.IsLetter) < 0
}

// letters counts the bytes before the first digit.
func letters(word []byte) int {
	for i, c := range word {
		if c >= '0' && c <= '9' {
			return i
		}
	}
	return len(word)
}

// isRoman reports whether a word may be a Roman numeral below forty.
func isRoman(word []byte) bool {
	for _, c := range word {
		if c != 'i' && c != 'v' && c != 'x' {
			return false
		}
	}
	return true
}

// Results of scriptOf beside the table's index.
const mixedScript = -1

// scripts are those whose letters may be mistyped.
var scripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Arabic, unicode.Hebrew, unicode.Hangul,
	unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Gujarati, unicode.Kannada,
	unicode.Malayalam, unicode.Gurmukhi, unicode.Armenian, unicode.Georgian, unicode.Ethiopic, unicode.Thai,
	unicode.Hiragana, unicode.Katakana,
}

// scriptOf returns the script that all letters of a word share, as an index
// into scripts, or mixedScript.
func scriptOf(word []rune) int {
	found := mixedScript
	for _, r := range word {
		if unicode.Is(unicode.Common, r) || unicode.Is(unicode.Inherited, r) {
			continue
		}
		if found >= 0 {
			if !unicode.Is(scripts[found], r) {
				return mixedScript
			}
			continue
		}
		for i, script := range scripts {
			if unicode.Is(script, r) {
				found = i
				break
			}
		}
		if found < 0 {
			return mixedScript
		}
	}
	return found
}

// gradeCut wants the content words of the title in order, each of them whole
// or cut.
func (q *query) gradeCut(t *phrase) rank {
	if q.count != t.count || t.runes < q.rules.shortest {
		return rank{}
	}
	j := 0
	for i := range q.tokens {
		u := &q.tokens[i]
		if !q.isRequired(u) {
			continue
		}
		for j < len(t.tokens) && !t.tokens[j].is(isContent) {
			j++
		}
		if j == len(t.tokens) || !isCutFrom(q.text(u), t.text(&t.tokens[j]), q.count == 1) {
			return rank{}
		}
		j++
	}
	return rank{tier: Cut}
}

// isCutFrom reports whether a is b or its beginning. A single word must keep
// half of its letters.
func isCutFrom(a, b []byte, single bool) bool {
	if !bytes.HasPrefix(b, a) {
		return false
	}
	kept, whole := utf8.RuneCount(a), utf8.RuneCount(b)
	if kept == whole {
		return true
	}
	return kept >= cutLetters && (!single || 2*kept >= whole) && bytes.IndexFunc(b, unicode.IsNumber) < 0
}
