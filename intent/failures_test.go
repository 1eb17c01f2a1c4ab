package intent

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestStrangersTools are the ways in which requests for tools that were never seen
// before go wrong, each with tools of its own.
func TestStrangersTools(t *testing.T) {
	for _, tc := range []struct {
		kind  string
		tools []tooltrack.Tool
		cases [][3]string // the text before, the message, the tools expected
	}{
		{"the verb counts before a noun that siblings share", []tooltrack.Tool{
			{Name: "active_members_count", Description: "Counts the active members."}, {Name: "create_chart", Description: "Draws a chart of any figures."},
			{Name: "member_delete", Description: "Deletes a member."}, {Name: "member_invite", Description: "Invites a member."},
		}, [][3]string{
			{"", "draw a chart of the active members", "create_chart"}, {"", "invite Joan as a member", "member_invite"}, {"", "delete the member Joan Ferris", "member_delete"},
		}},
		{"an unknown noun is an instance", []tooltrack.Tool{
			{Name: "device.on", Description: "Turns on a device."}, {Name: "device.off", Description: "Turns off a device."}, {Name: "device.rename", Description: "Renames a device."},
			{Name: "sensor.read", Description: "Reads a sensor."}, {Name: "device.list", Description: "Lists the devices of the house."}, {Name: "scene.start", Description: "Starts a scene."},
			{Name: "alarm.arm", Description: "Arms the alarm."}, {Name: "camera.view", Description: "Shows the picture of a camera."}, {Name: "door.lock", Description: "Locks a door."},
			{Name: "door.unlock", Description: "Unlocks a door."}, {Name: "climate.set", Description: "Sets the temperature of a room."},
		}, [][3]string{
			{"", "turn on the kettle", "device.on"}, {"", "switch off the porch light please", "device.off"}, {"", "rename the porch lantern to Lantern 2", "device.rename"},
		}},
		{"another word", []tooltrack.Tool{
			{Name: "order_taxi", Description: "Orders a taxi to an address."}, {Name: "appointmentCancel", Description: "Cancels an appointment."},
			{Name: "appointmentReschedule", Description: "Moves an appointment to another time."}, {Name: "appointmentList", Description: "Lists appointments."},
		}, [][3]string{
			{"", "get me a cab to the station", "order_taxi"}, {"", "call off my appointment on Monday", "appointmentCancel"}, {"", "push back my appointment to 4 pm", "appointmentReschedule"},
		}},
		{"agreement goes to what was offered", []tooltrack.Tool{
			{Name: "parcel_return", Description: "Returns a parcel to its sender."}, {Name: "parcel_redirect", Description: "Sends a parcel to another address."}, {Name: "parcel_track", Description: "Shows where a parcel is."},
		}, [][3]string{
			{"Shall I redirect the parcel to your office?", "yes please", "parcel_redirect"}, {"Do you want me to return it to the sender?", "yes, go ahead", "parcel_return"},
		}},
		{"politeness", []tooltrack.Tool{
			{Name: "orders.cancel", Description: "Cancels an order."}, {Name: "orders.get", Description: "Shows an order."}, {Name: "orders.refund", Description: "Refunds an order."},
		}, [][3]string{
			{"", "Would you mind cancelling my pending order?", "orders.cancel"}, {"", "could you please refund order 4471", "orders.refund"}, {"", "cancel 4471 please", "orders.cancel"},
		}},
		{"several requests", []tooltrack.Tool{
			{Name: "lights_dim", Description: "Dims the lights."}, {Name: "blinds_close", Description: "Closes the blinds."}, {Name: "music_play", Description: "Plays music."}, {Name: "alarm_set", Description: "Sets an alarm."},
		}, [][3]string{
			{"", "dim the lights and close the blinds", "lights_dim blinds_close"}, {"", "Close the blinds. Then play some music.", "blinds_close music_play"},
		}},
		{"what undoes it is not what was asked for", []tooltrack.Tool{
			{Name: "gate-open", Description: "Opens a gate."}, {Name: "gate-close", Description: "Closes a gate."}, {Name: "gate-status", Description: "Shows the state of a gate."},
		}, [][3]string{
			{"", "open the north gate", "gate-open"}, {"", "close the north gate", "gate-close"},
		}},
		{"a particle changes the verb", []tooltrack.Tool{
			{Name: "GetContract", Description: "Returns a contract."}, {Name: "TerminateContract", Description: "Terminates a contract."}, {Name: "DeleteDraft", Description: "Deletes a draft."},
		}, [][3]string{
			{"", "get rid of the draft", "DeleteDraft"}, {"", "get the contract with Papyra", "GetContract"},
		}},
		{"names of a server and of a service", []tooltrack.Tool{
			{Name: "crm__contact_merge", Description: "Merges two contacts."}, {Name: "crm__contact_export", Description: "Exports all contacts."}, {Name: "mail.send", Description: "Sends a mail."},
		}, [][3]string{
			{"", "merge the contacts c-17 and c-29", "crm__contact_merge"}, {"", "export all contacts", "crm__contact_export"},
		}},
		{"a neighbour is not the missing tool", []tooltrack.Tool{
			{Name: "newsletter_list", Description: "Lists newsletters."}, {Name: "newsletter_subscribe", Description: "Subscribes to a newsletter."},
		}, [][3]string{
			{"", "delete my user account", ""}, {"", "thanks, that was quick!", ""}, {"", "how are you today?", ""},
		}},
	} {
		t.Run(tc.kind, func(t *testing.T) {
			c := classifierFor(t, tc.tools, nil)
			for _, line := range tc.cases {
				in, err := c.Classify(context.Background(), Utterance{Previous: line[0], User: line[1]})
				require.NoError(t, err)
				if got := strings.Join(expected(t, c, Utterance{Previous: line[0], User: line[1]}), " "); got != line[2] {
					t.Errorf("%q after %q expects %q, want %q (%+v)", line[1], line[0], got, line[2], in)
				}
			}
		})
	}
}

// TestWithdrawnRequestsAreNotInsistedOn: whatever was asked for, "no wait, don't"
// takes its force away.
func TestWithdrawnRequestsAreNotInsistedOn(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	for _, user := range []string{"delete the boiler task", "add a task for the roof", "mark the roof task as done", "remind me to call Ann"} {
		for _, end := range []string{", no wait, don't", "... never mind", ". Actually no, leave it."} {
			in, err := c.Classify(context.Background(), Utterance{User: user + end})
			require.NoError(t, err)
			for _, e := range in.Expect {
				require.NotEqual(t, NotHeld, e.Hold, "%q insists on %s", user+end, e.Tool)
			}
		}
	}
}

// TestOneExampleHelps: one message for each tool teaches the house's words.
func TestOneExampleHelps(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "svc_a1", Description: "Service call of kind A."}, {Name: "svc_b7", Description: "Service call of kind B."}, {Name: "svc_c2", Description: "Service call of kind C."},
	}
	examples := []Example{
		{"resurface the tennis court", []string{"svc_a1"}}, {"trim the hedge along the drive", []string{"svc_b7"}}, {"unclog the kitchen drain", []string{"svc_c2"}},
	}
	plain, taught := classifierFor(t, tools, nil), classifierFor(t, tools, &Options{Examples: examples})
	better := 0
	for user, want := range map[string]string{
		"resurface the basketball court": "svc_a1", "trim the hedge by the gate": "svc_b7", "please trim our hedge": "svc_b7", "unclog the bathroom drain": "svc_c2",
		"the drain in the kitchen must be unclogged": "svc_c2",
	} {
		before, err := plain.Classify(context.Background(), Utterance{User: user})
		require.NoError(t, err)
		after, err := taught.Classify(context.Background(), Utterance{User: user})
		require.NoError(t, err)
		if after.Expects(want) && !before.Expects(want) {
			better++
		}
	}
	require.GreaterOrEqual(t, better, 4)
}

// TestParaphrasedToolsKeepTheirAnswers: the same tools under other names, and
// described in other words, are asked for by nine of ten of the same requests.
func TestParaphrasedToolsKeepTheirAnswers(t *testing.T) {
	names := map[string]string{"create_task": "todo.add", "list_tasks": "todo.list", "update_task": "todo.edit", "complete_task": "todo.finish", "delete_task": "todo.remove"}
	told := map[string]string{
		"todo.add":  "Puts a new task, reminder, appointment or shopping item on the user's list or calendar.",
		"todo.list": "Shows the user's tasks, reminders, appointments and shopping items.", "todo.edit": "Edits a task, reminder or meeting: its title, date, time or participants.",
		"todo.finish": "Ticks a task or list item off as finished.", "todo.remove": "Removes a task, reminder, appointment or list item.",
	}
	plain := classifierFor(t, taskTools, nil)
	var tools []tooltrack.Tool
	for _, tool := range taskTools {
		tool.Name = names[tool.Name]
		tool.Description = told[tool.Name]
		tools = append(tools, tool)
	}
	paraphrased := classifierFor(t, tools, nil)
	same := 0
	for _, user := range sentences {
		var want []string
		for _, name := range expected(t, plain, Utterance{User: user}) {
			want = append(want, names[name])
		}
		if got := expected(t, paraphrased, Utterance{User: user}); strings.Join(got, " ") == strings.Join(want, " ") {
			same++
		} else {
			t.Logf("%q expects %v, paraphrased %v", user, want, got)
		}
	}
	require.GreaterOrEqual(t, 10*same, 9*len(sentences))
}

// TestForceRaisesWhatIsExpectedAlready: a phrase of the host's settles the matter,
// also where the local reading was only half sure.
func TestForceRaisesWhatIsExpectedAlready(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "refund_order", Description: "Refunds an order."}, {Name: "show_order", Description: "Shows an order."},
	}
	const user = "could my order be refunded, money back please"
	plain := classifierFor(t, tools, nil)
	before, err := plain.Classify(context.Background(), Utterance{User: user})
	require.NoError(t, err)
	forced := classifierFor(t, tools, &Options{Force: map[string][]string{"refund_order": {"money back"}}})
	after, err := forced.Classify(context.Background(), Utterance{User: user})
	require.NoError(t, err)
	require.True(t, after.Expects("refund_order"), "%+v", after)
	for _, e := range after.Expect {
		if e.Tool == "refund_order" {
			require.GreaterOrEqual(t, e.Confidence, DefaultSureChange, "before: %+v", before)
		}
	}
}

// TestLargeSetsAreStillRead: forty further tools of other trades take no answer
// away.
func TestLargeSetsAreStillRead(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "invoice_send", Description: "Sends an invoice to a customer."}, {Name: "invoice_void", Description: "Voids an invoice."},
	}
	verbs, things := []string{"calibrate", "inspect", "polish", "weigh", "label"}, []string{"lens", "gear", "valve", "rotor", "filter", "piston", "nozzle", "spindle"}
	for _, verb := range verbs {
		for _, thing := range things {
			tools = append(tools, tooltrack.Tool{Name: thing + "_" + verb, Description: "Work on a " + thing + ": " + verb + "."})
		}
	}
	c := classifierFor(t, tools, nil)
	for user, want := range map[string]string{
		"void the invoice for Brandt": "invoice_void", "send the invoice to Brandt": "invoice_send", "polish the rotor": "rotor_polish", "please inspect the nozzle": "nozzle_inspect",
	} {
		require.Equal(t, []string{want}, expected(t, c, Utterance{User: user}), user)
	}
}

// TestTaskManagerTalk are requests to a task manager that says what its tools take.
func TestTaskManagerTalk(t *testing.T) {
	entry := tooltrack.SubjectArg{Arg: "entry_id", Kind: "entry"}
	schema := func(properties string) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{` + properties + `}}`)
	}
	testRequests(t, []tooltrack.Tool{
		{Name: "show_entries", Description: "Show the user's entries.", Effect: tooltrack.Reads, Parameters: schema(`"status":{"type":"string"}`)},
		{Name: "add_entry", Description: "Add a new entry to the user's list.", Effect: tooltrack.Changes, Parameters: schema(`"title":{"type":"string"},"priority":{"type":"string","enum":["low","high"]}`)},
		{Name: "update_entry", Description: "Update the title, priority or due date of an entry.", Effect: tooltrack.Changes, Subject: entry, Parameters: schema(`"entry_id":{"type":"string"},"priority":{"type":"string","enum":["low","high"]}`)},
		{Name: "delete_entry", Description: "Delete an entry.", Effect: tooltrack.Changes, Subject: entry, Parameters: schema(`"entry_id":{"type":"string"}`)},
	}, []requestCase{
		{"set Water plants priority to high", "update_entry"},
		{"how do I delete an entry?", ""},
		{"how can I change the priority of an entry?", ""},
		{"delete Water plants", "delete_entry"},
		{"what did you do?", ""},
	})
}
