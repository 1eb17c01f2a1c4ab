package toolname

import "github.com/bonafide-go/bonafide/internal/lexicon"

// opposites undo or exclude one another: who asks for one does not mean the
// other, and a record of one does not back a claim of the other.
var opposites = [][2]lexicon.Families{
	{
		lexicon.FamiliesOf(lexicon.Cancel, lexicon.Delete, lexicon.Return, lexicon.Refund),
		lexicon.FamiliesOf(lexicon.Create, lexicon.Book, lexicon.Order, lexicon.Schedule, lexicon.Register),
	},
	{lexicon.FamiliesOf(lexicon.Restore), lexicon.FamiliesOf(lexicon.Delete, lexicon.Archive, lexicon.Cancel)},
	{lexicon.FamiliesOf(lexicon.Upload), lexicon.FamiliesOf(lexicon.Download)},
	{lexicon.FamiliesOf(lexicon.Open, lexicon.Start), lexicon.FamiliesOf(lexicon.Close, lexicon.Stop)},
	{lexicon.FamiliesOf(lexicon.Complete), lexicon.FamiliesOf(lexicon.Open)},
	{lexicon.FamiliesOf(lexicon.Lock), lexicon.FamiliesOf(lexicon.Unlock)},
	{lexicon.FamiliesOf(lexicon.Enable), lexicon.FamiliesOf(lexicon.Disable)},
	{lexicon.FamiliesOf(lexicon.Connect), lexicon.FamiliesOf(lexicon.Disconnect)},
	{lexicon.FamiliesOf(lexicon.Login), lexicon.FamiliesOf(lexicon.Logout)},
	{lexicon.FamiliesOf(lexicon.Subscribe), lexicon.FamiliesOf(lexicon.Unsubscribe)},
	{lexicon.FamiliesOf(lexicon.Approve), lexicon.FamiliesOf(lexicon.Reject)},
	{lexicon.FamiliesOf(lexicon.Deposit), lexicon.FamiliesOf(lexicon.Withdraw)},
	{lexicon.FamiliesOf(lexicon.Upgrade), lexicon.FamiliesOf(lexicon.Downgrade)},
	{lexicon.FamiliesOf(lexicon.Create, lexicon.Build), lexicon.FamiliesOf(lexicon.Open)},
}

// Opposites are the families that undo or exclude what others do.
func Opposites(acts lexicon.Families) (opposed lexicon.Families) {
	for i := range opposites {
		if acts.Overlaps(opposites[i][0]) {
			opposed = opposed.Union(opposites[i][1])
		}
		if acts.Overlaps(opposites[i][1]) {
			opposed = opposed.Union(opposites[i][0])
		}
	}
	return opposed.Without(acts)
}
