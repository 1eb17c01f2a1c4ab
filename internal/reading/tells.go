package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Shapes is a set of shapes: what a clause tells is asked by them.
type Shapes uint16

const (
	// Deeds tell what somebody did: "I've moved it", "Bob moved it".
	Deeds Shapes = 1<<ActivePerfect | 1<<ActivePast
	// Passives tell what was done: "it has been moved", "it is moved".
	Passives Shapes = 1<<PassivePerfect | 1<<PassivePast | 1<<PassivePresent
	// Over are those of acts that are over, whoever did them.
	Over Shapes = Deeds | 1<<PassivePerfect | 1<<PassivePast
	// ongoing are those of what is so now, or is to be done.
	ongoing Shapes = 1<<PassivePresent | 1<<Copula | 1<<Present | 1<<Progressive | 1<<Bare
)

// In reports whether the shape is one of a set.
func (s Shape) In(set Shapes) bool { return set>>s&1 != 0 }

// some reports whether a clause of the text fits.
func (t *Text) some(fits func(c *Clause) bool) bool {
	for i := range t.Clauses {
		if fits(&t.Clauses[i]) {
			return true
		}
	}
	return false
}

// all reports whether the text has clauses with a verb, and all of them fit.
func (t *Text) all(fits func(c *Clause) bool) bool {
	return t.some(func(c *Clause) bool { return c.Verb >= 0 }) &&
		!t.some(func(c *Clause) bool { return c.Verb >= 0 && !fits(c) })
}

// sole is the only clause of the text that has a verb; nil if there are none or several.
func (t *Text) sole() (sole *Clause) {
	for i := range t.Clauses {
		if t.Clauses[i].Verb >= 0 {
			if sole != nil {
				return nil
			}
			sole = &t.Clauses[i]
		}
	}
	return sole
}

// saysAny reports whether a token is one of some words, in any letter case.
func (t *Text) saysAny(i int, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return t.Says(i, word) })
}

// has reports whether one of some words stands between two tokens.
func (t *Text) has(from, to int, words ...string) bool {
	for i := from; i < to; i++ {
		if t.saysAny(i, words...) {
			return true
		}
	}
	return false
}

// Acknowledges reports whether a text only says that something was heard or agreed to: "Okay, noted.", "I
// understand." It tells of nothing that was done, and its words name nothing.
func Acknowledges(text string) bool {
	const (
		aside = lexicon.Affirmation | lexicon.Politeness | lexicon.Greeting | lexicon.Interjection | lexicon.Pronoun
		heard = RoleTalk | RoleUs | RoleYou | RoleThink | RoleAdverb
		done  = RoleDone | RoleTick | RolePass | RoleWill | RoleNegative
	)
	read, said := English().Borrow(text), false
	defer read.Return()
	for i, role := range read.Roles {
		token := &read.Tokens[i]
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
	t := English().Borrow(text)
	defer t.Return()
	leaves := func(c *Clause) bool { return t.LeavesAlone(c) && !c.Negated && !t.Says(c.From, "as") }
	return t.some(leaves) && t.all(func(c *Clause) bool { return leaves(c) || t.Says(c.From, "as") }) // "as it is"
}

// Supposes reports whether each clause of a text that has a verb only tells what may be: "Yes, in theory I could."
func Supposes(text string) bool {
	t := English().Borrow(text)
	defer t.Return()
	return t.all(func(c *Clause) bool { return c.Mood == Possible })
}

// ToldAsFound reports whether a text tells something as it was found, and not as done by the one who speaks: it
// says "already" or "still", would rather leave it, or tells in the past what somebody did.
func ToldAsFound(text string) bool {
	t := English().Borrow(text)
	defer t.Return()
	ours := func(c *Clause) bool { return c.Shape.In(Deeds) && c.Actor == Us && !c.Negated }
	past := func(c *Clause) bool { return c.Shape == PassivePast || c.Shape.In(Deeds) && c.Actor == Other }
	return !t.some(ours) && (t.some(past) || says(text, "already", "still", "rather", "leave", "late"))
}

// TellsOwnDeed reports whether a text tells what the one who speaks has done: "I looked it
// up". "I read the code" may be what is done each time.
func TellsOwnDeed(text string) bool {
	t := English().Borrow(text)
	defer t.Return()
	return t.some(func(c *Clause) bool {
		past := c.Shape == ActivePerfect || c.Shape == ActivePast && !t.Tokens[c.Verb].Form().Has(lexicon.Base)
		return past && c.Actor == Us && c.Mood == Stated
	})
}

// TellsDone reports whether a clause of a text tells, in whatever voice, that something
// was done, Refrains whether one says that something was left alone, or not done.
func (t *Text) TellsDone() bool {
	return t.some(func(c *Clause) bool { return c.Shape.In(Over) && !c.Negated && !t.LeavesAlone(c) })
}

func (t *Text) Refrains() bool { return t.some(t.LeavesUndone) }

// LeavesUndone: "nothing has been reserved", "so I left it as it is".
func (t *Text) LeavesUndone(c *Clause) bool {
	return c.Shape.In(Over) && (t.LeavesAlone(c) || c.Negated && c.Actor != You && c.Shape != ActivePast)
}

// LeavesAlone: "I left it as it is", but not "I left a note".
func (t *Text) LeavesAlone(c *Clause) bool {
	return c.Actor == Us && c.Verb >= 0 && t.Roles[c.Verb]&RoleRefrain != 0 && !t.saysAny(c.Verb+1, "a", "an")
}

// dropping are verbs of not going on.
var dropping = lexicon.FamiliesOf(lexicon.Stop, lexicon.Drop)

// Drops reports whether a text says no more than that the one who speaks has stopped or dropped something, without
// a name of it: "Okay, I've dropped it". It tells what the verb means, too.
func (t *Text) Drops() (act lexicon.Families, dropped bool) {
	c := t.sole()
	if c == nil {
		return act, false
	}
	act = t.Tokens[c.Verb].Families()
	return act, c.Shape.In(Deeds) && c.Actor == Us && !c.Negated && act.Overlaps(dropping) &&
		!slices.ContainsFunc(t.Tokens[c.Verb+1:c.To], func(token lexicon.Token) bool {
			return token.IsWord() && !token.Class().Has(lexicon.Pronoun|lexicon.ThirdPerson)
		})
}

// NothingDone reports whether a text says no more than that nothing was done or changed.
func (t *Text) NothingDone() bool {
	c := t.sole()
	if c == nil || !c.Shape.In(1<<PassivePast|1<<PassivePerfect|1<<CopulaPast) {
		return false
	}
	acted := t.Roles[c.Verb]&(RoleDone|RoleWas|RoleBeen) != 0 || t.Tokens[c.Verb].Families().Has(lexicon.Update)
	wrong := false // "nothing was done wrong"
	for i := c.Verb + 1; i < c.To; i++ {
		wrong = wrong || t.Tokens[i].IsWord() && t.Roles[i]&(RoleDone|RoleNow|RoleAdverb|RoleEarlier) == 0
	}
	return acted && !wrong && t.Says(t.FirstWord(&t.Sentences[c.Sentence]), "nothing")
}

// TellsFailed reports whether a clause tells of something that was tried, or was to be
// done, and did not work: "the refund failed", "it was rejected", "I could not book it",
// "it didn't go through", "I was unable to". What cannot be done, what fails now and then and
// what may fail are something else. It says by which word, -1 where the clause only denies.
func (t *Text) TellsFailed(c *Clause) (by int, tells bool) {
	by = -1
	for i := c.From; i < c.To && by < 0; i++ {
		free := t.Says(i-1, "without") || t.Says(i-2, "without") || t.Says(i-1, "no")
		fails := t.Roles[i]&(RoleFail|RoleError|RoleUnable) != 0 && !free
		if fails && (!t.Says(i, "timed") || t.Says(i+1, "out")) {
			by = i
		}
	}
	switch c.Mood {
	case Possible:
		return by, c.Negated && t.has(c.From, c.To, "could", "couldn't")
	case Stated, Presupposed:
		return by, c.Shape.In(Over|1<<Fragment|1<<CopulaPast) && c.Negated != (by >= 0) // what did not fail, worked
	}
	return by, false
}

// failing are the roles of words that tell of something that did not work.
const failing = RoleError | RoleTrouble | RoleFail

// Unfinished reports whether a clause says that something is not done, cannot be done or did not work, or not yet.
func (c *Clause) Unfinished() bool {
	return c.Negated || c.Roles&(failing|RoleUnable|RoleWait) != 0 || c.Mood == Conditional
}

// Flawless: "it finished without errors", "with no problem at all": the words
// for what went wrong are there, and all of them are denied.
func (t *Text) Flawless(c *Clause) bool {
	const near = 3
	flawless := false
	for i := c.From; i < c.To; i++ {
		if t.Roles[i]&failing != 0 {
			if flawless = t.has(max(c.From, i-near), i, "without", "no", "zero"); !flawless {
				return false
			}
		}
	}
	return flawless
}

// Prevents: "I cannot …", "it is not possible", "our policy does not allow".
func (t *Text) Prevents(sentence int) bool {
	s := &t.Sentences[sentence]
	if s.Asking {
		return false
	}
	for i := s.First; i < s.Last; i++ {
		c := &t.Clauses[i]
		if c.Mood == Conditional || c.Mood == Future {
			continue
		}
		if t.LeavesUndone(c) {
			return true
		}
		denied := c.Negated && (c.Mood == Possible || c.Shape != Verbless)
		if denied || c.Roles&(RoleUnable|failing) != 0 && !t.Flawless(c) {
			return t.concrete(s) || t.explained(sentence)
		}
	}
	return false
}

// explained reports whether the sentence after one that denies says why: "I'm sorry, I
// can't. Meals that were ordered by then are charged."
func (t *Text) explained(sentence int) bool {
	if sentence+1 >= len(t.Sentences) {
		return false
	}
	why := &t.Sentences[sentence+1]
	const elsewhere = RoleTransient | RoleLet | RolePlease | RoleSorry
	return !why.Asking && why.Roles&elsewhere == 0 && !t.Announces(why) && t.concrete(why)
}

// concrete reports whether a sentence says by two words at least what it is about: "I can't do
// that right now" does not.
func (t *Text) concrete(s *Sentence) bool {
	const vague = RoleNow | RoleAdverb | RoleUnable | RoleSorry | RoleTransient
	things := 0
	for i := s.From; i < s.To; i++ {
		token := &t.Tokens[i]
		if token.IsWord() && token.Class()&FunctionWord == 0 && token.End-token.Start > 2 && t.Roles[i]&vague == 0 {
			things++
		}
	}
	return things >= 2
}

// FunctionWord are the classes of words that say nothing by themselves.
const FunctionWord = lexicon.Negation | lexicon.Modal | lexicon.Auxiliary |
	lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson | lexicon.Possessive | lexicon.Pronoun |
	lexicon.Determiner | lexicon.Preposition | lexicon.Conjunction | lexicon.Question | lexicon.Condition |
	lexicon.Politeness | lexicon.Affirmation | lexicon.Greeting | lexicon.Interjection |
	lexicon.Sequence | lexicon.Hedge

// Attributed reports whether a sentence tells what somebody else says: "it reports that
// the door is locked", "according to the gardener".
func (t *Text) Attributed(s *Sentence) bool {
	for i := s.From; i < s.To; i++ {
		other := i > s.From && t.Roles[i-1]&(RoleUs|RoleYou|RoleTo) == 0
		if t.Says(i, "according") || other && (t.Roles[i]&RoleReport != 0 || t.saysAny(i, "reports", "reported")) {
			return true
		}
	}
	return false
}

// Quotes reports whether a clause has words in quotation marks: a label, or what somebody else says.
func (t *Text) Quotes(c *Clause) bool {
	return slices.ContainsFunc(t.Tokens[c.From:c.To], func(token lexicon.Token) bool { return token.Has(lexicon.Quoted) })
}

// SpeaksOfWords reports whether a clause is about words and not about what they say: "the
// word 'deleted' has seven letters".
func (t *Text) SpeaksOfWords(c *Clause) bool {
	for i := c.From + 2; i < c.To; i++ { // after the word and the mark
		if t.Tokens[i].Has(lexicon.Quoted) && t.saysAny(i-2, "word", "phrase", "term") {
			return true
		}
	}
	return false
}

// TellsWhen reports whether the word at a byte only says that something was before, or up
// to now: "earlier", "so far".
func (t *Text) TellsWhen(start int) bool {
	i := slices.IndexFunc(t.Tokens, func(token lexicon.Token) bool { return int(token.Start) == start })
	return i >= 0 && (t.Roles[i]&(RoleEarlier|RoleNow) != 0 || t.Says(i, "far") && t.Says(i-1, "so"))
}

// NamesRelease reports whether a text speaks of something that somebody has to do first.
func (t *Text) NamesRelease() bool {
	for i := range t.Tokens {
		if t.traitAt(i)&(traitRelease|traitNeed|traitMust) != 0 {
			return true
		}
	}
	return false
}

// LeavesChoice reports whether a message gives several ways of which one is enough: "or", "if not", "otherwise".
func (t *Text) LeavesChoice() bool {
	return t.has(0, len(t.Tokens), "or", "otherwise", "else") || sumOf(t.Roles)&RoleCondition != 0
}

// SaysAll reports whether a clause speaks of more than one thing or act without a
// number: "both", "every one", "twice".
func (t *Text) SaysAll(c *Clause) bool {
	return c.Roles&RoleAll != 0 || c.Actor == Us && t.has(c.From, c.To, "twice")
}

// Redirects reports whether a clause tells of an id that another one was changed to: "NW101 was changed to NW105".
func (t *Text) Redirects(c *Clause) bool {
	return slices.ContainsFunc(t.Values[c.FirstValue:c.LastValue], func(v Value) bool {
		return v.Kind == ID && strings.EqualFold(t.Source[max(0, v.start-4):v.start], " to ")
	})
}

// Pairs reports whether what stands between two places joins what is around it: "and", a
// comma, and an article at most.
func (t *Text) Pairs(from, to int) bool {
	joins := false
	for word := range strings.FieldsSeq(strings.ReplaceAll(t.Source[from:max(from, to)], ",", " and ")) {
		switch role := t.reader.rolesOf(word); {
		case role&RoleAnd != 0 && word != "or":
			joins = true
		case word == "the" || word == "your" || word == "a" || role&RoleOther != 0:
		default:
			return false
		}
	}
	return joins
}
