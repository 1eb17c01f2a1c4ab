package intent

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// intent turns what was read into the answer.
func (c *Classifier) intent(s *scratch) Intent {
	in := Intent{Kind: c.kind(s), Due: float64(s.due), Hold: s.hold, Unsure: s.unsure()}
	if len(s.expected) == 0 {
		return in
	}
	in.Expect = make([]Expectation, len(s.expected))
	for i, f := range s.expected {
		e := Expectation{Tool: c.profiles[f.tool].name, Confidence: float64(probability(f.score)),
			Words: s.words(f), Command: f.own}
		if c.holds(s, int(f.tool)) {
			e.Hold = s.hold
		}
		in.Expect[i] = e
		in.Due = max(in.Due, e.Confidence)
	}
	return in
}

// unsure reports whether the reading is a guess: some tool is neither likely nor
// unlikely.
func (s *scratch) unsure() bool {
	for i, k := range s.contenders[:min(len(s.contenders), maxJudged)] {
		if k.sure > 0.25 && k.sure < 0.75 {
			return true
		}
		if first := s.contenders[0]; i > 0 && k.view == first.view && first.score-k.score < 0.3 && first.sure > 0.25 {
			return true // two fit equally well
		}
	}
	return false
}

// What messages in a language without a word list ask for is unknown. Most of
// them ask for something; questions more often for what no tool has to do.
const (
	strangeDue, strangeQuestion, strangeWord = 0.65, 0.5, 0.25
)

// strangeDue is the probability that a message in a strange language is due.
func (s *scratch) strangeDue() float64 {
	words, question := 0, false
	for i := range s.reader.tokens {
		token := &s.reader.tokens[i]
		if token.IsWord() {
			words++
		}
		question = question || token.Kind == lexicon.End &&
			strings.ContainsAny(s.reader.text[token.Start:token.End], "?？؟")
	}
	switch {
	case question:
		return strangeQuestion
	case words == 1 && len(s.reader.text) < 24:
		return strangeWord
	}
	return strangeDue
}

// words is the piece of the message between two tokens.
func (s *scratch) words(f found) string {
	tokens := s.reader.tokens[f.from:f.to]
	for len(tokens) > 0 && !tokens[len(tokens)-1].IsWord() {
		tokens = tokens[:len(tokens)-1]
	}
	if len(tokens) == 0 {
		return ""
	}
	return strings.TrimSpace(s.reader.text[tokens[0].Start:tokens[len(tokens)-1].End])
}

// kind is the sort of answer that the message as a whole asks for: a change
// outweighs a question, a question outweighs talk.
func (c *Classifier) kind(s *scratch) Kind {
	kind := Chat
	for _, f := range s.expected {
		if !c.profiles[f.tool].info {
			return Action
		}
		kind = Question
	}
	for i := range s.clauses {
		kind = max(kind, s.reader.kind(&s.clauses[i], c.workspace))
	}
	return kind
}

var (
	// coding families are work on a code base whatever their object.
	coding = lexicon.FamiliesOf(lexicon.Implement, lexicon.Fix, lexicon.Refactor, lexicon.Deploy,
		lexicon.Commit, lexicon.Test, lexicon.Install, lexicon.Build)
	// thinking families ask for words only.
	thinking = lexicon.FamiliesOf(lexicon.Explain, lexicon.Review, lexicon.Analyze, lexicon.Summarize,
		lexicon.Compare)
)

// kind is the sort of answer that one clause asks for, its tools apart.
func (r *reader) kind(c *clause, workspace bool) Kind {
	switch c.mood {
	case command, suggestion:
		primary := lexicon.FamiliesOf(r.tokens[c.verb].Entry.Primary)
		switch {
		case primary.Overlaps(coding), !primary.Overlaps(infoFamilies) && r.aboutCode(c), workspace &&
			primary.Overlaps(making):
			return Action
		case primary.Overlaps(thinking):
			return Analysis
		case c.families.Overlaps(infoFamilies) && primary.Overlaps(infoFamilies):
			return Question
		}
		return Chat
	case pondering:
		return Analysis
	case asking, learning:
		return Question
	case barred:
		if r.class(c.body).Has(lexicon.Question) || c.question {
			return Question
		}
	}
	return Chat
}

// aboutCode reports whether the clause names something of a code base.
func (r *reader) aboutCode(c *clause) bool {
	for i := c.body; i < c.to; i++ {
		if !r.wordy(i) || r.tokens[i].Entry == nil {
			continue
		}
		if ofCode(r.language.GroupName(r.tokens[i].Entry.Group)) {
			return true
		}
	}
	return false
}

// ofCode reports whether a group of nouns names something of a code base.
func ofCode(group string) bool {
	switch group {
	case "code", "function", "test", "branch", "repository", "issue", "server", "database", "file":
		return true
	}
	return false
}

// glance finds out whether the message is in a language whose words are listed,
// whether its quotations are quotations, and its capitals names. Titles and names are unknown
// words, too, so a few known ones are enough to be read; and a message that
// stands in quotes as a whole quotes nothing.
func (s *scratch) glance() {
	words, listed, quoted, capital, wide := 0, 0, 0, 0, false
	r := &s.reader
	tokens, entries := r.tokens, slices.Grow(r.words[:0], len(r.tokens))[:len(r.tokens)]
	r.words, r.joins = entries, false
	for i := range tokens {
		token := &tokens[i]
		if token.Kind > lexicon.Name {
			entries[i] = &blank
			continue
		}
		entry := token.Entry
		if entry == nil {
			entry = &unlisted
		} else if entry.Class.Has(lexicon.Auxiliary) && r.is(i-1, cueTo) {
			r.joins = true
		}
		entries[i] = entry
		if token.Kind != lexicon.Word {
			continue
		}
		words++
		if token.Entry != nil {
			listed++
		} else {
			wide = wide || r.text[token.Start] >= 0x80
		}
		if token.Flags&(lexicon.Quoted|lexicon.Capital) == 0 {
			continue
		}
		if token.Flags&lexicon.Quoted != 0 {
			quoted++
		}
		if token.Flags&lexicon.Capital != 0 {
			capital++
		}
	}
	if r.quotes = quoted > 0 && 10*quoted <= 8*words; r.quotes {
		r.index()
	}
	s.shouts = 10*capital > 7*words
	switch {
	case words == 0:
		s.foreign = false
	case listed == 0:
		s.foreign = words > 1 || wide
	default:
		s.foreign = 10*listed < 3*words && words > 3
	}
}
