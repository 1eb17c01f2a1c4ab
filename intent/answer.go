package intent

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// answer reads a message and says what it asks for.
func (c *Classifier) answer(s *scratch, request Utterance) Intent {
	c.before(s, request.Previous)
	c.read(s, request.User)
	in := Intent{Kind: c.kind(s), Due: min(float64(s.due), surest), Hold: s.hold, Unsure: s.isUnsure()}
	if s.reader.Foreign {
		in.Due, in.Unsupported = s.strangeDue(), len(s.expected) == 0
	}
	if len(s.expected) == 0 {
		// "The lights are off" only says so; of what is the user's, it may complain.
		remark := len(s.views) == 1 && !s.views[0].clause.Achieved.Empty() && !s.views[0].object.mine
		if s.hearing.Over || s.isEmptyAgreement() || remark {
			in.Due = min(in.Due, strangeShort)
		} else if c.mute && s.message[eCommands] > s.message[eWordWork] {
			in.Due = max(in.Due, strangeDue)
		}
		return in
	}
	in.Expect = make([]Expectation, len(s.expected))
	for i, f := range s.expected {
		e := Expectation{Tool: c.profiles[f.tool].name, Confidence: forest.Probability(f.score),
			Words: s.reader.Piece(f.from, f.to), Command: f.own, Hold: c.holdOn(s, int(f.tool))}
		in.Expect[i] = e
		in.Due = max(in.Due, min(e.Confidence, surest))
	}
	return in
}

const surest = 0.998 // what words alone can say; a host that knows says 1

// isEmptyAgreement reports whether a message only agrees, and the text before offered
// nothing that a tool does: "Was that helpful?" – "yes".
func (s *scratch) isEmptyAgreement() bool {
	if !s.replies || s.corrects || !s.hasPrevious || s.past && s.message[eAskings] > 0 {
		return false
	}
	return s.past || !slices.ContainsFunc(s.priors, func(p prior) bool {
		return p.open >= akinAct || s.asked && p.like >= akinAct
	})
}

// isUnsure reports whether the reading is a guess: some tool is neither likely nor
// unlikely.
func (s *scratch) isUnsure() bool {
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
// them ask for something; questions more often for what no tool has to do, unless they
// are about what is their own. The shorter ones are thanks as often as requests.
const strangeDue, strangeQuestion, strangeShort, strangeTalk = 0.65, 0.5, 0.45, 0.25

// courteousDue is that of a greeting or thanks.
const courteousDue = 0.05

// strangeDue is the probability that a message in a strange language is due.
func (s *scratch) strangeDue() float64 {
	m := s.reader.Message
	words, foreign := strings.FieldsFunc(strings.ToLower(m.Text), isNoLetter), foreignWords()
	asks := m.Asks() || len(words) > 0 &&
		(slices.Contains(foreign["first"], words[0]) || slices.Contains(foreign["last"], words[len(words)-1]))
	switch {
	case asks && !slices.ContainsFunc(words, func(word string) bool { return slices.Contains(foreign["mine"], word) }):
		return strangeQuestion
	case asks: // about what is their own
	case reading.SmallTalk(m.Text) && !s.asked: // else it may say yes
		return strangeTalk
	case reading.Short(m.Text):
		return strangeShort
	}
	return strangeDue
}

//go:embed foreign.txt
var foreignFile string

// foreignWords are those that a question begins with, ends in, and that are the speaker's own.
var foreignWords = sync.OnceValue(func() map[string][]string {
	kinds := map[string][]string{}
	for line := range strings.Lines(foreignFile) {
		kind, words, _ := strings.Cut(line, " ")
		kinds[kind] = strings.Fields(words)
	}
	return kinds
})

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

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
	for i := range s.reader.Requests {
		kind = max(kind, s.reader.kind(&s.reader.Requests[i], c.workspace))
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
func (r *reader) kind(c *reading.Request, workspace bool) Kind {
	switch c.Plea {
	case reading.Commanded, reading.Suggested:
		primary := lexicon.FamiliesOf(r.Tokens[c.Verb].Entry.Primary)
		switch {
		case primary.Overlaps(coding), !primary.Overlaps(infoFamilies) && r.isAboutCode(c), workspace &&
			primary.Overlaps(making):
			return Action
		case primary.Overlaps(thinking):
			return Analysis
		case c.Families.Overlaps(infoFamilies) && primary.Overlaps(infoFamilies):
			return Question
		}
		return Chat
	case reading.Pondered:
		return Analysis
	case reading.Inquired, reading.Learned:
		return Question
	case reading.Barred:
		if r.Class(c.Body).Has(lexicon.Question) || c.Question {
			return Question
		}
	}
	return Chat
}

// isAboutCode reports whether the clause names something of a code base.
func (r *reader) isAboutCode(c *reading.Request) bool {
	for i := c.Body; i < c.To; i++ {
		if entry := r.Tokens[i].Entry; entry != nil && r.Wordy(i) && isCodeGroup(r.language.Groups()[entry.Group]) {
			return true
		}
	}
	return false
}

// isCodeGroup reports whether a group of nouns names something of a code base.
func isCodeGroup(group string) bool {
	return slices.Contains([]string{
		"code", "function", "test", "branch", "repository", "issue", "server", "database", "file",
	}, group)
}
