package intent

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
)

// wordWork is what needs words and thought, and no tool unless there is one for
// just that.
var wordWork = lexicon.FamiliesOf(lexicon.Write, lexicon.Translate, lexicon.Calculate, lexicon.Summarize,
	lexicon.Recommend, lexicon.Explain, lexicon.Compare, lexicon.Convert, lexicon.Review, lexicon.Generate)

// moods say which evidence a clause is by how it asks, for itself and for the message.
var moods = [reading.NumPleas]struct{ clause, message int }{
	reading.Commanded: {eCommand, eCommands}, reading.Suggested: {eCommand, eCommands},
	reading.Inquired: {eAsking, eAskings}, reading.Named: {eFragment, eFragments}, reading.Barred: {eBarred, eBars},
}

// tops are the highest of what a message as a whole says for any tool.
type tops struct{ plain, all, prior top }

// compare compares the tools.
func (m *message) compare() tops {
	t := tops{newTop(), newTop(), newTop()}
	for i := range m.supports {
		if s := &m.supports[i]; s.clause != nil {
			t.plain.add(i, s.plain)
			t.all.add(i, m.whole[i].rare())
		}
		if m.hasPrevious {
			t.prior.add(i, m.priors[i].strength())
		}
	}
	return t
}

// weighMessage lists what the message says whatever the tool.
func (m *message) weighMessage(tops *tops) (e evidence) {
	e[eClauses], e[eWords] = float32(len(m.clauses)), float32(math.Log1p(float64(m.words)))
	e[eNegated], e[eRefused], e[eAgreed] = count(m.negated), count(m.refused), count(m.agreed)
	e[eQuestion] = count(m.questions)
	asking := false // some clause asks for something, or names a thing
	for i, v := range m.clauses {
		if mood := moods[v.plea]; mood.clause > 0 {
			e[mood.message]++
		}
		asking = asking || pleas[v.plea] >= pleas[reading.Wished] || v.plea == reading.Named && v.content > 0
		e[eContents] += float32(v.content)
		e[eHits] += float32(v.hits)
		if i == 0 {
			e[eFirstVerb] = max(v.likest.first, 0)
		}
		e[eVerbs] = max(e[eVerbs], v.likest.first)
		if v.families.Overlaps(wordWork) && v.likest.first < sameAct {
			e[eWordWork]++
		}
	}
	m.talk = int(e[eFragments]) == len(m.clauses)
	if !asking { // beside a request, thanks and greetings say nothing
		e[eThanks] = count(m.thanks)
	}
	e[eNarrated], e[eYous], e[eMys] = count(m.narrated), count(m.yous), count(m.mys)
	e[eRares] = max(tops.all.first, 0)
	e[eOpening] = m.Opening()
	if m.hold != NotHeld {
		e[eWithdrawn+int(m.hold-Withdrawn)] = 1
	}
	e[ePrevious], e[eReply], e[eAskedBefore] = one(m.hasPrevious), one(m.replies), one(m.asked)
	e[eAsks] = one(asking)
	e[eSpecific] = count(m.ids+m.mys) + m.given.len()
	for hash := range m.phrasing(e[eBars] > 0 && e[eCommands] > 0) {
		e[eWording] += m.models.wording.Find(phraseKey(hash))
	}
	return e
}

// weigh lists the evidence for a contender: that of the message, and its own.
func (k *contender) weigh(tops *tops) {
	m, e, p := k.message, &k.evidence, k.tool
	*e = m.all
	if k.clause != nil {
		k.weighVerb()
		k.weighWords()
		k.weighClause()
	} else {
		e[ePlain], e[eLead], e[eRank], e[eVerbless] = -8, -8, 9, 1
	}
	if m.isCommandedBesideBar(k.clause) {
		e[eForbidden], e[eBars] = 0, 0
	}
	total := &m.whole[p.number]
	e[eAllName] = part(total.named, p.weight)
	e[eAllRare] = total.rare()
	e[eAllLead] = total.rare() - tops.all.without(p.number)
	e[eInfo], e[eEntity], e[eChanges] = one(p.info), one(p.entity), one(p.changes || p.effect == toolname.Changes)
	e[eAnything] = one(p.general || p.runs)
	for i := range m.deeds {
		e[eDeed] = max(e[eDeed], p.likeness(&m.deeds[i]))
	}
	e[eIDFit] = p.fits(m.prefixes)
	if a := &p.arguments; a.any {
		e[eSchemaTaken], e[eSchemaIdle] = (m.given & a.takes).len(), (m.given &^ a.takes).len()
		e[eSchemaNeeds] = (a.requires &^ m.given).len()
	}
	if m.hasPrevious {
		prior := k.prior
		e[eOffered], e[ePriorVerb], e[ePriorRare] = prior.offered, prior.like, prior.rare
		e[ePriorLead] = prior.strength() - tops.prior.without(p.number)
		if m.replies {
			e[eYes], e[eYesLead] = max(prior.offered, prior.like/2), e[ePriorLead]
		}
	}
}

// weighVerb lists how the verb of the clause that says most for a tool fits it.
func (k *contender) weighVerb() {
	e, v, tool := &k.evidence, k.clause, k.tool.number
	e[ePlain] = clip(k.plain, 12)
	e[eLead] = clip(k.plain-v.plainest.without(tool), 12)
	for _, other := range k.message.contenders {
		if other.clause == v && other.plain > k.plain {
			e[eRank]++
		}
	}
	e[eAgain] = float32(k.again)
	e[eVerb], e[eVerbless], e[eSaid] = k.like, one(v.families.Empty()), k.said
	e[eVerbLead] = max(k.like-v.likest.without(tool), -4)
	e[eVerbTies] = float32(min(v.likest.ties(k.like), 9))
	e[eOpposed] = one(k.tool.isUndone(v, k.like))
	e[eGeneral] = one(v.families.Overlaps(general) || v.families.Overlaps(vague))
	e[eCommonVerb] = one(v.common)
}

// weighWords lists how much of the clause is said in the tool's words.
func (k *contender) weighWords() {
	e, v := &k.evidence, k.clause
	e[eName] = -1 // it may have none
	if k.tool.weight > 0 {
		e[eName] = k.named / k.tool.weight
	}
	e[eTold], e[eNameRare], e[eToldRare] = k.told, k.nameRare, k.toldRare
	e[eRareLead] = k.rare() - v.rarest.without(k.tool.number)
	e[eHead] = one(k.head) + one(k.headNamed)
	e[eKnown], e[ePhraseKnown] = part(k.tally.weight, v.weight), part(k.tally.phrase, v.phrase)
	e[eExclusive] = float32(min(k.exclusive, 3))
	e[eUnsaid] = max(0, k.tool.weight-k.named)
}

// weighClause lists what the clause is, and what its object is to the tool.
func (k *contender) weighClause() {
	e, v := &k.evidence, k.clause
	if mood := moods[v.plea]; mood.clause > 0 {
		e[mood.clause] = 1 + one(v.plea == reading.Commanded)
	}
	e[eYou], e[eAble], e[eEnumerates] = one(v.request.You), one(v.request.Able), one(v.enumerates)
	if !v.title || k.like < sameAct { // "complete buy milk": titles have any words
		e[eForeign] = float32(min(v.foreign, 5))
	}
	e[eContent], e[eHeadUnknown] = float32(min(v.content, 20)), one(v.phrase > 0 && v.object.head == nil)
	e[eKind], e[eTime], e[eNumbers], e[eNames] = one(v.kind), float32(min(v.times, 3)), count(v.numbers), count(v.names)
	e[ePronoun] = one(v.pronoun) + one(v.pronoun && v.content == 0)
	e[eHolder] = max(2*one(v.directHolder), one(v.prepHolder))
	e[eIndefinite], e[eAttribute] = one(v.indefinite), one(v.attribute)
	e[eAsksInfo], e[eActsInfo] = one(v.asks && k.tool.info), one(v.does && k.tool.info)
}

// weighAgainst notes how far each contender is ahead of the others by acts, by
// nearness and by ids.
func weighAgainst(contenders []*contender) {
	deeds, ids, nearest := newTop(), newTop(), newTop()
	for i, k := range contenders {
		deeds.add(i, k.evidence[eDeed])
		ids.add(i, k.evidence[eIDFit])
		nearest.add(i, k.near)
	}
	for i, k := range contenders {
		e := &k.evidence
		e[eDeedLead] = max(e[eDeed]-deeds.without(i), -4)
		e[eNear], e[eNearLead] = k.near, k.near-nearest.without(i)
		e[eIDLead] = max(e[eIDFit]-ids.without(i), -2)
	}
}

// fits is how well an id fits a tool: 2 if it is written like one that the tool
// takes, 1 if only its first letter is that of one.
func (p *profile) fits(ids []reading.Prefix) (best float32) {
	for i := range ids {
		if slices.Contains(p.arguments.shown, ids[i]) {
			return 2
		}
		for k := range p.arguments.handles {
			h := &p.arguments.handles[k]
			fit := ids[i].Abbreviates(h.word)
			if !h.id {
				fit /= 2
			}
			best = max(best, fit)
		}
	}
	return best
}

func one(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func count(n int) float32 { return float32(min(n, 4)) }

// part is a of b, 0 if there is no b.
func part(a, b float32) float32 {
	if b <= 0 {
		return 0
	}
	return a / b
}

func clip(x, limit float32) float32 { return max(-limit, min(limit, x)) }
