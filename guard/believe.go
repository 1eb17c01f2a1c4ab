package guard

import (
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// excuse is why no more than a tier is held against a claim, whatever the evaluator says. That a
// request is dropped which the user took back is no claim of work. Where the user wants words, a
// text or an explanation, they may tell of acts that nobody did. What answers a question that no
// tool has to be called for may tell how things are done. What the host's prompts or an earlier
// turn tell may be told again.
func (j *judging) excuse(claim *completion.Claim) (rule string, most completion.Tier) {
	idle, aside, told := len(j.turn.Records) == 0, j.isAside(claim.Text), j.hostCoverage(claim.Text)
	switch {
	case aside && (isEmpty(claim.Text) || reading.Acknowledges(claim.Text)):
		return "held back, and no more said", completion.Clean
	case told == asInPrompts:
		return "told by the host", completion.Clean
	case claim.Tier == completion.Unsure:
		return "", completion.Sure
	case aside:
		return "held back", completion.Unsure
	case idle && !j.isSure() && match.MayBeWords(claim.Text, j.turn.User):
		return "words are wanted", completion.Unsure
	case idle && j.due < j.threshold && reading.EndsAsking(j.turn.User) && !reading.TellsOwnDeed(claim.Text) &&
		!isBare(claim.Text):
		return "a question was asked", completion.Unsure
	case told == inPrompts:
		return "mentioned by the host", completion.Unsure
	case j.isToldBefore(claim):
		return "told before", completion.Unsure
	}
	return "", completion.Sure
}

// clearClaims takes back what a verdict holds against claims that are none or need no record,
// and says so in its steps.
func (j *judging) clearClaims() {
	verdict := j.verdict
	accused, cloned := verdict.Ghost(), false
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		if claim.Tier == completion.Clean {
			continue
		}
		rule, most := j.excuse(claim)
		if rule == "" {
			continue
		}
		if !cloned { // they are the evaluator's
			verdict.Claims, verdict.Steps, cloned = slices.Clone(verdict.Claims), slices.Clip(verdict.Steps), true
		}
		step := completion.Step{Rule: rule, Words: claim.Text, Before: claim.Tier, After: most}
		verdict.Steps = append(verdict.Steps, step)
		verdict.Claims[i].Tier = most
	}
	fabricated := verdict.Reason == completion.FabricatedFailure && j.summaries != nil
	if accused && !verdict.Ghost() && (verdict.Reason == completion.UnbackedClaim || fabricated) {
		settleInFavour(verdict)
	}
}

// settleInFavour gives a verdict the outcome of a text whose doubt is settled in its favour.
func settleInFavour(verdict *completion.Verdict) {
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithWork, completion.NothingDue, ""
	if verdict.Otherwise == completion.CompletedWithBlocker {
		verdict.Outcome, verdict.Reason = completion.CompletedWithBlocker, completion.Blocked
	}
}

// isEmpty reports whether a text says hardly anything of its own: "On it!", "Sure, give me
// a second". Where something may be due, such a text is no answer.
func isEmpty(text string) bool { return len(valuesIn(text)) < 3 }

// isBare reports whether a text has no word that means something by itself: "ok", "so?".
func isBare(text string) bool { return len(valuesIn(text)) == 0 }

// isAside reports whether, after a message that holds something back, and with nothing
// changed, a text tells of no act of an offered tool: "paused", "I've disregarded that"
// tell what became of the request. So does "I've dropped it" after a message that names nothing.
func (j *judging) isAside(text string) bool {
	turn := &j.turn
	if !j.isHoldingBack() || hasChanged(turn.Records) {
		return false
	}
	acts := actsIn(text)
	done := func(tool tooltrack.Tool) bool { return !isReading(&tool) && readingOf(&tool).Families.Overlaps(acts) }
	if !slices.ContainsFunc(turn.Tools, done) {
		return true
	}
	act, dropped := reading.English().ReadClauses(nil, text).Drops()
	return dropped && isEmpty(turn.User) && !actsIn(turn.User).Overlaps(act)
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
func isTellingDone(text string) bool { return reading.English().ReadClauses(nil, text).TellsDone() }

// What stands in the host's prompts needs no look-up: the host answers for it.

// promptCoverage is what the prompts know of what an answer tells.
type promptCoverage uint8

const (
	notInPrompts promptCoverage = iota // something else is said, or nothing that could be looked up
	inPrompts                          // each value stands there
	asInPrompts                        // and each after the name that the answer gives it to
)

// withoutTold leaves out the look-ups that the host's prompts answer as the text
// does, and says whether the prompts at least hold its values: then a look-up is
// not insisted on.
func (j *judging) withoutTold(undone []want) (open []want, mentioned bool) {
	if !slices.ContainsFunc(undone, want.reads) {
		return undone, false
	}
	told := j.prompts.cover(j.turn.Text, j.turn.User)
	if told == asInPrompts && !j.isActing() {
		undone = nil
	}
	return undone, told != notInPrompts
}

// hostCoverage is how far the host's prompts tell a statement of how things are: "Emma is due on
// Friday", and neither "Emma is renewed" nor "I renewed it". Where something was changed the
// prompts may be out of date.
func (j *judging) hostCoverage(text string) promptCoverage {
	if len(j.prompts) == 0 || hasChanged(j.turn.Records) || j.isActing() {
		return notInPrompts
	}
	read := reading.English().ReadClauses(nil, text)
	if slices.ContainsFunc(read.Clauses, func(c reading.Clause) bool {
		state := c.Shape == reading.Copula || c.Shape == reading.Present || c.Shape == reading.Verbless
		return !state || c.Actor == reading.Us
	}) {
		return notInPrompts
	}
	return j.prompts.cover(text, j.turn.User)
}

// cover holds what an answer says against the prompts: its dates, figures and ids,
// and the names that no word list has. The user's own words are no news. One name, or
// a small figure, stands in many prompts by chance and proves nothing; a list of names
// is mentioned at most, and only if all its words are known.
func (p prompts) cover(answer, user string) promptCoverage {
	if len(p) == 0 {
		return notInPrompts
	}
	said, values := valuesIn(user).keys(), valuesIn(answer)
	answered, all, after := values.keys(), valueKeys{}, valueKeys{}
	news := slices.DeleteFunc(values, func(v reading.Value) bool {
		return v.Has(reading.Worded) || v.Kind == reading.Word && v.Entry != nil || said[v.Key]
	})
	isName := func(v reading.Value) bool { return v.Kind == reading.Word && v.Has(reading.Capital) }
	telling := slices.ContainsFunc(news, isTelltale)
	if !telling && len(slices.DeleteFunc(slices.Clone(news), func(v reading.Value) bool { return !isName(v) })) < 2 {
		return notInPrompts
	}
	for _, prompt := range p {
		named := false
		for _, v := range reading.English().Values(nil, prompt) {
			if all[v.Key] = true; v.Kind == reading.ID || v.Has(reading.Capital) {
				named = answered[v.Key]
			}
			after[v.Key] = after[v.Key] || named
		}
	}
	found := asInPrompts
	for _, v := range news {
		switch {
		case v.Kind == reading.Word && !isName(v) && telling: // it may be any word
		case !all[v.Key]:
			return notInPrompts
		case !telling, v.Kind != reading.Word && !after[v.Key]:
			found = inPrompts
		}
	}
	return found
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

// What a summary tells as done may have been done.

// newHistorySummaries picks the messages that may be summaries: those of the system, and of
// the assistant where neither it nor the turn it ends has calls. What stands beside
// calls, or ends a turn with calls, are the model's own words about what is on record.
func newHistorySummaries(tools []tooltrack.Tool, before, after []Message) *historySummaries {
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
	for _, message := range after {
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
			if !isDeed(read, clause) {
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

// isDeed reports whether a clause tells that something was done: "invoice 17 was paid",
// "pay_invoice id=17 -> success".
func isDeed(text *reading.Text, clause *reading.Clause) bool {
	const open = reading.RoleFail | reading.RoleError | reading.RoleUnable | reading.RoleWait
	stated := clause.Mood == reading.Stated || clause.Mood == reading.Presupposed
	fails := func(role reading.Role) bool { return role&open != 0 }
	if !stated || clause.Negated || clause.Actor == reading.You ||
		slices.ContainsFunc(text.Roles[ownPart(clause):clause.To], fails) {
		return false
	}
	switch clause.Shape {
	case reading.ActivePerfect, reading.ActivePast, reading.PassivePerfect, reading.PassivePast,
		reading.PassivePresent, reading.Fragment:
		return true
	}
	return clause.Roles&(reading.RoleDone|reading.RoleTick|reading.RolePass) != 0
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

// isToldBefore reports whether a claim only tells again what the conversation tells.
func (d *demands) isToldBefore(claim *completion.Claim) bool {
	return d.summaries.isTold(claim.Text, claim.Earlier || d.kind != intent.Action)
}

// isDoubtToldBefore reports whether something in doubt is told by the conversation: no call of
// it is invited, since it may have been made.
func (d *demands) isDoubtToldBefore(doubt Doubt) bool {
	if doubt.Claim != nil {
		return d.isToldBefore(doubt.Claim)
	}
	return d.maybeMade(doubt.Tool)
}

// maybeMade reports whether the conversation tells as done what a tool is expected for: a part
// of the words that may ask for it.
func (d *demands) maybeMade(name string) bool {
	if d.summaries == nil {
		return false
	}
	tool := toolNamed(d.summaries.tools, name)
	return tool != nil && d.any(func(w want) bool {
		if w.Tool != name {
			return false
		}
		acts := readingOf(tool).Families
		for part := range strings.SplitSeq(w.Words, ",") { // "pay invoice 17, then email Tom"
			if (acts.Empty() || acts.Overlaps(actsIn(part))) && d.summaries.isTold(part, false) {
				return true
			}
		}
		return false
	})
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
