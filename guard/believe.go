package guard

import (
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// highestTier is the most that can be held against a claim, whatever the evaluator says.
// That a request is dropped which the user took back is no claim of work. Where the user
// wants words, a text or an explanation, they may tell of acts that nobody did: that is
// asked about, and no model is accused of it. So is what answers a question that no tool
// has to be called for: it may tell how things are done, or what could be.
func (d *demands) highestTier(turn completion.Case, claim *completion.Claim) completion.Tier {
	idle, aside := len(turn.Records) == 0, d.isAside(turn, claim.Text)
	switch {
	case aside && (isEmpty(claim.Text) || reading.Acknowledges(claim.Text)):
		return completion.Clean
	case aside,
		idle && claim.Tier == completion.Sure && len(d.sure) == 0 && match.MayBeWords(claim.Text, turn.User),
		idle && d.due < d.threshold && reading.EndsAsking(turn.User) &&
			!reading.TellsOwnDeed(claim.Text) && !isBare(claim.Text):
		return completion.Unsure
	}
	return completion.Sure
}

// isEmpty reports whether a text says hardly anything of its own: "On it!", "Sure, give me
// a second". Where something may be due, such a text is no answer.
func isEmpty(text string) bool { return match.Size(text) < 3 }

// isBare reports whether a text has no word that means something by itself: "ok", "so?".
func isBare(text string) bool { return match.Size(text) == 0 }

// isAside reports whether, after a message that holds something back, and with nothing
// changed, a text tells of no act of an offered tool: "paused", "I've disregarded that"
// tell what became of the request. So does "I've dropped it" after a message that names nothing.
func (d *demands) isAside(turn completion.Case, text string) bool {
	if !d.isHoldingBack() || hasChanged(turn.Records) {
		return false
	}
	read := reading.English().Borrow(text)
	defer read.Return()
	act, dropped := read.Drops()
	return !isDoneByAny(turn.Tools, actsIn(text)) || dropped && isEmpty(turn.User) && !actsIn(turn.User).Overlaps(act)
}

// isDoneByAny reports whether some acts may be that of a tool that changes something.
func isDoneByAny(tools []tooltrack.Tool, acts lexicon.Families) bool {
	return slices.ContainsFunc(tools, func(tool tooltrack.Tool) bool {
		return !isReading(&tool) && readingOf(&tool).Families.Overlaps(acts)
	})
}

func hasChangeClaim(claims []completion.Claim) bool {
	now := func(c completion.Claim) bool { return c.Kind == completion.ClaimChange && !c.Earlier }
	return slices.ContainsFunc(claims, now)
}

// hasDenial reports whether a text says no to something.
func hasDenial(text string) bool {
	read := reading.English().ReadClauses(nil, text)
	for i := range read.Tokens {
		if read.Tokens[i].Class().Has(lexicon.Negation|lexicon.Refusal) || read.Roles[i]&reading.RoleNegative != 0 {
			return true
		}
	}
	return false
}

// isTellingDone reports whether a text tells something as done.
func isTellingDone(text string) bool {
	read := reading.English().Borrow(text)
	defer read.Return()
	return read.TellsDone()
}

// withoutTold leaves out the look-ups that the host's prompts answer as the text
// does, and says whether the prompts at least hold its values: then a look-up is
// not insisted on.
func (d *demands) withoutTold(
	undone []intent.Expectation, turn completion.Case,
) (open []intent.Expectation, mentioned bool) {
	lookUp := func(e intent.Expectation) bool { return isLookUp(e, turn.Tools) }
	if !slices.ContainsFunc(undone, lookUp) {
		return undone, false
	}
	switch told := d.prompts.tell(turn.Text, turn.User); {
	case told == untold:
		return undone, false
	case told == tells && !d.isActing(turn.Tools):
		return nil, true
	}
	return undone, true
}

// clearClaims takes back what a verdict holds against claims that are none or need no record,
// see highestTier, and is unsure of those that the conversation itself tells as done: what
// earlier turns tell says nothing of a thing that is asked for now.
func (d *demands) clearClaims(turn completion.Case, verdict *completion.Verdict) {
	accused, cloned := verdict.Ghost(), false
	known := len(d.prompts) > 0 && !hasChanged(turn.Records) && !d.isActing(turn.Tools)
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		if claim.Tier == completion.Clean {
			continue
		}
		most := d.highestTier(turn, claim)
		if known {
			most = min(most, d.toldAs(turn, claim))
		}
		if d.isToldBefore(claim) {
			most = min(most, completion.Unsure)
		}
		if most >= claim.Tier {
			continue
		}
		if !cloned { // they are the evaluator's
			verdict.Claims, cloned = slices.Clone(verdict.Claims), true
		}
		verdict.Claims[i].Tier = most
	}
	fabricated := verdict.Reason == completion.FabricatedFailure && d.summaries != nil
	if accused && !verdict.Ghost() && (verdict.Reason == completion.UnbackedClaim || fabricated) {
		verdict.Outcome, verdict.Reason, verdict.Correction = outcomeIfCleared(verdict)
	}
}

// toldAs is the most that can be held against a statement of how things are that the
// host's prompts make, too. Where something was changed the prompts may be out of date,
// and what only stands there somewhere is asked about.
func (d *demands) toldAs(turn completion.Case, claim *completion.Claim) completion.Tier {
	if isStatement(claim.Text) {
		switch d.prompts.tell(claim.Text, turn.User) {
		case mentions:
			return completion.Unsure
		case tells:
			return completion.Clean
		}
	}
	return completion.Sure
}

// isStatement reports whether a text tells how things are, and of nothing that was
// done: "Emma is due on Friday", and neither "Emma is renewed" nor "I renewed it".
func isStatement(text string) bool {
	read := reading.English().Borrow(text)
	defer read.Return()
	return !slices.ContainsFunc(read.Clauses, func(c reading.Clause) bool {
		state := c.Shape == reading.Copula || c.Shape == reading.Present || c.Shape == reading.Verbless
		return !state || c.Actor == reading.Us
	})
}

// isToldBefore reports whether a claim only tells again what the conversation tells.
func (d *demands) isToldBefore(claim *completion.Claim) bool {
	return d.summaries.isTold(claim.Text, claim.Earlier || d.kind != intent.Action)
}

// hasToldBefore reports whether something in doubt is told by the conversation: no call of
// it is invited, since it may have been made.
func (d *demands) hasToldBefore(doubts []Doubt) bool {
	return slices.ContainsFunc(doubts, d.isDoubtToldBefore)
}

func (d *demands) isDoubtToldBefore(doubt Doubt) bool {
	if doubt.Claim != nil {
		return d.isToldBefore(doubt.Claim)
	}
	return d.maybeMade(doubt.Tool)
}

// maybeMade reports whether the conversation tells as done what a tool is expected for.
func (d *demands) maybeMade(tool string) bool {
	return d.summaries != nil && slices.ContainsFunc(d.expected, func(e intent.Expectation) bool {
		described := toolNamed(d.summaries.tools, tool)
		return e.Tool == tool && described != nil && d.summaries.isMadeByTelling(e.Words, described)
	})
}

// scalarsIn appends the texts and figures of a JSON value.
func scalarsIn(data []byte, scalars []string) []string {
	for _, value := range jsonspan.Members(data) {
		scalars = scalarsIn(value, scalars)
	}
	for value := range jsonspan.Elements(data) {
		scalars = scalarsIn(value, scalars)
	}
	if text := jsonspan.Scalar(data); text != "" {
		scalars = append(scalars, text)
	}
	return scalars
}

// outcomeIfCleared is the outcome of a text whose doubt is settled in its favour.
func outcomeIfCleared(verdict *completion.Verdict) (completion.Outcome, completion.Reason, string) {
	if verdict.Otherwise == completion.CompletedWithBlocker {
		return completion.CompletedWithBlocker, completion.Blocked, ""
	}
	return completion.CompletedWithWork, completion.NothingDue, ""
}

// promptCoverage is what the prompts know of what an answer tells.
type promptCoverage uint8

const (
	untold   promptCoverage = iota // something else is told, or nothing that could be looked up
	mentions                       // each value stands there
	tells                          // and each beside the name that the answer gives it to
)

// tell holds what an answer tells against the prompts: its dates, figures and ids,
// and the names that no word list has. The user's own words are no news. One name, or
// a small figure, stands in many prompts by chance and proves nothing; a list of names
// is mentioned at most, and only if all its words are known.
func (p prompts) tell(answer, user string) promptCoverage {
	if len(p) == 0 {
		return untold
	}
	said, values := valuesIn(user).keys(), valuesIn(answer)
	known := promptValues{answered: values.keys(), all: valueKeys{}, beside: valueKeys{}}
	news := slices.DeleteFunc(values, func(v reading.Value) bool {
		return v.Has(reading.Worded) || v.Kind == reading.Word && v.Entry != nil || said[v.Key]
	})
	telling, names := slices.ContainsFunc(news, isTelltale), 0
	for i := range news {
		if news[i].Kind == reading.Word && news[i].Has(reading.Capital) {
			names++
		}
	}
	if !telling && names < 2 {
		return untold
	}
	for _, prompt := range p {
		known.read(prompt)
	}
	found := tells
	for i := range news {
		v := &news[i]
		word := v.Kind == reading.Word
		switch {
		case word && !v.Has(reading.Capital) && telling: // it may be any word
		case !known.all[v.Key]:
			return untold
		case !telling, !word && !known.beside[v.Key]:
			found = mentions
		}
	}
	return found
}

// promptValues are the values of the prompts: all, and those that stand after a
// name which the answer has, too, with no other name between.
type promptValues struct{ answered, all, beside valueKeys }

func (p *promptValues) read(prompt string) {
	named := false
	for _, v := range reading.English().Values(nil, prompt) {
		if p.all[v.Key] = true; v.Kind == reading.ID || v.Has(reading.Capital) {
			named = p.answered[v.Key]
		}
		if named {
			p.beside[v.Key] = true
		}
	}
}

// isTelltale reports whether a value hardly stands in two texts by chance. Figures up
// to a dozen count things and steps of instructions.
func isTelltale(v reading.Value) bool {
	const dozen = 12
	switch v.Kind {
	case reading.Date, reading.Clock, reading.ID:
		return true
	case reading.Number:
		return v.Number > dozen || v.Has(reading.Money|reading.Percent)
	}
	return false
}

// newHistorySummaries picks the messages that may be summaries: those of the system, and of
// the assistant where neither it nor the turn it ends has calls. What stands beside
// calls, or ends a turn with calls, are the model's own words about what is on record.
func newHistorySummaries(tools []tooltrack.Tool, before, behind []Message) *historySummaries {
	var now, earlier []string
	calls := false
	for _, message := range before {
		switch {
		case message.Role == RoleSystem:
			now = append(now, message.Text)
		case message.Role == RoleUser && !message.Internal:
			calls = false
		case len(message.Calls) > 0 || message.Role == RoleTool:
			calls = true
		case message.Role == RoleAssistant && !calls:
			earlier = append(earlier, message.Text)
		}
	}
	for _, message := range behind {
		if message.Role == RoleSystem || message.Role == RoleAssistant && len(message.Calls) == 0 {
			now = append(now, message.Text)
		}
	}
	if len(now)+len(earlier) == 0 {
		return nil
	}
	read := func(texts []string) func() []toldSentence {
		return sync.OnceValue(func() []toldSentence { return toldIn(texts) })
	}
	return &historySummaries{tools, read(now), read(earlier)}
}

// toldIn are the sentences of texts that tell something as done.
func toldIn(texts []string) (told []toldSentence) {
	for _, text := range texts {
		read := reading.English().Read(nil, text)
		sentences := make([]toldSentence, len(read.Sentences))
		for i := range read.Clauses {
			clause := &read.Clauses[i]
			if !isClauseOfDeed(read, clause) {
				continue
			}
			sentence := &sentences[clause.Sentence]
			if sentence.keys == nil {
				sentence.keys = valueKeys{}
			}
			sentence.keys.add(read.Values[clause.FirstValue:clause.LastValue])
			if clause.Verb >= 0 {
				sentence.acts = sentence.acts.Union(read.Tokens[clause.Verb].Families())
			}
		}
		told = append(told, sentences...)
	}
	return told
}

// isClauseOfDeed reports whether a clause tells that something was done: "invoice 17 was
// paid", "pay_invoice id=17 -> success".
func isClauseOfDeed(text *reading.Text, clause *reading.Clause) bool {
	const not = reading.RoleFail | reading.RoleError | reading.RoleUnable | reading.RoleWait
	stated := clause.Mood == reading.Stated || clause.Mood == reading.Presupposed
	if !stated || clause.Negated || clause.Actor == reading.You {
		return false
	}
	fails := func(role reading.Role) bool { return role&not != 0 }
	if slices.ContainsFunc(text.Roles[ownPart(clause):clause.To], fails) {
		return false
	}
	switch clause.Shape {
	case reading.ActivePerfect, reading.ActivePast, reading.PassivePerfect, reading.PassivePast,
		reading.PassivePresent, reading.Fragment:
		return true
	case reading.Verbless, reading.Present, reading.Copula:
		return clause.Roles&(reading.RoleDone|reading.RoleTick|reading.RolePass) != 0
	}
	return false
}

// ownPart is the token from which on a clause tells what was done. Who did it, and what
// stands before that ("so far I have"), is no part of it.
func ownPart(clause *reading.Clause) int {
	if clause.Actor == reading.Us {
		return max(clause.Group, clause.Verb)
	}
	return clause.From
}

// isTold reports whether the conversation tells something as done: the act, and all
// that the words name beside it. Earlier turns count for those who look back.
func (t *historySummaries) isTold(words string, back bool) bool {
	if t == nil {
		return false
	}
	text := reading.English().Read(nil, words)
	var values []reading.Value
	for i := range text.Clauses {
		clause := &text.Clauses[i]
		for _, value := range text.Values[clause.FirstValue:clause.LastValue] {
			if value.Start() >= int(text.Tokens[ownPart(clause)].Start) {
				values = append(values, value)
			}
		}
	}
	tells := func(s toldSentence) bool { return s.isAbout(values) }
	return slices.ContainsFunc(t.now(), tells) || back && slices.ContainsFunc(t.before(), tells)
}

// isAbout reports whether a sentence tells of the act and of each thing that some words name.
func (s *toldSentence) isAbout(values []reading.Value) bool {
	act, thing := false, false
	for i := range values {
		v := &values[i]
		isAct := v.Entry != nil && !v.Entry.Families.Empty()
		particle := v.Entry != nil && v.Entry.Class.Has(lexicon.Particle) // "off", and not "on"
		switch {
		case v.Has(reading.Derived | reading.Merged), v.Kind == reading.Word && !v.IsContent() && !particle:
		case s.keys[v.Key]:
			act, thing = act || isAct, thing || !isAct
		case isAct && v.Entry.Families.Overlaps(s.acts):
			act = true
		default:
			return false
		}
	}
	return act && thing
}

// isMadeByTelling is tell for a request: a part of it that may ask for the tool.
func (t *historySummaries) isMadeByTelling(words string, tool *tooltrack.Tool) bool {
	acts := readingOf(tool).Families
	for part := range strings.SplitSeq(words, ",") { // "pay invoice 17, then email Tom"
		if (acts.Empty() || acts.Overlaps(actsIn(part))) && t.isTold(part, false) {
			return true
		}
	}
	return false
}

func (k valueKeys) add(values []reading.Value) {
	for i := range values {
		k[values[i].Key] = true
	}
}

// tellingValues are the values of a text, and those of its words that mean something by
// themselves.
type tellingValues []reading.Value

func valuesIn(text string) tellingValues {
	return slices.DeleteFunc(reading.English().Values(nil, text), func(v reading.Value) bool {
		return v.Has(reading.Derived|reading.Merged) || v.Kind == reading.Word && !v.IsContent()
	})
}

func (values tellingValues) keys() valueKeys {
	keys := valueKeys{}
	keys.add(values)
	return keys
}

// actsIn are the families of all words of a message that can be verbs.
func actsIn(message string) (acts lexicon.Families) {
	for _, token := range lexicon.English().Tokenize(nil, message) {
		if token.Entry != nil && !token.Has(lexicon.Quoted) {
			acts = acts.Union(token.Families())
		}
	}
	return acts
}
