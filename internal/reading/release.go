package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// HandingIn are acts that are over for us once something is handed in, whoever has to
// agree to it: "the laptop is ordered", "the report has been filed".
var HandingIn = lexicon.FamiliesOf(
	lexicon.Order, lexicon.Send, lexicon.Start, lexicon.Apply, lexicon.Escalate, lexicon.Report, lexicon.Record,
	lexicon.Share, lexicon.Invite,
)

// Outward are acts that no text can be: they reach somebody else, or move what is worth
// something. What was read can be sorted, added up and moved to the top in the text itself.
var Outward = lexicon.FamiliesOf(
	lexicon.Cancel, lexicon.Refund, lexicon.Pay, lexicon.Transfer, lexicon.Book, lexicon.Send, lexicon.Contact,
	lexicon.Approve, lexicon.Escalate, lexicon.Deposit, lexicon.Exchange, lexicon.Close, lexicon.Register,
	lexicon.Invite, lexicon.Schedule, lexicon.Enable, lexicon.Disable, lexicon.Lock, lexicon.Unlock,
)

// AwaitsRelease reports whether the answer to a call that is not over says that somebody
// has to do something first: an approval, a second signature. A queue or a run goes on by
// itself.
func (r *Reader) AwaitsRelease(answer string) bool {
	return r.anyTrait(traitRelease|traitNeed|traitMust, answer)
}

// NamesRelease reports whether a text speaks of something that somebody has to do first.
func (t *Text) NamesRelease() bool {
	for i := range t.Tokens {
		if t.traitAt(i)&(traitRelease|traitNeed|traitMust) != 0 {
			return true
		}
	}
	return false
}
