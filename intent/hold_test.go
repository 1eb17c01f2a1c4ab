package intent

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestEveryHoldRow(t *testing.T) {
	rows := parseHolds(holdsFile)
	require.Greater(t, len(rows), 70)
	for _, row := range rows {
		require.NotEqual(t, NotHeld, row.hold, "%q: the kind is not known", row.text)
		require.NotContains(t, row.words[0], "*", "%q: a row needs a first word to be found by", row.text)
		if HoldOf(row.example) == NotHeld || !row.touches(row.example) {
			t.Errorf("%s %q does not hold its example %q (%v)", row.hold, row.text, row.example, HoldOf(row.example))
		}
		if row.touches(row.counter) {
			t.Errorf("%s %q holds its counterexample %q", row.hold, row.text, row.counter)
		}
	}
}

func (r *holdRow) touches(message string) (found bool) {
	h := hearing{text: message}
	for before := 0; h.sentence(); before += len(h.words) {
		for at := range h.words {
			found = found || r.matches(h.words, at) && !(r.later && before+at == 0)
		}
	}
	return found
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

// TestOneToolIsHeldBack: a message may hold back one tool and ask for another.
func TestOneToolIsHeldBack(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "cancelFlight", Description: "Cancels a flight."}, {Name: "reserveCar", Description: "Reserves or keeps a car."},
		{Name: "keepRoom", Description: "Keeps a room for a guest."}, {Name: "setLight", Description: "Turns a light on or off."},
		{Name: "addAutomation", Description: "Adds a rule that sets lights at given times."},
		{Name: "getBalance", Description: "Shows the balance of an account."},
	}
	c := classifierFor(t, tools, nil)
	held := func(user, tool string) Hold {
		s := c.newScratch()
		c.read(s, user)
		return c.holdOn(s, slices.IndexFunc(tools, func(t tooltrack.Tool) bool { return t.Name == tool }))
	}
	for _, row := range []struct {
		user, tool string
		want       Hold
	}{
		{"cancel the flight but keep the car", "reserveCar", Forbidden},
		{"cancel the flight but keep the car", "cancelFlight", NotHeld},
		{"keep the room for Ines", "keepRoom", NotHeld},
		{"reserve a car for Ines", "reserveCar", NotHeld},
		{"always turn the porch light on at sunset", "setLight", Standing},
		{"turn the porch light on every evening", "setLight", Standing},
		{"every weekday at 6:45 turn the porch light on", "setLight", Standing},
		{"from now on turn the porch light on at sunset", "setLight", Standing},
		{"turn it on now, on the porch", "setLight", NotHeld},
		{"turn the porch light on every evening", "addAutomation", NotHeld},
		{"turn the porch light on", "setLight", NotHeld},
		{"show me the balance whenever it falls below 500", "getBalance", Standing},
		{"show me the balance", "getBalance", NotHeld},
		{"the flight is off. might as well cancel the car", "reserveCar", Supposed},
		{"cancel the flight, no wait, don't", "cancelFlight", Withdrawn},
	} {
		require.Equal(t, row.want, held(row.user, row.tool), "%s: %s", row.user, row.tool)
	}
}
