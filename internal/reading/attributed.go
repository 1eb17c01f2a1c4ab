package reading

// Attributed reports whether a sentence tells what somebody else says: "it reports that
// the door is locked", "according to the gardener".
func (t *Text) Attributed(s *Sentence) bool {
	for i := s.From; i < s.To; i++ {
		other := i > s.From && t.Roles[i-1]&(RoleUs|RoleYou|RoleTo) == 0
		reports := t.Roles[i]&RoleReport != 0 || t.Says(i, "reports") || t.Says(i, "reported")
		if t.Says(i, "according") || other && reports {
			return true
		}
	}
	return false
}
