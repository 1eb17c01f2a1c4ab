package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// Acknowledges reports whether a text only says that something was heard or agreed to:
// "Okay, noted.", "I understand." It tells of nothing that was done, and its words name
// nothing.
func Acknowledges(text string) bool {
	const (
		aside = lexicon.Affirmation | lexicon.Politeness | lexicon.Greeting | lexicon.Interjection | lexicon.Pronoun
		heard = RoleTalk | RoleUs | RoleYou | RoleThink | RoleAdverb
		done  = RoleDone | RoleTick | RolePass | RoleWill | RoleNegative
	)
	read := English().Borrow(text)
	defer read.Return()
	said := false
	for i := range read.Tokens {
		token, role := &read.Tokens[i], read.Roles[i]
		if token.Kind > lexicon.Name {
			continue
		}
		if role&done != 0 || role&heard == 0 && !token.Class().Has(aside) {
			return false
		}
		said = said || role&RoleTalk != 0 || token.Class().Has(lexicon.Affirmation)
	}
	return said
}

// LetsBe reports whether each clause of a text that has a verb says that we leave something
// as it is: "Okay, I am leaving it as it is." Where nothing was changed, that is so.
func LetsBe(text string) bool {
	read := English().Borrow(text)
	defer read.Return()
	lets := false
	for i := range read.Clauses {
		if c := &read.Clauses[i]; c.Verb >= 0 && !read.Says(c.From, "as") { // "as it is"
			if !read.LeavesAlone(c) || c.Negated {
				return false
			}
			lets = true
		}
	}
	return lets
}

// Supposes reports whether each clause of a text that has a verb only tells what may be:
// "Yes, in theory I could."
func Supposes(text string) bool {
	read := English().Borrow(text)
	defer read.Return()
	supposes := false
	for i := range read.Clauses {
		if c := &read.Clauses[i]; c.Verb >= 0 {
			if c.Mood != Possible {
				return false
			}
			supposes = true
		}
	}
	return supposes
}
