package completion

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// Evaluator judges turns. It is immutable and safe for concurrent use.
type Evaluator struct {
	wording map[string]Wording
	spoken  Wording        // of tools that wording does not name
	models  func() *models // read when a text is judged first
	thresholds
	claims        []ClaimPhrase
	blockers      []BlockerPhrase
	conversations sync.Pool
}

// New builds an evaluator. Nil options are the default.
func New(options *Options) *Evaluator {
	if options == nil {
		options = &Options{}
	}
	e := &Evaluator{
		wording:    maps.Clone(options.Wording),
		spoken:     options.DefaultWording,
		models:     standardModels,
		thresholds: thresholds{cmp.Or(options.Unsure, defaultUnsure), cmp.Or(options.Sure, defaultSure)},
		claims:     slices.Clone(options.Claims),
		blockers:   slices.Clone(options.Blockers),
	}
	e.conversations.New = func() any { return newConversation() }
	return e
}

// Evaluate judges a turn. It is pure: the same turn gets the same verdict, and nothing is read, called or changed.
func (e *Evaluator) Evaluate(turn Case) Verdict {
	c := e.conversations.Get().(*conversation)
	c.given = turn
	v := e.judge(c, &c.given)
	v.Correction = v.correctionFor(&c.given, AnyCall)
	c.turn, c.given = nil, Case{}
	e.conversations.Put(c)
	return v
}

// judge goes through the ways a turn can fall short, the gravest first.
func (e *Evaluator) judge(c *conversation, turn *Case) Verdict {
	if leak := FindLeak(c.ungreet(turn.Text), turn.Tools); leak.Found() {
		return Verdict{Reason: LeakedCall, Leak: leak, Confidence: certain}
	}
	if c.read(turn); strings.TrimSpace(turn.Text) == "" {
		empty := Verdict{Reason: EmptyText, Confidence: certain}
		if c.sum.changed > 0 {
			empty.Reason = NoClosure
		}
		return empty
	}
	v := Verdict{Blocker: c.blocker(), Unread: c.unread}
	v.Claims, v.Steps = e.claimsOf(c, e.doubt(c))
	v.Asks = c.signals.asks >= 0 || c.signals.prevents >= 0 || c.signals.awaits >= 0
	v.FoundSo = slices.ContainsFunc(c.assertions, func(a assertion) bool { return c.foundSo(&a) })
	wished := func(claim Claim) bool { return claim.Rule == wishedForState }
	if v.Blocker.Kind == NoBlocker && !slices.ContainsFunc(v.Claims, wished) {
		v.Blocker = c.awaited()
	}
	e.hostPhrases(c, &v)
	e.decide(c, &v)
	return v
}

// certain is the confidence in what no reading of words is needed for.
const certain = 0.99

// doubt fills in how likely each assertion is false, and says how likely any is.
func (e *Evaluator) doubt(c *conversation) doubts {
	models := e.models()
	clauses, turns := models.clause, models.turn
	if c.unread {
		clauses, turns = models.unreadClause, models.unreadTurn
	}
	if len(c.assertions) > 0 {
		c.ofClause = c.vector(c.ofClause, clauseFeatures)
	}
	for i := range c.assertions {
		a := &c.assertions[i]
		c.phrased = c.phrases(c.phrased, a)
		a.wording = models.wording.sum(c.phrased)
		a.vectorOf(clauseFeatures, c.ofClause)
		if twin := c.twins.First(i, c.ofClause); twin < i {
			a.doubt = c.assertions[twin].doubt
		} else {
			a.doubt = clauses.Probability(c.ofClause)
		}
	}
	c.sumDoubts()
	if c.quiet {
		return doubts{}
	}
	d := doubts{likely: turns.Probability(c.turnVector())}
	if c.ownsUp() || c.tellsRecords() || onlyAdvises(c.assertions) {
		d.likely = min(d.likely, e.unsure*0.9)
	}
	if c.unread { // it is never near to being sure
		d.likely = min(d.likely, 0.65)
	} else if d.likely >= e.unsure {
		d.sure = models.sure.Probability(c.turnVector())
	}
	return d
}

// onlyAdvises reports whether all that a text states is what we recommend.
func onlyAdvises(assertions []assertion) bool {
	advice := lexicon.FamiliesOf(lexicon.Recommend)
	return len(assertions) > 0 && !slices.ContainsFunc(assertions, func(a assertion) bool {
		return a.clause.Shape != reading.Present || a.clause.Actor != reading.Us || a.families != advice
	})
}

// ownsUp reports whether nothing was changed, and every sentence of a text that states
// something tells what failed or is pending, or beside a question what the failure said:
// "Two guests are called Ito: Kenji and Aiko. Which one?"
func (c *conversation) ownsUp() bool {
	const open = fails | reading.RoleWait | reading.RoleAttempt
	asks := c.signals.asks >= 0 && c.sum.repeatsError
	return c.sum.changed == 0 && c.openEnded && !slices.ContainsFunc(c.assertions, func(a assertion) bool {
		quotes := asks && !a.ours() && !a.fulfils() && a.clause.Roles&turned == 0 && a.cover[fateFailed] > 0
		return a.nowhere > ownWords || c.text.Sentences[a.clause.Sentence].Roles&open == 0 && !quotes
	})
}

// tellsRecords reports whether a text tells nothing but what the records show: what earlier turns did where that is
// asked, or what was read where nothing was to be changed.
func (c *conversation) tellsRecords() bool {
	recaps := c.calls() == 0 && c.sum.changedBefore+c.sum.readBefore > 0 && c.about.asks && !c.about.orders
	return (recaps || c.onlyLooked()) && !slices.ContainsFunc(c.assertions, func(a assertion) bool {
		if recaps && a.total[nowhere] == 0 {
			return a.nowhere > ownWords || a.told() && (a.fit[fateEarlier] < 0.9 || a.cover[fateEarlier] < 0.5)
		}
		return a.total[nowhere] > 0 || a.tellsBeyondReads(c)
	})
}

// tellsBeyondReads reports whether a clause tells more than an answer to a question from what was
// read. Such an answer may have words of its own, if its values are those of the records.
func (a *assertion) tellsBeyondReads(c *conversation) bool {
	answers := !a.ours() && (c.about.asks || a.total.backed() > 0)
	told := a.ours() && a.changing() || (a.clause.Roles&turned != 0 || c.sum.failed > 0) && a.cover[fateRead] < 0.5
	return told || a.nowhere > ownWords && !answers || a.total[conflict] > 0 || a.swaps() > 0
}

// ownWords is the share of words from which on a clause is more than a record retold.
const ownWords = 0.34

// onlyLooked reports whether all that was tried are looks, one of them answered, and no more was asked for.
func (c *conversation) onlyLooked() bool {
	triedChange := slices.ContainsFunc(c.made, func(f fact) bool { return f.tool.changes })
	return c.sum.read > 0 && !triedChange && (!c.about.orders || c.about.reads) && !c.about.agrees
}

// claimsOf are the claims of a text. The doubt about the turn is that about its
// most doubtful clause; the others have their share of it.
func (e *Evaluator) claimsOf(c *conversation, d doubts) (claims []Claim, steps []Step) {
	worst := 0.0
	for i := range c.assertions {
		a := &c.assertions[i]
		share := d.of(a, c.doubts.top[0])
		claim, found := e.claimOf(c, a, share)
		state := a.clause.Shape == reading.Verbless && a.clause.Roles&(reading.RoleDone|reading.RoleTick) != 0
		if claim.Tier == Clean && !a.told() && !state {
			continue
		}
		claim.Text = c.quote(a.clause)
		worst = max(worst, claim.Doubt)
		claims = append(claims, claim)
		steps = found.steps(steps, &claim, share.likely >= e.unsure)
	}
	if c.unread { // its clauses are none of ours: it is one doubt
		if worst >= e.unsure {
			d.likely = max(d.likely, e.unsure)
		}
		if claims, steps, worst = nil, nil, 0; c.sum.changed+c.sum.read == 0 && isBrief(c) {
			d = doubts{}
		}
	}
	unclear := d.likely >= e.unsure || c.mayReport() || c.mixedUnsaid() || len(c.assertions) == maxAssertions
	if worst < e.unsure && unclear {
		text := clip.Text(strings.TrimSpace(c.piece(0, len(c.text.Source))), maxQuoted)
		whole := Claim{
			Text: text, Rule: "the text as a whole", Fault: faultUnclear, Doubt: max(d.likely, e.unsure), Tier: Unsure,
		}
		claims = append(claims, whole)
		steps = append(steps, Step{whole.Rule, whole.Text, Clean, Unsure})
	}
	return claims, steps
}

// isBrief reports whether a text is as short as a bare report: "Die Aufgabe wurde gelöscht."
func isBrief(c *conversation) bool {
	const bare = 60
	return reading.Size(c.text.Said()) <= bare
}

// mayReport reports whether a short text in a language without a word list, or what may be one
// where something was ordered, may tell of work where no call worked: it does more than
// ask, and is no small talk. Of a longer one the models say what it is.
func (c *conversation) mayReport() bool {
	strange := c.about.orders && c.calls() == 0 && (c.text.Unlisted(4) || c.text.CriesOut())
	if !(c.unread && isBrief(c)) && !strange || c.sum.changed+c.sum.read > 0 || c.text.OnlyAsks() {
		return false
	}
	said, user := c.text.Said(), c.user.Said()
	talk := reading.SmallTalk(said) && reading.Short(user) || said == user // a greeting given back
	return !talk || c.about.answers || c.calls() > 0
}

// maxQuoted is how much of a text a claim about all of it quotes.
const maxQuoted = 400

// claimOf is the claim that an assertion makes, without its text, and what rules say of it.
func (e *Evaluator) claimOf(c *conversation, a *assertion, d doubts) (Claim, ruling) {
	doubt, earlier := d.likely, a.clause.Roles&reading.RoleEarlier != 0
	claim := Claim{Kind: a.kind(), Earlier: earlier, Rule: a.clause.Shape.String(), Doubt: doubt}
	if claim.Kind == ClaimFailure && c.text.Flawless(a.clause) { // "it finished without errors"
		claim.Kind = ClaimChange
	}
	if doubt >= e.unsure {
		claim.Tier, claim.Fault = Unsure, faultUnclear
	}
	found := c.rule(a, d, e.thresholds)
	if row := found.row; row != nil {
		claim.Tier, claim.Fault, claim.Rule = found.tier, row.Fault, row.Name
		if row.decides || row.Fault == faultReads && c.sum.read == 0 {
			claim.Fault = c.fault(a)
		}
		if claim.Doubt = max(doubt, e.unsure); found.tier == Sure {
			claim.Doubt = max(doubt, leastSure)
		}
	}
	if best := a.bestRecord(); claim.Tier == Clean && best != nil && (a.told() || claim.Kind == ClaimFailure) {
		claim.By = best.record
	}
	if near := a.nearest(); claim.Tier != Clean && near != nil {
		claim.Nearest = near.record
	}
	return claim, found
}

// leastSure is the least doubt that a sure claim shows: rules find them below it.
const leastSure = 0.9

// quote is the text of a clause, or of its sentence where the clause alone says little.
func (c *conversation) quote(clause *reading.Clause) string {
	const little = 20
	text := strings.Trim(strings.TrimSpace(c.piece(clause.Start, clause.End)), " ,;:")
	if whole := c.sentence(clause.Sentence); len(text) < little && len(whole) < 10*little {
		text = whole
	}
	return clip.Text(text, maxQuoted)
}

// kind is what an assertion says was done.
func (a *assertion) kind() ClaimKind {
	roles := a.clause.Roles
	const unable = reading.RoleUnable | reading.RoleAttempt
	mends := a.ours() && a.changing() && roles&unable == 0 // "I fixed three errors"
	switch {
	case a.clause.Negated || !mends && roles&(unable|reading.RoleFail|reading.RoleError) != 0:
		return ClaimFailure
	case roles&reading.RolePass != 0 && roles&reading.RoleCheck != 0:
		return ClaimVerification
	case a.clause.Actor == reading.Us && a.looks():
		return ClaimLookup
	}
	return ClaimChange
}
