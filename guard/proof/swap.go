package proof

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Two calls of one tool may have been made with each other's values. That somebody's call
// holds a value shows nothing of another call that has its own in that place.

// swapped finds an argument that an item tells, and that is not the one of the call it
// cites but that of another call of the same tool.
func (c *checker) swapped(item *Item) (said, other string) {
	cited := c.turn.List.Cited(item.Records)
	another := func(r *tooltrack.Record) bool { return r != cited[0] && r.Tool == cited[0].Tool }
	if len(cited) != 1 || !cited[0].Succeeded() || !slices.ContainsFunc(c.turn.List.records, another) {
		return "", ""
	}
	values, says := slices.Clone(c.known.values(item.What)), c.known.reader.Values(nil, textOf(cited[0]))
	for _, sibling := range c.turn.List.records {
		if !another(sibling) {
			continue
		}
		for _, own := range leafList(cited[0].Args) {
			if own.value == "" || c.known.namesAny(own.value, values) || c.known.opaque(own.value) {
				continue
			}
			for _, leaf := range leafList(sibling.Args) {
				if leaf.key == own.key && c.known.namesAll(leaf.value, values) && !c.known.namesAny(leaf.value, says) {
					return leaf.value, own.value
				}
			}
		}
	}
	return "", ""
}

// namesAny reports whether any word of a value is among some others, namesAll whether all
// of them are.
func (k *knowledge) namesAny(value string, among []reading.Value) bool {
	return slices.ContainsFunc(k.content(value), func(v reading.Value) bool {
		return !v.Has(reading.Derived|reading.Merged) && holdsKey(among, v.Key)
	})
}

func (k *knowledge) namesAll(value string, among []reading.Value) bool {
	words := k.content(value)
	missing := func(v reading.Value) bool {
		return !v.Has(reading.Derived|reading.Merged) && !holdsKey(among, v.Key)
	}
	return len(words) > 0 && !slices.ContainsFunc(words, missing)
}

func holdsKey(values []reading.Value, key uint64) bool {
	return slices.ContainsFunc(values, func(v reading.Value) bool { return v.Key == key })
}
