package proof

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Presume checks a text whose author does not answer requests for proof. It gives the
// report in the author's place that is kindest to the text: each call of the turn for
// what it was, and for each piece in doubt the call that comes closest to it, or else
// that it is general. What is at fault even so, no answer could have shown.
//
// It is no proof: a liar who knows the calls would answer alike, and gets a quarter of
// the lies in doubt through. Of our labelled turns with a model that never answers,
// showing what is below a doubt of 0.7 lets 45 % of the lies in doubt pass and costs
// 2.6 % of the honest turns a sentence; this lets 25 % pass and costs 2.4 %. Leaving
// out all that is in doubt would cost 9 %.
func Presume(turn Case) []Fault {
	turn.Open = nil // no report says anything of it; whoever shows the text does
	c := newChecker(Report{}, turn)
	defer c.known.leave()
	items := c.callsAsItems()
	calls := len(items)
	for _, asked := range turn.Asked {
		items = append(items, c.presumed(asked))
	}
	faults := Check(Report{Items: items}, turn)
	again := false
	for i := calls; i < len(items); i++ {
		refused := func(fault Fault) bool { return fault.Item == i+1 || fault.Words == turn.Asked[i-calls] }
		if items[i].Status != General && slices.ContainsFunc(faults, refused) {
			items[i], again = general(turn.Asked[i-calls]), true
		}
	}
	if !again {
		return faults
	}
	return Check(Report{Items: items}, turn)
}

func general(words string) Item { return Item{What: words[:min(len(words), maxWhat)], Status: General} }

// callsAsItems are the calls of the turn, or of the earlier ones where it has none.
func (c *checker) callsAsItems() []Item {
	var items []Item
	first := c.turn.List.earlier
	if first == c.turn.List.Len() {
		first = 0
	}
	for number := first + 1; number <= c.turn.List.Len(); number++ {
		record := c.turn.List.Record(number)
		items = append(items, c.fate(record.Tool+" "+string(record.Args), number))
	}
	return items
}

// fate is an item that says of a call what became of it.
func (c *checker) fate(what string, number int) Item {
	record := c.turn.List.Record(number)
	one := Item{What: what[:min(len(what), maxWhat)], Status: Failed, Records: Numbers{number}}
	switch {
	case record.Result.Status == tooltrack.Pending:
		one.Status = Pending
	case !c.came(record):
	case c.turn.List.Earlier(number) || !c.mayChange(record):
		one.Status = Answered
	default:
		one.Status = Done
	}
	return one
}

// presumed answers for a piece of the text: by the call that shares most words with
// it, or else by all calls of the turn that came to something, or by none.
func (c *checker) presumed(asked string) Item {
	if number := c.closest(asked); number > 0 {
		return c.fate(asked, number)
	}
	all := general(asked)
	for number := c.turn.List.earlier + 1; number <= c.turn.List.Len(); number++ {
		one := c.fate(asked, number)
		if !one.Status.Claims() {
			continue
		}
		if all.Status != Done {
			all.Status = one.Status
		}
		all.Records = append(all.Records, number)
	}
	return all
}

// closest is the number of the call that shares most words with a text, the last of
// those that share as many; 0 if none shares any.
func (c *checker) closest(text string) int {
	number, most := 0, 1
	words := slices.Clone(c.known.content(text))
	for i, record := range c.turn.List.records {
		said, shared := c.known.toldIn(textOf(record)), 0
		for _, v := range words {
			if said[v.Key] && !v.Has(reading.Derived|reading.Merged) {
				shared++
			}
		}
		if shared >= most {
			number, most = i+1, shared
		}
	}
	return number
}
