package jsonspan

import "bytes"

// Lengths hands over how many elements each array of a value has that is not empty, down
// to some depth, since each level walks its text again.
func Lengths(value []byte, depth int, take func(int)) {
	if depth == 0 || bytes.IndexByte(value, '[') < 0 {
		return
	}
	for _, member := range Members(value) {
		Lengths(member, depth-1, take)
	}
	n := 0
	for element := range Elements(value) {
		Lengths(element, depth-1, take)
		n++
	}
	if n > 0 {
		take(n)
	}
}
