package match

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// Told are sentences that tell something as done, of which no record may be known: a summary in place of calls.
type Told []deed

// deed is such a sentence: its words and figures, and what its verbs mean.
type deed struct {
	keys keys
	acts lexicon.Families
}

// ReadTold reads the sentences of texts that tell something as done: "invoice 17 was paid", "pay_invoice id=17 ->
// success".
func ReadTold(texts []string) (told Told) {
	for _, text := range texts {
		for _, piece := range Pieces(text) {
			one := deed{keys: keys{}}
			for _, c := range Read(piece.Text()) {
				if c.Kind != Did && c.Kind != Looked && !(c.Kind == Found && c.deedLike) {
					continue
				}
				for i := range c.values {
					one.keys[c.values[i].Key] = true
				}
				one.acts = one.acts.Union(c.acts)
			}
			if len(one.keys) > 0 {
				told = append(told, one)
			}
		}
	}
	return told
}

// Tells reports whether a sentence tells the act, and each thing that some words name beside it. Who did it, and
// what stands before that ("so far I have"), is no part of it.
func (t Told) Tells(words string) bool {
	var values []reading.Value
	for _, c := range Read(words) {
		from := 0
		if c.clause != nil && c.clause.Actor == reading.Us {
			from = int(c.text.Tokens[max(c.clause.Group, c.clause.Verb)].Start)
		}
		for _, v := range c.values {
			if v.Start() >= from {
				values = append(values, v)
			}
		}
	}
	return slices.ContainsFunc(t, func(d deed) bool { return d.isOf(values) })
}

// isOf reports whether a sentence tells of the act and of each thing that some values name.
func (d *deed) isOf(values []reading.Value) bool {
	act, thing := false, false
	for i := range values {
		v := &values[i]
		isAct := v.Entry != nil && !v.Entry.Families.Empty()
		particle := v.Entry != nil && v.Entry.Class.Has(lexicon.Particle) // "off", and not "on"
		switch {
		case v.Has(reading.Derived | reading.Merged), v.Kind == reading.Word && !v.IsContent() && !particle:
		case d.keys[v.Key]:
			act, thing = act || isAct, thing || !isAct
		case isAct && v.Entry.Families.Overlaps(d.acts):
			act = true
		default:
			return false
		}
	}
	return act && thing
}
