package guard

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// tellings are what a conversation tells as done in words alone. Loops that shorten
// their history put a summary in place of calls and results, so where only messages
// are known the records may not be all there is. Words are no proof: what they tell
// is not believed, but the guard is no longer sure that it was not done. So it asks,
// and neither insists on a call that may have been made nor has a model deny it.
type tellings struct {
	tools       []tooltrack.Tool
	now, before []Message // of the turn, with the system's from anywhere; of earlier turns
	read        bool
	told        [2][]toldSentence
}

// toldSentence is what one sentence tells as done: its words and figures, and what
// its verbs mean.
type toldSentence struct {
	keys      valueKeys
	acts      lexicon.Families
	particles valueKeys // after its verbs: "turned on"
}

// newTellings picks the messages that may be summaries: those of the system, and of
// the assistant where neither it nor the turn it ends has calls. What stands beside
// calls, or ends a turn with calls, are the model's own words about what is on record.
func newTellings(tools []tooltrack.Tool, before, behind []Message) *tellings {
	t := &tellings{tools: tools}
	calls := false
	for i := range before {
		message := &before[i]
		switch {
		case message.Role == RoleSystem:
			t.now = append(t.now, *message)
		case message.Role == RoleUser && !message.Internal:
			calls = false
		case len(message.Calls) > 0 || message.Role == RoleTool:
			calls = true
		case message.Role == RoleAssistant && !calls:
			t.before = append(t.before, *message)
		}
	}
	for i := range behind {
		message := &behind[i]
		if message.Role == RoleSystem || message.Role == RoleAssistant && len(message.Calls) == 0 {
			t.now = append(t.now, *message)
		}
	}
	if len(t.now)+len(t.before) == 0 {
		return nil
	}
	return t
}

// tell reports whether the conversation tells something as done: the act, and all
// that the words name beside it. Earlier turns count for those who look back.
func (t *tellings) tell(words string, back bool) bool {
	if t == nil || !t.any() {
		return false
	}
	var all needs
	text := reading.English().Read(nil, words)
	for i := range text.Clauses {
		all.add(text, text.Clauses[i])
	}
	return t.covers(&all, back)
}

// tellMade is tell for a request: a clause of it that may ask for the tool.
func (t *tellings) tellMade(words string, tool *tooltrack.Tool) bool {
	if t == nil || tool == nil || !t.any() {
		return false
	}
	acts := readingOf(tool).Families
	text := reading.English().Read(nil, words)
	for i := range text.Clauses {
		var one needs
		one.add(text, firstPart(text, text.Clauses[i]))
		if (acts.Empty() || acts.Overlaps(one.acts)) && t.covers(&one, false) {
			return true
		}
	}
	return false
}

// firstPart is a clause up to where something else follows: "pay invoice 17, then
// email Tom".
func firstPart(text *reading.Text, clause reading.Clause) reading.Clause {
	for i := max(clause.Verb, clause.From) + 1; i < clause.To; i++ {
		if token := &text.Tokens[i]; token.Kind == lexicon.Comma || token.Class().Has(lexicon.Sequence) {
			clause.To = i
		}
	}
	return clause
}

// any reports whether anything is told as done.
func (t *tellings) any() bool {
	if !t.read {
		t.read = true
		t.told = [2][]toldSentence{toldIn(t.now), toldIn(t.before)}
	}
	return len(t.told[0])+len(t.told[1]) > 0
}

func (t *tellings) covers(n *needs, back bool) bool {
	if len(n.keys) == 0 || n.act == 0 {
		return false
	}
	covers := func(s toldSentence) bool { return n.coveredBy(&s) }
	return slices.ContainsFunc(t.told[0], covers) || back && slices.ContainsFunc(t.told[1], covers)
}

// needs are what a sentence must name to tell the same.
type needs struct {
	keys     []uint64 // of things, names and figures
	act      uint64   // of the verb
	acts     lexicon.Families
	particle uint64 // after the verb; 0 if there is none
}

func (n *needs) coveredBy(s *toldSentence) bool {
	if !s.keys[n.act] && !n.acts.Overlaps(s.acts) {
		return false
	}
	if n.particle != 0 && len(s.particles) > 0 && !s.particles[n.particle] {
		return false // "off", and not "on"
	}
	return !slices.ContainsFunc(n.keys, func(key uint64) bool { return !s.keys[key] })
}

// add reads what a clause tells as done, or asks for. Who did it, and what stands
// before that ("so far I have"), is no part of it.
func (n *needs) add(text *reading.Text, clause reading.Clause) {
	from, verb := clause.From, clause.Verb
	if clause.Actor == reading.Us {
		from = clause.Group
	}
	if verb < 0 { // "and locked the front door"
		acts := func(t lexicon.Token) bool { return !t.Families().Empty() }
		verb = from + slices.IndexFunc(text.Tokens[from:clause.To], acts)
	}
	for _, value := range text.Values[clause.FirstValue:clause.LastValue] {
		at := tokenOf(text, &value)
		switch {
		case at < from || at >= clause.To || value.Has(reading.Derived|reading.Merged):
		case at == verb && n.act == 0:
			n.act, n.acts = value.Key, text.Tokens[at].Families()
		case at == verb+1 && text.Tokens[at].Class().Has(lexicon.Particle):
			n.particle = value.Key
		case value.Kind != reading.Word || contentWord(text, at):
			n.keys = append(n.keys, value.Key)
		}
	}
}

// tokenOf is the token that a value stands in.
func tokenOf(text *reading.Text, value *reading.Value) int {
	return slices.IndexFunc(text.Tokens, func(token lexicon.Token) bool {
		return int(token.Start) <= value.Start() && value.Start() < int(token.End)
	})
}

// contentWord reports whether a word names something, rather than holding a sentence
// together.
func contentWord(text *reading.Text, at int) bool {
	token := &text.Tokens[at]
	return token.IsWord() && (!token.Families().Empty() || text.Roles[at] == 0 && token.Class() == 0)
}

// toldIn are the sentences of messages that tell something as done.
func toldIn(messages []Message) []toldSentence {
	var told []toldSentence
	for i := range messages {
		text := reading.English().Read(nil, messages[i].Text)
		for s := range text.Sentences {
			sentence := toldSentence{keys: valueKeys{}, particles: valueKeys{}}
			for c := range text.Clauses {
				if clause := &text.Clauses[c]; clause.Sentence == s && tellsDone(text, clause) {
					sentence.add(text, clause)
				}
			}
			if len(sentence.keys) > 0 {
				told = append(told, sentence)
			}
		}
	}
	return told
}

func (s *toldSentence) add(text *reading.Text, clause *reading.Clause) {
	values := text.Values[clause.FirstValue:clause.LastValue]
	s.keys.add(values)
	if clause.Verb < 0 {
		return
	}
	s.acts = s.acts.Union(text.Tokens[clause.Verb].Families())
	next := clause.Verb + 1
	if next >= clause.To || !text.Tokens[next].Class().Has(lexicon.Particle) {
		return
	}
	for i := range values {
		if values[i].Start() == int(text.Tokens[next].Start) {
			s.particles[values[i].Key] = true
		}
	}
}

// tellsDone reports whether a clause tells that something was done: "invoice 17 was
// paid", "pay_invoice id=17 -> success".
func tellsDone(text *reading.Text, clause *reading.Clause) bool {
	const not = reading.RoleFail | reading.RoleError | reading.RoleUnable | reading.RoleWait
	stated := clause.Mood == reading.Stated || clause.Mood == reading.Presupposed
	if !stated || clause.Negated || clause.Actor == reading.You {
		return false
	}
	from := clause.From
	if clause.Actor == reading.Us {
		from = clause.Group
	}
	if slices.ContainsFunc(text.Roles[from:clause.To], func(role reading.Role) bool { return role&not != 0 }) {
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

// retell makes the guard unsure of claims that the conversation itself tells as done.
// What earlier turns tell says nothing of a thing that is asked for now.
func (d *demands) retell(verdict *completion.Verdict) {
	accused := verdict.Ghost()
	if !accused || d.tellings == nil {
		return
	}
	claims := slices.Clone(verdict.Claims)
	for i := range claims {
		claim := &claims[i]
		if claim.Tier == Sure && d.retold(claim) {
			claim.Tier = Unsure
		}
	}
	if verdict.Claims = claims; verdict.Ghost() {
		return
	}
	if verdict.Reason == completion.UnbackedClaim || verdict.Reason == completion.FabricatedFailure {
		verdict.Outcome, verdict.Reason, verdict.Correction = otherwise(verdict)
	}
}

// retold reports whether a claim only tells again what the conversation tells.
func (d *demands) retold(claim *completion.Claim) bool {
	return d.tellings.tell(claim.Text, claim.Earlier || d.kind != intent.Action)
}

// retells reports whether something in doubt is told by the conversation: no call of
// it is invited, since it may have been made.
func (d *demands) retells(doubts []Doubt) bool { return slices.ContainsFunc(doubts, d.retoldDoubt) }

func (d *demands) retoldDoubt(doubt Doubt) bool {
	if doubt.Claim != nil {
		return d.retold(doubt.Claim)
	}
	return d.maybeMade(doubt.Tool)
}

// maybeMade reports whether the conversation tells as done what a tool is expected for.
func (d *demands) maybeMade(tool string) bool {
	return d.tellings != nil && slices.ContainsFunc(d.expected, func(e intent.Expectation) bool {
		return e.Tool == tool && d.tellings.tellMade(e.Words, toolNamed(d.tellings.tools, tool))
	})
}

// notRetold are the sentences in doubt without those that only tell again what the
// conversation tells. They are shown, and what is on record is said beside them:
// whether the records are all there is, nobody knows.
func (t *Turn) notRetold(p *proving, sentences []string) []string {
	if t.asked.tellings == nil {
		return sentences
	}
	return slices.DeleteFunc(slices.Clone(sentences), func(sentence string) bool {
		found := false
		for _, doubt := range p.found.doubts {
			if doubt.Claim == nil || !strings.Contains(sentence, strings.TrimSpace(doubt.Words)) {
				continue
			}
			if found = t.asked.retoldDoubt(doubt); !found {
				return false
			}
		}
		return found
	})
}

// onlyRetold reports whether a report leaves open no more than what the conversation
// tells. To ask again would be to have it denied.
func (t *Turn) onlyRetold(p *proving) bool {
	open := p.open(p.faults)
	said := func(fault proof.Fault) bool { return !fault.Due }
	if len(p.faults) > 0 && !slices.ContainsFunc(p.faults, said) {
		asked := t.demands()
		return asked.retells(p.found.doubts)
	}
	return len(open) > 0 && len(t.notRetold(p, unprovenIn(p.draft.Message.Text, open))) == 0
}

// withDoubt says beside a text that the records here do not show all of it, and what
// they show, unless that is told already. A lenient guard adds nothing.
func (t *Turn) withDoubt(answer Response, accounted bool) Response {
	if t.guard.options.Lenient || accounted {
		return answer
	}
	line := t.guard.texts.Unshown
	if changed(t.records) {
		line += "\n" + t.guard.texts.Recorded + "\n" + t.proven()
	}
	return withLine(answer, line)
}
