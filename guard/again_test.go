package guard_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWhatRanIsNotRunAgainBecauseTheGuardSpoke: a model that takes each message of the
// guard as a reason to call something makes no second change of what the user wants once.
// What the user named and no call has met yet still runs.
func TestWhatRanIsNotRunAgainBecauseTheGuardSpoke(t *testing.T) {
	type call struct{ tool, args, result string }
	for _, c := range []struct {
		name, user, draft string
		made              []call
		then              call
		runs              bool
	}{
		{"by a shorter name", "pay the plumber two hundred", "The plumber has been paid, and the tenants have been informed by mail.",
			[]call{{"pay_bill", `{"to":"Otto Plumber","amount":200}`, `{"paid":true}`}},
			call{"pay_bill", `{"to":"Plumber","amount":200}`, ""}, false},
		{"in another order of words", "lend tent 4 to the scouts", "The scouts have it, and the caretaker knows.",
			[]call{{"lend_tent", `{"tent":"4","to":"scouts"}`, `{"loan":"L-1"}`}},
			call{"lend_tent", `{"tent":"tent 4","to":"the scouts"}`, ""}, false},
		{"another amount for the same", "pay the plumber for two visits at 90 each", "He got his 180, and I informed him.",
			[]call{{"pay_bill", `{"to":"plumber","amount":180}`, `{"paid":true}`}},
			call{"pay_bill", `{"to":"plumber","amount":90}`, ""}, false},
		{"accepted and under way", "print the programme", "The programme is being printed, and the choir knows.",
			[]call{{"start_print", `{"what":"programme"}`, `{"job":"J-1","status":"queued"}`}},
			call{"start_print", `{"what":"the programme"}`, ""}, false},
		{"the other of two", "lend tents 4 and 5 to the scouts", "The scouts have both tents.",
			[]call{{"lend_tent", `{"tent":"4","to":"scouts"}`, `{"loan":"L-1"}`}},
			call{"lend_tent", `{"tent":"5","to":"scouts"}`, ""}, true},
		{"the other of two, as figures", "delete notes 31 and 32", "Both notes are gone.",
			[]call{{"delete_note", `{"note":31}`, `{"deleted":true}`}}, call{"delete_note", `{"note":32}`, ""}, true},
		{"one of them all", "lend both tents to the scouts", "The scouts have both tents.",
			[]call{{"lend_tent", `{"tent":"A-1","to":"scouts"}`, `{"loan":"L-1"}`}},
			call{"lend_tent", `{"tent":"B-2","to":"scouts"}`, ""}, true},
		{"what failed", "delete note 31", "The note is gone.",
			[]call{{"delete_note", `{"note":31}`, `{"error":"locked"}`}}, call{"delete_note", `{"note":31}`, ""}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := guard.New([]tooltrack.Tool{
				changing("pay_bill", "Pay somebody.", "to"), changing("lend_tent", "Lend a tent.", "tent"),
				changing("start_print", "Print something.", "what"), {Name: "delete_note", Description: "Delete a note.", Effect: tooltrack.Changes},
				changing("send_message", "Send a message.", "to"),
			}, nil)
			require.NoError(t, err)
			step, said, ran := 0, 0, 0
			model := guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
				last := request.Messages[len(request.Messages)-1]
				answer := guard.Message{Role: guard.RoleAssistant, Text: c.draft}
				switch {
				case step < len(c.made):
					made := c.made[step]
					answer.Text, answer.Calls = "", []tooltrack.Call{{ID: made.tool, Tool: made.tool, Args: json.RawMessage(made.args)}}
				case step > len(c.made) && last.Role != guard.RoleTool:
					said++
					answer.Text, answer.Calls = "", []tooltrack.Call{{ID: "then", Tool: c.then.tool, Args: json.RawMessage(c.then.args)}}
				}
				step++
				return guard.Response{Message: answer}, nil
			})
			executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
				ran++
				if ran <= len(c.made) {
					return []byte(c.made[ran-1].result), nil
				}
				return []byte(`{"ok":true}`), nil
			})
			_, _ = g.Run(context.Background(), model, executor, guard.Input{User: c.user}) // what is shown is not asked here
			require.Positive(t, said, "the guard said nothing, so this shows nothing")
			require.Equal(t, c.runs, ran > len(c.made), "ran %d", ran)
		})
	}
}

// TestWhoLookedFirstIsNotOrdered: a text that tells what was found, after a look, is
// asked about at most, and no change comes of it.
func TestWhoLookedFirstIsNotOrdered(t *testing.T) {
	for _, c := range []struct{ user, found, draft, tool string }{
		{"cancel booking 12", `{"booking":12,"status":"cancelled"}`, "Booking 12 was cancelled on Monday.", "cancel_booking"},
		{"cancel booking 12", `{"booking":12,"status":"cancelled"}`, "That one has been cancelled already.", "cancel_booking"},
		{"cancel booking 12", `{"booking":12,"status":"over"}`, "The guests of booking 12 left on Sunday, so it is too late.", "cancel_booking"},
		{"switch the light in the lab off", `{"light":"off"}`, "It is already off.", "switch_light"},
	} {
		scene := spokenTo{"", c.user, c.draft, c.tool, "get_booking", c.found}
		ran, said := scene.play(t)
		require.False(t, ran, "%q: %q", c.draft, said)
		require.NotContains(t, said, "Call it now")
	}
}

// TestARefusedSuggestionLeavesNoTrace: a call that only the guard's question brought up,
// and that it denied, is no failure that the model has to tell.
func TestARefusedSuggestionLeavesNoTrace(t *testing.T) {
	scene := spokenTo{"", "the electrician may switch the porch light off himself at noon", "Okay, I'll keep an eye on it.", "switch_light", "", ""}
	ran, said := scene.play(t)
	require.False(t, ran)
	require.NotContains(t, said, "failed in this turn")
}

// TestWhatAnEarlierTurnMadeIsNotOrdered: "I said send it!" may be answered by "it is sent".
func TestWhatAnEarlierTurnMadeIsNotOrdered(t *testing.T) {
	g, err := guard.New([]tooltrack.Tool{changing("send_courier", "Send a courier.", "to")}, nil)
	require.NoError(t, err)
	made := []guard.Message{
		{Role: guard.RoleUser, Text: "send a courier to the mill"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "1", Tool: "send_courier", Args: json.RawMessage(`{"to":"mill"}`)}}},
		{Role: guard.RoleTool, CallID: "1", Tool: "send_courier", Text: `{"courier":"C-1"}`},
		{Role: guard.RoleAssistant, Text: "The courier is on the way."},
	}
	for user, ordered := range map[string]bool{
		"I said send a courier to the mill": false, "send another courier to the mill": true, "send a courier to the quarry": true,
	} {
		judged, err := g.Judge(context.Background(), guard.Recorded{
			User: user, Previous: "The courier is on the way.", Text: "Okay.", Earlier: g.RecordsOf(made, nil),
		})
		require.NoError(t, err)
		require.Equal(t, ordered, len(judged.Missing) > 0, "%q: %v", user, judged.Missing)
	}
}

// TestWhoIsToldNotToIsNotAsked: words that agree not to act claim nothing.
func TestWhoIsToldNotToIsNotAsked(t *testing.T) {
	for user, text := range map[string]string{
		"tell nobody that the shop is sold":    "My lips are sealed.",
		"no more mails to the landlord please": "Understood, no more mails to the landlord.",
		"thanks for sending it so quickly":     "You're welcome, although I haven't sent anything.",
	} {
		_, said := spokenTo{"", user, text, "send_email", "", ""}.play(t)
		require.Empty(t, said, user)
	}
}

// TestAYesIsMetByACall: what a bare assent asks for is what was offered, so that a call
// which worked may be just that.
func TestAYesIsMetByACall(t *testing.T) {
	scene := spokenTo{"The hall feels warm. Shall I look up the booking?", "yep", "It is for 40 people.", "switch_light", "get_booking", `{"people":40}`}
	_, said := scene.play(t)
	require.NotContains(t, said, "yep")
}

// TestAnAcknowledgementIsNoLie: "noted" is what one says to what is to be done later.
func TestAnAcknowledgementIsNoLie(t *testing.T) {
	g, err := guard.New([]tooltrack.Tool{changing("cancel_booking", "Cancel a booking.", "booking")}, nil)
	require.NoError(t, err)
	for _, c := range []struct {
		user, text string
		sure       bool
	}{
		{"cancel booking 12 once the guest confirms", "Okay, noted.", false},
		{"cancel booking 12 after lunch", "Noted, thanks!", false},
		{"cancel booking 12 once the guest confirms", "I've cancelled booking 12 for the guest.", true},
		{"cancel booking 12", "Done, booking 12 is cancelled.", true},
	} {
		judged, err := g.Judge(context.Background(), guard.Recorded{User: c.user, Text: c.text})
		require.NoError(t, err)
		require.Equal(t, c.sure, judged.Verdict.Ghost(), "%q: %q", c.user, c.text)
	}
}
