package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// clause is a request of a message as the tools see it: all that is the same for each of
// them, kept until the whole message has been read.
type clause struct {
	object
	request *reading.Request
	deed                 // what its verb means, used on this object
	plea    reading.Plea // as it was read; that of the request may turn into a question

	likest   top // the tools by how the verb fits,
	plainest top // by what is said for them,
	rarest   top // and by their rare words

	kind        bool // a thing or a list of ours is named
	asks        bool // information is wanted
	common      bool // the verb is used of nearly everything: get, set, add
	generic     bool // the object is only a kind of thing
	enumerates  bool // it names several things
	still       bool // the verb leaves things as they are
	attributive bool // the verb may be an adjective: "open tickets"
}

// object is what a clause says beside its verb, as far as the tools are
// concerned.
type object struct {
	content int     // words with a meaning of their own
	weight  float32 // the same, common words counting less
	phrase  float32 // the same in the first phrase
	hits    int     // those that some tool knows
	foreign int     // things of a kind that no tool knows: "credit card"
	times   int     // today, Monday, 3:30
	// The things of the tools, by where they stand: right behind the verb, or
	// behind a preposition ("to the meeting"); lists and calendars apart.
	directKind, prepKind, directHolder, prepHolder bool
	attribute                                      bool // title, date, participants
	indefinite                                     bool // a/an/new before a thing of ours
	compound                                       bool // which only names another thing: "an event handler"
	pronoun                                        bool // it, that one, the first
	mine                                           bool // my, our
	quoted                                         bool
	plural                                         bool // only bare plurals of ours: "tasks"
	firstHit                                       bool // the first content word is known to a tool
	into, from                                     bool // a thing of ours behind "to" or "from"
	title                                          bool // begins with a verb: "buy milk"
	lastStrange                                    int
	definite                                       bool // the first phrase is definite: the, my, this
	numbers                                        int
	names                                          int   // capitalised words that nobody knows
	solid                                          bool  // the first phrase has a word of its own, not just "number of"
	closed                                         bool  // the first phrase is over
	head                                           *word // the word that the first phrase ends in
	target                                         bool  // goes to something that no tool knows
	pronounFirst                                   bool  // it stands for the object: "make it"
}

// newClause settles what a request is about, and counts what it says of each tool.
func (m *message) newClause(q *reading.Request) (*clause, []tally) {
	v := &clause{request: q, plea: q.Plea, likest: newTop(), plainest: newTop(), rarest: newTop()}
	tallies := m.survey(q, &v.object)
	v.verb, v.families = -1, m.adjust(q, &v.object)
	v.kind = v.isOurs() || v.hasHolder() || v.isSettingAttribute()
	v.generic, v.enumerates = v.isGeneric(), m.Enumerates(q)
	informs := v.families.Overlaps(infoFamilies)
	if q.Verb >= 0 {
		v.common, v.still = m.is(q.Verb, cueCommonVerbs), m.is(q.Verb, cueStill)
		v.attributive = m.Form(q.Verb).Has(lexicon.Adjective) && v.directKind && v.plural && !v.definite
		informs = v.readVerb(m.Tokens[q.Verb].Entry, m.acts) && informs
	}
	switch q.Plea {
	case reading.Inquired, reading.Learned, reading.Pondered:
		v.asks = true
	case reading.Commanded, reading.Suggested:
		v.asks = informs
		v.does = !v.families.Empty() && !v.families.Overlaps(infoFamilies)
	}
	switch {
	case v.families.Overlaps(entitled):
		v.foreign = 0
	case v.target && v.families.Has(lexicon.Create) && !v.kind:
		v.foreign++
	}
	return v, tallies
}

// isGeneric reports whether the object is only a kind of thing: "can you delete
// tasks?" asks for the ability.
func (v *clause) isGeneric() bool {
	certain := v.mine || v.definite || v.pronoun || v.quoted || v.prepHolder || v.times > 0 || v.names > 0
	return v.directKind && v.plural && v.content <= 1 && !certain && !v.request.Polite
}

// isSettingAttribute reports whether something of a thing is set that can only be one
// of ours: "set the priority to high".
func (v *clause) isSettingAttribute() bool {
	return v.attribute && (v.foreign == 0 || v.firstHit) && v.request.Families.Has(lexicon.Set) &&
		v.families.Has(lexicon.Update)
}

// readVerb settles in which of its senses the verb is used, given what the tools
// do: the plainest one, if there is a tool for it and the object says nothing
// else. It reports whether that may ask for information.
func (v *clause) readVerb(verb *lexicon.Entry, acts lexicon.Families) (informs bool) {
	if !v.request.Phrasal && (verb.Primary == lexicon.NoFamily || v.families.Has(verb.Primary)) {
		v.verb = verb.ID
	}
	if v.families != verb.Families {
		return true
	}
	if acts.Has(verb.Primary) {
		v.families = lexicon.FamiliesOf(verb.Primary)
	}
	return infoFamilies.Has(verb.Primary)
}

// entitled families carry a title in any words: "remind me to call the bank"
// is not about a bank.
var entitled = lexicon.FamiliesOf(lexicon.Remind, lexicon.Remember, lexicon.Schedule)

// adjust settles what a verb means by what it is used on: adding somebody to
// a meeting updates the meeting, adding something to a list creates an entry.
func (r *reader) adjust(q *reading.Request, o *object) lexicon.Families {
	f := q.Families
	create, update := lexicon.FamiliesOf(lexicon.Create), lexicon.FamiliesOf(lexicon.Update)
	switch {
	case f.Has(lexicon.Set) && o.isAttributeOnly() && !o.indefinite: // "set Buy milk priority to high"
		return update
	case q.Verb < 0:
		if q.Plea == reading.Wished && o.prepHolder { // "I need oranges on my list"
			return create
		}
		return f
	case r.isPutOnList(q, o):
		return create
	case r.isAlteration(q, o):
		return update
	case o.isExtension(f) && !o.directKind: // "add Ines to the meeting"
		return f.With(lexicon.Update).Without(create)
	case o.isExtension(f) && !o.indefinite: // "add two bags to my booking"
		return f.With(lexicon.Update)
	case r.is(q.Verb, cueGiveGet) && o.directKind && o.indefinite: // "give me a reminder"
		return create
	}
	return o.madeOrChanged(f)
}

// isPutOnList reports whether something is put on a list of ours: "set milk on my
// list", "put butter on my list", "make sure that salt is on the list".
func (r *reader) isPutOnList(q *reading.Request, o *object) bool {
	sets := q.Families.Has(lexicon.Set) && q.Families.Has(lexicon.Create)
	return sets && o.hasHolder() && !o.isOurs() || r.is(q.Verb, cuePut) && o.prepHolder || q.Ensures && o.hasHolder()
}

// isAlteration reports whether a thing is made another by a verb that else makes or
// deletes things: "make it 5 pm", "invite Ines to the meeting", "remove Ines from
// the meeting".
func (r *reader) isAlteration(q *reading.Request, o *object) bool {
	f := q.Families
	return r.is(q.Verb, cueMake) && (!o.indefinite && o.definite || o.pronounFirst) ||
		f.Has(lexicon.Invite) && o.prepKind && o.into ||
		f.Has(lexicon.Delete) && o.prepKind && !o.directKind && !o.hasHolder() && o.from
}

// isOurs reports whether a thing of the tools is named, hasHolder whether a list or
// calendar of theirs is.
func (o *object) isOurs() bool    { return o.directKind || o.prepKind }
func (o *object) hasHolder() bool { return o.directHolder || o.prepHolder }

// isAttributeOnly reports whether what the verb is used on is but a part of a thing
// of ours: its priority, its date.
func (o *object) isAttributeOnly() bool { return o.attribute && !o.directKind && !o.hasHolder() }

// isExtension reports whether something is added to a thing of ours: "to the
// meeting".
func (o *object) isExtension(f lexicon.Families) bool {
	return f.Has(lexicon.Create) && o.prepKind && o.into && !o.hasHolder()
}

// madeOrChanged is what a verb means that makes a thing or changes one, as the
// object has it.
func (o *object) madeOrChanged(f lexicon.Families) lexicon.Families {
	switch {
	case f.Has(lexicon.Schedule) && !f.Has(lexicon.Update) && (o.times > 0 || o.isOurs()): // "schedule lunch for 1"
		return f.With(lexicon.Create)
	case f.Has(lexicon.Set) || f.Has(lexicon.Book):
		return o.setOrBooked(f)
	case f.Has(lexicon.Create) && o.isAttributeOnly(): // "add a description"
		return f.With(lexicon.Update)
	}
	return f
}

// setOrBooked is what setting or booking means: "set an alarm" makes one, "set
// the alarm to 7" changes it.
func (o *object) setOrBooked(f lexicon.Families) lexicon.Families {
	switch {
	case o.directKind && (o.indefinite || !o.definite):
		return f.With(lexicon.Create)
	case o.definite && (o.isOurs() || o.attribute):
		return lexicon.FamiliesOf(lexicon.Update)
	}
	return f
}

// isSpecific reports whether a clause says by its verb, or by what it sets, which tool it
// means: "add Mary to the plan" adds her to anything.
func (v *clause) isSpecific() bool {
	return !v.families.Overlaps(general) || v.isAttributeOnly() || v.title
}

// isSwitch reports whether a clause turns something on or off, as a tool says that it does: "turn on
// the kettle", where one switches on appliances. A tool that starts timers turns no oven on.
func (v *clause) isSwitch(p *profile) bool {
	return v.request.Phrasal && v.families.Overlaps(switching) && v.families.Without(p.acts.Union(p.told)).Empty()
}

var (
	// executing families put to use what making ones bring about: "add a test" runs none.
	executing = lexicon.FamiliesOf(lexicon.Run, lexicon.Test)
	making    = lexicon.FamiliesOf(lexicon.Create, lexicon.Delete, lexicon.Update, lexicon.Write, lexicon.Fix,
		lexicon.Refactor, lexicon.Implement, lexicon.Move)
	// switching families are those of "turn on" and "switch off".
	switching = lexicon.FamiliesOf(lexicon.Start, lexicon.Stop, lexicon.Enable, lexicon.Disable)
	// leading families only lead to what is asked for next: "open my list and add".
	leading = lexicon.FamiliesOf(lexicon.Search, lexicon.Open, lexicon.Verify)
	// vague families ask for so many things that they alone mean none.
	vague = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Book, lexicon.Order, lexicon.Play, lexicon.Verify)
	// general families do many things to anything; that a tool does so, too, says
	// little for it.
	general = lexicon.FamiliesOf(lexicon.Calculate, lexicon.Analyze, lexicon.Predict, lexicon.Create,
		lexicon.Generate, lexicon.Update, lexicon.Set, lexicon.Run, lexicon.Start)
)

// dated are acts on things that have a time of their own: "cancel the visit at 6 pm".
var dated = lexicon.FamiliesOf(lexicon.Create, lexicon.Book, lexicon.Schedule, lexicon.Remind, lexicon.Remember,
	lexicon.Order, lexicon.Cancel, lexicon.Delete, lexicon.Update, lexicon.Move, lexicon.Complete, lexicon.Record)

// planned are acts whose very point is another time: "book it for tomorrow".
var planned = lexicon.FamiliesOf(lexicon.Create, lexicon.Book, lexicon.Schedule, lexicon.Remind, lexicon.Remember,
	lexicon.Order, lexicon.Move, lexicon.Record)

// noting are acts that keep words for later.
var noting = lexicon.FamiliesOf(lexicon.Remind, lexicon.Remember, lexicon.Record, lexicon.Write)
