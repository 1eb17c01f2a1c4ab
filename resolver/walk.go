package resolver

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// walk grades an ASCII title that has the words of the query in the same order
// but for mistyped ones, which is what most titles look like that pass the
// filter. It takes a fraction of the time of grade and gives the same answer;
// where it might not, it gives none.
//
// It goes along both texts at once and compares word by word where they part.
func (q *query) walk(t *phrase) (rank, bool) {
	a, b := q.folded, t.folded
	budget := q.rules.budget(len(b))
	t.tokens, t.words = t.tokens[:0], b
	var wrong [manyWords]int // tokens of the query
	i, j, at := 0, 0, 0
	for {
		n := common(a[i:], b[j:])
		i, j = i+n, j+n
		if i == len(a) && j == len(b) {
			break
		}
		for at < len(q.tokens) && int(q.tokens[at].end) < i {
			at++
		}
		n = len(t.tokens)
		if n == min(budget, manyWords) || !q.standsAlone(at, i) {
			return rank{}, false
		}
		from := j - (i - int(q.tokens[at].start))
		end, ok := t.plainWord(b, from)
		i, j = int(q.tokens[at].end), end
		if !ok || (i == len(a)) != (j == len(b)) {
			return rank{}, false
		}
		wrong[n] = at
	}
	return q.gradeWalk(t, wrong[:len(t.tokens)], budget)
}

// standsAlone reports whether the text parts within a token, and that is a word
// of letters between spaces.
func (q *query) standsAlone(at, i int) bool {
	if at == len(q.tokens) {
		return false
	}
	t, text := &q.tokens[at], q.folded
	start, end := int(t.start), int(t.end)
	return start <= i && !t.is(hasDigit|isSymbol) && asciiClass[text[end-1]] == charLetter &&
		(start == 0 || text[start-1] == ' ') && (end == len(text) || text[end] == ' ')
}

// common counts the bytes that both texts begin with. Where the buffers go on
// after them it takes eight at a time to the end.
func common(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n+8 <= cap(a) && n+8 <= cap(b) && n < most {
		x := binary.LittleEndian.Uint64(a[n:n+8]) ^ binary.LittleEndian.Uint64(b[n:n+8])
		if x != 0 {
			return min(n+bits.TrailingZeros64(x)/8, most)
		}
		n += 8
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return min(n, most)
}

// gradeWalk counts the errors of the words that differ, if nothing else can
// account for them.
func (q *query) gradeWalk(t *phrase, wrong []int, budget int) (rank, bool) {
	if len(wrong) == 0 {
		return rank{}, false
	}
	errors := 0
	q.titles.left = len(wrong)
	for n, at := range wrong {
		u, v := &q.tokens[at], &t.tokens[n]
		if !q.must(u) || u.broad == v.broad {
			return rank{}, false
		}
		for k := range q.tokens {
			if other := &q.tokens[k]; other.stem == v.stem || other.stem == u.stem && k != at {
				return rank{}, false
			}
		}
		if errors <= budget {
			errors += q.errors(u, t, v, budget-errors, q.count-len(wrong))
		}
	}
	if errors > budget {
		return rank{}, !q.allCut(t, wrong)
	}
	return rank{tier: Typing, step: typingStep(len(wrong)), errors: uint8(errors)}, true
}

// allCut reports whether the words that differ may be cut ones.
func (q *query) allCut(t *phrase, wrong []int) bool {
	for n, at := range wrong {
		if !bytes.HasPrefix(t.text(&t.tokens[n]), q.text(&q.tokens[at])) {
			return false
		}
	}
	return true
}
