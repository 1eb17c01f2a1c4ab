package reading

// ToldAsFound reports whether a text tells something as it was found, and not as done by
// the one who speaks: it says "already" or "still", would rather leave it, or tells in the
// past what somebody did.
func ToldAsFound(text string) bool {
	read := English().Borrow(text)
	defer read.Return()
	past := false
	for i := range read.Clauses {
		clause := &read.Clauses[i]
		done := clause.Shape == ActivePerfect || clause.Shape == ActivePast
		if clause.Actor == Us && done && !clause.Negated {
			return false
		}
		past = past || clause.Shape == PassivePast || done && clause.Actor == Other
	}
	return past || says(text, "already", "still", "rather", "leave", "late")
}
