package match

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
)

// leaf is one scalar of a record, with the name of the member that holds it.
type leaf struct {
	name  string // in lower case; empty for a bare text
	text  string
	given bool // it is an argument, and not a part of the result
	// values are those of the text.
	values []reading.Value
	// object numbers the JSON object that the leaf stands in: values of one object belong
	// together.
	object int
}

// wholeJSON is the JSON value that a text is; nil if it is none.
func wholeJSON(data []byte) []byte {
	whole, _ := new(jsonspan.Scanner).Value(data)
	return whole
}

// maxDepth is how deep values of a record are looked for.
const maxDepth = 16

// leafWalk collects the scalars of a JSON text.
type leafWalk struct {
	leaves  []leaf
	lengths []int // of its lists
	objects int
	given   bool
}

// read takes the scalars of a text. One that is no JSON is one scalar.
func (w *leafWalk) read(data []byte, given bool) {
	w.given = given
	if len(data) == 0 {
		return
	}
	if whole := wholeJSON(data); whole != nil {
		w.value("", whole, 0, 0)
		return
	}
	w.leaves = append(w.leaves, leaf{text: string(data), given: given})
}

// memberName is the name of a member in lower case, with a dash where its words meet:
// orderId and order_id are order_id.
func memberName(name string) string {
	if strings.ToLower(name) == name {
		return name
	}
	return strings.Join(toolname.Words(name), "_")
}

func (w *leafWalk) value(name string, value []byte, object, depth int) {
	if depth > maxDepth {
		return
	}
	switch jsonspan.KindOf(value) {
	case jsonspan.Object:
		w.objects++
		own := w.objects
		for key, member := range jsonspan.Members(value) {
			w.value(memberName(string(jsonspan.Key(key))), member, own, depth+1)
		}
	case jsonspan.Array:
		length := 0
		for element := range jsonspan.Elements(value) {
			w.value(name, element, object, depth+1)
			length++
		}
		w.lengths = append(w.lengths, length)
	default:
		text := jsonspan.Scalar(value)
		if text == "" && jsonspan.KindOf(value) != jsonspan.String {
			text = string(value) // true, false, null
		}
		w.leaves = append(w.leaves, leaf{name: name, text: text, given: w.given, object: object})
	}
}
