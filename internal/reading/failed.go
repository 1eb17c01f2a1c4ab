package reading

import "slices"

// TellsFailed reports whether a clause tells of something that was tried, or was to be
// done, and did not work: "the refund failed", "it was rejected", "I could not book it",
// "it didn't go through", "I was unable to". What cannot be done, what fails now and then and
// what may fail are something else. It says by which word, -1 where the clause only denies.
func (t *Text) TellsFailed(c *Clause) (by int, tells bool) {
	by = -1
	for i := c.From; i < c.To && by < 0; i++ {
		if t.Roles[i]&(RoleFail|RoleError|RoleUnable) == 0 {
			continue
		}
		without := t.Says(i-1, "without") || t.Says(i-2, "without") || t.Says(i-1, "no")
		if !without && (!t.Says(i, "timed") || t.Says(i+1, "out")) {
			by = i
		}
	}
	switch c.Mood {
	case Possible:
		return by, c.Negated && t.has(c.From, c.To, []string{"could", "couldn't"})
	case Stated, Presupposed:
		switch c.Shape {
		case Fragment, ActivePast, ActivePerfect, PassivePast, PassivePerfect, CopulaPast:
			return by, c.Negated != (by >= 0) // what did not fail, worked
		}
	}
	return by, false
}

// Denies reports whether a clause says that something was not done, or cannot be. What is
// asked, wished or only possible denies nothing.
func (t *Text) Denies(c *Clause) bool {
	const unable = RoleUnable | RoleFail
	switch c.Mood {
	case Stated, Presupposed:
		return c.Actor != You && (c.Negated || c.Roles&unable != 0)
	case Possible:
		return c.Actor != You && c.Negated
	}
	return false
}

// has reports whether one of the words stands between two tokens.
func (t *Text) has(from, to int, words []string) bool {
	for i := from; i < to; i++ {
		if slices.ContainsFunc(words, func(word string) bool { return t.Says(i, word) }) {
			return true
		}
	}
	return false
}
