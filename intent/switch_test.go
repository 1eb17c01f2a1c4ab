package intent

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestTurningThingsOn: what is turned on or off is an instance of what the one tool switches that
// says so, by whatever name; a tool that only starts something turns nothing on.
func TestTurningThingsOn(t *testing.T) {
	testRequests(t, []tooltrack.Tool{
		{Name: "start_appliance", Description: "Switches on an appliance of the lab."},
		{Name: "stop_appliance", Description: "Switches off an appliance of the lab."}, {Name: "get_sample", Description: "Shows a sample."},
	}, []requestCase{
		{"turn on the kitchen lights", "start_appliance"}, {"switch on the incubator", "start_appliance"}, {"turn off the fume hood", "stop_appliance"},
		{"turn on the autoclave, please", "start_appliance"}, {"don't turn on the autoclave", ""}, {"how do I turn on the autoclave?", ""},
	})
	testRequests(t, []tooltrack.Tool{
		{Name: "pump_start", Description: "Turns on a pump of the greenhouse."}, {Name: "bed_list", Description: "Lists the beds."},
	}, []requestCase{{"turn on the misting line", "pump_start"}, {"turn the misting line on", "pump_start"}})
	testRequests(t, []tooltrack.Tool{
		{Name: "start_timer", Description: "Starts a timer."}, {Name: "list_recipes", Description: "Lists recipes."},
	}, []requestCase{{"can you turn the oven on to 180", ""}, {"turn on the stove", ""}, {"start a timer for 5 minutes", "start_timer"}})
}

// TestWhatIsMineMayBeNoneOfTheirs: a thing of the user's of a kind that no tool knows is none that a tool
// of the same verb works on. A thing of no known kind may be one.
func TestWhatIsMineMayBeNoneOfTheirs(t *testing.T) {
	testRequests(t, []tooltrack.Tool{
		{Name: "refund_ticket", Description: "Refunds a ticket."}, {Name: "send_ticket", Description: "Sends a ticket."}, {Name: "list_visits", Description: "Lists visits."},
	}, []requestCase{
		{"refund my parking fee", ""}, {"send flowers to my mother", ""}, {"refund my ticket", "refund_ticket"}, {"refund the ticket of Ines", "refund_ticket"},
	})
	testRequests(t, []tooltrack.Tool{
		{Name: "lock_gate", Description: "Locks a gate of the yard."}, {Name: "feed_horse", Description: "Feeds a horse."},
	}, []requestCase{{"lock my phone", ""}, {"lock my gate", "lock_gate"}, {"lock Meadow 3", "lock_gate"}})
}
