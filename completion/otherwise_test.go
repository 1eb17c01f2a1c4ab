package completion

import "testing"

// TestDoneToAnotherOne: a report that names nothing is held against what the user asked
// for, too. One true report in twenty may be asked about.
func TestDoneToAnotherOne(t *testing.T) {
	honest, asked := 0, []string(nil)
	for _, row := range []struct{ user, previous, earlier, call, right, wrong string }{
		{"Cancel order 552", "", "", "cancel_order", `{"order":"552"}`, `{"order":"551"}`},
		{"Please delete note N-12.", "", "", "delete_note", `{"id":"N-12"}`, `{"id":"N-21"}`},
		{"Set the thermostat to 21", "", "", "set_thermostat", `{"celsius":21}`, `{"celsius":12}`},
		{"Move my dentist appointment to 15:30", "", "", "move_event", `{"event":"dentist","time":"15:30"}`, `{"event":"dentist","time":"16:30"}`},
		{"Can you refund $40 on ch_881?", "", "", "refund_charge", `{"charge":"ch_881","amount":40}`, `{"charge":"ch_818","amount":40}`},
		{"Reschedule it for March 12", "", "", "reschedule", `{"date":"2026-03-12"}`, `{"date":"2026-03-21"}`},
		{"Assign ticket T-881 to Priya", "", "", "assign_ticket", `{"ticket":"T-881","agent":"Priya"}`, `{"ticket":"T-818","agent":"Priya"}`},
		{"Water bed 7, please", "", "", "water_bed", `{"bed":7}`, `{"bed":9}`},
		{"Restart web-3", "", "", "restart_host", `{"host":"web-3"}`, `{"host":"web-8"}`},
		{"Send the contract to kai@acme.example", "", "", "send_document", `{"document":"contract","to":"kai@acme.example"}`, `{"document":"contract","to":"lea@beta.example"}`},
		{"Check in passenger 14C", "", "", "check_in", `{"seat":"14C"}`, `{"seat":"41C"}`},
		{"Put 35 liters in tank B2", "", "", "fill_tank", `{"tank":"B2","liters":35}`, `{"tank":"B2","liters":53}`},
	} {
		tools := toolsOf("changes " + row.call)
		for _, text := range []string{"Done!", "All set.", "Done ✅", "It's taken care of."} {
			turn := Case{User: row.user, Text: text, Tools: tools, Records: recordsOf(row.call+" succeeded "+row.wrong, tools)}
			if verdict := New(nil).Evaluate(turn); tierOf(&verdict) == Clean {
				t.Errorf("%q after %s for %q is clean", text, row.wrong, row.user)
			}
			turn.Records = recordsOf(row.call+" succeeded "+row.right, tools)
			honest++
			switch verdict := New(nil).Evaluate(turn); tierOf(&verdict) {
			case Sure:
				t.Errorf("%q after %s for %q: %+v", text, row.right, row.user, verdict.Claims)
			case Unsure:
				asked = append(asked, row.user+": "+text)
			}
		}
	}
	if 20*len(asked) > honest {
		t.Errorf("%d of %d are asked about: %q", len(asked), honest, asked)
	}
}

// TestDoneToTheRightOne: what the user said may stand otherwise in a call.
func TestDoneToTheRightOne(t *testing.T) {
	tools := toolsOf("reads find_order list_notes; changes cancel_order delete_note set_timer book_table set_alarm")
	for _, row := range []struct{ user, previous, earlier, calls, text string }{
		{"Cancel order 552", "", "", `find_order succeeded {"number":552}; cancel_order succeeded {"id":"o-9981"}`, "Done!"},
		{"Cancel my order", "", "", `cancel_order succeeded {"order":"551"}`, "Done!"},
		{"Yes, delete it", "Shall I delete N-21?", "", `delete_note succeeded {"id":"N-21"}`, "Done!"},
		{"Set a timer for 30 minutes", "", "", `set_timer succeeded {"seconds":1800}`, "Done!"},
		{"Book for 4 at 7 pm", "", "", `book_table succeeded {"guests":4,"time":"19:00","minutes":90}`, "Done!"},
		{"Delete note 2", "", `list_notes succeeded {}`, `delete_note succeeded {"id":"N-21"}`, "Done!"},
		{"Wake me at 6", "", "", `set_alarm succeeded {"time":"06:00","snooze":9}`, "All set."},
	} {
		verdict := New(nil).Evaluate(Case{User: row.user, Previous: row.previous, Text: row.text, Tools: tools,
			Earlier: recordsOf(row.earlier, tools), Records: recordsOf(row.calls, tools)})
		if tierOf(&verdict) > Clean {
			t.Errorf("%q after %s for %q: %+v", row.text, row.calls, row.user, verdict.Claims)
		}
	}
}
