package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// FunctionWord are the classes of words that say nothing by themselves.
const FunctionWord = lexicon.Negation | lexicon.Modal | lexicon.Auxiliary |
	lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson | lexicon.Possessive | lexicon.Pronoun |
	lexicon.Determiner | lexicon.Preposition | lexicon.Conjunction | lexicon.Question | lexicon.Condition |
	lexicon.Politeness | lexicon.Affirmation | lexicon.Greeting | lexicon.Interjection |
	lexicon.Sequence | lexicon.Hedge

// Explained reports whether the sentence after one that denies says why: "I'm sorry, I
// can't. Meals that were ordered by then are charged."
func (t *Text) Explained(sentence int) bool {
	if sentence+1 >= len(t.Sentences) {
		return false
	}
	why := &t.Sentences[sentence+1]
	const elsewhere = RoleTransient | RoleLet | RolePlease | RoleSorry
	return !why.Asking && why.Roles&elsewhere == 0 && !t.Announces(why) && t.Concrete(why)
}

// Concrete reports whether a sentence says what it is about: "I can't do that
// right now" does not.
func (t *Text) Concrete(s *Sentence) bool { return t.things(s) >= 2 }

// things is how many words of a sentence say what it is about.
func (t *Text) things(s *Sentence) (things int) {
	const vague = RoleNow | RoleAdverb | RoleUnable | RoleSorry | RoleTransient
	for i := s.From; i < s.To; i++ {
		token := &t.Tokens[i]
		content := token.IsWord() && token.Class()&FunctionWord == 0 && token.End-token.Start > 2
		if content && t.Roles[i]&vague == 0 {
			things++
		}
	}
	return things
}
