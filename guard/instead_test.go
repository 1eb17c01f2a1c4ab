package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// hotelTools declare no kind of subject, as the tools of many hosts do not.
func hotelTools() []tooltrack.Tool {
	var tools []tooltrack.Tool
	for name, effect := range map[string]tooltrack.Effect{
		"change_booking_room": tooltrack.Changes, "change_booking_dates": tooltrack.Changes, "cancel_booking": tooltrack.Changes, "order_breakfast": tooltrack.Changes, "update_booking": tooltrack.Changes,
		"get_booking": tooltrack.Reads, "find_booking": tooltrack.Reads, "get_weather": tooltrack.Reads,
		"transfer_to_reception": tooltrack.Changes, "transfer_points": tooltrack.Changes, "purge_room": tooltrack.Changes, "purge": tooltrack.Changes, "hold_room": tooltrack.Changes,
	} {
		tools = append(tools, tooltrack.Tool{Name: name, Effect: effect})
	}
	for i := range tools {
		if tools[i].Name == "transfer_to_reception" {
			tools[i].Description = "Pass the guest on to a member of staff."
		}
	}
	return tools
}

// TestWhatAnswersForAnExpectedTool: words say what is asked for better than by which
// tool it is done. Where another change was made, nothing is ordered on top of it.
func TestWhatAnswersForAnExpectedTool(t *testing.T) {
	sure, unsure := 0.97, 0.7
	cases := []struct {
		name    string
		expect  []intent.Expectation
		called  string
		text    string
		missing string // insisted on
		asked   bool   // about what may be due
	}{
		{"nothing was called", []intent.Expectation{{Tool: "cancel_booking", Confidence: unsure}}, "", "Fine.", "cancel_booking", false},
		{"another change, where the words left doubt", []intent.Expectation{{Tool: "change_booking_room", Confidence: unsure}}, "order_breakfast", "I've ordered breakfast.", "", false},
		{"another change, where they did not", []intent.Expectation{{Tool: "cancel_booking", Confidence: sure}}, "order_breakfast", "I've ordered breakfast.", "", true},
		{"a sister of the tool", []intent.Expectation{{Tool: "change_booking_room", Confidence: sure}}, "change_booking_dates", "I've changed the dates.", "", false},
		{"another word for the same", []intent.Expectation{{Tool: "change_booking_room", Confidence: sure}}, "update_booking", "I've updated the booking.", "", false},
		{"the same object under another verb", []intent.Expectation{{Tool: "cancel_booking", Confidence: sure}}, "change_booking_dates", "I've changed the dates.", "", true},
		{"a sister that names no object", []intent.Expectation{{Tool: "purge", Confidence: sure}}, "purge_room", "I've purged the room.", "", false},
		{"one that names one, too", []intent.Expectation{{Tool: "purge_room", Confidence: sure}}, "purge", "I've purged it.", "", false},
		{"no object and another act", []intent.Expectation{{Tool: "purge", Confidence: sure}}, "order_breakfast", "I've ordered breakfast.", "", true},
		{"what the message holds back", []intent.Expectation{{Tool: "update_booking", Confidence: sure, Hold: intent.Forbidden}}, "", "It stays as it is.", "", true},
		{"a look-up is no change, and may tell why none was made", []intent.Expectation{{Tool: "cancel_booking", Confidence: unsure}}, "get_booking", "It is for two nights.", "", true},
		{"a look-up is no promised change", []intent.Expectation{{Tool: "cancel_booking", Confidence: unsure}}, "get_booking", "I'll cancel it now.", "cancel_booking", false},
		{"another look-up of the same thing", []intent.Expectation{{Tool: "get_booking", Confidence: sure}}, "find_booking", "It is for two nights.", "", false},
		{"a look-up of something else", []intent.Expectation{{Tool: "get_booking", Confidence: sure}}, "get_weather", "It is for two nights.", "get_booking", false},
		{"a change does not show what was asked for", []intent.Expectation{{Tool: "get_booking", Confidence: sure}}, "change_booking_dates", "It is for two nights.", "get_booking", false},
		{"one call answers for one", []intent.Expectation{{Tool: "change_booking_room", Confidence: unsure}, {Tool: "cancel_booking", Confidence: unsure}}, "order_breakfast", "I've ordered breakfast.", "", true},
		{"an expected tool answers for itself alone", []intent.Expectation{{Tool: "change_booking_room", Confidence: unsure}, {Tool: "change_booking_dates", Confidence: unsure}}, "change_booking_dates", "I've changed the dates.", "change_booking_room", false},
		{"the words of a look-up asked for a change, too", []intent.Expectation{{Tool: "cancel_booking", Confidence: sure, Words: "cancel my booking"}, {Tool: "get_booking", Confidence: sure, Words: "cancel my booking"}}, "cancel_booking", "I've cancelled your booking.", "", false},
		{"other words asked for the look-up", []intent.Expectation{{Tool: "cancel_booking", Confidence: sure, Words: "cancel my booking"}, {Tool: "get_weather", Confidence: sure, Words: "what is the weather"}}, "cancel_booking", "I've cancelled your booking.", "get_weather", false},
		{"a person takes over", []intent.Expectation{{Tool: "cancel_booking", Confidence: sure}}, "transfer_to_reception", "You are being transferred to the reception.", "", false},
		{"points are no person", []intent.Expectation{{Tool: "cancel_booking", Confidence: sure}}, "transfer_points", "I've transferred the points.", "", true},
		{"some work, and a question about the rest", []intent.Expectation{{Tool: "cancel_booking", Confidence: sure}}, "order_breakfast", "I've ordered breakfast. Which of your two bookings shall I cancel?", "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g, err := guard.New(hotelTools(), &guard.Options{Classifier: intentFunc(func(intent.Utterance) intent.Intent {
				return intent.Intent{Kind: intent.Action, Expect: c.expect}
			}), Thresholds: guard.Thresholds{Change: 0.5, Read: 0.5}})
			if err != nil {
				t.Fatal(err)
			}
			turn := guard.Recorded{User: "…", Text: c.text}
			if c.called != "" {
				turn.Records = g.RecordsOf([]guard.Message{
					{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "c1", Tool: c.called, Args: []byte(`{}`)}}},
					{Role: guard.RoleTool, CallID: "c1", Text: `{"success":true,"nights":2}`},
				}, nil)
			}
			got, err := g.Judge(context.Background(), turn)
			if err != nil || strings.Join(got.Missing, " ") != c.missing {
				t.Errorf("missing %q, want %q (%v, %s)", got.Missing, c.missing, err, got.Verdict.Reason)
			}
			if asked := len(got.Doubts) > 0; asked != c.asked {
				t.Errorf("asked %v, want %v", asked, c.asked)
			}
		})
	}
}
