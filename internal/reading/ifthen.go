package reading

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
