package intent

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/vector"
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
	// maxContenders is how many tools are weighed, maxJudged how many of these are
	// judged one by one, from the first.
	maxContenders, maxJudged = 8, 5
	// earlyTrees of the ranking are walked for all, the others for those that are
	// not out of reach then.
	earlyTrees, outOfReach = 12, 3
	// nearShare is how much the nearness of a tool counts beside the trees.
	nearShare = 0.6
	// hardly is the share of the odds below which a tool is not judged.
	hardly = 0.05
	// farBehind is how far a tool may be behind the first of its clause, by plain
	// words, to be weighed at all; clauseFirst is what that first one has before
	// others where there is no room for all.
	farBehind, clauseFirst = 3, 2
)

// contender is a tool that a message may mean.
type contender struct {
	tool  int32
	at    int32   // the place of its evidence
	view  int32   // the clause that says most for it
	rough float32 // how strong it is by plain words, by which it is weighed at all
	score float32 // of the ranking, a log-odds against those of its clause
	near  float32 // how near it is to where the words point
	odds  float32 // of its score
	sure  float32 // the probability that it is asked for
}

// decide settles from the evidence what is expected, how sure that is, and
// whether anything is due.
func (c *Classifier) decide(s *scratch) {
	tops := c.tops(s)
	c.weighMessage(s, &tops, &s.message)
	s.contend(c, &tops)
	if len(s.contenders) == 0 {
		s.due = c.models.due.Probability(c.models.scale.Rank(s.message[:], &s.ranks[0]))
		return
	}
	for i := range s.contenders {
		k := &s.contenders[i]
		k.at = int32(i)
		c.weigh(s, int(k.tool), &tops, &s.evidence[i])
	}
	s.compareDeeds()
	c.rank(s)
	slices.SortStableFunc(s.contenders, func(a, b contender) int { return cmp.Compare(b.score, a.score) })
	for i := range s.contenders[:min(len(s.contenders), maxJudged)] {
		k := &s.contenders[i]
		x := &s.evidence[k.at]
		if share := s.stand(i, x); i > 0 && share < hardly && !s.isListedBeside(k) {
			continue
		}
		ranks := c.models.scale.RankFrom(eScore, x[:], &s.ranks[k.at])
		k.sure = c.models.sure.Probability(ranks)
		if i == 0 {
			x[eSure] = k.sure
			s.due = c.models.due.Probability(c.models.scale.RankFrom(eSure, x[:], ranks))
		}
	}
}

// rank scores the contenders. Those that the first trees see far behind are not
// walked further: they have nothing to say in the end.
func (c *Classifier) rank(s *scratch) {
	best := float32(math.Inf(-1))
	for i := range s.contenders {
		k := &s.contenders[i]
		if ranks := &s.ranks[i]; i == 0 {
			c.models.scale.Rank(s.evidence[0][:], ranks)
		} else { // what is said of the message is the same
			c.models.scale.RankLike(s.evidence[i][:], s.evidence[0][:], &s.ranks[0], ranks)
		}
		k.score = nearShare*k.near + c.models.early.Score(&s.ranks[i])
		best = max(best, k.score)
	}
	for i := range s.contenders {
		k := &s.contenders[i]
		if k.score > best-outOfReach {
			k.score += c.models.late.Score(&s.ranks[i])
		}
		k.odds = float32(math.Exp(float64(k.score)))
	}
}

// stand notes how the i-th contender stands to the others that the same clause
// speaks of: its score, its share of all odds ("none" included), how far it is
// ahead, and its rank.
func (s *scratch) stand(i int, x *evidence) (share float32) {
	k, sum, best, rank := &s.contenders[i], float32(1), float32(-8), 0
	for j := range s.contenders {
		other := &s.contenders[j]
		if other.view != k.view {
			continue
		}
		sum += other.odds
		if j != i {
			best = max(best, other.score)
		}
		if j < i {
			rank++
		}
	}
	share = k.odds / sum
	x[eScore], x[eShare], x[eAhead], x[ePlace] = k.score, share, k.score-best, float32(rank)
	return share
}

// contend lists the tools that are worth weighing, the strongest first.
func (s *scratch) contend(c *Classifier, tops *tops) {
	s.contenders = s.contenders[:0]
	s.point = vector.Vector{}                  // of this message, never of the one before
	if tops.plain.tool >= 0 || s.hasPrevious { // else no tool is near, wherever the words point
		s.head()
	}
	for tool := range s.sighted.all {
		seen, near := &s.sights[tool], s.point.Times(&c.profiles[tool].toward)
		strength := seen.plain + near + s.priors[tool].strength()
		if s.done.Overlaps(c.profiles[tool].acts) {
			strength++
		}
		first := s.views[seen.view].plainest.first
		if seen.plain == first {
			strength += clauseFirst // what a clause speaks of most
		}
		if seen.plain >= first-farBehind || strength > tops.plain.first {
			s.enter(contender{tool: int32(tool), view: seen.view, rough: strength, near: near})
		}
	}
	for tool := range s.priors { // nothing stands there without a text before
		if strength := s.priors[tool].strength(); strength > 0.5 && !s.sighted.has(tool) {
			near := s.point.Times(&c.profiles[tool].toward)
			s.enter(contender{tool: int32(tool), view: -1, rough: strength, near: near})
		}
	}
}

// enter adds a contender before those that are weaker. The weakest gives way
// where there is no room.
func (s *scratch) enter(k contender) {
	at := min(len(s.contenders), maxContenders-1)
	if at == len(s.contenders) {
		s.contenders = append(s.contenders, k)
	} else if s.contenders[at].rough >= k.rough {
		return
	}
	for ; at > 0 && s.contenders[at-1].rough < k.rough; at-- {
		s.contenders[at] = s.contenders[at-1]
	}
	s.contenders[at] = k
}

// expectations turns the contenders that are probable enough into expectations, in
// the order in which the message asks for them.
func (c *Classifier) expectations(s *scratch) {
	s.expected = s.expected[:0]
	for i, k := range s.contenders[:min(len(s.contenders), maxJudged)] {
		if !c.silent[k.tool] && c.isExpected(s, i) {
			s.expected = append(s.expected, c.foundTool(s, k))
		}
	}
	slices.SortStableFunc(s.expected, func(a, b found) int { return a.from - b.from })
	if len(s.expected) > 1 {
		s.settled = append(s.settled[:0], s.expected...)
		s.expected = slices.DeleteFunc(s.expected, func(f found) bool { return c.isStepToChange(s, f) })
	}
}

// isExpected reports whether the i-th contender is probable enough to be expected.
func (c *Classifier) isExpected(s *scratch, i int) bool {
	k := &s.contenders[i]
	switch {
	case s.hearing.Over:
		return false
	case i == 0 && s.isAgreedTo(k):
		return k.sure >= expectNamely
	case s.evidence[k.at][ePlace] == 0 && c.isOnlyToolForAct(s, k) &&
		(s.views[k.view].isSpecific() || s.views[k.view].isSwitch(c.profiles[k.tool]) || c.isPlainCommand(s, k)):
		return k.sure >= expectNamely
	}
	limit := s.limitAt(i)
	if s.isMereAgreement(k) {
		return false
	}
	if k.view >= 0 {
		limit = c.limitOf(s, k, limit)
	}
	if c.isHeldBack(s, int(k.tool)) && !s.isCommandedBesideBar(k.view) {
		if s.hold == Forbidden && k.view >= 0 && s.sights[k.tool].like >= sameAct {
			return false // by its very verb: "I don't want to delete the reminder"
		}
		limit = max(limit, expectHeld)
	}
	return k.sure >= limit
}

// isAgreedTo reports whether the message agrees to the tool that the assistant
// offered, or corrects what was to be done with it: "yes, please", "no, the
// second one".
func (s *scratch) isAgreedTo(k *contender) bool {
	prior := &s.priors[k.tool]
	return s.replies && (prior.offered >= sameAct || s.corrects && prior.like >= sameAct)
}

// isMereAgreement reports whether a message only agrees, and the text before told what a tool does
// instead of offering it: "I've sent the invoice." – "ok", "Did you send it?" – "yes".
func (s *scratch) isMereAgreement(k *contender) bool {
	prior := &s.priors[k.tool]
	told := !s.asked && prior.like >= sameAct && prior.open < akinAct
	said := s.sighted.has(int(k.tool)) && s.sights[k.tool].like >= akinAct // "yes, close it"
	factual := s.factual && !said && s.message[eAskings] == 0              // "yes, which ones are open?"
	return s.replies && !s.corrects && (told || factual || prior.denied >= sameAct)
}

// limitAt is the probability from which on the i-th contender is expected, by its
// place among the others.
func (s *scratch) limitAt(i int) float32 {
	k := &s.contenders[i]
	switch {
	case i == 0:
		return min(s.anyway(k), max(expectFirst, expectOverIdle*(1-s.due)))
	case s.evidence[k.at][ePlace] == 0:
		return expectClause
	case s.isListedBeside(k):
		return expectNamely
	}
	return expectFurther
}

// limitOf raises or lowers that limit by what the clause says that speaks of the
// tool.
func (c *Classifier) limitOf(s *scratch, k *contender, limit float32) float32 {
	v, seen, p := &s.views[k.view], &s.sights[k.tool], c.profiles[k.tool]
	switch {
	case v.clause.Achieved.Overlaps(p.acts):
		return never
	case p.acts.Overlaps(destructive) && seen.like < akinAct:
		return max(limit, expectHeld)
	case v.clause.Able && v.generic: // "can you delete tasks?" asks for the ability
		return never
	case s.evidence[k.at][eOpposed] > 0:
		return max(limit, expectHeld)
	}
	return limit
}

// isByVerbOnly reports whether but a verb speaks for a tool, on a thing that is none of
// the tools': "cancel my gym".
func (t *sight) isByVerbOnly(v *view, p *profile) bool {
	return t.hits == 0 && !v.kind && p.entity && v.foreign > 0
}

// isPlainCommand reports whether the message is one command that says the very verb and noun
// of a tool, which no other tool has: "delete the task Read book".
func (c *Classifier) isPlainCommand(s *scratch, k *contender) bool {
	if len(s.views) != 1 || !c.isOnlyToolForAct(s, k) {
		return false
	}
	v, seen := &s.views[k.view], &s.sights[k.tool]
	named := v.kind && seen.named >= c.profiles[k.tool].weight
	return v.plea == reading.Commanded && !v.clause.Able && seen.like >= sameVerb && named
}

// isDoubtfulClause reports whether the clause that speaks for a tool is no reason to be sure
// of it.
func (c *Classifier) isDoubtfulClause(s *scratch, tool int) bool {
	if !s.sighted.has(tool) {
		return false
	}
	seen, p := &s.sights[tool], c.profiles[tool]
	v := &s.views[seen.view]
	unnamed := seen.hits == 0 || v.object.pronoun && seen.namedHits == 0
	switch {
	case seen.isByVerbOnly(v, p): // "cancel my flight", where gyms are cancelled
		return true
	case v.attributive, v.object.compound && !p.info: // "open tickets" may ask which are open; "an event handler"
		return true
	case p.info: // a look-up that is not meant harms nobody
		return false
	case c.canMeanAnotherTool(s, v, seen, tool):
		return true
	case unnamed && !v.hasNamedThing(seen) && seen.like < nearVerb && v.common: // "put them in bay 9"
		return true
	case unnamed && p.acts.Overlaps(destructive) && !p.acts.Overlaps(v.families): // "stop press 3" deletes none
		return true
	}
	return v.isUnasked(seen) || s.reader.Narrates(v.clause)
}

// hasNamedThing reports whether a clause names a thing of a tool, and points at none: "set a
// reminder for every Monday", and not "make this one a reminder".
func (v *view) hasNamedThing(seen *sight) bool {
	return v.kind && seen.hits > 0 && !v.object.definite && !v.object.pronounFirst
}

// canMeanAnotherTool reports whether a clause names no thing, and one of another tool may be meant:
// "close", "a booking for Karl, cut", "a permit for the gate, and drop that one". An id
// behind the very verb of a tool names one: "cancel HB2201".
func (c *Classifier) canMeanAnotherTool(s *scratch, v *view, seen *sight, tool int) bool {
	if seen.like >= sameVerb && v.likest.without(tool) < sameAct && s.reader.Identified(v.clause) {
		return false
	}
	o, destroys := &v.object, c.profiles[tool].acts.Overlaps(destructive)
	pointed := destroys && o.pronoun && seen.view > 0 && s.total(tool).namedHits == 0
	return pointed || o.content == 0 && (v.likest.without(tool) >= toldAct || !o.pronoun && len(s.views) > 1)
}

// isUnasked reports whether a clause asks for no act, or for another one than that of a
// tool: "it is at 24 now, yes?", "text her that it is ready" does not mark it so.
func (v *view) isUnasked(seen *sight) bool {
	switch v.plea {
	case reading.Told, reading.Inquired:
		return true
	case reading.Named: // "soap, rice" orders nothing
		return seen.namedHits == 0
	case reading.Commanded:
		return !v.families.Empty() && seen.like < akinAct
	}
	return false
}

// isListedBeside reports whether the clause that names the first tool lists this one beside
// it, by a word that no other tool has.
func (s *scratch) isListedBeside(k *contender) bool {
	return k.view >= 0 && k.view == s.contenders[0].view && s.views[k.view].enumerates &&
		s.sights[k.tool].exclusive > 0 && s.sights[s.contenders[0].tool].exclusive > 0
}

// isOnlyToolForAct reports whether a contender is the one tool that does what a command says,
// and nothing speaks of things that are none of its own: "delete Read book".
func (c *Classifier) isOnlyToolForAct(s *scratch, k *contender) bool {
	if k.view < 0 || c.profiles[k.tool].info || s.hold != NotHeld && !s.isCommandedBesideBar(k.view) {
		return false
	}
	v, seen := &s.views[k.view], &s.sights[k.tool]
	ours := v.foreign == 0 || !c.profiles[k.tool].entity && !v.object.mine || // "refund my parking fee"
		v.object.title || v.kind || seen.hits > 0
	if seen.hits == 0 && seen.like < nearVerb && v.families.Overlaps(general) && !v.isSwitch(c.profiles[k.tool]) {
		return false // "rename it" may mean anything that changes something
	}
	asked := v.plea == reading.Commanded || v.plea == reading.Suggested
	return asked && !v.generic && ours && seen.like >= sameAct &&
		!v.families.Overlaps(vague) && v.likest.without(int(k.tool)) < seen.like
}

// anyway is the probability from which on the first is expected, whatever is due. It is
// lower for a tool of which a clause says the name (two words, its verb being one; a
// question does without), the act in its own verb, or what no other one has.
func (s *scratch) anyway(k *contender) float32 {
	if k.view < 0 {
		return expectAnyway
	}
	v, seen, e := &s.views[k.view], &s.sights[k.tool], &s.evidence[k.at]
	named := seen.namedHits > 1 || seen.namedHits == 1 && (seen.like >= sameVerb || v.asks)
	switch {
	case named && e[eUnsaid] == 0 && e[eRareLead] >= 0:
		return expectNamed
	case v.plea == reading.Commanded && seen.like >= sameAct && v.isSpecific(), v.asks && seen.exclusive > 0:
		return expectOwn
	}
	return expectAnyway
}

// isCommandedBesideBar reports whether a message that forbids one thing commands another in a
// clause beside it: "don't delete it, mark it as done".
func (s *scratch) isCommandedBesideBar(view int32) bool {
	forbids := s.hold == Forbidden || len(s.hearing.Bars) > 0
	return forbids && view >= 0 && s.views[view].plea == reading.Commanded && s.message[eBars] > 0
}

// isHeldBack reports whether the message holds a tool back. Questions about how and
// what if hold back changes only.
func (c *Classifier) isHeldBack(s *scratch, tool int) bool {
	return s.hold == Withdrawn || s.hold == Forbidden || s.hold != NotHeld && !c.profiles[tool].info ||
		s.isBarred(c, tool)
}

// isBarred reports whether a clause that holds back but itself speaks of a tool: by the verb
// that speaks for the tool, or by words of its name that stand nowhere else.
func (s *scratch) isBarred(c *Classifier, tool int) bool {
	if len(s.hearing.Bars) == 0 || !s.sighted.has(tool) {
		return false
	}
	seen := &s.sights[tool]
	if verb := s.views[seen.view].clause.Verb; seen.like < sameAct || verb < 0 || s.isInBar(verb) {
		return true
	}
	barred := false
	for i := range s.reader.Tokens {
		if slices.Contains(c.profiles[tool].words, s.reader.At(i).ID) && s.reader.At(i).ID != c.profiles[tool].verb {
			if barred = s.isInBar(i); !barred {
				return false
			}
		}
	}
	return barred
}

// isInBar reports whether token i stands in a clause that holds back but itself.
func (s *scratch) isInBar(i int) bool {
	return slices.ContainsFunc(s.hearing.Bars, func(bar [2]int32) bool {
		return bar[0] <= int32(i) && int32(i) <= bar[1]
	})
}

// holdOn is how the message holds back one tool: as a whole, or because it asks for
// what happens again and again and the tool does it once, or because the clause
// that speaks of the tool leaves things as they are ("close the valve, but keep the
// pump"). Such a tool may be meant; nobody is to be forced to call it.
func (c *Classifier) holdOn(s *scratch, tool int) Hold {
	p := c.profiles[tool]
	switch {
	case s.hold == NotHeld && s.isBarred(c, tool):
		return Forbidden
	case c.isHeldBack(s, tool):
		return s.hold
	case s.signals.standing > 0 && !p.repeats:
		return Standing
	case !p.info && s.sighted.has(tool):
		seen := &s.sights[tool]
		v := &s.views[seen.view]
		timed := p.arguments.takes&moment != 0 || p.repeats || p.acts.Overlaps(planned)
		switch {
		case v.still && seen.like < sameWord:
			return Forbidden
		case !timed && s.reader.Deferred(v.clause):
			return Deferred
		case !timed && s.reader.Conditioned(v.clause):
			return Conditional
		}
	}
	return NotHeld
}

// isStepToChange reports whether a look-up only leads to the change that is asked for
// next: "find it and delete it".
func (c *Classifier) isStepToChange(s *scratch, f found) bool {
	if !c.profiles[f.tool].info || !c.profiles[f.tool].entity || !s.sighted.has(int(f.tool)) ||
		!s.views[s.sights[f.tool].view].families.Overlaps(leading) {
		return false
	}
	follows := func(next found) bool { return next.from == f.to && !c.profiles[next.tool].info }
	return slices.ContainsFunc(s.settled, follows)
}

// foundTool describes the expectation of a tool.
func (c *Classifier) foundTool(s *scratch, k contender) found {
	f := found{tool: k.tool, score: logit(k.sure), to: len(s.reader.Tokens)}
	if c.isOnlyToolForAct(s, &k) {
		f.score = max(f.score, soleScore)
	}
	if s.sighted.has(int(k.tool)) {
		seen := &s.sights[k.tool]
		v := &s.views[seen.view]
		reserved := c.isReservedOrUndone(s, int(k.tool))
		switch {
		case reserved, c.isDoubtfulClause(s, int(k.tool)), c.isLostInCrowd(seen, int(k.tool)):
			f.score = min(f.score, strangeScore)
		case c.isPlainCommand(s, &k):
			f.score = max(f.score, plainScore)
		}
		f.from, f.to = v.clause.From, v.clause.To
		f.own = seen.like >= sameAct && v.plea == reading.Commanded && !v.families.Overlaps(vague) && !reserved
	}
	if prior := &s.priors[k.tool]; s.replies && prior.strength() > 0.5 {
		f.from, f.to = 0, len(s.reader.Tokens)
		if prior.offered >= sameAct {
			f.score = max(f.score, agreedScore)
		}
	}
	return f
}

// isReservedOrUndone reports whether the clause that speaks for a change does not ask for it
// plainly, or only passes words on ("tell Ann it is shipped"), or a later one undoes or
// corrects it: "unlock the back door. Lock it, I meant".
func (c *Classifier) isReservedOrUndone(s *scratch, tool int) bool {
	p, at := c.profiles[tool], s.sights[tool].view
	earlier := s.views[at].clause
	noted := earlier.Families.Overlaps(noting) && p.acts.Overlaps(planned) // "remind me to lock up"
	passedOn := !p.conveys && !noted && s.reader.Conveyed(earlier)
	if p.info { // or nobody knows its verb
		return p.acts.Empty() && passedOn
	}
	timed := p.arguments.takes&moment != 0 || p.repeats || p.acts.Overlaps(dated)
	if passedOn || s.reader.Reserved(earlier) || !timed && s.reader.Postponed(earlier) {
		return true
	}
	for i := at + 1; int(i) < len(s.views); i++ {
		if v := &s.views[i]; p.opposed.Overlaps(v.families) && s.reader.Replaced(earlier, v.clause) ||
			s.reader.Corrected(earlier, v.clause) {
			return true
		}
	}
	return false
}

// logit maps a probability to a log-odds.
func logit(p float32) float32 {
	p = max(min(p, 0.9999), 0.0001)
	return float32(math.Log(float64(p) / (1 - float64(p))))
}
