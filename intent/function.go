package intent

import "github.com/bonafide-go/bonafide/internal/lexicon"

// Features of a tool by itself: a function with arguments. What decides is how
// much of the request is said in the tool's words.
const (
	fBias           = iota
	fAnswers        // information is wanted, and the tool only answers
	fNoVerb         // no verb, and no question
	fName           // part of the tool's name that is said
	fNamed          // words of its name, up to three
	fTold           // words of its description
	fKind           // a thing of the tools is named
	fTime           // a time or day is named
	fPronoun        // it, that one, all
	fAttribute      // something that the tools' things have
	fSuggestion     // asked less plainly
	fAsking         // a question
	fStatement      // a statement
	fPast           // about the past
	fActs           // the tool's own verb, and not one that is used of everything
	fActsOnKind     // the tool's own verb on a thing of the tools
	fKnown          // part of the request that the tool answers and knows
	fActsFreely     // the tool's own verb on something that is not foreign
	fAkinOnKind     // a verb that may stand for it, on a thing of the tools
	fAkinNamed      // such a verb, and words of the tool's name
	fOnlyPronoun    // nothing but "it"
	fThing          // a thing and no verb, of a tool that answers
	fFirst          // the first word that means something is known
	fInfo           // the tool only answers
	fAskedToAct     // a question, and the tool acts
	fOthersVerb     // the verb is another tool's
	fBehind         // how much more the words say of another tool
	fAhead          // the words say the most of this tool
	fOthersOnKind   // another tool's verb, on a thing of the tools
	fNothing        // no word of the tool is said
	fWhen           // asks for a time, of a tool that knows times
	fYouTold        // a statement about the assistant
	fAnswersName    // a question that holds the whole name
	fNames          // names of people and places
	fNamePhrase     // the name in the first phrase
	fNameAnywhere   // part of the name that the whole message says
	fToldAnywhere   // words of the description in the whole message
	fNameless       // the tool's name has no words of its own
	fTopicAnswers   // a question about the tool's fields
	fTopicOnly      // the tool's fields, and no word of the tool
	fTopicWords     // words of the tool's fields
	fOffTopic       // the name, but none of its fields
	fTopicTold      // a statement about its fields
	fSaidElsewhere  // its verb stands in another clause
	fVerbless       // the same, and this clause has none
	fHeadAnswers    // a question whose main word is known
	fHeadUnknown    // the name, but the main word is unknown
	fAnything       // a question to a search of everything
	fHeadActs       // its own verb on a word it knows
	fToldKind       // a statement about a thing, of a tool that answers
	fOwnWordFreely  // the very verb of its name, on something not foreign
	fConflictOnKind // another verb on a thing, of a tool that acts
	fTargetAnswers  // part of what it delivers, in a question
	fNoTarget       // nothing of what it delivers
	fTarget         // all of what it delivers
	fFirstPhrase    // its name's first words, all in the first phrase
	fTargetPhrase   // what it delivers, all in the first phrase
	fCommand        // a command or a question to a tool that runs commands
	fKinds          // words for kinds of what it knows
	fPairs          // two words side by side, as the tool has them
	fPlaceTaken     // a name, and the tool takes places
	fPlaceIdle      // a name, and it takes none
	fPlaceMissing   // no name, and it takes places
	fTimeTaken      // a time, and the tool takes times
	fTimeMissing    // no time, and it takes times
	fAmountTaken    // a number, and the tool takes numbers
	fAmountIdle     // a number, and it takes none
	fAmountMissing  // no number, and it takes numbers
	fHeadNamed      // the main word is in its name
	fHeadTarget     // the main word is what it delivers
	fTargetLead     // part of what it delivers, in the first phrase
	fContrast       // a word that excludes one of its own
	fKnownPart      // part of the request that the tool knows
	fActsOnTitle    // its own verb on little but a title or a name
	fOpposed        // the verb undoes what the tool does
	fActAsked       // an act is asked for, and the tool only answers
	fHowTo          // asks how or why
	fSought         // who, when or where, of a tool that delivers people, times or places
	fSoughtNot      // the same, of one that does not
	fModifies       // its words belong to things that are none of its own
	functionFeatures
)

// general families do many things to anything; that a tool does so, too, says
// little for it.
var general = lexicon.FamiliesOf(lexicon.Calculate, lexicon.Analyze, lexicon.Predict, lexicon.Create, lexicon.Generate, lexicon.Update, lexicon.Set, lexicon.Run, lexicon.Start)

// function sums up what speaks for a tool by itself.
func (s *sum) function(f *frame, p *manner, t, total *tally) {
	cl, o := f.clause, f.object
	rel := f.relate(p)
	s.add(fBias, 1)
	if p.serves(f, t) { // whatever it is about
		s.when(p.runs, fCommand)
		s.when(p.general, fAnything)
		s.when(p.general && f.most > 0, fBehind)
		return
	}
	s.when(f.families.Empty() && cl.mood != asking, fNoVerb)
	s.when(f.kind, fKind)
	s.when(o.times > 0, fTime)
	s.when(o.pronoun, fPronoun)
	s.when(o.attribute, fAttribute)
	s.when(cl.past, fPast)
	s.when(o.content == 0 && o.pronoun, fOnlyPronoun)
	s.when(o.firstHit, fFirst)
	s.when(o.names > 0, fNames)
	s.when(p.info, fInfo)
	s.slots(o.given(), p.takes)
	s.when(p.weight == 0, fNameless)
	s.when(p.runs && (cl.mood == command || f.asks), fCommand)
	s.verb(f, p, t, rel)
	s.mood(f, p, t)
	s.words(f, p, t, total)
	if f.asks && p.info {
		s.reply(f, p, t)
	} else {
		s.when(f.asks, fAskedToAct)
	}
}

// serves reports whether a tool that takes anything, a search of the web or a
// shell, is asked something that is not in its own words.
func (p *manner) serves(f *frame, t *tally) bool {
	if t.hits > 0 || !f.object.something() && f.object.names == 0 {
		return false
	}
	return p.general && f.asks || p.runs && (f.clause.mood == command || f.asks)
}

// verb sums up how the verb of the clause relates to the tool.
func (s *sum) verb(f *frame, p *manner, t *tally, rel relation) {
	o := f.object
	if rel < described && f.acted {
		s.add(fOthersVerb, 1)
	}
	if rel != acting {
		s.when(f.acted && f.kind, fOthersOnKind)
		said := f.said.Overlaps(p.acts)
		s.when(said, fSaidElsewhere)
		s.when(said && f.families.Empty(), fVerbless)
	}
	switch rel {
	case acting:
		s.when(!f.families.Overlaps(vague) && !f.families.Overlaps(general), fActs)
		s.when(f.kind, fActsOnKind)
		s.when(t.head, fHeadActs)
		s.when(o.content <= 1 && (o.quoted || o.names > 0), fActsOnTitle)
		if !p.info && !f.kind && f.foreign == 0 {
			s.when(o.something(), fActsFreely)
			s.when(f.verb == p.verb, fOwnWordFreely)
		}
	case akin:
		s.when(f.kind, fAkinOnKind)
		s.add(fAkinNamed, part(t.named, p.weight))
	case unrelated:
		s.when(!f.families.Empty() && !p.info && f.kind, fConflictOnKind)
		s.when(p.opposed.Overlaps(f.families), fOpposed)
		s.when(p.info && f.does, fActAsked)
	}
}

// mood sums up what the clause's mood says.
func (s *sum) mood(f *frame, p *manner, t *tally) {
	cl, o := f.clause, f.object
	switch cl.mood {
	case learning, pondering:
		s.add(fHowTo, 1)
	case suggestion:
		s.add(fSuggestion, 1)
	case asking:
		s.add(fAsking, 1)
		s.when(!cl.you && o.when && p.calendar && p.info && f.foreign == 0, fWhen)
	case statement:
		s.add(fStatement, 1)
		s.add(fTopicTold, min(part(t.topic, o.weight), 1))
		s.when(cl.you, fYouTold)
		s.when(f.kind && p.info, fToldKind)
	case fragment, wanting:
		s.when(p.info && f.kind, fThing)
	}
}

// words sums up how much of the request is said in the tool's words.
func (s *sum) words(f *frame, p *manner, t, total *tally) {
	o := f.object
	named, phrase := part(t.named, p.weight), part(t.phrase, o.phrase)
	own := t.named + t.told
	s.add(fName, named)
	s.add(fNamed, float32(min(t.namedHits, 3))/3)
	s.add(fTold, min(t.told, 3)/3)
	s.add(fBehind, min(f.most-own, 3)/3)
	s.when(own >= f.most && f.most > 0, fAhead)
	s.add(fNamePhrase, named*phrase)
	s.add(fNameAnywhere, part(total.named, p.weight))
	s.add(fToldAnywhere, min(total.told, 4)/4)
	s.add(fKinds, float32(min(t.kinds, 3))/3)
	s.add(fPairs, float32(min(t.pairs, 2))/2)
	s.when(t.headNamed, fHeadNamed)
	s.when(t.headTarget, fHeadTarget)
	s.add(fTargetLead, min(part(float32(t.targetLead), float32(p.targets)), 1))
	s.when(t.against > 0 && t.agreed == 0, fContrast)
	s.add(fModifies, float32(min(t.modifies, 2))/2)
	s.add(fKnownPart, part(t.weight, o.weight))
	s.add(fTopicWords, float32(min(t.akin, 3))/3)
	if t.hits == 0 {
		s.add(fNothing, 1)
		s.add(fTopicOnly, min(part(t.topic, o.weight), 1))
	}
	if o.topical > 0 && t.akin == 0 {
		s.add(fOffTopic, named)
	}
	if o.phrase > 0 && o.head == 0 {
		s.add(fHeadUnknown, named)
	}
	s.when(p.targets > 0 && t.target == 0, fNoTarget)
	if p.targets > 0 && t.target >= p.targets {
		s.add(fTarget, 1)
		s.add(fTargetPhrase, phrase)
	}
	if p.firsts > 0 && t.first >= p.firsts {
		s.add(fFirstPhrase, phrase)
	}
}

// reply sums up what speaks for a tool that answers a question.
func (s *sum) reply(f *frame, p *manner, t *tally) {
	o := f.object
	s.add(fAnswers, 1)
	s.when(f.sought&p.gives != 0, fSought)
	s.when(f.sought&^p.gives != 0, fSoughtNot)
	s.add(fKnown, part(t.weight, o.weight))
	s.add(fTopicAnswers, min(part(t.topic, o.weight), 1))
	s.when(part(t.named, p.weight) > 0.99, fAnswersName)
	s.when(t.head, fHeadAnswers)
	s.add(fTargetAnswers, min(part(float32(t.target), float32(p.targets)), 1))
}
