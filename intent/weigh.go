package intent

import (
	"math"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
)

// wordWork is what needs words and thought, and no tool unless there is one for
// just that.
var wordWork = lexicon.FamiliesOf(lexicon.Write, lexicon.Translate, lexicon.Calculate, lexicon.Summarize,
	lexicon.Recommend, lexicon.Explain, lexicon.Compare, lexicon.Convert, lexicon.Review, lexicon.Generate)

// weigh lists the evidence for one tool: that of the message, and its own.
func (c *Classifier) weigh(s *scratch, tool int, tops *tops, e *evidence) {
	*e = s.message
	p := c.profiles[tool]
	if s.sighted.has(tool) {
		seen := &s.sights[tool]
		v := &s.views[seen.view]
		s.weighVerb(seen, v, p, tool, e)
		weighWords(seen, v, p, tool, e)
		v.weigh(s, seen, p, e)
	} else {
		e[ePlain], e[eLead], e[eRank], e[eVerbless] = -8, -8, 9, 1
	}
	if s.sighted.has(tool) && s.isCommandedBesideBar(s.sights[tool].view) {
		e[eForbidden], e[eBars] = 0, 0
	}
	total := s.total(tool)
	e[eAllName] = part(total.named, p.weight)
	e[eAllRare] = total.rare()
	e[eAllLead] = total.rare() - tops.all.without(tool)
	p.weigh(s, e)
	if s.hasPrevious {
		prior := &s.priors[tool]
		e[eOffered], e[ePriorVerb], e[ePriorRare] = prior.offered, prior.like, prior.rare
		e[ePriorLead] = prior.strength() - tops.prior.without(tool)
		if s.replies {
			e[eYes], e[eYesLead] = max(prior.offered, prior.like/2), e[ePriorLead]
		}
	}
}

// weigh lists what the tool is, and how what the message gives fits its
// arguments.
func (p *profile) weigh(s *scratch, e *evidence) {
	e[eInfo], e[eEntity], e[eChanges] = one(p.info), one(p.entity), one(p.changes || p.effect == toolname.Changes)
	e[eAnything] = one(p.general || p.runs)
	e[eDeed], e[eIDFit] = s.deed(p), p.fits(s.prefixes)
	if a := &p.arguments; a.any {
		e[eSchemaTaken], e[eSchemaIdle] = (s.given & a.takes).len(), (s.given &^ a.takes).len()
		e[eSchemaNeeds] = (a.requires &^ s.given).len()
	}
}

// weighVerb lists how the verb of the clause that says most for a tool fits it.
func (s *scratch) weighVerb(seen *sight, v *view, p *profile, tool int, e *evidence) {
	e[ePlain] = clip(seen.plain, 12)
	e[eLead] = clip(seen.plain-v.plainest.without(tool), 12)
	e[eRank] = float32(min(s.ahead(seen), 9))
	e[eAgain] = float32(seen.again)
	e[eVerb], e[eVerbless], e[eSaid] = seen.like, one(v.families.Empty()), seen.said
	e[eVerbLead] = max(seen.like-v.likest.without(tool), -4)
	e[eVerbTies] = float32(min(v.likest.ties(seen.like), 9))
	e[eOpposed] = one(p.opposed.Overlaps(v.families) ||
		p.executes && seen.like < toldAct && v.families.Overlaps(making))
	e[eGeneral] = one(v.families.Overlaps(general) || v.families.Overlaps(vague))
	e[eCommonVerb] = one(v.common)
}

// weighWords lists how much of the clause is said in the tool's words.
func weighWords(seen *sight, v *view, p *profile, tool int, e *evidence) {
	o := &v.object
	e[eName] = -1 // it may have none
	if p.weight > 0 {
		e[eName] = seen.named / p.weight
	}
	e[eTold], e[eNameRare], e[eToldRare] = seen.told, seen.nameRare, seen.toldRare
	e[eRareLead] = seen.rare() - v.rarest.without(tool)
	e[eHead] = one(seen.head) + one(seen.headNamed)
	e[eKnown], e[ePhraseKnown] = part(seen.weight, o.weight), part(seen.phrase, o.phrase)
	e[eExclusive] = float32(min(seen.exclusive, 3))
	e[eUnsaid] = max(0, p.weight-seen.named)
}

// moods say which evidence a clause is by how it asks, for itself and for the message.
var moods = [reading.NumPleas]struct{ clause, message int }{
	reading.Commanded: {eCommand, eCommands}, reading.Suggested: {eCommand, eCommands},
	reading.Inquired: {eAsking, eAskings}, reading.Named: {eFragment, eFragments}, reading.Barred: {eBarred, eBars},
}

// weigh lists what the clause is, and what its object is to the tool.
func (v *view) weigh(s *scratch, seen *sight, p *profile, e *evidence) {
	o := &v.object
	if mood := moods[v.plea]; mood.clause > 0 {
		e[mood.clause] = 1 + one(v.plea == reading.Commanded)
	}
	e[eYou], e[eAble], e[eEnumerates] = one(v.clause.You), one(v.clause.Able), one(v.enumerates)
	foreign := v.foreign
	if o.title && seen.like >= sameAct { // "complete buy milk": titles have any words
		foreign = 0
	}
	e[eContent], e[eForeign], e[eHeadUnknown] = float32(min(o.content, 20)), float32(min(foreign, 5)),
		one(o.phrase > 0 && o.head == 0)
	e[eKind], e[eTime], e[eNumbers], e[eNames] = one(v.kind), float32(min(o.times, 3)), count(o.numbers), count(o.names)
	e[ePronoun] = one(o.pronoun) + one(o.pronoun && o.content == 0)
	e[eHolder] = max(2*one(o.directHolder), one(o.prepHolder))
	e[eIndefinite], e[eAttribute] = one(o.indefinite), one(o.attribute)
	e[eAsksInfo], e[eActsInfo] = one(v.asks && p.info), one(v.does && p.info)
}

// weighMessage lists what the message says whatever the tool.
func (c *Classifier) weighMessage(s *scratch, tops *tops, e *evidence) {
	*e = evidence{}
	s.asking = false
	g := &s.signals
	e[eClauses], e[eWords] = float32(len(s.views)), float32(math.Log1p(float64(g.words)))
	e[eNegated], e[eRefused], e[eAgreed] = count(g.negated), count(g.refused), count(g.agreed)
	e[eQuestion] = count(g.questions)
	for i := range s.views {
		v := &s.views[i]
		if mood := moods[v.plea]; mood.clause > 0 {
			e[mood.message]++
		}
		s.asking = s.asking || pleas[v.plea] >= pleas[reading.Wished] || v.plea == reading.Named && v.object.content > 0
		e[eContents] += float32(v.object.content)
		e[eHits] += float32(v.object.hits)
		if i == 0 {
			e[eFirstVerb] = max(v.likest.first, 0)
		}
		e[eVerbs] = max(e[eVerbs], v.likest.first)
		if v.families.Overlaps(wordWork) && v.likest.first < sameAct {
			e[eWordWork]++
		}
	}
	s.talk = int(e[eFragments]) == len(s.views)
	if !s.asking { // beside a request, thanks and greetings say nothing
		e[eThanks] = count(g.thanks)
	}
	e[eNarrated], e[eYous], e[eMys] = count(g.narrated), count(g.yous), count(g.mys)
	e[eRares] = max(tops.all.first, 0)
	e[eOpening] = s.reader.Opening()
	if s.hold != NotHeld {
		e[eWithdrawn+int(s.hold-Withdrawn)] = 1
	}
	e[ePrevious], e[eReply] = one(s.hasPrevious), one(s.replies)
	e[eAskedBefore] = one(s.hasPrevious && s.asked)
	e[eAsks] = one(s.asking)
	e[eSpecific] = count(g.ids+g.mys) + s.given.len()
	c.phrasing(s, func(hash uint64) { e[eWording] += c.models.wording.Find(phraseKey(hash)) })
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
