package match

import (
	"regexp"
	"slices"
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
	notes
}

// notes are what is noted of a claim while it is read, and when it is first asked.
type notes struct {
	// vague is true for a verb that may tell of many acts: "it is gone".
	vague bool
	// deedLike is true for a state that is told as a deed: "it has been exported".
	deedLike bool
	whole    *sentence
	words    []*reading.Value // see content
}

// sentence is what the claims of one have in common, found out once: a sentence may have
// hundreds.
type sentence struct {
	dry      bool  // it says that something was only tried
	named    keys  // see saidIn
	underWay *bool // see tellsPending
	open     *bool // see tellsWhy
}

// Text is the piece of the sentence that makes the claim.
func (c *Claim) Text() string {
	if c.clause == nil {
		return c.text.Source
	}
	return c.text.Of(c.clause)
}

// Read reads the claims of a sentence.
func Read(said string) []Claim {
	text, whole := reading.English().Read(nil, said), &sentence{dry: isDryRun(said)}
	if text.Foreign() {
		text = reading.English().Read(nil, inEnglishFigures(said))
		return []Claim{{Kind: Unread, text: text, values: text.Values, notes: notes{whole: whole}}}
	}
	claims := make([]Claim, 0, len(text.Clauses))
	for i := 0; i < len(text.Clauses); i++ {
		clause := &text.Clauses[i]
		if isSubject(text, i) {
			next := &text.Clauses[i+1]
			next.From, next.FirstValue = clause.From, clause.FirstValue
			if !strings.Contains(said, "?") { // its verb comes first, as in a question
				next.Mood = reading.Stated
			}
			continue
		}
		for i+1 < len(text.Clauses) && isObject(text, i+1) {
			i++
			clause.To, clause.LastValue = text.Clauses[i].To, text.Clauses[i].LastValue
		}
		claim := Claim{text: text, clause: clause, values: text.Values[clause.FirstValue:clause.LastValue]}
		claim.whole = whole
		claim.readVerb()
		if claim.Kind = claim.kind(); (claim.Kind == Did || claim.Kind == Looked) && claim.isDeniedBefore(claims) {
			claim.Kind = Denied
		}
		claim.deedLike = claim.tellsEnd()
		claims = append(claims, claim)
	}
	return claims
}

// isSubject reports whether a clause that looks like an order is what the next one is about:
// "Order A-7 has been refunded".
func isSubject(text *reading.Text, i int) bool {
	clause := &text.Clauses[i]
	if clause.Mood != reading.Ordered || i+1 == len(text.Clauses) || text.Clauses[i+1].From != clause.To {
		return false
	}
	next := &text.Clauses[i+1]
	return next.From < len(text.Tokens) && text.Tokens[next.From].Class().Has(lexicon.Auxiliary)
}

// isObject reports whether a clause that looks like an order is what the one before it is
// about: "I've deleted Call mom".
func isObject(text *reading.Text, i int) bool {
	clause, before := &text.Clauses[i], &text.Clauses[i-1]
	if clause.Mood != reading.Ordered || clause.From != before.To || clause.From == 0 || before.Mood != reading.Stated {
		return false
	}
	last := &text.Tokens[clause.From-1]
	first := &text.Tokens[clause.From]
	return last.Kind == lexicon.Word && first.Kind == lexicon.Word && !last.Class().Has(lexicon.Conjunction) &&
		!first.Class().Has(lexicon.Conjunction)
}

var (
	decimalComma = regexp.MustCompile(`([0-9]),([0-9]{1,2})\b`)
	thousands    = regexp.MustCompile(`([0-9])[ .\x{a0}\x{202f}]([0-9]{3})\b`)
)

// inEnglishFigures writes the figures of a text in another language as records do: 1 500 and
// 672,60 are 1500 and 672.60.
func inEnglishFigures(text string) string {
	return decimalComma.ReplaceAllString(thousands.ReplaceAllString(text, "$1$2"), "$1.$2")
}

// tellsEnd reports whether a clause tells that something has come to its end, if only by
// itself: "the pipeline ran through and passed".
func (c *Claim) tellsEnd() bool {
	switch c.clause.Shape {
	case reading.ActivePast, reading.ActivePerfect:
		return true
	case reading.Fragment: // "the pipeline ran through"
		verb := c.clause.Verb
		if verb >= 0 && c.clause.Actor == reading.Other && c.text.Tokens[verb].Form().Has(lexicon.Past) {
			return true
		}
	}
	return c.clause.Roles&(reading.RolePass|reading.RoleDone) != 0
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
	c.vague = token.Entry != nil && isListed("vague", token.Entry.Lemma)
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
	case "go": // "it is gone"
		if text.Tokens[verb].Form().Has(lexicon.Participle) {
			return lexicon.FamiliesOf(lexicon.Delete, lexicon.Move, lexicon.Send, lexicon.Cancel)
		}
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
		participle := token.Form().Has(lexicon.Participle) && !token.Form().Has(lexicon.Base)
		if participle && (!token.Families().Empty() || token.Entry != nil && token.Entry.Lemma == "go") {
			return i
		}
	}
	return -1
}

// troubled are the roles of words by which a clause tells that something does not work.
const troubled = reading.RoleFail | reading.RoleError | reading.RoleUnable | reading.RoleTrouble

// kind is what the clause says.
func (c *Claim) kind() Kind {
	sentence := &c.text.Sentences[c.clause.Sentence]
	if sentence.Asking || sentence.Quoted || sentence.Place == reading.Heading {
		return Other
	}
	switch c.clause.Mood {
	case reading.Ordered:
		if c.clause.Shape == reading.Bare && c.clause.Verb >= 0 {
			return c.barePast()
		}
		return Other
	case reading.Asked, reading.Conditional:
		return Other
	case reading.Future:
		if c.clause.Actor != reading.Other {
			return Other
		}
		return Found // "the lots will go out on Friday" tells what was arranged
	case reading.Possible:
		if c.clause.Negated || c.clause.Roles&reading.RoleUnable != 0 {
			return Failed
		}
		if c.clause.Actor == reading.Other {
			return Found // "it can stay with you until 16 October"
		}
		return Other
	}
	if c.hasVerbRole(reading.RoleTalk|reading.RoleThink) || c.isTalk() {
		return Other
	}
	if c.acts.Without(makingActs).Empty() && c.hasWord("owning", c.clause.From) {
		return Denied // "the message where I called it upgraded was mistaken"
	}
	if isNumbered(c) {
		return Found
	}
	return c.deniedKind(c.statedKind())
}

// isDeniedBefore reports whether a claim goes on with a denial, or denies by its object: "I've neither
// answered nor paid anything", "I booked nothing".
func (c *Claim) isDeniedBefore(before []Claim) bool {
	goesOn := c.text.Says(c.clause.From, "or") || c.text.Says(c.clause.From, "nor")
	return goesOn && len(before) > 0 && before[len(before)-1].Kind == Denied || c.hasWord("nothing", c.clause.From)
}

// isNumbered reports whether a piece is no more than a thing with its number, though its word may
// be a verb: "started, run 99260".
func isNumbered(c *Claim) bool {
	return c.at > 0 && c.at+2 == c.clause.To && c.text.Tokens[c.at].Form().Has(lexicon.Base) &&
		c.text.Tokens[c.at-1].Kind == lexicon.Comma && c.text.Tokens[c.at+1].Kind == lexicon.Number
}

// deniedKind is what a clause says by what it tells, and by whether it denies it.
func (c *Claim) deniedKind(told Kind) Kind {
	clause, trouble := c.clause, c.isTroubled()
	deed := told == Did || told == Looked
	switch {
	case told == Did && strings.HasSuffix(strings.TrimRight(c.Text(), " }\n"), "false"):
		return Denied // as JSON tells it
	case told == Did && clause.Negated && trouble:
		return Failed
	case deed && (clause.Negated || c.hasVerbRole(reading.RoleRefrain)):
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

// isTalk reports whether a clause tells what we said or think: "I said", "I understand".
func (c *Claim) isTalk() bool {
	if c.clause.Actor != reading.Us || c.clause.Verb < 0 || c.text.Tokens[c.clause.Verb].Entry == nil {
		return false
	}
	return isListed("talk", c.text.Tokens[c.clause.Verb].Entry.Lemma)
}

// isTroubled reports whether a clause says by its verb, or after it, that something does not
// work. "Errors are logged" and "late check-out is set" tell of something else.
func (c *Claim) isTroubled() bool {
	from := max(c.clause.Verb, c.clause.From)
	for i := from; i < c.clause.To; i++ {
		free := i > 0 && (c.text.Says(i-1, "without") || c.text.Says(i-1, "no")) // of errors
		if c.text.Roles[i]&troubled != 0 && !free {
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
		return c.activeKind()
	case reading.PassivePerfect, reading.PassivePast, reading.PassivePresent, reading.Fragment:
		return c.passiveKind()
	case reading.Progressive:
		if clause.Actor == reading.Us {
			return Other
		}
		return Found
	case reading.Bare:
		return c.barePast()
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

// activeKind is what a clause says that names who did it.
func (c *Claim) activeKind() Kind {
	switch c.clause.Actor {
	case reading.Us:
		return c.deed()
	case reading.You:
		return Other
	case reading.Unnamed:
		if c.clause.From > 0 { // goes on with the actor of the clause before it
			return c.deed()
		}
	}
	return Found
}

// passiveKind is what a clause says that tells what became of something.
func (c *Claim) passiveKind() Kind {
	clause := c.clause
	goesOn := clause.From > 0 && clause.Shape == reading.PassivePerfect // "has been filed and signed"
	if c.isBare() && c.acts.Empty() && clause.Actor != reading.Us && !goesOn {
		if clause.Roles&reading.RoleDone != 0 {
			return Did
		}
		return Other // "Understood!"
	}
	if clause.Actor == reading.Other || c.verb == 0 {
		return Found
	}
	return c.deed()
}

// barePast is what a verb says whose past looks like its base: "the skylight shut fine", and
// "I created one, set another".
func (c *Claim) barePast() Kind {
	if !c.text.Tokens[c.clause.Verb].Form().Has(lexicon.Past) || c.clause.Mood == reading.Ordered && c.clause.From == 0 {
		return Other
	}
	if c.clause.Actor == reading.Other {
		return Found
	}
	if slices.ContainsFunc(c.text.Clauses, func(before reading.Clause) bool {
		past := before.Shape == reading.ActivePast || before.Shape == reading.ActivePerfect
		return past && before.Actor == reading.Us && before.To <= c.clause.From
	}) {
		return c.deed()
	}
	return Other
}

// deed is Did, or Looked where all that the verb means is to look or to answer.
func (c *Claim) deed() Kind {
	switch c.clause.Shape {
	case reading.PassivePerfect, reading.PassivePast, reading.PassivePresent:
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
		if v.Has(reading.Derived|reading.Merged|reading.Ordinal) || isClockInWords(v) {
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
func (c *Claim) content() []*reading.Value {
	if c.words != nil {
		return c.words
	}
	words := make([]*reading.Value, 0, len(c.values))
	for i := range c.values {
		v := &c.values[i]
		if v.IsContent() && v.Key != c.verb && !v.Has(reading.Derived) {
			words = append(words, v)
		}
	}
	c.words = slices.Clip(words)
	return c.words
}

// saidIn are the values of the sentence that makes a claim.
func saidIn(c *Claim) keys {
	if c.whole.named == nil {
		c.whole.named = keys{}
		c.whole.named.add(c.text.Values)
	}
	return c.whole.named
}

// hasWord reports whether a claim has a word of a list, from a token on.
func (c *Claim) hasWord(list string, from int) bool {
	for i := from; i < c.end(); i++ {
		if isListed(list, strings.ToLower(c.text.Word(i))) {
			return true
		}
	}
	return false
}

// says reports whether a word of one of the roles stands in the sentence.
func (c *Claim) says(roles reading.Role) bool { return c.text.AllRoles()&roles != 0 }

// isBare reports whether a claim names nothing: "Done.", "All set!".
func (c *Claim) isBare() bool {
	words := c.content()
	if len(words) == 1 && words[0].Start() == c.clauseStart() && c.clause != nil && c.clause.Roles&reading.RoleDone != 0 {
		words = nil // "Consider it done"
	}
	return len(words) == 0 && len(c.news()) == 0
}

// isHedged reports whether the claim denies, asks or supposes.
func (c *Claim) isHedged() bool {
	if strings.Contains(c.Text(), "?") {
		return true
	}
	for i := c.clause0(); i < c.end(); i++ {
		if !c.text.Tokens[i].Class().Has(lexicon.Negation | lexicon.Condition | lexicon.Hedge | lexicon.Refusal) {
			continue
		}
		polite := i+1 < c.end() && isListed("polite", strings.ToLower(c.text.Word(i+1))) // "no problem"
		if !polite && !strings.EqualFold(c.text.Word(i), "without") {
			return true
		}
	}
	return false
}

func (c *Claim) clauseStart() int { return int(c.text.Tokens[c.clause0()].Start) }

func (c *Claim) clause0() int {
	if c.clause == nil {
		return 0
	}
	return c.clause.From
}

func (c *Claim) end() int {
	if c.clause == nil {
		return len(c.text.Tokens)
	}
	return c.clause.To
}

// isVerb reports whether a word is listed as a verb before all: it tells of an act, and names
// no thing.
func isVerb(v *reading.Value) bool {
	return v.Entry != nil && !v.Entry.Families.Empty() && !v.Entry.Form.Has(lexicon.Noun)
}
