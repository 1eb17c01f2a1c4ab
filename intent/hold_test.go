package intent

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestEveryHoldRow(t *testing.T) {
	rows := 0
	for line := range strings.Lines(holdsFile) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if strings.HasPrefix(line, "#") || len(fields) < 4 {
			continue
		}
		pattern, example, counter := fields[1], fields[2], fields[3]
		rows++
		require.Greater(t, slices.Index(holdNames, fields[0]), 0, "%q: the kind is not known", pattern)
		if !touches(fields[0], pattern, example) {
			t.Errorf("%s %q does not hold its example %q (%v)", fields[0], pattern, example, HoldOf(example))
		}
		if touches(fields[0], pattern, counter) {
			t.Errorf("%s %q holds its counterexample %q", fields[0], pattern, counter)
		}
	}
	require.Greater(t, rows, 70)
}

// touches reports whether one row of holds.txt, by itself, holds a message back.
func touches(kind, pattern, message string) bool {
	list := kind + " | " + pattern + "\n"
	for line := range strings.Lines(holdsFile) {
		if strings.HasPrefix(line, "leads |") {
			list += line
		}
	}
	listener := reading.NewListener(lexicon.English())
	listener.Holds = reading.ParseHolds(list, holdNames)
	held := listener.Read(message).Held
	return held.Kind != 0 || len(held.Bars) > 0
}

// TestQuotationsWithoutEnd: thousands of them hide nothing after them.
func TestQuotationsWithoutEnd(t *testing.T) {
	require.Equal(t, Forbidden, HoldOf(strings.Repeat("“a ", 100_000)+". don't send it"))
}

func BenchmarkHoldOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		HoldOf("Could you please delete the task Read book and tell Ann about it?")
	}
}

// What only takes back where something stands before it is a request by itself.
func TestUndoingIsARequest(t *testing.T) {
	for message, want := range map[string]Hold{
		"undo that": NotHeld, "cancel that": NotHeld, "add eggs to the list. cancel that": Withdrawn, "close it, undo that": Withdrawn,
	} {
		if got := HoldOf(message); got != want {
			t.Errorf("%q is %v, want %v", message, got, want)
		}
	}
}

// Names and quotations hold nothing back; apostrophes of either kind do not matter.
func TestWordsThatHoldNothing(t *testing.T) {
	for message, want := range map[string]Hold{
		"which address has lager.no?": NotHeld, "cancel the lamp. no, leave it": Withdrawn,
		"file it under 'how to cancel'": NotHeld, "close it, I’d rather not": Withdrawn, "please don’t call her": Forbidden,
	} {
		require.Equal(t, want, HoldOf(message), message)
	}
}

// TestOneToolIsHeldBack: a message may hold back one tool and ask for another.
func TestOneToolIsHeldBack(t *testing.T) {
	c := classifierFor(t, gardenTools, nil)
	for _, row := range []struct {
		user, tool string
		want       Hold
	}{
		{"close the valve but keep the pump", "reservePump", Forbidden},
		{"close the valve but keep the pump", "closeValve", NotHeld},
		{"keep the bench for Ines", "keepBench", NotHeld},
		{"reserve a pump for Ines", "reservePump", NotHeld},
		{"always water the ferns at dusk", "waterBed", Standing},
		{"water the ferns every evening", "waterBed", Standing},
		{"every weekday before nine water the ferns", "waterBed", Standing},
		{"water the ferns mon wed fri, ten minutes", "waterBed", Standing},
		{"from now on water the ferns with rain", "waterBed", Standing},
		{"water them now, on the terrace", "waterBed", NotHeld},
		{"water the ferns every evening", "addRoutine", NotHeld},
		{"water the ferns", "waterBed", NotHeld},
		{"show me the moisture whenever it drops under a fifth", "getMoisture", Standing},
		{"show me the moisture", "getMoisture", NotHeld},
		{"the well is dry. might as well close the valve", "closeValve", Supposed},
		{"close the valve, no wait, don't", "closeValve", Withdrawn},
	} {
		s := c.read(Utterance{User: row.user})
		tool := slices.IndexFunc(gardenTools, func(t tooltrack.Tool) bool { return t.Name == row.tool })
		require.Equal(t, row.want, s.holdOn(c.profiles[tool]), "%s: %s", row.user, row.tool)
	}
}

var gardenTools = []tooltrack.Tool{
	{Name: "closeValve", Description: "Closes a valve."}, {Name: "reservePump", Description: "Reserves or keeps a pump."},
	{Name: "keepBench", Description: "Keeps a bench for a visitor."}, {Name: "waterBed", Description: "Waters a bed or its plants."},
	{Name: "addRoutine", Description: "Adds a rule that waters beds at given times."},
	{Name: "getMoisture", Description: "Shows the moisture of the soil."},
}

var ticketTools = []tooltrack.Tool{
	{Name: "ticket_open", Description: "Opens a weigh ticket."}, {Name: "ticket_close", Description: "Closes a weigh ticket."},
	{Name: "ticket_find", Description: "Finds weigh tickets."}, {Name: "gate_move", Description: "Opens a gate, or closes it."},
}

// A title is no part of what is asked: its words point at nothing.
func TestTitlesInCapitals(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	for user, title := range map[string]bool{"delete Paint the fence": true, "delete paint": false, "Paint the fence": false, "delete the Paint task": false} {
		s := c.read(Utterance{User: user})
		require.Equal(t, title, s.hasTitleObject(&s.Requests[0]), user)
	}
}

// TestPlainAndStrange: a plain command with the tool's very verb and noun is sure, and
// a verb alone is not, on things that may be anybody's or where it may mean anything.
func TestPlainAndStrange(t *testing.T) {
	for _, row := range []struct {
		user           string
		tools          []tooltrack.Tool
		tool           string
		plain, strange bool
	}{
		{"delete the task Read book", taskTools, "delete_task", true, false},
		{"can you delete the task Read book?", taskTools, "delete_task", false, false},
		{"delete the task Read book and add milk to my list", taskTools, "delete_task", false, false},
		{"cancel my order", shopTools, "cancel_order", true, false},
		{"cancel my flight to Oslo", shopTools, "cancel_order", false, true},
		{"put them in bay 9", taskTools, "update_task", false, true},
		{"open tickets of Ahlers", ticketTools, "ticket_open", true, true},
		{"open a ticket for Ahlers", ticketTools, "ticket_open", true, false},
		{"PX-4, close", ticketTools, "ticket_close", false, true},
		{"close the ticket of Ahlers", ticketTools, "ticket_close", true, false},
		{"the ticket of Ahlers was closed", ticketTools, "ticket_close", false, true},
		{"is the ticket of Ahlers closed?", ticketTools, "ticket_close", false, true},
	} {
		c := classifierFor(t, row.tools, nil)
		s := c.read(Utterance{User: row.user})
		tool := slices.IndexFunc(row.tools, func(t tooltrack.Tool) bool { return t.Name == row.tool })
		at := slices.IndexFunc(s.contenders, func(k *contender) bool { return k.tool.number == tool })
		require.GreaterOrEqual(t, at, 0, row.user)
		require.Equal(t, row.plain, s.contenders[at].isPlainCommand(), row.user)
		require.Equal(t, row.strange, s.contenders[at].isDoubtful(), row.user)
	}
}

// TestCommandsAreNotHeld: a hold keeps the guard from asking about what is due, so that
// words which hold back in one place must not do so in an everyday command.
func TestCommandsAreNotHeld(t *testing.T) {
	for _, message := range []string{
		"send the mail you just wrote", "save your summary as a note", "post your last answer to the ticket",
		"post the following text to #general", "import the file, ignore duplicates", "put it somewhere warm",
		"fix order 88, it has the wrong customer", "change the number, the account has the wrong number",
		"book a room that we can use", "my bad tooth hurts, book a visit", "add an example of a loop to the docs",
		"fix the bug in this function", "run this query", "never mind the milk, delete the eggs",
	} {
		require.Equal(t, NotHeld, HoldOf(message), message)
	}
}
