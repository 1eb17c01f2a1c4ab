package reading

// TellsWhen reports whether the word at a byte only says that something was before, or up
// to now: "earlier", "so far".
func (t *Text) TellsWhen(start int) bool {
	for i := range t.Tokens {
		if int(t.Tokens[i].Start) == start {
			return t.Roles[i]&(RoleEarlier|RoleNow) != 0 || t.Says(i, "far") && t.Says(i-1, "so")
		}
	}
	return false
}
