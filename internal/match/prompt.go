package match

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// Prompts are texts that stand for themselves: what the host has told the model needs no look-up.
type Prompts []string

// Coverage is what prompts know of what an answer tells.
type Coverage uint8

const (
	// NotCovered is an answer that says something else, or nothing that could be looked up.
	NotCovered Coverage = iota
	// Mentioned is one of which each value stands in the prompts, Covered where each stands after the name that the
	// answer gives it to.
	Mentioned
	Covered
)

// IsState reports whether a text only tells how things are: "Emma is due on Friday", and neither "Emma is renewed"
// nor "I renewed it".
func IsState(text string) bool {
	read := reading.English().ReadClauses(nil, text)
	return !slices.ContainsFunc(read.Clauses, func(c reading.Clause) bool {
		state := c.Shape == reading.Copula || c.Shape == reading.Present || c.Shape == reading.Verbless
		return !state || c.Actor == reading.Us
	})
}

// Cover holds what an answer says against the prompts: its dates, figures and ids, and the names that no word list
// has. The user's own words are no news. One name, or a small figure, stands in many prompts by chance and proves
// nothing; a list of names is mentioned at most, and only if all its words are known.
func (p Prompts) Cover(answer, user string) Coverage {
	if len(p) == 0 {
		return NotCovered
	}
	said, values := contentKeys(user), Content(answer)
	answered, all, after := keys{}, keys{}, keys{}
	answered.add(values)
	news := slices.DeleteFunc(values, func(v reading.Value) bool {
		return v.Has(reading.Worded) || v.Kind == reading.Word && v.Entry != nil || said[v.Key]
	})
	isName := func(v reading.Value) bool { return v.Kind == reading.Word && v.Has(reading.Capital) }
	telling := slices.ContainsFunc(news, isTelltale)
	if !telling && len(slices.DeleteFunc(slices.Clone(news), func(v reading.Value) bool { return !isName(v) })) < 2 {
		return NotCovered
	}
	for _, prompt := range p {
		named := false
		for _, v := range reading.English().Values(nil, prompt) {
			if all[v.Key] = true; v.Kind == reading.ID || v.Has(reading.Capital) {
				named = answered[v.Key]
			}
			after[v.Key] = after[v.Key] || named
		}
	}
	found := Covered
	for _, v := range news {
		switch {
		case v.Kind == reading.Word && !isName(v) && telling: // it may be any word
		case !all[v.Key]:
			return NotCovered
		case !telling, v.Kind != reading.Word && !after[v.Key]:
			found = Mentioned
		}
	}
	return found
}

// isTelltale reports whether a value hardly stands in two texts by chance. Figures up to a dozen count things and
// steps of instructions.
func isTelltale(v reading.Value) bool {
	const dozen = 12
	switch v.Kind {
	case reading.Date, reading.Clock, reading.ID:
		return true
	case reading.Number:
		return v.Number > dozen || v.Has(reading.Money|reading.Percent)
	}
	return false
}
