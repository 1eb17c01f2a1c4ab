package resolver

import (
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
	i, j := 0, 0
	for {
		n := common(a[i:], b[j:])
		i, j = i+n, j+n
		if i == len(a) && j == len(b) {
			break
		}
		start := wordStart(a, i)
		from := j - (i - start)
		i, j = wordEnd(a, i), wordEnd(b, j)
		n = len(t.tokens)
		if (i == len(a)) != (j == len(b)) || n == min(budget, manyWords) || asciiRun(a[start:i]) < i-start || asciiRun(b[from:j]) < j-from || from == j {
			return rank{}, false
		}
		wrong[n] = q.tokenAt(start, i)
		if wrong[n] < 0 {
			return rank{}, false
		}
		t.token(b, from, j, 0)
	}
	return q.gradeWalk(t, wrong[:len(t.tokens)], budget)
}

// common counts the bytes that both texts begin with.
func common(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for most-n >= 8 {
		x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:])
		if x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
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
		errors += q.errors(u, t, v, budget-errors, q.count-len(wrong))
		if errors > budget {
			return rank{}, false
		}
	}
	return rank{tier: Typing, step: typingStep(len(wrong)), errors: uint8(errors)}, true
}

// tokenAt returns the token of the query that lies from start to end, or -1.
func (q *query) tokenAt(start, end int) int {
	for i := range q.tokens {
		if t := &q.tokens[i]; int(t.start) == start && int(t.end) == end {
			return i
		}
	}
	return -1
}

func wordStart(text []byte, i int) int {
	for i > 0 && text[i-1] != ' ' {
		i--
	}
	return i
}

func wordEnd(text []byte, i int) int {
	for i < len(text) && text[i] != ' ' {
		i++
	}
	return i
}
