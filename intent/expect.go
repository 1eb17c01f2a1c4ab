package intent

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// From these probabilities on, a guard should act. A host may choose others. They were
// chosen on requests of sources that were left out while the weights were fitted; see
// data/model.txt for the figures.
const (
	// DefaultDue is for [Intent.Due]: from this probability on, an answer without calls is
	// worth a question.
	DefaultDue = 0.55
	// DefaultSureChange is for [Expectation.Confidence]: from this probability on, a guard
	// can insist on a tool that may change something. DefaultSureRead is the same for a
	// tool that only reads.
	DefaultSureChange = 0.93
	DefaultSureRead   = 0.92
)

const (
	// The tool that stands first is expected where it is more probable than that
	// nothing is due, by a factor, and not too improbable by itself: where something
	// is due for certain, the likeliest tool is the best that can be said.
	expectFirst, expectOverIdle = 0.2, 5
	// expectAnyway is the probability from which on it is expected all the same, expectOwn
	// that for one whose own act is asked for, expectNamed for one whose name is said.
	expectAnyway, expectOwn, expectNamed = 0.75, 0.65, 0.35
	// expectFurther is the probability from which on further ones are expected.
	expectFurther = 0.7
	// expectClause is that for one that stands first in a clause of its own.
	expectClause = 0.5
	// expectNamely is that for one of several that a clause names by words of their own
	// ("its languages and its currency"), for one that was offered and agreed to, and for
	// the one tool that does what a command says.
	expectNamely = 0.15
	// agreedScore is the log-odds of one that was agreed to, or called by all words of its
	// name, at least: four of five are meant.
	agreedScore = 1.4
	// soleScore is the log-odds of such a tool, at least: four of seven are meant.
	soleScore = 0.3
	// expectHeld is that for a tool that the message seems to hold back.
	expectHeld = 0.88
	never      = 2 // that no probability reaches
	// plainScore is the log-odds of a tool whose very verb and noun a message commands
	// and no other tool has, at least: of 386 such tools in our requests and recorded
	// ones 383 were meant, and two of the others ask for an ability, which is no command
	// here.
	plainScore = 3.5
	// strangeScore is the log-odds, at most, of a tool for which only the verb speaks,
	// used on a thing that may be anybody's: nobody is sure of "cancel my flight" where
	// orders are cancelled.
	strangeScore = 1.5
	// manyTools is the number of tools beyond which nearness alone makes nobody sure.
	manyTools = 30
)

// found is an expectation in the making.
type found struct {
	tool  *profile
	score float32
	from  int // tokens
	to    int
	own   bool // its own verb was said
}

// expect turns the contenders that are probable enough into expectations, in the order in
// which the message asks for them.
func (m *message) expect() {
	for i, k := range m.judged() {
		if !m.silent[k.tool.number] && k.isExpected(i) {
			m.expected = append(m.expected, k.expectation())
		}
	}
	if len(m.expected) < 2 {
		return
	}
	m.sortExpected()
	settled := slices.Clone(m.expected)
	m.expected = slices.DeleteFunc(m.expected, func(e found) bool { return e.isStepToChange(m, settled) })
}

func (j *judgement) sortExpected() {
	slices.SortStableFunc(j.expected, func(a, b found) int { return a.from - b.from })
}

// position is the place of a tool among the expectations, -1 if it is none.
func (j *judgement) position(tool *profile) int {
	return slices.IndexFunc(j.expected, func(e found) bool { return e.tool == tool })
}

// isStepToChange reports whether a look-up only leads to the change that is asked for
// next: "find it and delete it".
func (e found) isStepToChange(m *message, all []found) bool {
	v := m.supports[e.tool.number].clause
	return e.tool.info && e.tool.entity && v != nil && v.families.Overlaps(leading) &&
		slices.ContainsFunc(all, func(next found) bool { return next.from == e.to && !next.tool.info })
}

// isExpected reports whether a contender, the i-th, is probable enough to be expected.
func (k *contender) isExpected(i int) bool {
	m, v := k.message, k.clause
	switch {
	case m.Held.Over:
		return false
	case i == 0 && k.isAgreedTo(),
		k.evidence[ePlace] == 0 && k.isOnlyForAct() && (v.isSpecific() || v.isSwitch(k.tool) || k.isPlainCommand()):
		return k.sure >= expectNamely
	case k.isMereAgreement():
		return false
	}
	limit := k.limit(i)
	if m.isHeldBack(k.tool) && !m.isCommandedBesideBar(v) {
		if m.hold == Forbidden && v != nil && k.like >= sameAct {
			return false // by its very verb: "I don't want to delete the reminder"
		}
		limit = max(limit, expectHeld)
	}
	return k.sure >= limit
}

// limit is the probability from which on a contender, the i-th, is expected: by its place
// among the others, and by what the clause says that speaks of the tool.
func (k *contender) limit(i int) (limit float32) {
	first := k.message.contenders[0]
	switch {
	case i == 0:
		limit = min(k.anyway(), max(expectFirst, expectOverIdle*(1-k.message.due)))
	case k.evidence[ePlace] == 0:
		limit = expectClause
	case k.isListedBeside(first):
		limit = expectNamely
	default:
		limit = expectFurther
	}
	switch v := k.clause; {
	case v == nil:
		return limit
	case v.request.Achieved.Overlaps(k.tool.acts), v.request.Able && v.generic: // "can you delete tasks?"
		return never
	case k.evidence[eOpposed] > 0, k.tool.acts.Overlaps(destructive) && k.like < akinAct:
		return max(limit, expectHeld)
	}
	return limit
}

// anyway is the probability from which on the first is expected, whatever is due. It is
// lower for a tool of which a clause says the name (two words, its verb being one; a
// question does without), the act in its own verb, or what no other one has.
func (k *contender) anyway() float32 {
	v, e := k.clause, &k.evidence
	if v == nil {
		return expectAnyway
	}
	named := k.namedHits > 1 || k.namedHits == 1 && (k.like >= sameVerb || v.asks)
	switch {
	case named && e[eUnsaid] == 0 && e[eRareLead] >= 0:
		return expectNamed
	case v.plea == reading.Commanded && k.like >= sameAct && v.isSpecific(), v.asks && k.exclusive > 0:
		return expectOwn
	}
	return expectAnyway
}

// isAgreedTo reports whether the message agrees to the tool that the assistant
// offered, or corrects what was to be done with it: "yes, please", "no, the
// second one".
func (k *contender) isAgreedTo() bool {
	m := k.message
	return m.replies && (k.prior.offered >= sameAct || m.corrects && k.prior.like >= sameAct)
}

// isMereAgreement reports whether a message only agrees, and the text before told what a tool does
// instead of offering it: "I've sent the invoice." – "ok", "Did you send it?" – "yes".
func (k *contender) isMereAgreement() bool {
	m := k.message
	told := !m.asked && k.prior.like >= sameAct && k.prior.open < akinAct
	said := k.clause != nil && k.like >= akinAct          // "yes, close it"
	factual := m.factual && !said && m.all[eAskings] == 0 // "yes, which ones are open?"
	return m.replies && !m.corrects && (told || factual || k.prior.denied >= sameAct)
}

// isListedBeside reports whether the clause that names the first tool lists this one beside
// it, by a word that no other tool has.
func (k *contender) isListedBeside(first *contender) bool {
	return k.clause != nil && k.clause == first.clause && k.clause.enumerates && k.exclusive > 0 && first.exclusive > 0
}

// isOnlyForAct reports whether a contender is the one tool that does what a command says,
// and nothing speaks of things that are none of its own: "delete Read book".
func (k *contender) isOnlyForAct() bool {
	m, v := k.message, k.clause
	if v == nil || k.tool.info || m.hold != NotHeld && !m.isCommandedBesideBar(v) {
		return false
	}
	ours := v.foreign == 0 || !k.tool.entity && !v.mine || // "refund my parking fee"
		v.title || v.kind || k.hits > 0
	if k.hits == 0 && k.like < nearVerb && v.families.Overlaps(general) && !v.isSwitch(k.tool) {
		return false // "rename it" may mean anything that changes something
	}
	asked := v.plea == reading.Commanded || v.plea == reading.Suggested
	return asked && !v.generic && ours && k.like >= sameAct &&
		!v.families.Overlaps(vague) && v.likest.without(k.tool.number) < k.like
}

// isPlainCommand reports whether the message is one command that says the very verb and noun
// of a tool, which no other tool has: "delete the task Read book".
func (k *contender) isPlainCommand() bool {
	v := k.clause
	return len(k.message.clauses) == 1 && k.isOnlyForAct() && v.plea == reading.Commanded && !v.request.Able &&
		k.like >= sameVerb && v.kind && k.named >= k.tool.weight
}

// isDoubtful reports whether the clause that speaks for a tool is no reason to be sure of it.
func (k *contender) isDoubtful() bool {
	v, p := k.clause, k.tool
	unnamed := k.hits == 0 || v.pronoun && k.namedHits == 0
	switch {
	case k.hits == 0 && !v.kind && p.entity && v.foreign > 0: // "cancel my flight", where gyms are cancelled
		return true
	case v.attributive, v.compound && !p.info: // "open tickets" may ask which are open; "an event handler"
		return true
	case p.info: // a look-up that is not meant harms nobody
		return false
	case k.canMeanAnother():
		return true
	case unnamed && !k.hasNamedThing() && k.like < nearVerb && v.common: // "put them in bay 9"
		return true
	case unnamed && p.acts.Overlaps(destructive) && !p.acts.Overlaps(v.families): // "stop press 3" deletes none
		return true
	}
	return k.isUnasked() || k.message.Narrates(v.request)
}

// hasNamedThing reports whether a clause names a thing of a tool, and points at none: "set a
// reminder for every Monday", and not "make this one a reminder".
func (k *contender) hasNamedThing() bool {
	return k.clause.kind && k.hits > 0 && !k.clause.definite && !k.clause.pronounFirst
}

// canMeanAnother reports whether a clause names no thing, and one of another tool may be meant:
// "close", "a booking for Karl, cut", "a permit for the gate, and drop that one". An id
// behind the very verb of a tool names one: "cancel HB2201".
func (k *contender) canMeanAnother() bool {
	m, v, others := k.message, k.clause, k.clause.likest.without(k.tool.number)
	if k.like >= sameVerb && others < sameAct && m.Identified(v.request) {
		return false
	}
	pointed := k.tool.acts.Overlaps(destructive) && v.pronoun && v != m.clauses[0] && m.whole[k.tool.number].namedHits == 0
	return pointed || v.content == 0 && (others >= toldAct || !v.pronoun && len(m.clauses) > 1)
}

// isUnasked reports whether a clause asks for no act, or for another one than that of a
// tool: "it is at 24 now, yes?", "text her that it is ready" does not mark it so.
func (k *contender) isUnasked() bool {
	switch v := k.clause; v.plea {
	case reading.Told, reading.Inquired:
		return true
	case reading.Named: // "soap, rice" orders nothing
		return k.namedHits == 0
	case reading.Commanded:
		return !v.families.Empty() && k.like < akinAct
	}
	return false
}

// isLostInCrowd reports whether there are so many tools that one is near to anything, and a
// clause says neither the act of this one nor all words of its name.
func (k *contender) isLostInCrowd() bool {
	said := k.like >= sameAct || k.named > 0 && k.named >= k.tool.weight
	return len(k.message.profiles) > manyTools && !said && !k.tool.info
}

// expectation describes the expectation of a tool.
func (k *contender) expectation() found {
	m, v := k.message, k.clause
	e := found{tool: k.tool, score: logit(k.sure), to: len(m.Tokens)}
	if k.isOnlyForAct() {
		e.score = max(e.score, soleScore)
	}
	if v != nil {
		reserved := k.isReserved()
		switch {
		case reserved, k.isDoubtful(), k.isLostInCrowd():
			e.score = min(e.score, strangeScore)
		case k.isPlainCommand():
			e.score = max(e.score, plainScore)
		}
		e.from, e.to = v.request.From, v.request.To
		e.own = k.like >= sameAct && v.plea == reading.Commanded && !v.families.Overlaps(vague) && !reserved
	}
	if m.replies && k.prior.strength() > 0.5 {
		e.from, e.to = 0, len(m.Tokens)
		if k.prior.offered >= sameAct {
			e.score = max(e.score, agreedScore)
		}
	}
	return e
}

// isReserved reports whether the clause that speaks for a change does not ask for it
// plainly, or only passes words on ("tell Ann it is shipped"), or a later one undoes or
// corrects it: "unlock the back door. Lock it".
func (k *contender) isReserved() bool {
	m, p, q := k.message, k.tool, k.clause.request
	noted := q.Families.Overlaps(noting) && p.acts.Overlaps(planned) // "remind me to lock up"
	passedOn := !p.conveys && !noted && m.Conveyed(q)
	if p.info { // or nobody knows its verb
		return p.acts.Empty() && passedOn
	}
	if passedOn || m.Reserved(q) || !p.isTimed(dated) && m.Postponed(q) {
		return true
	}
	later := m.clauses[slices.Index(m.clauses, k.clause)+1:]
	return slices.ContainsFunc(later, func(v *clause) bool {
		return m.Replaced(q, v.request, p.opposed.Overlaps(v.families))
	})
}

// isTimed reports whether a tool takes a time, or does one of some acts, which have one.
func (p *profile) isTimed(acts lexicon.Families) bool {
	return p.arguments.takes.has(moment) || p.repeats || p.acts.Overlaps(acts)
}

// logit maps a probability to a log-odds.
func logit(p float32) float32 {
	p = max(min(p, 0.9999), 0.0001)
	return float32(math.Log(float64(p) / (1 - float64(p))))
}
