package intent

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// services are tools whose names are nouns with a verb in them, and what they are called.
var services = map[string][]tooltrack.Tool{
	"car wash":        {{Name: "car_wash", Description: "Books a car wash."}, {Name: "tyre_swap", Description: "Books a tyre swap."}},
	"alarm call":      {{Name: "alarm.call", Description: "Orders an alarm call."}, {Name: "room.clean", Description: "Has a room cleaned."}},
	"account reset":   {{Name: "accountReset", Description: "Does an account reset."}, {Name: "accountLock", Description: "Locks an account."}},
	"wake-up call":    {{Name: "wake_up_call", Description: "Books a wake-up call."}, {Name: "late_check_out", Description: "Books a late check-out."}},
	"route update":    {{Name: "route-update", Description: "Sends a route update."}, {Name: "driver-call", Description: "Calls a driver."}},
	"deposit release": {{Name: "deposit_release", Description: "Requests a deposit release."}, {Name: "key_handover", Description: "Books a key handover."}},
}

// TestRemarksAboutServices: who tells how it was orders nothing.
func TestRemarksAboutServices(t *testing.T) {
	for thing, tools := range services {
		for i := range tools {
			tools[i].Effect = tooltrack.Changes
		}
		c := classifierFor(t, tools, nil)
		for _, frame := range []string{
			"The % came on time, cheers", "My % went fine", "that % took an hour", "our % finished early", "Loved the %!", "The % came through, great",
			"the last % failed", "Hated that %", "The % helped a lot, thank you!", "yesterday's % cost a fortune", "The % worked",
		} {
			user := strings.ReplaceAll(frame, "%", thing)
			in := classified(t, c, user)
			require.False(t, insists(in, tools[0].Name), "%s: %+v", user, in)
		}
		user := "book a " + thing + " for room 4" // still asks for it
		require.True(t, slices.Contains(expected(t, c, Utterance{User: user}), tools[0].Name) || classified(t, c, user).Due >= DefaultDue, user)
	}
	board := classifierFor(t, taskTools, nil)
	require.Equal(t, []string{"delete_task"}, expected(t, board, Utterance{User: "calendar delete finished tasks"}))
}

// TestCorrectedCommandsAreNotSure: what may be said instead of a command leaves nobody sure of
// that; what is said beside it changes nothing.
func TestCorrectedCommandsAreNotSure(t *testing.T) {
	for _, pair := range replacements {
		tools := slices.Clone(pair.tools)
		for i := range tools {
			tools[i].Effect = tooltrack.Changes
		}
		c := classifierFor(t, tools, nil)
		first := tools[0].Name
		for _, frame := range []string{"%s. Actually, %s.", "%s... actually %s", "%s. Hmm, rather %s", "%s. %s instead", "%s. I mean, %s", "%s. %s, I meant"} {
			user := strings.Replace(strings.Replace(frame, "%s", pair.first, 1), "%s", pair.second, 1)
			in := classified(t, c, user)
			require.False(t, insists(in, first), "%s: %+v", user, in)
			require.GreaterOrEqual(t, in.Due, DefaultDue, user)
		}
	}
	c := classifierFor(t, shopTools, nil)
	for _, user := range []string{"cancel my order. Thanks, you are actually great", "cancel my order, I like tea instead of coffee", "cancel my order, the colour is actually wrong"} {
		require.True(t, insists(classified(t, c, user), "cancel_order"), user)
	}
}

// TestOnlyItsOwnClause: a habit, a reason and a day hold back no request of another clause.
func TestOnlyItsOwnClause(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "cancel_visit", Description: "Cancels a visit."}, {Name: "refund_ticket", Description: "Refunds a ticket."}, {Name: "list_visits", Description: "Lists the visits.", Effect: tooltrack.Reads},
	}
	c := classifierFor(t, tools, nil)
	for _, row := range []struct {
		user, tool string
		want       Hold
	}{
		{"cancel our visit, you are always so helpful", "cancel_visit", NotHeld},
		{"My husband always says that you are kind. Please cancel our visit.", "cancel_visit", NotHeld},
		{"I mix them up every time, so cancel my visit", "cancel_visit", NotHeld},
		{"always cancel my visit when it rains", "cancel_visit", Standing},
		{"cancel my visit every Friday", "cancel_visit", Standing},
		{"I want my visit cancelled every Friday", "cancel_visit", Standing},
		{"cancel my visit, I already have one", "cancel_visit", NotHeld},
		{"refund the ticket, we already bought another", "refund_ticket", NotHeld},
		{"refund the ticket. I already did it", "refund_ticket", Explained},
		{"cancel the visit, I already cancelled it", "cancel_visit", Explained},
		{"cancel the visit on Friday and refund the ticket", "refund_ticket", NotHeld},
		{"show me my visits, then cancel the one on Friday", "cancel_visit", NotHeld},
		{"cancel visit 12 and remind me later", "cancel_visit", NotHeld},
		{"cancel it on Friday", "cancel_visit", Deferred},
		{"tomorrow, cancel the visit and refund the ticket", "refund_ticket", Deferred},
		{"refund the ticket, but do it later", "refund_ticket", Deferred},
		{"refund ticket 12 tomorrow and cancel the visit", "cancel_visit", Deferred},
		{"cancel these visits: 12 and 14 on Friday", "cancel_visit", Deferred},
		{"refund ticket 12 with the note: school closes at 11:20 on Friday", "refund_ticket", NotHeld},
	} {
		s := c.read(Utterance{User: row.user})
		at := slices.IndexFunc(tools, func(tool tooltrack.Tool) bool { return tool.Name == row.tool })
		require.Equal(t, row.want.String(), s.holdOn(c.profiles[at]).String(), row.user)
	}
}
