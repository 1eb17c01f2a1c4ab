package match

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
)

// Kind is what a claim says.
type Kind uint8

const (
	// Other says nothing that a record could show: a question, an offer, a plan, advice.
	Other Kind = iota
	// Did says that something was changed, Looked that something was looked up by us.
	Did
	Looked
	// Found says how things are.
	Found
	// Failed says that something did not work, Denied that something was not done.
	Failed
	Denied
	// Unread is a sentence in a language without a word list.
	Unread
)

var kindNames = [...]string{"other", "did", "looked", "found", "failed", "denied", "unread"}

// String is the name that traces use.
func (k Kind) String() string { return kindNames[k] }

// Claim is one thing that a sentence says. Its positions are those of the sentence, which
// it carries with it.
type Claim struct {
	Kind Kind
	text *reading.Text
	// clause is what says it; nil for an unread sentence.
	clause *reading.Clause
	values []reading.Value
	// acts are what its verb means, and verb is the key of that verb; 0 if it has none.
	acts lexicon.Families
	verb uint64
	at   int // the token of that verb; -1 if it has none
}

// Text is the piece of the sentence that makes the claim.
func (c *Claim) Text() string {
	if c.clause == nil {
		return c.text.Source
	}
	return c.text.Of(c.clause)
}

// Span is a piece of a text that knows which text it is a piece of: a position means
// nothing in another one.
type Span struct {
	of         *string
	start, end int
}

// String is the piece.
func (s Span) String() string {
	if s.of == nil {
		return ""
	}
	return (*s.of)[s.start:s.end]
}

// span is where a value stands.
func (c *Claim) span(v *reading.Value) Span {
	return Span{&c.text.Source, v.Start(), v.End()}
}

// Read reads the claims of a sentence.
func Read(sentence string) []Claim {
	text := reading.English().Read(nil, sentence)
	if text.Foreign() {
		return []Claim{{Kind: Unread, text: text, values: text.Values}}
	}
	claims := make([]Claim, 0, len(text.Clauses))
	for i := range text.Clauses {
		clause := &text.Clauses[i]
		claim := Claim{text: text, clause: clause, values: text.Values[clause.FirstValue:clause.LastValue]}
		claim.readVerb()
		claim.Kind = claim.kind()
		claims = append(claims, claim)
	}
	return claims
}

// readVerb finds what the verb of the clause means.
func (c *Claim) readVerb() {
	clause := c.clause
	at := clause.Verb
	c.at = -1
	if clause.Shape == reading.Copula || clause.Shape == reading.CopulaPast || clause.Shape == reading.Verbless {
		at = c.participle()
	}
	if at < 0 {
		if clause.Shape == reading.Verbless && clause.Roles&reading.RoleDone != 0 {
			c.nounOfAct()
		}
		return
	}
	token := &c.text.Tokens[at]
	if token.Class().Has(lexicon.Auxiliary) {
		return
	}
	c.at = at
	c.verb = reading.English().StemKey(c.text.Word(at))
	c.acts = token.Families()
	if told := telling(c.text, at); !told.Empty() {
		c.acts = told
	}
}

// nounOfAct takes the act of a clause without a verb from its noun: "Deletion complete".
func (c *Claim) nounOfAct() {
	for i := range c.values {
		v := &c.values[i]
		if v.Kind == reading.Word && v.Entry != nil && !v.Entry.Families.Empty() && v.IsContent() {
			c.acts, c.verb = v.Entry.Families, v.Key
			return
		}
	}
}

// telling are the acts of verbs that tell somebody something. In an order ("tell me the
// time") they ask for an answer; as done, they reached somebody.
func telling(text *reading.Text, verb int) lexicon.Families {
	entry := text.Tokens[verb].Entry
	if entry == nil {
		return lexicon.Families{}
	}
	switch entry.Lemma {
	case "tell", "inform", "notify", "alert", "let":
		return lexicon.FamiliesOf(lexicon.Send, lexicon.Contact, lexicon.Remind, lexicon.Report)
	case "remind", "ping":
		return lexicon.FamiliesOf(lexicon.Remind, lexicon.Send, lexicon.Contact)
	case "ask", "request":
		return lexicon.FamiliesOf(lexicon.Send, lexicon.Contact, lexicon.Order, lexicon.Assign, lexicon.Apply)
	}
	return lexicon.Families{}
}

// participle is the participle of a clause without a verb of its own: "all arranged".
func (c *Claim) participle() int {
	for i := c.clause.From; i < c.clause.To; i++ {
		token := &c.text.Tokens[i]
		if token.Form().Has(lexicon.Participle) && !token.Families().Empty() && !token.Form().Has(lexicon.Base) {
			return i
		}
	}
	return -1
}

// troubled are the roles of words by which a clause tells that something does not work.
const troubled = reading.RoleFail | reading.RoleError | reading.RoleUnable | reading.RoleTrouble

// kind is what the clause says.
func (c *Claim) kind() Kind {
	clause := c.clause
	sentence := &c.text.Sentences[clause.Sentence]
	if sentence.Asking || sentence.Quoted || sentence.Place == reading.Heading || c.introduces() {
		return Other
	}
	switch clause.Mood {
	case reading.Asked, reading.Conditional, reading.Ordered, reading.Future:
		return Other
	case reading.Possible:
		if clause.Negated || clause.Roles&reading.RoleUnable != 0 {
			return Failed
		}
		return Other
	}
	told := c.statedKind()
	trouble := c.isTroubled()
	switch {
	case told == Did && clause.Negated && trouble:
		return Failed
	case (told == Did || told == Looked) && (clause.Negated || c.hasVerbRole(reading.RoleRefrain)):
		return Denied
	case told == Did && !c.acts.Empty() && clause.Shape != reading.PassivePast:
		return Did // "declined the meeting" is an act
	case trouble && !clause.Negated && told != Looked:
		return Failed
	}
	return told
}

// hasVerbRole reports whether the verb plays one of the roles.
func (c *Claim) hasVerbRole(roles reading.Role) bool {
	return c.clause.Verb >= 0 && c.text.Roles[c.clause.Verb]&roles != 0
}

// introduces reports whether a sentence only leads to what follows it: "Here is a plan:",
// "*Added*".
func (c *Claim) introduces() bool {
	text := strings.TrimSpace(c.text.Source)
	if strings.HasSuffix(strings.TrimRight(text, "*_ "), ":") {
		return true
	}
	marked := strings.HasPrefix(text, "*") && strings.HasSuffix(text, "*") || strings.HasPrefix(text, "#")
	return marked && len(strings.Fields(text)) <= 3
}

// isTroubled reports whether a clause says by its verb, or after it, that something does not
// work. "Errors are logged" and "late check-out is set" tell of something else.
func (c *Claim) isTroubled() bool {
	from := max(c.clause.Verb, c.clause.From)
	for i := from; i < c.clause.To; i++ {
		if c.text.Roles[i]&troubled != 0 {
			return true
		}
		if i > from+2 || c.clause.Verb < 0 {
			break
		}
	}
	return false
}

// statedKind is what a clause says, whether it denies it or not.
func (c *Claim) statedKind() Kind {
	clause := c.clause
	switch clause.Shape {
	case reading.ActivePerfect, reading.ActivePast:
		switch clause.Actor {
		case reading.Us:
			return c.deed()
		case reading.You:
			return Other
		case reading.Unnamed:
			if clause.From > 0 { // goes on with the actor of the clause before it
				return c.deed()
			}
		}
		return Found
	case reading.PassivePerfect, reading.PassivePast, reading.PassivePresent, reading.Fragment:
		if clause.Roles&reading.RoleDone != 0 && c.isBare() {
			return Did
		}
		if clause.Actor == reading.Other || clause.Actor == reading.You || c.verb == 0 || c.isGeneric() {
			return Found
		}
		return c.deed()
	case reading.Progressive, reading.Bare:
		if clause.Actor == reading.Us || clause.Shape == reading.Bare {
			return Other
		}
		return Found
	case reading.Verbless:
		if c.verb != 0 || clause.Roles&(reading.RoleDone|reading.RoleTick) != 0 {
			return c.deed()
		}
		if clause.Roles&(reading.RoleSorry|reading.RolePlease|reading.RoleClosing) != 0 || c.isBare() {
			return Other
		}
	}
	return Found
}

// isGeneric reports whether a clause tells what is done with things of a kind, and not with
// particular ones: "Refunds are processed within 5 days".
func (c *Claim) isGeneric() bool {
	const particular = lexicon.Determiner | lexicon.Possessive | lexicon.Pronoun | lexicon.Quantity |
		lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson | lexicon.Ordinal
	if c.clause.Shape != reading.PassivePresent {
		return false
	}
	plural := false
	for i := c.clause.From; i < max(c.clause.Group, c.clause.From); i++ {
		token := &c.text.Tokens[i]
		if token.Kind != lexicon.Word && token.Kind != lexicon.Comma || token.Class().Has(particular) ||
			token.Kind == lexicon.Word && token.Entry == nil {
			return false
		}
		plural = token.Form().Has(lexicon.Plural)
	}
	return plural
}

// deed is Did, or Looked where all that the verb means is to look or to answer.
func (c *Claim) deed() Kind {
	if c.clause.Actor != reading.Us && c.clause.Shape != reading.ActivePast {
		return Did
	}
	if !c.acts.Empty() && c.acts.Without(toolname.Answering).Without(reading.LookFamilies).Empty() {
		return Looked
	}
	return Did
}

// news are the values of a claim that must be known from somewhere: figures, dates, times,
// ids, and names.
func (c *Claim) news() (news []*reading.Value) {
	for i := range c.values {
		v := &c.values[i]
		if v.Has(reading.Derived | reading.Merged | reading.Ordinal) {
			continue
		}
		if v.Kind != reading.Word || isName(v) {
			news = append(news, v)
		}
	}
	return news
}

// isName reports whether a word is a name: it has a capital letter, and no list has it.
func isName(v *reading.Value) bool {
	return v.Kind == reading.Word && v.Has(reading.Capital) && v.Entry == nil && v.End()-v.Start() > 1 &&
		!v.Has(reading.Derived|reading.Merged)
}

// content are the words of a claim that mean something by themselves, but for its verb.
func (c *Claim) content() (words []*reading.Value) {
	for i := range c.values {
		v := &c.values[i]
		if v.IsContent() && v.Key != c.verb && !v.Has(reading.Derived) {
			words = append(words, v)
		}
	}
	return words
}

// says reports whether a word of one of the roles stands in the sentence.
func (c *Claim) says(roles reading.Role) bool { return c.text.AllRoles()&roles != 0 }

// isBare reports whether a claim names nothing: "Done.", "All set!".
func (c *Claim) isBare() bool { return len(c.content()) == 0 && len(c.news()) == 0 }

// isHedged reports whether the sentence denies, asks or supposes.
func (c *Claim) isHedged() bool {
	if strings.Contains(c.text.Source, "?") {
		return true
	}
	for i := range c.text.Tokens {
		if c.text.Tokens[i].Class().Has(lexicon.Negation | lexicon.Condition | lexicon.Hedge | lexicon.Refusal) {
			return true
		}
	}
	return false
}
