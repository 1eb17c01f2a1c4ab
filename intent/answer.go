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

// intent says what a message asks for.
func (m *message) intent() Intent {
	in := Intent{Kind: m.kind(), Due: min(float64(m.due), surest), Hold: m.hold, Unsure: m.isUnsure()}
	if m.Foreign {
		in.Due, in.Unsupported = m.strangeDue(), len(m.expected) == 0
	}
	if len(m.expected) == 0 {
		// "The lights are off" only says so; of what is the user's, it may complain.
		remark := len(m.clauses) == 1 && !m.clauses[0].request.Achieved.Empty() && !m.clauses[0].mine
		if m.Held.Over || m.isEmptyAgreement() || remark {
			in.Due = min(in.Due, strangeShort)
		} else if m.mute && m.all[eCommands] > m.all[eWordWork] {
			in.Due = max(in.Due, strangeDue)
		}
		return in
	}
	for _, e := range m.expected {
		confidence := forest.Probability(e.score)
		in.Expect = append(in.Expect, Expectation{Tool: e.tool.name, Confidence: confidence, Command: e.own,
			Words: m.Piece(e.from, e.to), Hold: m.holdOn(e.tool)})
		in.Due = max(in.Due, min(confidence, surest))
	}
	return in
}

const surest = 0.998 // what words alone can say; a host that knows says 1

// isEmptyAgreement reports whether a message only agrees, and the text before offered
// nothing that a tool does: "Was that helpful?" – "yes".
func (m *message) isEmptyAgreement() bool {
	if !m.replies || m.corrects || !m.hasPrevious || m.past && m.all[eAskings] > 0 {
		return false
	}
	return m.past || !slices.ContainsFunc(m.priors, func(p prior) bool {
		return p.open >= akinAct || m.asked && p.like >= akinAct
	})
}

// isUnsure reports whether the reading is a guess: some tool is neither likely nor
// unlikely, or two fit equally well.
func (j *judgement) isUnsure() bool {
	return slices.ContainsFunc(j.judged(), func(k *contender) bool {
		first := j.contenders[0]
		equal := k != first && k.clause == first.clause && first.score-k.score < 0.3 && first.sure > 0.25
		return k.sure > 0.25 && k.sure < 0.75 || equal
	})
}

// What messages in a language without a word list ask for is unknown. Most of
// them ask for something; questions more often for what no tool has to do, unless they
// are about what is their own. The shorter ones are thanks as often as requests.
const strangeDue, strangeQuestion, strangeShort, strangeTalk = 0.65, 0.5, 0.45, 0.25

// courteousDue is that of a greeting or thanks.
const courteousDue = 0.05

// strangeDue is the probability that a message in a strange language is due.
func (m *message) strangeDue() float64 {
	words, foreign := strings.FieldsFunc(strings.ToLower(m.Text), isNoLetter), foreignWords()
	asks := m.Asks() || len(words) > 0 &&
		(slices.Contains(foreign["first"], words[0]) || slices.Contains(foreign["last"], words[len(words)-1]))
	switch {
	case asks && !slices.ContainsFunc(words, func(word string) bool { return slices.Contains(foreign["mine"], word) }):
		return strangeQuestion
	case asks: // about what is their own
	case reading.SmallTalk(m.Text) && !m.asked: // else it may say yes
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
func (m *message) kind() Kind {
	kind := Chat
	for _, e := range m.expected {
		if !e.tool.info {
			return Action
		}
		kind = Question
	}
	for i := range m.Requests {
		if !m.Foreign && !m.Courteous {
			kind = max(kind, m.kindOf(&m.Requests[i]))
		}
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

// kindOf is the sort of answer that one request asks for, its tools apart.
func (r *reader) kindOf(q *reading.Request) Kind {
	switch q.Plea {
	case reading.Commanded, reading.Suggested:
		primary := lexicon.FamiliesOf(r.Tokens[q.Verb].Entry.Primary)
		switch {
		case primary.Overlaps(coding), !primary.Overlaps(infoFamilies) && r.isAboutCode(q), r.workspace &&
			primary.Overlaps(making):
			return Action
		case primary.Overlaps(thinking):
			return Analysis
		case q.Families.Overlaps(infoFamilies) && primary.Overlaps(infoFamilies):
			return Question
		}
		return Chat
	case reading.Pondered:
		return Analysis
	case reading.Inquired, reading.Learned:
		return Question
	case reading.Barred:
		if r.Class(q.Body).Has(lexicon.Question) || q.Question {
			return Question
		}
	}
	return Chat
}

// isAboutCode reports whether the clause names something of a code base.
func (r *reader) isAboutCode(q *reading.Request) bool {
	for i := q.Body; i < q.To; i++ {
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
