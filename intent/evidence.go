package intent

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
)

// evidence is what a message says for or against one tool, in named numbers.
// The weights of these are fitted; see fit_test.go.
type evidence = vector

// vector is what trees are asked about: the evidence, then how the tool stands to
// others, then its confidence.
type vector [vectorSize]float32

// vectorSize is a power of two, so that an index is cheaply kept inside.
const vectorSize = 128

var _ [vectorSize - weightedEvidence]struct{} // there is room for all

// What the numbers are.
const (
	// The clause that says most for the tool.
	ePlain       = iota // what it says, roughly summed up
	eLead               // how far that is ahead of the best other tool
	eRank               // how many tools are ahead
	eAgain              // further clauses that speak for the tool
	eVerb               // how the verb relates to the tool's; see likeness
	eVerbLead           // how far that is ahead of the best other tool
	eVerbTies           // how many other tools fit the verb as well
	eVerbless           // there is no verb
	eOpposed            // the verb undoes what the tool does
	eSaid               // how any verb of the message relates to the tool's
	eGeneral            // the verb is used of everything
	eName               // part of the name that is said
	eNameHits           // words of the name
	eTold               // words of the description
	eNameRare           // words of the name that few tools have
	eToldRare           // words of the description that few tools have
	eRareLead           // how far these are ahead of the best other tool
	eHead               // the main word: 1 in the description, 2 in the name
	eTarget             // part of what it delivers
	eTargetFirst        // the same, in the first phrase
	eKinds              // words for kinds of what it knows
	ePairs              // two words side by side, as the tool has them
	eTopic              // words of its fields
	eContrast           // a word that excludes one of its own
	eModifies           // its words belong to things that are none of its own
	eKnown              // part of the clause that the tool knows
	eAllName            // part of the name that the whole message says
	eAllRare            // rare words of the tool that the whole message says
	eAllLead            // how far these are ahead
	eRule               // the score of the grammar of requests
	eRuleLead           // how far that is ahead
	eExpected           // it expects the tool
	eOptions            // words of values that its arguments may have
	eOptionsLead        // the same, beyond the best other tool
	// The clause.
	eCommand
	eAsking
	eStatement
	eFragment
	eWanting
	eBarred
	eThinking
	ePast
	eYou
	eMe
	eAble
	ePolite
	eGeneric    // names only a kind of thing
	eRetrospect // asks what the assistant did
	eContent    // words with a meaning of their own
	eForeign    // things of a kind that no tool knows
	eKind       // a thing of the tools
	eTime
	eNumbers
	eNames
	eQuoted
	ePronoun
	eDefinite
	eMine
	// The tool, and the clause together.
	eInfo
	eEntity
	eChanges
	eAnything // takes anything: a shell, a search of the web
	eHandsOver
	eAsksInfo // information is wanted, and the tool only answers
	eActsInfo // an act is asked for, and the tool only answers
	eTaken    // arguments given that the tool takes
	eMissing  // arguments not given that it takes
	eIdle     // arguments given that it does not take
	// The message.
	eClauses
	eWords
	eTools
	eInfoTools // how many tools only answer
	eCommands  // clauses by their mood
	eAskings
	eWants
	eTells
	eFragments
	eBars
	eThinks
	eFirstVerb // how the first clause's verb fits the tools
	eVerbs     // the best fit of any verb with any tool
	eRares     // the most that the words say of any tool
	eOpening   // how the message begins: see opening
	eNegated
	eCondition
	eRefused
	eAgreed
	eThanks
	eGreeting
	eHedged
	eQuestion
	eIDs
	eWordWork  // asks for words: to write, translate, calculate, explain
	eNarrated  // tells what the user did
	eYous      // speaks of the assistant
	eMys       // speaks of what is the user's
	eWithdrawn // how the message holds back what it speaks of; see Hold
	eForbidden
	eDrafted
	eSupposed
	eExplained
	ePrevious
	eReply
	eAskedBefore // it ended with a question
	ePastAsked   // questions about the past
	eRecap       // words that ask for a summary of what happened
	eAnyone      // words that ask what holds for everybody
	eSpecific    // ids, names, numbers, times, and what is the user's
	eCommonVerb  // the verb is used of nearly everything
	eSought      // the tool delivers what is asked for: who, when, where
	eDeed        // how any act that is spoken of relates to the tool's
	eDeedLead
	eIDFit // an id is written like one that the tool takes
	eIDLead
	eSchemaTaken // what is given and the schema takes
	eSchemaIdle  // what is given and the schema does not take
	eSchemaNeeds // what the schema requires and is not given
	// The assistant's text before.
	eOffered   // it offered the tool
	ePriorVerb // a verb of it is the tool's
	ePriorRare // rare words of the tool
	ePriorLead // how far it is ahead
	eYes       // the message agrees, and the text before offered the tool or spoke of its act
	eYesLead   // how far that is ahead
	numEvidence
)

var evidenceNames = [numEvidence]string{
	"plain", "lead", "rank", "again", "verb", "verb-lead", "verb-ties", "verbless", "opposed", "said",
	"general", "name", "name-hits",
	"told", "name-rare", "told-rare", "rare-lead", "head", "target", "target-first", "kinds", "pairs", "topic",
	"contrast", "modifies", "known", "all-name",
	"all-rare", "all-lead", "rule", "rule-lead", "expected", "options", "options-lead", "command", "asking",
	"statement", "fragment", "wanting", "barred", "thinking", "past", "you", "me", "able", "polite", "generic",
	"retrospect", "content", "foreign", "kind", "time", "numbers", "names", "quoted", "pronoun", "definite", "mine",
	"info", "entity", "changes", "anything",
	"hands-over",
	"asks-info", "acts-info", "taken", "missing", "idle", "clauses", "words", "tools",
	"info-tools", "commands", "askings", "wants", "tells", "fragments", "bars", "thinks", "first-verb",
	"verbs", "rares", "opening", "negated", "condition", "refused", "agreed", "thanks",
	"greeting", "hedged", "question", "ids", "word-work", "narrated", "yous", "mys", "withdrawn", "forbidden",
	"drafted", "supposed", "explained", "previous", "reply", "asked-before", "past-asked", "recap", "anyone", "specific", "common-verb", "sought",
	"deed", "deed-lead", "id-fit", "id-lead", "schema-taken", "schema-idle", "schema-needs", "offered", "prior-verb", "prior-rare",
	"prior-lead", "yes", "yes-lead",
}

// wordWork is what needs words and thought, and no tool unless there is one for
// just that.
var wordWork = lexicon.FamiliesOf(lexicon.Write, lexicon.Translate, lexicon.Calculate, lexicon.Summarize,
	lexicon.Recommend, lexicon.Explain,
	lexicon.Compare, lexicon.Convert, lexicon.Review, lexicon.Generate)

// view is a clause as it was judged, kept for the evidence.
type view struct {
	object     object
	families   lexicon.Families
	foreign    int
	mood       mood
	likest     top // the tools by how the verb fits,
	plainest   top // by what is said for them,
	rarest     top // by their rare words,
	ruled      top // and by the grammar of requests
	kind       bool
	asks, does bool
	sought     slots
	common     bool
	past       bool
	you, me    bool
	able       bool
	polite     bool
	generic    bool
	retrospect bool
	from, to   int
}

// sight is the most that one clause says of a tool.
type sight struct {
	tally
	plain float32
	rule  float32 // the most that the grammar of requests says
	like  float32 // how the verb relates to the tool's
	said  float32 // the same, of any verb of the message
	view  int32
	again int32
}

// The likeness of a clause's verb to a tool's.
const (
	sameVerb = 4    // the very verb of the name
	sameWord = 3.5  // another word of the name
	sameLead = 3.25 // the first verb of the description
	nearVerb = 3.1  // one that may stand for the verb of the name
	sameAct  = 3    // of the same family as the name's
	toldAct  = 2    // of the family of another verb of the description
	akinAct  = 1    // of a family that may stand for it
	otherAct = 0    // none, or another
)

// likeness is how the verb of a clause relates to what a tool does.
func (f *frame) likeness(p *profile) float32 {
	switch {
	case f.verb >= 0 && f.verb == p.verb:
		return sameVerb
	case f.verb >= 0 && p.hasWord(f.verb):
		return sameWord
	case f.verb >= 0 && f.verb == p.lead:
		return sameLead
	case f.verb >= 0 && slices.Contains(p.near, f.verb):
		return nearVerb
	case f.families.Overlaps(p.acts):
		return sameAct
	case f.families.Overlaps(p.told):
		return toldAct
	case f.families.Overlaps(p.kin):
		return akinAct
	}
	return otherAct
}

// hasWord reports whether a lemma is a word of the tool's name.
func (p *profile) hasWord(lemma int32) bool {
	for _, own := range p.words {
		if own == lemma {
			return true
		}
	}
	return false
}

// pleas is how plainly a clause of each mood asks for something.
var pleas = [...]float32{statement: 0, command: 1, suggestion: 0.8, asking: 0.8, fragment: 0.3, wanting: 0.6,
	barred: -1, pondering: -0.3, learning: -0.5}

// plainly sums up what a clause says for a tool, roughly: the trees weigh it all
// again, for the clause that says most.
func (f *frame) plainly(p *profile, t *tally, like float32) float32 {
	sum := like + 1.5*min(t.nameRare, 2) + min(t.toldRare, 2) + 0.5*float32(min(t.options,
		2)) + 0.5*one(t.head) + pleas[f.clause.mood]
	switch {
	case p.opposed.Overlaps(f.families):
		sum -= 3
	case f.asks && p.info:
		sum += 1
	case f.asks != p.info && like == otherAct:
		sum -= 0.5
	}
	return sum
}

// note keeps what a clause says of the tools that it may mean.
func (c *Classifier) note(s *scratch, cl *clause, f *frame) {
	if o := f.object; cl.verb < 0 && o.content == 0 && o.times+o.numbers+o.names == 0 && !o.pronoun &&
		!o.quoted && len(s.views) > 0 {
		return // "Thank you!" says nothing of any tool
	}
	s.views = append(s.views, view{
		object: *f.object, families: f.families, foreign: f.foreign, mood: cl.mood, kind: f.kind, asks: f.asks,
		does:   f.does,
		sought: f.sought, common: f.common,
		likest: newTop(), plainest: newTop(), rarest: newTop(), ruled: newTop(),
		past: cl.past, you: cl.you, me: cl.me, able: cl.able, polite: cl.polite, generic: f.object.generic(cl),
		retrospect: s.reader.retrospect(cl),
		from:       cl.from, to: cl.to,
	})
	number := int32(len(s.views) - 1)
	v := &s.views[number]
	for tool := s.open.next(0); tool >= 0; tool = s.open.next(tool + 1) {
		p, t := c.profiles[tool], &s.tallies[tool]
		like := f.likeness(p)
		v.likest.add(tool, like)
		plain := f.plainly(p, t, like)
		v.plainest.add(tool, plain)
		v.rarest.add(tool, t.rare())
		v.ruled.add(tool, s.scores[tool])
		seen := &s.sights[tool]
		if !s.sighted.has(tool) {
			s.sighted.add(int32(tool))
			*seen = sight{plain: -99, rule: -8}
		}
		if plain > 3 {
			seen.again++
		}
		seen.said = max(seen.said, like)
		seen.rule = max(seen.rule, s.scores[tool])
		if plain > seen.plain {
			seen.tally, seen.plain, seen.like, seen.view = *t, plain, like, number
		}
	}
}

// forgetSights makes the scratch ready for the next message.
func (s *scratch) forgetSights() {
	s.views = s.views[:0]
	clear(s.sighted)
}

// rare is how much a tool's words say that few other tools have.
func (t *tally) rare() float32 { return t.nameRare + t.toldRare }

// weigh lists the evidence for one tool: that of the message, and its own.
func (c *Classifier) weigh(s *scratch, tool int, tops *tops, e *evidence) {
	*e = s.message
	p := c.profiles[tool]
	if s.sighted.has(tool) {
		c.weighSight(s, &s.sights[tool], p, tool, tops, e)
	} else {
		e[ePlain], e[eLead], e[eRank], e[eVerbless] = -8, -8, 9, 1
	}
	total := s.total(tool)
	e[eAllName] = part(total.named, p.weight)
	e[eAllRare] = total.rare()
	e[eAllLead] = total.rare() - tops.all.without(tool)
	e[eInfo], e[eEntity], e[eChanges] = one(p.info), one(p.entity), one(p.changes || p.effect == toolname.Changes)
	e[eAnything], e[eHandsOver] = one(p.general || p.runs), one(p.handsOver)
	e[eDeed], e[eIDFit] = s.deed(p), p.fits(s.prefixes)
	if a := &p.arguments; a.any {
		e[eSchemaTaken], e[eSchemaIdle], e[eSchemaNeeds] = (s.given & a.takes).len(), (s.given &^ a.takes).len(),
			(a.requires &^ s.given).len()
	}
	e[eOptions], e[eOptionsLead] = float32(total.options), float32(total.options)-tops.options.without(tool)
	if s.hasPrevious {
		prior := &s.priors[tool]
		e[eOffered], e[ePriorVerb], e[ePriorRare] = prior.offered, prior.like, prior.rare
		e[ePriorLead] = prior.strength() - tops.prior.without(tool)
		if s.replies {
			e[eYes], e[eYesLead] = max(prior.offered, prior.like/2), e[ePriorLead]
		}
	}
}

// weighMessage lists what the message says whatever the tool.
func (c *Classifier) weighMessage(s *scratch, tops *tops, e *evidence) {
	*e = evidence{}
	g := &s.signals
	e[eClauses], e[eWords], e[eTools] = float32(len(s.views)), float32(math.Log1p(float64(g.words))), c.size
	e[eInfoTools] = c.infos
	e[eNegated], e[eCondition], e[eRefused], e[eAgreed] = count(g.negated), count(g.condition),
		count(g.refused), count(g.agreed)
	e[eThanks], e[eGreeting], e[eHedged], e[eQuestion], e[eIDs] = count(g.thanks), count(g.greeting),
		count(g.hedged), count(g.questions), count(g.ids)
	for i := range s.views {
		v := &s.views[i]
		switch v.mood {
		case command, suggestion:
			e[eCommands]++
		case asking:
			e[eAskings]++
		case wanting:
			e[eWants]++
		case statement:
			e[eTells]++
		case fragment:
			e[eFragments]++
		case barred:
			e[eBars]++
		default:
			e[eThinks]++
		}
		if v.past && v.asks {
			e[ePastAsked]++
		}
		if i == 0 {
			e[eFirstVerb] = max(v.likest.first, 0)
		}
		e[eVerbs] = max(e[eVerbs], v.likest.first)
		if v.families.Overlaps(wordWork) && v.likest.first < sameAct {
			e[eWordWork]++
		}
	}
	if e[eCommands]+e[eAskings]+e[eWants] > 0 { // beside a request, thanks and greetings say nothing
		e[eThanks], e[eGreeting] = 0, 0
	}
	e[eNarrated], e[eYous], e[eMys] = count(g.narrated), count(g.yous), count(g.mys)
	e[eRares] = max(tops.all.first, 0)
	e[eOpening] = s.opening()
	if s.hold != NotHeld {
		e[eWithdrawn+int(s.hold-Withdrawn)] = 1
	}
	e[ePrevious], e[eReply] = one(s.hasPrevious), one(s.replies)
	e[eAskedBefore] = one(s.hasPrevious && s.asked)
	e[eRecap], e[eAnyone] = count(g.recaps), count(g.anyone)
	e[eSpecific] = count(g.ids+g.mys) + s.given.len()
}

func (c *Classifier) weighSight(s *scratch, seen *sight, p *profile, tool int, tops *tops, e *evidence) {
	v := &s.views[seen.view]
	o := &v.object
	e[ePlain] = clip(seen.plain, 12)
	e[eLead] = clip(seen.plain-v.plainest.without(tool), 12)
	e[eRank] = float32(min(s.ahead(seen), 9))
	e[eAgain] = float32(seen.again)
	e[eRule], e[eRuleLead] = clip(seen.rule, 8), clip(seen.rule-v.ruled.without(tool), 8)
	e[eExpected] = one(s.ruled(int32(tool)))
	e[eVerb], e[eVerbless], e[eSaid] = seen.like, one(v.families.Empty()), seen.said
	e[eVerbLead] = max(seen.like-v.likest.without(tool), -4)
	e[eVerbTies] = float32(min(v.likest.ties(seen.like), 9))
	e[eOpposed], e[eGeneral] = one(p.opposed.Overlaps(v.families)), one(v.families.Overlaps(general) ||
		v.families.Overlaps(vague))
	e[eName], e[eNameHits], e[eTold] = part(seen.named, p.weight), float32(seen.namedHits), seen.told
	e[eNameRare], e[eToldRare] = seen.nameRare, seen.toldRare
	e[eRareLead] = seen.rare() - v.rarest.without(tool)
	e[eHead] = one(seen.head) + one(seen.headNamed)
	e[eTarget], e[eTargetFirst] = part(float32(seen.target), float32(p.targets)),
		part(float32(seen.targetLead), float32(p.targets))
	e[eKinds], e[ePairs], e[eTopic] = float32(seen.kinds), float32(seen.pairs), part(seen.topic, o.weight)
	e[eContrast], e[eModifies] = one(seen.against > 0 && seen.agreed == 0), float32(seen.modifies)
	e[eKnown] = part(seen.weight, o.weight)
	switch v.mood {
	case command, suggestion:
		e[eCommand] = 1 + one(v.mood == command)
	case asking:
		e[eAsking] = 1
	case statement:
		e[eStatement] = 1
	case fragment:
		e[eFragment] = 1
	case wanting:
		e[eWanting] = 1
	case barred:
		e[eBarred] = 1
	case pondering, learning:
		e[eThinking] = 1
	}
	e[ePast], e[eYou], e[eMe], e[eAble] = one(v.past), one(v.you), one(v.me), one(v.able)
	e[ePolite], e[eMine] = one(v.polite), one(o.mine)
	e[eCommonVerb] = one(v.common)
	if v.sought != 0 {
		e[eSought] = 2*one(v.sought&p.gives != 0) - 1
	}
	e[eGeneric], e[eRetrospect] = one(v.generic), one(v.retrospect)
	e[eContent], e[eForeign], e[eKind], e[eTime] = float32(min(o.content, 20)), float32(min(v.foreign, 5)),
		one(v.kind), float32(min(o.times, 3))
	e[eNumbers], e[eNames], e[eQuoted] = float32(min(o.numbers, 4)), float32(min(o.names, 4)), one(o.quoted)
	e[ePronoun], e[eDefinite] = one(o.pronoun)+one(o.pronoun && o.content == 0), one(o.definite)
	e[eAsksInfo], e[eActsInfo] = one(v.asks && p.info), one(v.does && p.info)
	given := o.given()
	e[eTaken], e[eMissing], e[eIdle] = (given & p.takes).len(), (p.takes &^ given).len(), (given &^ p.takes).len()
}

func one(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func count(n int) float32 { return float32(min(n, 4)) }

// top is the highest of some numbers, and the second, so that each can be
// compared with the best of the others.
type top struct {
	first, second float32
	tool          int
	equal         int // how many have the highest
}

func newTop() top { return top{first: -8, second: -8, tool: -1} }

func (t *top) add(tool int, x float32) {
	switch {
	case x > t.first:
		t.first, t.second, t.tool, t.equal = x, t.first, tool, 1
	case x == t.first:
		t.second = x
		t.equal++
	case x > t.second:
		t.second = x
	}
}

// ties is how many of the highest there are, of which x is one; none otherwise.
func (t *top) ties(x float32) int {
	if x == t.first {
		return t.equal
	}
	return 0
}

// without is the highest number of all tools but one.
func (t *top) without(tool int) float32 {
	if t.tool == tool {
		return t.second
	}
	return t.first
}

// tops are the highest of what a message as a whole says for any tool.
type tops struct{ plain, all, prior, options top }

// ahead is how many contenders the same clause says more for.
func (s *scratch) ahead(seen *sight) (n int) {
	for i := range s.contenders {
		if k := &s.contenders[i]; k.view == seen.view && k.view >= 0 && s.sights[k.tool].plain > seen.plain {
			n++
		}
	}
	return n
}

// tops compares the tools.
func (c *Classifier) tops(s *scratch) tops {
	t := tops{newTop(), newTop(), newTop(), newTop()}
	for tool := s.sighted.next(0); tool >= 0; tool = s.sighted.next(tool + 1) {
		t.plain.add(tool, s.sights[tool].plain)
		total := s.total(tool)
		t.all.add(tool, total.rare())
		t.options.add(tool, float32(total.options))
	}
	if s.hasPrevious {
		for tool := range s.priors {
			t.prior.add(tool, s.priors[tool].strength())
		}
	}
	return t
}
