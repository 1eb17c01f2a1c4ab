package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// LookFamilies are the acts that change nothing.
var LookFamilies = lexicon.FamiliesOf(
	lexicon.Read, lexicon.Search, lexicon.Verify, lexicon.Analyze, lexicon.Compare, lexicon.Review, lexicon.Count,
	lexicon.Calculate, lexicon.Track, lexicon.Predict, lexicon.Explain, lexicon.Recommend, lexicon.Answer,
	lexicon.Summarize,
)

var finding = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Verify)

// FirstWord is the first token of a sentence that is a word; its end if none is.
func (t *Text) FirstWord(s *Sentence) int {
	first := s.From
	for first < s.To && !t.Tokens[first].IsWord() {
		first++
	}
	return first
}

// Says reports whether a token is this word, in any letter case.
func (t *Text) Says(i int, word string) bool {
	if i < 0 || i >= len(t.Tokens) {
		return false
	}
	said := t.Word(i)
	if t.Tokens[i].Has(lexicon.Plain) && (len(said) != len(word) || (said[0]^word[0])&^0x20 != 0) {
		return false // most words are another one by their first letter
	}
	return strings.EqualFold(said, word)
}

// Announces: "I will now check", "Let me look", "Please hold on", "Deleting it
// now…".
func (t *Text) Announces(s *Sentence) bool {
	if t.BidsWait(s) {
		return true
	}
	const talk = RoleTalk | RoleBe | RoleHave | RoleWant | RoleRefrain | RoleHold // "I'll leave it", "I'll wait"
	for i := s.First; i < s.Last; i++ {
		k := &t.Clauses[i]
		going := k.Mood == Future || k.Shape == Progressive && k.Mood == Stated
		ours := k.Actor == Us || k.Actor == Unnamed && k.Group == t.FirstWord(s) // "Will do it"
		if going && !k.Negated && ours && k.Verb >= 0 && t.Roles[k.Verb]&talk == 0 && !t.fares(k) {
			return true
		}
	}
	return t.LetsMe(s) || t.isUnderWay(s)
}

// fares: "I'm doing great", "I'm working hard as always": it tells how it goes, and of
// nothing that is worked on. "I'm working on it" and "I'm doing it" do.
func (t *Text) fares(k *Clause) bool {
	families := t.Tokens[k.Verb].Families()
	aspires := t.Says(k.Verb+1, "forward")
	general := families.Empty() || t.Roles[k.Verb]&RoleDo != 0 || t.Says(k.Verb, "working")
	if k.Shape != Progressive || !aspires && !general {
		return false
	}
	const thing = lexicon.Determiner | lexicon.Pronoun | lexicon.Preposition
	for i := k.Verb + 1; i < k.To && !aspires && t.Tokens[i].Kind != lexicon.Comma; i++ {
		token := &t.Tokens[i]
		manner := t.Says(i, "as") || t.Says(i, "at")
		if token.IsWord() && !manner && (token.Class().Has(thing) || t.Roles[i]&(RoleNow|RoleOther) != 0) ||
			token.Kind == lexicon.Number {
			return false
		}
	}
	return true
}

// BidsWait: "One moment, please", "Give me a second, I'll look", "Please wait": not
// "none at the moment" or "a second one".
func (t *Text) BidsWait(s *Sentence) bool {
	const goesOn = RoleTo | RolePlease | RoleAnd
	from := t.FirstWord(s)
	for i := s.From; i < s.To && s.Roles&RoleHold != 0 && !s.Asking; i++ {
		if t.Roles[i]&RoleHold == 0 {
			continue
		}
		ends := i+1 >= s.To || !t.Tokens[i+1].IsWord() || t.Roles[i+1]&goesOn != 0
		leads := i > from && i-from <= 4 || i-2 > s.From && t.Tokens[i-2].Kind == lexicon.Comma
		verb := i >= from && i-from <= 1 && t.Tokens[i].Form().Has(lexicon.Base) // "Hold on", "Please wait"
		if (t.Says(i-1, "a") || t.Says(i-1, "one")) && ends && leads && !t.prepositional(s, i) ||
			verb && (t.Says(i+1, "on") || s.Roles&RolePlease != 0) {
			return true
		}
	}
	return false
}

// prepositional: "at the moment", "for a second".
func (t *Text) prepositional(s *Sentence, i int) bool {
	return i-s.From >= 2 && t.Tokens[i-2].Class().Has(lexicon.Preposition)
}

// looks reports whether a word is a verb of looking.
func (t *Text) looks(i int) bool {
	return t.Tokens[i].Families().Overlaps(finding)
}

// LetsMe: "Let me look", but not "Let me explain", "Let me know" or "it won't let me in".
func (t *Text) LetsMe(s *Sentence) bool {
	for i := s.From; i+2 < s.To; i++ {
		if t.Roles[i]&RoleLet != 0 && t.Says(i+1, "me") && !t.Says(i+2, "know") {
			denied := i > s.From && t.Roles[i-1]&RoleNegative != 0
			return !denied && (t.Roles[i+2]&RoleTalk == 0 || t.looks(i+2))
		}
	}
	return false
}

// isUnderWay: "Deleting it now…".
func (t *Text) isUnderWay(s *Sentence) bool {
	first := s.From
	for first < s.To && (!t.Tokens[first].IsWord() || t.Roles[first]&(RoleNow|RoleAdverb) != 0) {
		first++
	}
	if first >= s.To || s.Last-s.First > 1 || s.Words > 8 || s.Roles&RoleDone != 0 {
		return false
	}
	token := &t.Tokens[first]
	act := token.Form().Has(lexicon.Gerund) && !token.Families().Empty()
	return act && t.Clauses[s.First].Shape == Verbless
}

// LeavesUndone: "nothing has been reserved", "so I left it as it is".
func (t *Text) LeavesUndone(c *Clause) bool {
	switch c.Shape {
	case ActivePerfect, PassivePerfect, PassivePast, ActivePast:
		return t.LeavesAlone(c) || c.Negated && c.Actor != You && c.Shape != ActivePast
	}
	return false
}

// LeavesAlone: "I left it as it is", but not "I left a note".
func (t *Text) LeavesAlone(c *Clause) bool {
	if c.Actor != Us || c.Verb < 0 || t.Roles[c.Verb]&RoleRefrain == 0 {
		return false
	}
	return !t.Says(c.Verb+1, "a") && !t.Says(c.Verb+1, "an")
}
