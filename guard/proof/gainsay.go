package proof

import (
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Gainsays reports whether the call that is taken to show a claim says otherwise: it could
// not be cited for it. The claim gives one sum, date or id that no call of the conversation
// holds, and the call gives another one; or the call was made with another sum or date,
// wherever else that of the claim may stand; or it was for another thing than the one that
// the user and the claim name.
func Gainsays(turn Case, claim string, call *tooltrack.Record) bool {
	c := newChecker(Report{}, turn)
	defer c.known.leave()
	if said, _ := c.otherSubject(claim, []*tooltrack.Record{call}); said != "" {
		return true
	}
	said, _ := c.known.contradicted(claim, []*tooltrack.Record{call})
	if said == "" && !c.known.madeWithAnother(claim, call) {
		return false
	}
	var all []*tooltrack.Record // of several the claim may be the sum
	for number := 1; number <= turn.List.Len(); number++ {
		all = append(all, turn.List.Record(number))
	}
	return !c.known.sums(claim, all)
}

// sums reports whether the only sum of money of a text may be that of several calls.
func (k *knowledge) sums(text string, calls []*tooltrack.Record) bool {
	sum := only(k.valuesOf(text), compared[0])
	return sum != nil && k.otherwiseHeld(text, sum, calls)
}

// madeWithAnother reports whether a claim gives one sum of money, or one date, and the call
// was made with another one.
func (k *knowledge) madeWithAnother(claim string, call *tooltrack.Record) bool {
	held := k.toldIn(textOf(call))
	for _, kind := range compared[:2] {
		value := only(k.valuesOf(claim), kind)
		if value == nil || value.Kind == reading.Number && !value.Has(reading.Money) || held[value.Key] ||
			minor(value, func(key uint64) bool { return held[key] }) {
			continue
		}
		if k.otherwiseHeld(claim, value, []*tooltrack.Record{call}) {
			continue
		}
		for key, text := range leaves(call.Args) {
			for _, v := range k.values(text) {
				if kind.is(&v, key) && !kind.ignores(&v) {
					return true
				}
			}
		}
	}
	return false
}
