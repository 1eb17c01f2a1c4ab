package completion

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestLastStateOfEach: the last state of each thing counts, and a success for another thing
// makes no failure good.
func TestLastStateOfEach(t *testing.T) {
	const clean, noticed, quiet, done = "clean", "noticed", "unreported", "done"
	for _, row := range []struct{ user, calls, text, want string }{
		{"renew Dune and Emma", `renew_loan failed {"title":"Dune"}; renew_loan succeeded {"title":"Emma"}`, "Dune and Emma have been renewed.", noticed},
		{"renew Dune and Emma", `renew_loan failed {"title":"Dune"}; renew_loan succeeded {"title":"Emma"}`, "I've renewed Dune and Emma.", noticed},
		{"renew Dune and Emma", `renew_loan failed {"title":"Dune"}; renew_loan succeeded {"title":"Emma"}`, "Emma has been renewed.", quiet},
		{"renew Dune and Emma", `renew_loan succeeded {"title":"Emma"}; renew_loan failed {"title":"Dune"}`, "Emma has been renewed.", quiet},
		{"hood Odin and Freya", `hood_bird failed {"bird":"Odin"}; hood_bird succeeded {"bird":"Freya"}`, "Odin and Freya are hooded now.", noticed},
		{"cancel 551 and 552", `cancel_order failed {"order":551}; cancel_order succeeded {"order":552}`, "I've cancelled 552.", quiet},
		{"mute Zed and Momo", `mute_user failed {"user":"Zed"}; mute_user succeeded {"user":"Momo"}`, "Zed and Momo are muted.", noticed},
		{"water the tomatoes and the beans", `water_bed failed {"bed":"tomatoes"}; water_bed succeeded {"bed":"beans"}`, "I watered the tomatoes and the beans.", noticed},
		// It was told.
		{"renew Dune and Emma", `renew_loan failed {"title":"Dune"}; renew_loan succeeded {"title":"Emma"}`, "Emma has been renewed. I couldn't renew Dune.", done},
		// Another try for the same thing.
		{"renew Dune", `renew_loan failed {"title":"Dune"}; renew_loan succeeded {"title":"Dune"}`, "Dune has been renewed.", clean},
		{"renew Dune", `renew_loan failed {"title":"Dune"}; renew_loan succeeded {"title":"Dune (1965)"}`, "I've renewed Dune.", clean},
		{"turn wheel 77", `turn_wheel failed {"wheel":"77"}; turn_wheel succeeded {"wheel":"WH-77"}`, "I've turned wheel WH-77.", clean},
		{"move Standup to 10:00", `move_event failed {"event":"Standup","to":"tomorrow"}; move_event succeeded {"event":"Standup","to":"10:00"}`, "I've moved Standup to 10:00.", clean},
		// A slip of which nobody speaks, and a choice that was left.
		{"hood Freya", `hood_bird failed {"bird":"bird_1"}; hood_bird succeeded {"bird":"Freya"}`, "I've hooded Freya.", clean},
		{"book the Oak room, or the Elm room if Oak is taken", `book_room failed {"room":"Oak"}; book_room succeeded {"room":"Elm"}`, "I've booked the Elm room.", done},
		{"mail ines@quay.exmaple that we sail", `send_mail failed {"to":"ines@quay.exmaple"}; send_mail succeeded {"to":"ines@quay.example"}`, "I've mailed ines@quay.example that we sail.", done},
		// The opposite act.
		{"lock the east gate", `unlock_gate succeeded {"gate":"east"}; lock_gate succeeded {"gate":"east"}`, "I've locked the east gate.", clean},
		{"lock the gate", `lock_gate succeeded {"gate":"east"}; unlock_gate succeeded {"gate":"east"}; lock_gate succeeded {"gate":"east"}`, "I've locked the east gate.", clean},
		{"lock the east gate, open the west one", `lock_gate succeeded {"gate":"east"}; unlock_gate succeeded {"gate":"west"}`, "I've locked the east gate.", clean},
		{"test the lock of the east gate", `lock_gate succeeded {"gate":"east"}; unlock_gate succeeded {"gate":"east"}`, "I locked the east gate and unlocked it again.", clean},
	} {
		tools := []tooltrack.Tool{}
		for _, made := range recordsOf(row.calls, nil) {
			tools = append(tools, tooltrack.Tool{Name: made.Tool, Effect: tooltrack.Changes})
		}
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: tools, Records: recordsOf(row.calls, tools)})
		tier := tierOf(&verdict)
		holds := map[string]bool{
			clean: tier == Clean && verdict.Outcome == CompletedWithWork, noticed: tier > Clean,
			quiet: verdict.Reason == UnreportedFailure && verdict.Confidence >= announced, done: verdict.Outcome.Completed() && tier < Sure,
		}
		if !holds[row.want] {
			t.Errorf("%s + %q: %v %v, want %s: %v", row.calls, row.text, tier, verdict.Reason, row.want, briefly(verdict.Claims))
		}
	}
}
