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
	f.clause, f.object, f.families, f.said = cl, o, cl.Families, s.said
	f.verb, f.foreign, f.kind = -1, o.foreign, o.kind
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
	if f.families.Overlaps(entitled) {
		f.foreign = 0
	}
	return f
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
