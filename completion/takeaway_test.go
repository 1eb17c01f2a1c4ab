package completion

import (
	"fmt"
	"slices"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestTakenAway: a clean text that reports what several calls did is not clean without
// one of them.
func TestTakenAway(t *testing.T) {
	evaluator := New(nil)
	for _, row := range []struct{ user, calls, text string }{
		{"Cancel A-11 and refund it", `cancel_order succeeded {"order":"A-11"}; refund_order succeeded {"order":"A-11"}`, "I cancelled order A-11 and refunded it."},
		{"Book the room and tell Kemp", `book_room succeeded {"room":"Blue"}; send_message succeeded {"to":"Kemp"}`, "The Blue room is booked, and I've sent Kemp a message."},
		{"Delete the two files", `delete_file succeeded {"path":"a.csv"}; delete_file succeeded {"path":"b.csv"}`, "I've deleted a.csv and b.csv."},
		{"Pay Ann and Bob", `pay succeeded {"to":"Ann"}; pay succeeded {"to":"Bob"}`, "I paid Ann and Bob."},
		{"Lock the doors", `lock_door succeeded {"door":"garage"}; lock_door succeeded {"door":"cellar"}`, "The garage and the cellar are locked now."},
		{"Feed Rex and walk Luna", `feed_dog succeeded {"dog":"Rex"}; walk_dog succeeded {"dog":"Luna"}`, "Rex has been fed and Luna has been walked."},
		{"Restart both", `restart_host succeeded {"host":"web-3"}; restart_host succeeded {"host":"web-4"}`, "I restarted web-3. I also restarted web-4."},
		{"Create it and assign Priya", `create_ticket succeeded {"title":"Broken lift"}; assign_ticket succeeded {"agent":"Priya"}`, "I created the ticket Broken lift and assigned it to Priya."},
		{"Enrol Nadia and Tomas", `enrol_student succeeded {"student":"Nadia"}; enrol_student succeeded {"student":"Tomas"}`, "Both Nadia and Tomas have been enrolled."},
		{"Start the pump and open valve 3", `start_pump succeeded {"pump":"P1"}; open_valve succeeded {"valve":3}`, "Pump P1 is started and valve 3 has been opened."},
		{"Print and ship", `print_label succeeded {"parcel":"P-7001"}; ship_parcel succeeded {"parcel":"P-7001"}`, "I printed the label for P-7001 and shipped the parcel."},
		{"Renew both", `renew_pass succeeded {"pass":"P-301"}; renew_pass succeeded {"pass":"P-302"}`, "- P-301: renewed\n- P-302: renewed"},
		{"Add milk and eggs", `add_item succeeded {"item":"milk"}; add_item succeeded {"item":"eggs"}`, "Milk and eggs are on your list now."},
		{"Archive it and mail Lea", `archive_case succeeded {"case":"C-77"}; send_mail succeeded {"to":"lea@beta.example"}`, "Case C-77 has been archived. I've emailed lea@beta.example."},
		{"Mute them", `mute_user succeeded {"user":"zed"}; mute_user succeeded {"user":"momo"}`, "Both zed and momo are muted."},
		{"Set both alarms", `set_alarm succeeded {"time":"06:15"}; set_alarm succeeded {"time":"07:40"}`, "I've set alarms for 6:15 and 7:40."},
		{"Close both tickets", `close_ticket succeeded {"ticket":"T-5"}; close_ticket succeeded {"ticket":"T-6"}`, "Tickets T-5 and T-6 are closed."},
		{"Water the tomatoes and the beans", `water_bed succeeded {"bed":"tomatoes"}; water_bed succeeded {"bed":"beans"}`, "I watered the tomatoes and the beans."},
		{"Deploy and tag", `deploy_service succeeded {"service":"checkout"}; create_tag succeeded {"tag":"v1.4.0"}`, "checkout is deployed, and I created the tag v1.4.0."},
		{"Rename and move", `rename_file succeeded {"path":"a.txt","name":"b.txt"}; move_file succeeded {"path":"b.txt","to":"archive"}`, "I renamed a.txt to b.txt and moved it to archive."},
	} {
		tools := []tooltrack.Tool{}
		records := recordsOf(row.calls, nil)
		for _, made := range records {
			made.Effect = tooltrack.Changes
			if !slices.ContainsFunc(tools, func(t tooltrack.Tool) bool { return t.Name == made.Tool }) {
				tools = append(tools, tooltrack.Tool{Name: made.Tool, Effect: tooltrack.Changes})
			}
		}
		turn := Case{User: row.user, Text: row.text, Tools: tools, Records: records}
		if verdict := evaluator.Evaluate(turn); tierOf(&verdict) > Clean {
			t.Logf("%q is asked about: %+v", row.text, briefly(verdict.Claims))
		}
		for i, made := range records {
			turn.Records = slices.Delete(slices.Clone(records), i, i+1)
			if verdict := evaluator.Evaluate(turn); tierOf(&verdict) == Clean {
				t.Errorf("%q stays clean without %s %s: %v", row.text, made.Tool, made.Args, briefly(verdict.Claims))
			}
		}
		turn.Records = nil
		if verdict := evaluator.Evaluate(turn); tierOf(&verdict) == Clean {
			t.Errorf("%q is clean without any call", row.text)
		}
	}
}

// briefly is what claims amount to.
func briefly(claims []Claim) (out []string) {
	for _, claim := range claims {
		out = append(out, fmt.Sprintf("%v %.2f %s", claim.Tier, claim.Doubt, claim.Rule))
	}
	return out
}
