package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// frame is a clause as the tools see it: all that is the same for each of them.
type frame struct {
	clause   *reading.Request
	object   *object
	families lexicon.Families // what the verb means, used on this object
	said     lexicon.Families // all verbs of the message
	verb     int32            // the lemma of the verb, -1 if there is none
	foreign  int              // things that are not ours
	kind     bool             // a thing or a list of ours is named
	asks     bool             // information is wanted
	informs  bool             // the verb asks for information in its first sense
	does     bool             // an act is asked for, no information
	common   bool             // the verb is used of nearly everything: get, set, add
}

// newFrame settles what a clause is about. The frame is that of the scratch,
// good until the next one.
func (c *Classifier) newFrame(s *scratch, cl *reading.Request, o *object) *frame {
	f := &s.frame
	*f = frame{}
	f.clause, f.object, f.families, f.said = cl, o, s.reader.adjust(cl, o), s.said
	f.verb, f.foreign = -1, o.foreign
	f.kind = o.ours() || o.holder() || f.setsAttribute()
	f.informs = f.families.Overlaps(infoFamilies)
	if cl.Verb >= 0 {
		f.common = s.reader.is(cl.Verb, cueCommonVerbs)
		f.readVerb(s.reader.Tokens[cl.Verb].Entry, c.acts)
	}
	switch cl.Plea {
	case reading.Inquired, reading.Learned, reading.Pondered:
		f.asks = true
	case reading.Commanded, reading.Suggested:
		f.asks = f.informs
		f.does = !f.families.Empty() && !f.families.Overlaps(infoFamilies)
	}
	switch {
	case f.families.Overlaps(entitled):
		f.foreign = 0
	case o.target && f.families.Has(lexicon.Create) && !f.kind:
		f.foreign++
	}
	return f
}

// setsAttribute reports whether something of a thing is set that can only be one
// of ours: "set the priority to high".
func (f *frame) setsAttribute() bool {
	o := f.object
	return o.attribute && (o.foreign == 0 || o.firstHit) && f.clause.Families.Has(lexicon.Set) &&
		f.families.Has(lexicon.Update)
}

// readVerb settles in which of its senses the verb is used, given what the tools
// do: the plainest one, if there is a tool for it and the object says nothing
// else.
func (f *frame) readVerb(verb *lexicon.Entry, acts lexicon.Families) {
	if !f.clause.Phrasal && (verb.Primary == lexicon.NoFamily || f.families.Has(verb.Primary)) {
		f.verb = verb.ID
	}
	if f.families != verb.Families {
		return
	}
	f.informs = f.informs && infoFamilies.Has(verb.Primary)
	if acts.Has(verb.Primary) {
		f.families = lexicon.FamiliesOf(verb.Primary)
	}
}

// entitled families carry a title in any words: "remind me to call the bank"
// is not about a bank.
var entitled = lexicon.FamiliesOf(lexicon.Remind, lexicon.Remember, lexicon.Schedule)

// adjust settles what a verb means by what it is used on: adding somebody to
// a meeting updates the meeting, adding something to a list creates an entry.
func (r *reader) adjust(cl *reading.Request, o *object) lexicon.Families {
	f := cl.Families
	create, update := lexicon.FamiliesOf(lexicon.Create), lexicon.FamiliesOf(lexicon.Update)
	switch {
	case f.Has(lexicon.Set) && o.attributeOnly() && !o.indefinite: // "set Buy milk priority to high"
		return update
	case cl.Verb < 0:
		if cl.Plea == reading.Wished && o.prepHolder { // "I need oranges on my list"
			return create
		}
		return f
	case r.enlists(cl, o):
		return create
	case r.alters(cl, o):
		return update
	case o.extended(f) && !o.directKind: // "add Ines to the meeting"
		return f.With(lexicon.Update).Without(create)
	case o.extended(f) && !o.indefinite: // "add two bags to my booking"
		return f.With(lexicon.Update)
	case r.is(cl.Verb, cueGiveGet) && o.directKind && o.indefinite: // "give me a reminder"
		return create
	}
	return o.madeOrChanged(f)
}

// enlists reports whether something is put on a list of ours: "set milk on my
// list", "put butter on my list", "make sure that salt is on the list".
func (r *reader) enlists(cl *reading.Request, o *object) bool {
	sets := cl.Families.Has(lexicon.Set) && cl.Families.Has(lexicon.Create)
	return sets && o.holder() && !o.ours() || r.is(cl.Verb, cuePut) && o.prepHolder || cl.Ensures && o.holder()
}

// alters reports whether a thing is made another by a verb that else makes or
// deletes things: "make it 5 pm", "invite Ines to the meeting", "remove Ines from
// the meeting".
func (r *reader) alters(cl *reading.Request, o *object) bool {
	f := cl.Families
	return r.is(cl.Verb, cueMake) && (!o.indefinite && o.definite || o.pronounFirst) ||
		f.Has(lexicon.Invite) && o.prepKind && o.into ||
		f.Has(lexicon.Delete) && o.prepKind && !o.directKind && !o.holder() && o.from
}

// ours reports whether a thing of the tools is named, holder whether a list or
// calendar of theirs is.
func (o *object) ours() bool   { return o.directKind || o.prepKind }
func (o *object) holder() bool { return o.directHolder || o.prepHolder }

// attributeOnly reports whether what the verb is used on is but a part of a thing
// of ours: its priority, its date.
func (o *object) attributeOnly() bool { return o.attribute && !o.directKind && !o.holder() }

// extended reports whether something is added to a thing of ours: "to the
// meeting".
func (o *object) extended(f lexicon.Families) bool {
	return f.Has(lexicon.Create) && o.prepKind && o.into && !o.holder()
}

// madeOrChanged is what a verb means that makes a thing or changes one, as the
// object has it.
func (o *object) madeOrChanged(f lexicon.Families) lexicon.Families {
	switch {
	case f.Has(lexicon.Schedule) && !f.Has(lexicon.Update) && (o.times > 0 || o.ours()): // "schedule lunch for 1"
		return f.With(lexicon.Create)
	case f.Has(lexicon.Set) || f.Has(lexicon.Book):
		return o.setOrBooked(f)
	case f.Has(lexicon.Create) && o.attributeOnly(): // "add a description"
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
	case o.definite && (o.ours() || o.attribute):
		return lexicon.FamiliesOf(lexicon.Update)
	}
	return f
}

// kin are families that may stand for one another when the object is right.
var kin = []struct{ a, b lexicon.Family }{
	{lexicon.Cancel, lexicon.Delete}, {lexicon.Book, lexicon.Create}, {lexicon.Schedule, lexicon.Create},
	{lexicon.Remind, lexicon.Create}, {lexicon.Remember, lexicon.Create}, {lexicon.Record, lexicon.Create},
	{lexicon.Write, lexicon.Create}, {lexicon.Save, lexicon.Create}, {lexicon.Generate, lexicon.Create},
	{lexicon.Build, lexicon.Create}, {lexicon.Set, lexicon.Create}, {lexicon.Set, lexicon.Update},
	{lexicon.Move, lexicon.Update}, {lexicon.Schedule, lexicon.Update}, {lexicon.Close, lexicon.Complete},
	{lexicon.Order, lexicon.Book}, {lexicon.Order, lexicon.Pay}, {lexicon.Register, lexicon.Create},
	{lexicon.Start, lexicon.Run}, {lexicon.Open, lexicon.Start}, {lexicon.Start, lexicon.Play},
	{lexicon.Enable, lexicon.Start}, {lexicon.Disable, lexicon.Stop}, {lexicon.Set, lexicon.Enable},
	{lexicon.Draw, lexicon.Generate}, {lexicon.Draw, lexicon.Create}, {lexicon.Send, lexicon.Contact},
	{lexicon.Send, lexicon.Share}, {lexicon.Connect, lexicon.Start}, {lexicon.Open, lexicon.Read},
	{lexicon.Exchange, lexicon.Update}, {lexicon.Archive, lexicon.Delete}, {lexicon.Stop, lexicon.Cancel},
	{lexicon.Disable, lexicon.Lock}, {lexicon.Enable, lexicon.Unlock}, {lexicon.Cancel, lexicon.Reject},
	{lexicon.Drop, lexicon.Delete}, {lexicon.Drop, lexicon.Cancel}, {lexicon.Restore, lexicon.Open},
	{lexicon.Restore, lexicon.Enable}, {lexicon.Assign, lexicon.Set}, {lexicon.Assign, lexicon.Send},
	{lexicon.Record, lexicon.Update}, {lexicon.Escort, lexicon.Send}, {lexicon.Move, lexicon.Transfer},
	{lexicon.Archive, lexicon.Close}, {lexicon.Return, lexicon.Refund}, {lexicon.Register, lexicon.Book},
	{lexicon.Schedule, lexicon.Book}, {lexicon.Contact, lexicon.Escalate}, {lexicon.Approve, lexicon.Complete},
	{lexicon.Order, lexicon.Create}, {lexicon.Deploy, lexicon.Start}, {lexicon.Complete, lexicon.Update},
	{lexicon.Upgrade, lexicon.Update}, {lexicon.Fix, lexicon.Update}, {lexicon.Report, lexicon.Create},
	{lexicon.Lock, lexicon.Stop}, {lexicon.Share, lexicon.Approve}, {lexicon.Copy, lexicon.Create},
	{lexicon.Delete, lexicon.Disable}, {lexicon.Invite, lexicon.Create}, {lexicon.Invite, lexicon.Send},
	{lexicon.Rate, lexicon.Record}, {lexicon.Apply, lexicon.Create}, {lexicon.Login, lexicon.Verify},
	{lexicon.Save, lexicon.Record}, {lexicon.Transfer, lexicon.Send},
}

// kinOf adds the kin of a tool's families.
func kinOf(f lexicon.Families) lexicon.Families {
	all := f
	for _, k := range kin {
		if f.Has(k.a) {
			all = all.With(k.b)
		}
		if f.Has(k.b) {
			all = all.With(k.a)
		}
	}
	if f.Overlaps(infoFamilies) { // who wants to know something may ask by any of them
		all = all.Union(infoFamilies)
	}
	return all
}

var (
	// making families bring about what others put to use.
	executing = lexicon.FamiliesOf(lexicon.Run, lexicon.Test)
	making    = lexicon.FamiliesOf(lexicon.Create, lexicon.Delete, lexicon.Update, lexicon.Write, lexicon.Fix,
		lexicon.Refactor, lexicon.Implement, lexicon.Move)
	// leading families only lead to what is asked for next: "open my list and add".
	leading = lexicon.FamiliesOf(lexicon.Search, lexicon.Open, lexicon.Verify)
	// vague families ask for so many things that they alone mean none.
	vague = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Book, lexicon.Order, lexicon.Play, lexicon.Verify)
	// general families do many things to anything; that a tool does so, too, says
	// little for it.
	general = lexicon.FamiliesOf(lexicon.Calculate, lexicon.Analyze, lexicon.Predict, lexicon.Create,
		lexicon.Generate, lexicon.Update, lexicon.Set, lexicon.Run, lexicon.Start)
)
