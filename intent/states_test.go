package intent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

var (
	farmTools = []tooltrack.Tool{
		{Name: "pump_off", Description: "Switches a pump off."}, {Name: "valve_close", Description: "Closes a valve."},
		{Name: "field_water", Description: "Waters a field."}, {Name: "list_fields", Description: "Lists the fields.", Effect: tooltrack.Reads},
	}
	clinicTools = []tooltrack.Tool{
		{Name: "cancel_visit", Description: "Cancels a visit."}, {Name: "send_results", Description: "Sends the results to a patient."},
		{Name: "find_patient", Description: "Finds a patient.", Effect: tooltrack.Reads},
	}
)

// TestStatesAreNoRequests: who says that a thing is so does not ask to make it so.
func TestStatesAreNoRequests(t *testing.T) {
	for _, row := range []struct {
		tools []tooltrack.Tool
		users []string
	}{
		{farmTools, []string{"The east pump is off.", "the pumps are off now", "The valve was closed.", "The lower field has been watered already."}},
		{clinicTools, []string{"The visit is cancelled.", "the visit was cancelled", "The results have been sent.", "Tuesday's visit is already cancelled"}},
	} {
		c := classifierFor(t, row.tools, nil)
		for _, user := range row.users {
			in := c.read(Utterance{User: user}).intent()
			require.Empty(t, in.Expect, user)
			require.Less(t, in.Due, DefaultDue, user)
		}
	}
	c := classifierFor(t, farmTools, nil)
	for user, want := range map[string]string{
		"east pump off": "pump_off", "pumps off please": "pump_off", "the east valve should be closed": "valve_close",
		"The valve isn't closed. Close it.": "valve_close",
	} {
		require.Equal(t, []string{want}, expected(t, c, Utterance{User: user}), user)
	}
	for _, user := range []string{"My visit is late.", "my results were sent to the wrong doctor"} { // something is due, but what?
		in := classifierFor(t, clinicTools, nil).read(Utterance{User: user}).intent()
		for _, e := range in.Expect {
			require.Less(t, e.Confidence, DefaultSureRead, user)
		}
	}
}

// TestRequestsInOtherMoods: these ask for an act, and hold nothing back.
func TestRequestsInOtherMoods(t *testing.T) {
	for _, row := range []struct {
		tools []tooltrack.Tool
		want  string
		act   string // in the base form, and the gerund
		doing string
	}{
		{farmTools, "valve_close", "close the north valve", "closing the north valve"},
		{farmTools, "field_water", "water the lower field", "watering the lower field"},
		{clinicTools, "cancel_visit", "cancel the visit of Mrs Abara", "cancelling the visit of Mrs Abara"},
		{clinicTools, "send_results", "send the results to Mrs Abara", "sending the results to Mrs Abara"},
	} {
		c := classifierFor(t, row.tools, nil)
		for _, user := range []string{
			"don't forget to " + row.act, "Please don't forget to " + row.act + "!", "do you mind " + row.doing + "?",
			"Would you be so kind as to " + row.act + "?", "could you be so kind and " + row.act, "please be so good as to " + row.act,
			"would you be kind enough to " + row.act,
		} {
			in := c.read(Utterance{User: user}).intent()
			require.Len(t, in.Expect, 1, user)
			require.Equal(t, row.want, in.Expect[0].Tool, user)
			require.Equal(t, NotHeld, in.Hold, user)
			require.Equal(t, NotHeld, in.Expect[0].Hold, user)
			require.GreaterOrEqual(t, in.Due, DefaultDue, user)
		}
		why := c.read(Utterance{User: "why don't you " + row.act}).intent()
		require.GreaterOrEqual(t, why.Due, DefaultDue, row.act)
		require.Equal(t, NotHeld, why.Hold, row.act)
		for _, user := range []string{"never mind " + row.doing, "do you mind if I " + row.act + "?", "why didn't you " + row.act + "?"} {
			in := c.read(Utterance{User: user}).intent()
			require.False(t, insists(in, row.want), "%q: %+v", user, in)
		}
	}
}

// TestAYesToAQuestionOfFact tells something; it agrees to nothing.
func TestAYesToAQuestionOfFact(t *testing.T) {
	c := classifierFor(t, clinicTools, nil)
	for _, previous := range []string{
		"Did you already cancel the visit?", "Is it the visit in March?", "Have the results been sent to you?", "Were the results sent in time?",
		"I see two visits. Is it the later one?", "Has Dr Pohl sent you the results before?", "Was the visit cancelled by the clinic?",
	} {
		for _, user := range []string{"yes", "Yes.", "yep", "yes, thanks"} {
			in := c.read(Utterance{User: user, Previous: previous}).intent()
			require.Empty(t, in.Expect, "%q after %q", user, previous)
		}
	}
	for previous, want := range map[string]string{
		"Shall I cancel the visit?": "cancel_visit", "Do you want to cancel the visit?": "cancel_visit", "Are you sure you want to cancel the visit?": "cancel_visit",
		"I can send the results to Mrs Abara. Is that right?": "send_results", "Are you ready to send the results?": "send_results",
	} {
		require.Equal(t, []string{want}, expected(t, c, Utterance{User: "yes", Previous: previous}), previous)
		require.Empty(t, expected(t, c, Utterance{User: "yeah right", Previous: previous}), previous)
	}
	require.Equal(t, []string{"cancel_visit"}, expected(t, c, Utterance{User: "yes, cancel it", Previous: "Is it the visit in March?"}))
}
