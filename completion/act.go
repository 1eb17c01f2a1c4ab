package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// act is a set of kinds of work. Verb families are finer than what a report
// can be held to: "exchanged" and "modified" may speak of one call, "deleted"
// and "added" never do.
type act uint16

const (
	actCreate act = 1 << iota
	actRemove
	actUpdate
	actReturn
	actSend
	actHand // hand over to a person
	actOn
	actOff
	actFinish
	actMoney   // what follows from a change: refunds, charges
	actGeneric // "processed", "submitted": any change
	actRead
	actRun
)

// changing are the acts that leave the world different.
const changing = actCreate | actRemove | actUpdate | actReturn | actSend | actHand | actOn | actOff | actFinish | actMoney | actGeneric | actRun

var actNames = map[string]act{
	"create": actCreate, "remove": actRemove, "update": actUpdate, "return": actReturn, "send": actSend, "hand": actHand, "on": actOn,
	"off": actOff, "finish": actFinish, "money": actMoney, "generic": actGeneric, "read": actRead, "run": actRun, "none": 0,
}

func (a act) String() string {
	var names []string
	for bit := act(1); bit != 0 && bit <= a; bit <<= 1 {
		for name, known := range actNames {
			if known == bit && a&bit != 0 {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, "|")
}

// familyActs says which kinds of work the verb families are.
var familyActs = map[lexicon.Family]act{
	lexicon.Create: actCreate, lexicon.Generate: actCreate, lexicon.Write: actCreate, lexicon.Build: actCreate, lexicon.Implement: actCreate,
	lexicon.Record: actCreate, lexicon.Save: actCreate, lexicon.Remember: actCreate, lexicon.Register: actCreate, lexicon.Subscribe: actCreate,
	lexicon.Attach: actCreate, lexicon.Upload: actCreate, lexicon.Copy: actCreate, lexicon.Draw: actCreate, lexicon.Install: actCreate,
	lexicon.Book: actCreate, lexicon.Order: actCreate, lexicon.Schedule: actCreate | actUpdate,
	lexicon.Delete: actRemove, lexicon.Cancel: actRemove, lexicon.Archive: actRemove, lexicon.Drop: actRemove, lexicon.Unsubscribe: actRemove,
	lexicon.Disconnect: actRemove | actOff,
	lexicon.Update:     actUpdate, lexicon.Exchange: actUpdate, lexicon.Upgrade: actUpdate, lexicon.Downgrade: actUpdate, lexicon.Convert: actUpdate,
	lexicon.Move: actUpdate, lexicon.Set: actUpdate, lexicon.Assign: actUpdate, lexicon.Fix: actUpdate, lexicon.Refactor: actUpdate,
	lexicon.Merge: actUpdate, lexicon.Sort: actUpdate, lexicon.Classify: actUpdate, lexicon.Apply: actUpdate, lexicon.Approve: actUpdate,
	lexicon.Reject: actUpdate, lexicon.Complete: actFinish | actUpdate, lexicon.Close: actFinish | actOff,
	lexicon.Return: actReturn, lexicon.Refund: actMoney, lexicon.Pay: actMoney, lexicon.Deposit: actMoney, lexicon.Withdraw: actMoney,
	lexicon.Send: actSend, lexicon.Share: actSend, lexicon.Invite: actSend, lexicon.Remind: actSend | actCreate, lexicon.Report: actSend,
	lexicon.Contact: actSend, lexicon.Answer: actSend,
	lexicon.Transfer: actHand, lexicon.Escalate: actHand, lexicon.Connect: actHand,
	lexicon.Enable: actOn, lexicon.Start: actOn, lexicon.Open: actOn, lexicon.Unlock: actOn, lexicon.Restore: actOn | actUpdate,
	lexicon.Disable: actOff, lexicon.Stop: actOff, lexicon.Lock: actOff,
	lexicon.Read: actRead, lexicon.Search: actRead, lexicon.Verify: actRead, lexicon.Review: actRead, lexicon.Compare: actRead,
	lexicon.Calculate: actRead, lexicon.Analyze: actRead, lexicon.Count: actRead, lexicon.Track: actRead, lexicon.Filter: actRead,
	lexicon.Run: actRun, lexicon.Test: actRun, lexicon.Deploy: actRun, lexicon.Commit: actRun, lexicon.Download: actRun, lexicon.Play: actRun,
	lexicon.Print: actRun, lexicon.Login: actRun, lexicon.Logout: actRun,
}

// actsOf is the union of the acts of families.
func actsOf(families lexicon.Families) act {
	var acts act
	families.Each(func(f lexicon.Family) { acts |= familyActs[f] })
	return acts
}

// opposite reports whether a record of one kind of work contradicts a claim of
// the other: what was added was not deleted.
func opposite(claimed, recorded act) bool {
	pairs := [...][2]act{{actCreate, actRemove}, {actOn, actOff}, {actFinish, actRemove}, {actCreate, actReturn}}
	for _, pair := range pairs {
		if claimed&pair[0] != 0 && claimed&pair[1] == 0 && recorded&pair[1] != 0 && recorded&pair[0] == 0 ||
			claimed&pair[1] != 0 && claimed&pair[0] == 0 && recorded&pair[0] != 0 && recorded&pair[1] == 0 {
			return true
		}
	}
	return false
}
