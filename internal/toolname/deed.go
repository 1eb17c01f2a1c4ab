package toolname

import "github.com/bonafide-go/bonafide/internal/lexicon"

// deeds are the families of sending, creating, paying and deleting.
var deeds = lexicon.FamiliesOf(
	lexicon.Send, lexicon.Contact, lexicon.Invite, lexicon.Share, lexicon.Remind, lexicon.Escalate,
	lexicon.Create, lexicon.Register, lexicon.Book, lexicon.Order, lexicon.Schedule, lexicon.Upload, lexicon.Deploy,
	lexicon.Subscribe, lexicon.Apply,
	lexicon.Pay, lexicon.Refund, lexicon.Transfer, lexicon.Deposit, lexicon.Withdraw, lexicon.Exchange, lexicon.Return,
	lexicon.Delete, lexicon.Cancel, lexicon.Unsubscribe,
)

// isDeed reports whether a tool is one of these, by the verb of its name or by another one that is
// joined to it: getOrCreateUser. Any other word may be a noun: order_status tells of an order.
func (r *reader) isDeed(reading *Reading) bool {
	switch verb := reading.Verb.name; {
	case verb.Again:
		return false
	case verb.Deed || reading.Families.Overlaps(deeds):
		return true
	}
	for i := r.proper; i < len(r.words); i++ {
		word := &r.words[i]
		if word.name.Deed && len(r.words) == 1 {
			return true
		}
		joined := i > r.proper && r.words[i-1].Entry != nil && r.words[i-1].Entry.Class.Has(lexicon.Conjunction)
		if joined && word.Entry != nil && word.Entry.Families.Overlaps(deeds) {
			return true
		}
	}
	return false
}
