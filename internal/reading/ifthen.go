package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// Condition is that on which an order depends, as a part of the text: "if the soil is dry" of
// "water it if the soil is dry", "unless it is reserved". What depends on the user ("if you
// can") or waits for a time is none, nor is what stands beside no order.
func (t *Text) Condition() (from, to int, found bool) {
	ordered := false
	for i := range t.Clauses {
		k := &t.Clauses[i]
		ordered = ordered || k.Mood == Ordered
		if k.Mood != Conditional || k.Actor == You || k.Verb < 0 || found {
			continue
		}
		for at := max(k.From-1, 0); at < k.Verb && !found; at++ {
			found = t.Says(at, "if") || t.Says(at, "unless") || t.Says(at, "provided") || t.Says(at, "case")
		}
		from, to = k.Start, k.End
		for at := k.Verb; at+1 < k.To; at++ { // "if it is dry, water it"
			if t.Tokens[at].Kind != lexicon.Comma {
				continue
			}
			if t.Says(at+1, "then") || t.Says(at+1, "please") {
				at++
			}
			if at+1 < k.To && t.Tokens[at+1].Form().Has(lexicon.Base) {
				ordered, to = true, min(to, int(t.Tokens[at].Start))
			}
		}
	}
	return from, to, found && ordered
}

// Stuck reports whether a text says that something cannot be done or did not work, or asks:
// what is left undone then was not left by choice.
func (t *Text) Stuck() bool {
	for i := range t.Clauses {
		k := &t.Clauses[i]
		if k.Mood == Asked || k.Mood == Possible && k.Negated || k.Roles&(RoleUnable|failing) != 0 && !t.Flawless(k) {
			return true
		}
	}
	return false
}

// Flawless: "it finished without errors", "with no problem at all": the words
// for what went wrong are there, and all of them are denied.
func (t *Text) Flawless(k *Clause) bool {
	const near = 3
	flawless := false
	for i := k.From; i < k.To; i++ {
		if t.Roles[i]&failing == 0 {
			continue
		}
		flawless = false
		for at := i - 1; at >= max(k.From, i-near) && !flawless; at-- {
			flawless = t.Says(at, "without") || t.Says(at, "no") || t.Says(at, "zero")
		}
		if !flawless {
			return false
		}
	}
	return flawless
}

// dependsOnWord: "One word from you and it is sent": what a word, a nod or a click is offered
// for is not done yet.
func (t *Text) dependsOnWord(from, limit int) bool {
	const long = 6
	limit = min(limit, from+2*long)
	for from < limit && (!t.Tokens[from].IsWord() || t.Says(from, "just") || t.Says(from, "only")) {
		from++
	}
	if !t.Says(from, "a") && !t.Says(from, "an") && !t.Says(from, "one") {
		return false
	}
	for i := from + 2; i+1 < min(limit, from+long); i++ {
		sign := t.releases(i-2) || t.Says(i-2, "word") || t.Says(i-2, "nod") || t.Says(i-2, "click") || t.Says(i-2, "signal")
		if sign && t.Says(i-1, "from") && t.Says(i, "you") {
			return t.Roles[i+1]&RoleAnd != 0 || !t.Tokens[i+1].IsWord() && i+2 < limit && t.Roles[i+2]&RoleAnd != 0
		}
	}
	return false
}

// Refuses reports whether a clause says that we cannot, or will not, or did not.
func (t *Text) Refuses() bool {
	for i := range t.Clauses {
		if k := &t.Clauses[i]; k.Actor == Us && (k.Negated || k.Roles&RoleUnable != 0) {
			return true
		}
	}
	return false
}
