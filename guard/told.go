package guard

import (
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// prompts are what the host itself has told the model. What stands there needs no
// look-up: the host answers for it.
type prompts struct {
	standing string // Options.System
	turn     *Input // its own, and the messages before it, of which the system's count; nil where there is none
}

// promptCoverage is what the prompts know of what an answer tells.
type promptCoverage uint8

const (
	untold   promptCoverage = iota // something else is told, or nothing that could be looked up
	mentions                       // each value stands there
	tells                          // and each beside the name that the answer gives it to
)

// isBlank reports whether the host has told the model nothing.
func (p *prompts) isBlank() bool {
	return p.turn == nil || p.standing == "" && p.turn.System == "" &&
		!slices.ContainsFunc(p.turn.Previous, func(m Message) bool { return m.Role == RoleSystem })
}

// tell holds what an answer tells against the prompts: its dates, figures and ids,
// and the names that no word list has. The user's own words are no news. One name, or
// a small figure, stands in many prompts by chance and proves nothing; a list of names
// is mentioned at most, and only if all its words are known.
func (p *prompts) tell(answer, user string) promptCoverage {
	if p.isBlank() {
		return untold
	}
	said, values := valuesIn(user).keys(), valuesIn(answer)
	known := promptValues{answered: values.keys(), all: valueKeys{}, beside: valueKeys{}}
	news := slices.DeleteFunc(values, func(v reading.Value) bool {
		return v.Has(reading.Worded) || v.Kind == reading.Word && v.Entry != nil || said[v.Key]
	})
	telling := slices.ContainsFunc(news, isTelltale)
	if !telling && namesApart(news) < 2 {
		return untold
	}
	known.read(p.standing)
	known.read(p.turn.System)
	for _, message := range p.turn.Previous {
		if message.Role == RoleSystem {
			known.read(message.Text)
		}
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

// namesApart is how many names there are; the words of one stand together.
func namesApart(news []reading.Value) (n int) {
	end := -1
	for i := range news {
		v := &news[i]
		if v.Kind != reading.Word || !v.Has(reading.Capital) {
			continue
		}
		if end < 0 || strings.TrimSpace(v.Before()[end:]) != "" {
			n++
		}
		end = v.End()
	}
	return n
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

// historySummaries are what a conversation tells as done in words alone. Loops that shorten
// their history put a summary in place of calls and results, so where only messages
// are known the records may not be all there is. Words are no proof: what they tell
// is not believed, but the guard is no longer sure that it was not done. So it asks,
// and neither insists on a call that may have been made nor has a model deny it.
type historySummaries struct {
	tools       []tooltrack.Tool
	now, before func() []toldSentence // of the turn, with the system's from anywhere; of earlier turns
}

// toldSentence is what one sentence tells as done: its words and figures, and what
// its verbs mean.
type toldSentence struct {
	keys valueKeys
	acts lexicon.Families
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

// valueKeys are values by what they mean.
type valueKeys map[uint64]bool

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
