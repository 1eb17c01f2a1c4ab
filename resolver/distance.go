package resolver

// maxEdits is the largest number of errors that one word can have. It keeps the
// band of the distance narrow, and so its time linear.
const maxEdits = 4

// distance counts the typing errors between a and b: letters left out, added
// or replaced, and neighbours swapped (the optimal string alignment distance,
// in which no letter is touched twice). Beyond limit, which is at most
// maxEdits, it gives up and returns limit+1.
//
// Only cells within limit of the diagonal can hold a value that small, so the
// time is linear in the length of the words.
func distance[T byte | rune](a, b []T, limit int) int {
	a, b = trim(a, b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > limit {
		return limit + 1
	}
	switch {
	case len(a) == 0:
		return len(b)
	case len(b) == 1:
		return 1 // trim left two different letters
	case len(b) == 2 && len(a) == 2 && a[0] == b[1] && a[1] == b[0]:
		return 1
	}
	return banded(a, b, limit)
}

// trim cuts off what both words begin and end with.
func trim[T byte | rune](a, b []T) ([]T, []T) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// banded fills the usual table row by row; the cell of row i and column j lies
// at j-i+limit of its row.
func banded[T byte | rune](a, b []T, limit int) int {
	const width = 2*maxEdits + 1
	var rows [3][width + 2]int // one more on each side, always out of reach
	out := limit + 1
	before, previous, current := &rows[0], &rows[1], &rows[2]
	for d := range previous {
		before[d], previous[d], current[d] = out, out, out
	}
	for j := 0; j <= limit && j <= len(b); j++ {
		previous[1+j+limit] = j
	}
	for i := 1; i <= len(a); i++ {
		best := out
		for d := 0; d <= 2*limit; d++ {
			j := i + d - limit
			if j < 0 || j > len(b) {
				current[1+d] = out
				continue
			}
			cost := i
			if j > 0 {
				replaced := previous[1+d]
				if a[i-1] != b[j-1] {
					replaced++
				}
				cost = min(replaced, previous[2+d]+1, current[d]+1)
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					cost = min(cost, before[1+d]+1)
				}
			}
			current[1+d] = cost
			best = min(best, cost)
		}
		if best > limit {
			return out
		}
		before, previous, current = previous, current, before
	}
	return min(previous[1+len(b)-len(a)+limit], out)
}
