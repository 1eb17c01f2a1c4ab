package intent

import "github.com/bonafide-go/bonafide/internal/lexicon"

// Features of a tool that keeps a collection. Its things have titles in any
// words, so what decides is the verb, and that nothing named is foreign.
const (
	cBias            = iota
	cActs            // the verb is the tool's own
	cAkin            // the verb may stand for it
	cAnswers         // information is wanted, and the tool only answers
	cNoVerb          // no verb, and no question
	cForeign         // things that are not ours are named, and none of ours
	cKind            // a thing or a list of ours is named
	cTime            // a time or day is named
	cAsking          // a question
	cYou             // about the assistant
	cMe              // about the user
	cActsOnKind      // the tool's own verb on a thing of ours
	cAnswersOnKind   // a question about a thing of ours
	cActsFreely      // the tool's own verb on something that is not foreign
	cActsNamed       // the tool's own verb, and words of its name
	cPronoun         // only "it", "that one", "all"
	cTold            // a statement in the tool's words
	cThing           // a thing of ours and no verb: "my list please"
	cNewThing        // a new thing of ours and no verb: "new appointment"
	cWhen            // asks for a time, of a tool that knows times
	cForeignHolder   // a list that is not ours
	cOtherVerbOnKind // a verb of other tools on a thing of ours
	cTimed           // such a verb with a time, of a tool that knows times
	cDuty            // asks what the user has to do
	cAgenda          // asks what there is, naming only a time
	cYouTold         // a statement about the assistant
	cCarried         // the clause before named the thing
	cMine            // a question about the user's own thing
	cWords           // words of the tool's description
	cTopic           // words of the tool's fields
	cHead            // the tool's own verb on a word the tool knows
	cSpecific        // the tool's own verb, which is used of kept things only
	cOwnWord         // the very verb of the tool's name
	cWhenAny         // asks for a time, whatever the thing
	cMyThing         // nothing but a thing of ours, or the user's own
	cToldKind        // a statement about a thing of ours
	cOwnWordFreely   // the very verb of the name, on something that is not foreign
	collectionFeatures
)

// collectionWeights has room for as many as functionWeights, so that both are
// summed up in one way.
var collectionWeights = [functionFeatures]float32{
	-3.53, 0.38, 1.59, -0.43, -2.43, -1.85, 2.43, 1.64, -0.10, -2.92, -0.61, 2.30, 2.34, 2.05, 1.69, 1.40, 2.60, -0.11,
	6.51, 1.37, -2.44, -2.46, 1.10, 6.10, 3.12, -3.14, 2.55, 3.43, 1.53, 1.54, 1.73, 2.29, 0.30, 3.85, 3.65, 0.90, 0.66,
}

// specific families are asked for only of things one keeps; others are used of
// anything ("change the light").
var specific = lexicon.FamiliesOf(lexicon.Delete, lexicon.Complete, lexicon.Cancel)

// collection sums up what speaks for a tool that keeps a collection.
func (s *sum) collection(f *frame, p *manner, t *tally) {
	cl, o := f.clause, f.object
	rel, foreign := f.relate(p), f.foreign
	if o.title && rel == acting {
		foreign = 0
	}
	known := part(t.weight, o.weight)
	s.add(cBias, 1)
	s.when(rel == akin, cAkin)
	s.when(f.families.Empty() && cl.mood != asking, cNoVerb)
	if foreign > 0 && !f.kind {
		s.add(cForeign, float32(min(foreign, 2)))
	}
	s.when(f.kind, cKind)
	s.when(o.times > 0, cTime)
	s.when(cl.you, cYou)
	s.when(cl.me, cMe)
	s.when(o.content == 0 && o.pronoun, cPronoun)
	s.when(o.foreignHolder, cForeignHolder)
	s.when(rel == unrelated && !f.families.Empty() && !(f.asks && p.info) && f.kind, cOtherVerbOnKind)
	s.when(rel != unrelated && !p.info && p.calendar && (o.times > 0 || o.ordinal || o.mine) && foreign == 0 && !f.kind, cTimed)
	s.when(f.carried && !f.kind && foreign == 0 && rel >= described, cCarried)
	s.add(cWords, min(t.told, 4)/4)
	s.add(cTopic, min(part(t.topic, o.weight), 1))
	if rel == acting {
		s.ownVerb(f, p, t, foreign)
	}
	switch cl.mood {
	case statement:
		s.add(cTold, known)
		s.when(cl.you, cYouTold)
		s.when(f.kind && p.info, cToldKind)
	case fragment, wanting:
		s.when(p.info && f.kind, cThing)
		s.when(o.directKind && o.indefinite && p.acts.Has(lexicon.Create), cNewThing)
		s.when(cl.mood == fragment && p.info && (o.mine || o.content == o.hits) && (o.directHolder || o.directKind), cMyThing)
	}
	if p.info {
		s.answering(f, p, foreign)
	} else {
		s.when(cl.mood == asking, cAsking)
	}
}

// ownVerb sums up what speaks for a tool whose verb is the clause's.
func (s *sum) ownVerb(f *frame, p *manner, t *tally, foreign int) {
	o := f.object
	s.add(cActs, 1)
	s.when(f.kind, cActsOnKind)
	s.add(cActsNamed, part(t.named, p.weight))
	s.when(t.head, cHead)
	own := f.verb == p.verb && p.verb >= 0
	s.when(own, cOwnWord)
	if p.info || f.kind || foreign > 0 {
		return
	}
	s.when(o.something(), cActsFreely)
	s.when(o.content > 0 && f.families.Overlaps(specific), cSpecific)
	s.when(own, cOwnWordFreely)
}

// answering sums up what speaks for a tool that only answers.
func (s *sum) answering(f *frame, p *manner, foreign int) {
	cl, o := f.clause, f.object
	s.when(f.asks, cAnswers)
	s.when(f.asks && f.kind, cAnswersOnKind)
	s.when(cl.duty && foreign == 0 && p.agenda, cDuty)
	s.when((cl.mood == asking || f.informs) && p.agenda && o.content == 0 && (cl.me || o.times > 0), cAgenda)
	if cl.mood != asking {
		return
	}
	s.add(cAsking, 1)
	s.when((o.mine || cl.me) && f.kind, cMine)
	s.when(o.when && p.calendar && !cl.you, cWhenAny)
	s.when(o.when && p.calendar && !cl.you && foreign == 0, cWhen)
}
