package toolname

import "github.com/bonafide-go/bonafide/internal/lexicon"

// kin are families that may stand for one another when the object is right: who cancels a
// standing order deletes it, who books a court creates a booking.
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

// Kin adds to the families of a tool those that may stand for them.
func Kin(f lexicon.Families) lexicon.Families {
	all := f
	for _, k := range kin {
		if f.Has(k.a) {
			all = all.With(k.b)
		}
		if f.Has(k.b) {
			all = all.With(k.a)
		}
	}
	if f.Overlaps(Answering) { // who wants to know something may ask by any of them
		all = all.Union(Answering)
	}
	return all
}
