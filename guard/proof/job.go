package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A call may begin what goes on without it: a render, a transfer, a pipeline. Its record
// then has the fate that was told last of that job (see [tooltrack.Settled]), and who
// cites the call that told it speaks of the one that began it, too.

// isOver checks that what is said to be done is not still under way, and has not failed
// since it was begun. It reports whether it found a fault.
func (c *checker) isOver(item *Item, n int) bool {
	number := c.unfinished(item.Records)
	if number == 0 {
		return false
	}
	record := c.turn.List.Record(number)
	status, so := "is not done yet", Pending
	if record.Result.Status == tooltrack.Failed {
		status, so = "was begun and has failed since", Failed
	}
	c.fault("not succeeded", n, "item %d: #%d %s (%s)%s, so it is %s, not done", n, number, status,
		oneLine(record.Result.Error, 80), c.turn.List.teller(number), so)
	return true
}

// unfinished is the number of a cited call that began something which is not done, where
// no other one changed anything; 0 if there is none.
func (c *checker) unfinished(numbers []int) (unfinished int) {
	for _, number := range numbers {
		record := c.turn.List.Record(number)
		switch {
		case record == nil || !c.mayChange(record):
		case c.succeeded(record) || c.madeGood(number):
			return 0
		case record.Result.Status == tooltrack.Pending || c.turn.List.failedSince(number):
			unfinished = number
		}
	}
	return unfinished
}

// failedSince reports whether a call began something that is told to have failed.
func (l List) failedSince(number int) bool {
	return l.told[number] > 0 && l.Record(number).Result.Status == tooltrack.Failed
}

// begins reports whether all that a text tells as done is that something was begun, or
// that it goes on: "I've started the export", "it is being rendered". What ran is over.
func (k *knowledge) begins(text string) bool {
	read, begun := k.read(text), false
	for i := range read.Clauses {
		switch clause := &read.Clauses[i]; {
		case clause.Verb < 0 || clause.Negated:
		case underWay(read, clause):
			begun = true
		case tellsEnd(read, clause):
			return false
		}
	}
	return begun
}

// underWay reports whether a clause says that something was begun, waits or goes on.
func underWay(read *reading.Text, clause *reading.Clause) bool {
	token := read.Tokens[clause.Verb]
	starts := token.Families().Has(lexicon.Start) && !token.Families().Has(lexicon.Run)
	kicked := read.Says(clause.Verb, "kicked") && read.Says(clause.Verb+1, "off")
	if clause.Shape == reading.Progressive || starts || kicked || read.Roles[clause.Verb]&reading.RoleWait != 0 {
		return true
	}
	switch strings.ToLower(read.Word(clause.Verb)) {
	case "accepted", "submitted", "requested":
		return true
	}
	return goesOn(read, clause)
}

// goesOn reports whether a clause says how far something is: "is under way", "is in
// progress", "so far".
func goesOn(read *reading.Text, clause *reading.Clause) bool {
	for i := clause.From; i < clause.To; i++ {
		under := read.Says(i, "under") && read.Says(i+1, "way") || read.Says(i, "underway")
		if under || read.Says(i, "in") && read.Says(i+1, "progress") || read.Says(i, "so") && read.Says(i+1, "far") {
			return true
		}
	}
	return false
}

// tellsEnd reports whether a clause says that something was done, or is.
func tellsEnd(read *reading.Text, clause *reading.Clause) bool {
	const looks = reading.RoleLook | reading.RoleVerify | reading.RoleCheck | reading.RoleFail
	if clause.Negated || clause.Mood != reading.Stated && clause.Mood != reading.Presupposed {
		return false
	}
	switch clause.Shape {
	case reading.ActivePerfect, reading.ActivePast, reading.PassivePerfect, reading.PassivePast, reading.PassivePresent,
		reading.Fragment:
		return clause.Verb >= 0 && read.Roles[clause.Verb]&looks == 0 && !underWay(read, clause)
	case reading.Copula, reading.Verbless, reading.Present:
		for i := clause.From; i < clause.To; i++ {
			if read.Roles[i]&(reading.RoleDone|reading.RolePass) != 0 || read.Word(i) == "ready" {
				return true
			}
		}
	}
	return false
}

// ends reports whether a text tells something as over, and nothing in it as open.
func (k *knowledge) ends(text string) bool {
	read := k.read(text)
	const open = reading.RoleWait | reading.RoleNegative | reading.RoleFail | reading.RoleUnable | reading.RoleTrouble
	over := false
	for i := range read.Clauses {
		clause := &read.Clauses[i]
		if clause.Verb >= 0 && underWay(read, clause) {
			return false
		}
		over = over || tellsEnd(read, clause)
	}
	return over && !slices.ContainsFunc(read.Roles, func(roles reading.Role) bool { return roles&open != 0 })
}

// Ends reports whether a text tells as over what some words are about, and nothing in it
// as open: what is still under way must not be told so. "I've kicked it off" does not end
// what the user asked for.
func Ends(text, about string) bool {
	k := newReader()
	defer k.leave()
	if !k.ends(text) {
		return false
	}
	named, acts := k.toldIn(about), familiesOf(about)
	read := k.read(text)
	return slices.ContainsFunc(read.Clauses, func(clause reading.Clause) bool {
		if !tellsEnd(read, &clause) {
			return false
		}
		state := clause.Verb < 0 || clause.Shape == reading.Copula || clause.Shape == reading.Present
		if state || read.Roles[clause.Verb]&(reading.RoleDone|reading.RolePass) != 0 {
			return true
		}
		return named[k.reader.StemKey(read.Word(clause.Verb))] || read.Tokens[clause.Verb].Families().Overlaps(acts)
	})
}

// overstates reports whether an item cites a look at what is still under way, or has
// failed, for a text that tells it as over.
func (c *checker) overstates(item *Item, text string) bool {
	return item.Status == Answered && c.unfinished(c.turn.List.withLaunches(item.Records)) > 0 && c.known.ends(text)
}

// onlyBegun reports whether an item says of a call which is not done yet that something
// was begun: it is pending, whatever the model calls it.
func (c *checker) onlyBegun(item *Item) bool {
	waits := false
	for _, number := range c.turn.List.withLaunches(item.Records) {
		record := c.turn.List.Record(number)
		if record == nil || !c.mayChange(record) {
			continue
		}
		if record.Succeeded() {
			return false
		}
		waits = waits || record.Result.Status == tooltrack.Pending
	}
	if !waits {
		return false
	}
	k := newReader()
	defer k.leave()
	return k.begins(item.What)
}

// Begun reports whether a claim says no more than that the one change of a turn, which is
// not done yet, was begun or goes on: its other words are those of the user and the call.
func (r *Readings) Begun(claim, user string, records []*tooltrack.Record) bool {
	launch := onlyPending(records)
	if launch == nil || r == nil {
		return false
	}
	k := newReader()
	defer k.leave()
	if !k.begins(claim) {
		return false
	}
	known := k.toldIn(user)
	known.add(k.values(textOf(launch)))
	for _, v := range k.content(claim) {
		waits := v.Entry != nil && (v.Entry.Families.Has(lexicon.Start) || v.Entry.Families.Has(lexicon.Run))
		named := v.Kind != reading.Word || v.Entry == nil
		if named && !known[v.Key] && !waits {
			return false
		}
	}
	return true
}

// onlyPending is the one change of a turn, if it was accepted and is not done yet.
func onlyPending(records []*tooltrack.Record) *tooltrack.Record {
	var launch *tooltrack.Record
	for _, record := range records {
		if record == nil || !record.Effect.MayChange() {
			continue
		}
		if launch != nil || record.Result.Status != tooltrack.Pending || record.Ruling.Denied {
			return nil
		}
		launch = record
	}
	return launch
}
