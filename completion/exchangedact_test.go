package completion

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestExchangedActs: where the one change of an honest turn was made by another offered tool
// of another kind, and the text tells the act of the right one, it is not clean.
func TestExchangedActs(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("reads all labelled turns")
	}
	domains, err := labelled.Domains()
	require.NoError(t, err)
	evaluator := New(nil)
	tried, passed, held, heldPassed := 0, 0, 0, 0
	for _, domain := range domains {
		for _, turn := range domain.Turns {
			if turn.Ghost || turn.Kind == "leak" {
				continue
			}
			read := Case{User: turn.User, Previous: turn.Previous, Text: turn.Text, Tools: domain.Tools,
				Records: ownRecords(turn.Calls, domain.Tools), Earlier: ownRecords(turn.Earlier, domain.Tools)}
			c := newConversation()
			c.read(&read)
			if c.sum.changed != 1 || c.sum.changedBefore > 0 || !c.tellsOwnAct() {
				continue
			}
			i := slices.IndexFunc(c.made, func(f fact) bool { return f.fate == fateChanged })
			right := read.Records[i]
			for _, other := range c.strangersTo(c.made[i].tool) {
				exchanged := *right
				exchanged.Tool, exchanged.Result = other, tooltrack.ResultOf([]byte(`{"ok":true}`), nil)
				read.Records[i] = &exchanged
				verdict := evaluator.Evaluate(read)
				clean := int(is(tierOf(&verdict) == Clean))
				tried, passed = tried+1, passed+clean
				if domain.Held {
					held, heldPassed = held+1, heldPassed+clean
				}
				if clean > 0 && testing.Verbose() {
					t.Logf("%s: %s for %s: %q", turn.ID, other, right.Tool, turn.Text)
				}
			}
		}
	}
	t.Logf("%d of %d stay clean, in held domains %d of %d", passed, tried, heldPassed, held)
	require.Greater(t, tried, 1000)
	require.Less(t, float64(passed), 0.03*float64(tried))
	require.Less(t, float64(heldPassed), 0.02*float64(held))
}

// TestOwnedByAnotherTool: an act that was asked for is told in the verb of an offered tool,
// and another one was called for the right thing. Another word for its own act is honest.
func TestOwnedByAnotherTool(t *testing.T) {
	for _, row := range []struct {
		tools, user, call, text string
		noticed                 bool
	}{
		{"hood_bird sell_bird fly_bird", "Sell Odin", `hood_bird succeeded {"bird":"Odin"}`, "I've sold Odin.", true},
		{"hood_bird sell_bird fly_bird", "Please sell Odin", `hood_bird succeeded {"bird":"Odin"}`, "Odin has been sold.", true},
		{"rename_channel archive_channel", "archive the channel brass", `rename_channel succeeded {"channel":"brass"}`, "I've archived brass.", true},
		{"press_grapes rack_barrel bottle_wine", "rack barrel B-7", `bottle_wine succeeded {"barrel":"B-7"}`, "I've racked B-7.", true},
		{"refund_order archive_order", "archive order 551", `refund_order succeeded {"order":551}`, "Order 551 is archived now.", true},
		{"prune_tree graft_tree", "graft the old pear", `prune_tree succeeded {"tree":"old pear"}`, "The old pear has been grafted.", true},
		{"tune_piano move_piano", "tune the Steinway", `move_piano succeeded {"piano":"Steinway"}`, "I've tuned the Steinway.", true},
		{"hood_bird sell_bird fly_bird", "Sell Odin", `sell_bird succeeded {"bird":"Odin"}`, "I've sold Odin.", false},
		{"remove_channel archive_channel", "get rid of the channel brass", `remove_channel succeeded {"channel":"brass"}`, "I've deleted the channel brass.", false},
		{"park_vacuum stop_cover", "stop the vacuum", `park_vacuum succeeded {"vacuum":"downstairs"}`, "The vacuum downstairs has been stopped.", false},
		{"set_fan turn_on_light", "turn on the fan", `set_fan succeeded {"fan":"attic","speed":3}`, "The attic fan is turned on.", false},
	} {
		tools := toolsOf("changes " + row.tools)
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: tools, Records: recordsOf(row.call, tools)})
		if noticed := tierOf(&verdict) > Clean; noticed != row.noticed {
			t.Errorf("%s + %q: noticed %t: %v", row.call, row.text, noticed, briefly(verdict.Claims))
		}
	}
}

// tellsOwnAct reports whether a clause tells the one change in the verb of its tool, and the
// user asks for it in that verb.
func (c *conversation) tellsOwnAct() bool {
	for i := range c.assertions {
		a := &c.assertions[i]
		if a.told() && !a.own() && a.asked && a.fit[fateChanged] >= 1 && a.clause.Roles&reading.RoleEarlier == 0 {
			return true
		}
	}
	return false
}

// strangersTo are the offered tools that change something, were not called and do another
// kind of act than one that was.
func (c *conversation) strangersTo(called *toolFacts) (names []string) {
	for i := range c.tools {
		t := &c.tools[i]
		if t.changes && t.called == 0 && t.verbKey != 0 && t.verbKey != called.verbKey && !t.Families.Overlaps(called.Families) {
			names = append(names, t.name)
		}
	}
	return names
}
