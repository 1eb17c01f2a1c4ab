package lexicon

import (
	"fmt"
	"math/bits"
	"strings"
)

// Family is a group of verbs that ask for, or report, the same kind of act:
// "remove", "erase" and "get rid of" are all [Delete]. Families are the same in
// every language; a data file assigns its verbs to them by name.
type Family uint8

// The families, four to a line. A verb may belong to several: "reschedule" is Schedule and Update.
// Escort is the movement of people: ride, drive, deliver to a place.
const (
	NoFamily, Create, Delete, Update Family = 4 * iota, 4*iota + 1, 4*iota + 2, 4*iota + 3
	Complete, Read, Search, Send
	Cancel, Return, Exchange, Book
	Order, Pay, Refund, Transfer
	Verify, Schedule, Remind, Move
	Copy, Open, Close, Start
	Stop, Play, Set, Convert
	Calculate, Analyze, Compare, Write
	Run, Install, Build, Test
	Deploy, Fix, Refactor, Merge
	Commit, Download, Upload, Save
	Share, Invite, Register, Login
	Logout, Subscribe, Unsubscribe, Enable
	Disable, Lock, Unlock, Assign
	Approve, Reject, Contact, Translate
	Summarize, Explain, Review, Connect
	Disconnect, Restore, Archive, Sort
	Filter, Draw, Track, Record
	Report, Apply, Upgrade, Downgrade
	Rate, Recommend, Predict, Attach
	Print, Escalate, Deposit, Withdraw
	Generate, Implement, Answer, Count
	Classify, Remember, Escort, Drop
	numFamilies = iota * 4
)

// familyNames are the names that data files use, in the same order.
var familyNames = strings.Fields(`
	none create delete update complete read search send cancel return exchange book order pay refund transfer
	verify schedule remind move copy open close start stop play set convert calculate analyze compare write run
	install build test deploy fix refactor merge commit download upload save share invite register login logout
	subscribe unsubscribe enable disable lock unlock assign approve reject contact translate summarize explain
	review connect disconnect restore archive sort filter draw track record report apply upgrade downgrade rate
	recommend predict attach print escalate deposit withdraw generate implement answer count classify remember
	escort drop
`)

// String is the name that data files use.
func (f Family) String() string {
	if f < numFamilies {
		return familyNames[f]
	}
	return fmt.Sprintf("family(%d)", uint8(f))
}

// Families is a set of families. The zero value is empty; sets compare with ==.
type Families struct{ low, high uint64 }

// FamiliesOf is the set of the families given.
func FamiliesOf(families ...Family) Families {
	var set Families
	for _, f := range families {
		set = set.With(f)
	}
	return set
}

// With is the set with one more family. Nothing asks in which half it lies, here and
// in Has: a shift by 64 or more leaves nothing, and f-64 wraps to such a number.
func (s Families) With(f Family) Families {
	return Families{s.low | 1<<f&^1, s.high | 1<<(f-64)} // NoFamily is in no set
}

// Without is the set without the families of another.
func (s Families) Without(t Families) Families { return Families{s.low &^ t.low, s.high &^ t.high} }

// Union is the set of the families in either.
func (s Families) Union(t Families) Families { return Families{s.low | t.low, s.high | t.high} }

// Has reports whether the family is in the set.
func (s Families) Has(f Family) bool { return (s.low>>f|s.high>>(f-64))&1 == 1 }

// Overlaps reports whether the sets have a family in common.
func (s Families) Overlaps(t Families) bool { return s.low&t.low|s.high&t.high != 0 }

// Empty reports whether there is no family in the set.
func (s Families) Empty() bool { return s.low|s.high == 0 }

// Len is the number of families in the set.
func (s Families) Len() int { return bits.OnesCount64(s.low) + bits.OnesCount64(s.high) }

// Next is the first family of the set after the given one, [NoFamily] if there
// is none: the way through a set without a call for each of its members.
func (s Families) Next(f Family) Family {
	if f < 63 {
		if rest := s.low >> (f + 1) << (f + 1); rest != 0 {
			return Family(bits.TrailingZeros64(rest))
		}
		f = 63
	}
	if rest := s.high >> (f - 63) << (f - 63); rest != 0 && f < 127 {
		return Family(64 + bits.TrailingZeros64(rest))
	}
	return NoFamily
}

// String lists the names, for messages and tests.
func (s Families) String() string {
	var names []string
	for f := s.Next(NoFamily); f != NoFamily; f = s.Next(f) {
		names = append(names, f.String())
	}
	return strings.Join(names, "+")
}
