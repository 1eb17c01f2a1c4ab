package jsonspan

import "bytes"

// Lengths hands over how many elements each array of a value has that is not empty, down
// to some depth, since each level walks its text again.
func Lengths(value []byte, depth int, take func(int)) {
	if depth == 0 || bytes.IndexByte(value, '[') < 0 {
		return
	}
	n := 0
	for key, child := range Children(value) {
		Lengths(child, depth-1, take)
		if key == nil {
			n++
		}
	}
	if n > 0 {
		take(n)
	}
}
