package reading

// failing are the roles of words that tell of something that did not work.
const failing = RoleError | RoleTrouble | RoleFail

// Prevents: "I cannot …", "it is not possible", "our policy does not allow".
func (t *Text) Prevents(sentence int) bool {
	s := &t.Sentences[sentence]
	if s.Asking {
		return false
	}
	for i := s.First; i < s.Last; i++ {
		k := &t.Clauses[i]
		if k.Mood == Conditional || k.Mood == Future {
			continue
		}
		if t.LeavesUndone(k) {
			return true
		}
		denied := k.Negated && (k.Mood == Possible || k.Shape != Verbless)
		if denied || k.Roles&(RoleUnable|failing) != 0 && !t.Flawless(k) {
			return t.Concrete(s) || t.Explained(sentence)
		}
	}
	return false
}

// Unfinished reports whether a clause says that something is not done, cannot be
// done or did not work, or not yet.
func (c *Clause) Unfinished() bool {
	return c.Negated || c.Roles&(failing|RoleUnable|RoleWait) != 0 || c.Mood == Conditional
}
