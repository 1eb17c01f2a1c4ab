package intent

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// doubtful is the distance from the threshold within which a reading is a
// guess.
const doubtful = 0.6

// intent turns what was read into the answer.
func (c *Classifier) intent(s *scratch) Intent {
	in := Intent{Kind: c.kind(s), Unsure: s.doubt < doubtful}
	in.Due = c.due(s, in.Kind)
	if len(s.expected) == 0 {
		return in
	}
	in.Expect = make([]Expectation, len(s.expected))
	for i, f := range s.expected {
		in.Expect[i] = Expectation{Tool: c.profiles[f.tool].name, Confidence: confidence(f.score), Words: s.words(f), Command: f.own}
	}
	return in
}

// holdBack marks what the message holds back. Questions about how and what if
// hold back changes only: a tool that answers may be just what they ask for.
func (c *Classifier) holdBack(s *scratch, in *Intent, hold Hold) {
	in.Hold = hold
	for i, f := range s.expected {
		if hold == Withdrawn || hold == Forbidden || !c.profiles[f.tool].info {
			in.Expect[i].Hold = hold
		}
	}
}

// due is the probability that the message asks for something that a tool must
// do.
func (c *Classifier) due(s *scratch, kind Kind) float64 {
	due := 0.1
	if kind == Action {
		due = 0.6
	}
	for _, f := range s.expected {
		due = max(due, confidence(f.score))
	}
	return due
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

// confidence maps a score, which is a log-odds, to a probability.
func confidence(score float32) float64 { return 1 / (1 + math.Exp(-float64(score))) }

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
	coding = lexicon.FamiliesOf(lexicon.Implement, lexicon.Fix, lexicon.Refactor, lexicon.Deploy, lexicon.Commit, lexicon.Test, lexicon.Install, lexicon.Build)
	// thinking families ask for words only.
	thinking = lexicon.FamiliesOf(lexicon.Explain, lexicon.Review, lexicon.Analyze, lexicon.Summarize, lexicon.Compare)
)

// kind is the sort of answer that one clause asks for, its tools apart.
func (r *reader) kind(c *clause, workspace bool) Kind {
	switch c.mood {
	case command, suggestion:
		primary := lexicon.FamiliesOf(r.tokens[c.verb].Entry.Primary)
		switch {
		case primary.Overlaps(coding), !primary.Overlaps(infoFamilies) && r.aboutCode(c), workspace && primary.Overlaps(making):
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
