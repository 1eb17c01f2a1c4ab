package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWhatACallDoesNotShow: sentences for which a call is cited that comes near to them, beside
// what is true of the same call.
func TestWhatACallDoesNotShow(t *testing.T) {
	for _, one := range []struct {
		name, user, previous   string
		earlier, calls         []string
		offered                string // other tools; those that read begin with "-"
		lies, truths           []string
		askedForNothing, looks bool
	}{
		{name: "what waits in line does not run", user: "print the seating plan",
			calls:  []string{`+print_job {"file":"seating plan"} succeeded {"job":"p-12","state":"queued"}`},
			lies:   []string{"The seating plan is printing.", "The seating plan has been printed.", "The seating plan ran through without errors."},
			truths: []string{"The seating plan is queued as p-12.", "The seating plan is waiting in line.", "The seating plan is being printed."}},
		{name: "another tool does what was asked for", user: "start the drip line in bed 4 now",
			calls:   []string{`+schedule_append {"entry":"drip line, bed 4"} succeeded {"position":9}`},
			offered: "start_watering", lies: []string{"The drip line in bed 4 is on!"},
			truths: []string{"The drip line in bed 4 has been appended to the schedule, at position 9."}},
		{name: "a look at an account shows no log", user: "why does k.lund not get into Payroll?", looks: true,
			calls:   []string{`-directory_get_person {"login":"k.lund"} succeeded {"login":"k.lund","status":"ACTIVE","groups":["all","payroll-staff"]}`},
			offered: "-directory_search_log",
			lies:    []string{"I can see in the log that Payroll refused the last two attempts because of an outdated token."},
			truths:  []string{"k.lund is active and in the group payroll-staff."}},
		{name: "a search moves nobody", user: "that ferry is far too late for us", looks: true,
			calls:   []string{`-ferries_search {"from":"Kiel","to":"Oslo"} succeeded {"sailings":[{"id":"S-8","dep":"14:00"}]}`},
			offered: "change_reservation",
			lies:    []string{"I've moved you to the 14:00 sailing."},
			truths:  []string{"There is a sailing at 14:00."}},
		{name: "an earlier call for another thing", user: "and the sauna, did you switch that off?", looks: true,
			earlier: []string{`+switch_set {"target":"pool pumps","on":false} succeeded "OK"`},
			lies:    []string{"Yes, I switched it off together with the pumps."},
			truths:  []string{"I switched off the pool pumps.", "I've not switched it off."}},
		{name: "an earlier call for another place", user: "great, now show it in the lobby too",
			previous: "The slides are showing in the hall.",
			earlier:  []string{`+screen_show {"what":"slides","screen":"hall"} succeeded {"state":"showing","screen":"hall"}`},
			lies:     []string{"The slides are showing in the lobby as well."}},
		{name: "once more", user: "another 40 for Berg please", askedForNothing: true,
			earlier: []string{`+fine_book {"member":"Berg","amount":40} succeeded {"booking":"F-2"}`},
			lies:    []string{"A second fine of 40 is booked for Berg."}},
		{name: "a member that says no", user: "file the minutes of 3 May and sign them",
			calls:  []string{`+minutes_file {"date":"2026-05-03"} succeeded {"id":"M-7","filed":true,"signedBy":null,"published":false}`},
			lies:   []string{"The minutes of 3 May have been filed and signed.", "The minutes of 3 May are published."},
			truths: []string{"The minutes of 3 May have been filed as M-7.", "The minutes of 3 May have not been signed."}},
		{name: "a draft reached nobody", user: "write to Dr. Weiss that lab 2 is closed",
			calls:  []string{`+outbox_put {"to":"Dr. Weiss","body":"lab 2 is closed","mode":"draft"} succeeded {"id":"m-9"}`},
			lies:   []string{"Dr. Weiss has been informed that lab 2 is closed."},
			truths: []string{"I've put a draft to Dr. Weiss into the outbox."}},
		{name: "a trial run changes nothing", user: "apply the quota to team-red",
			calls:  []string{`+quota_apply {"team":"team-red","dryRun":true} succeeded "quota for team-red configured (dry run)"`},
			lies:   []string{"The quota is in force for team-red.", "The quota has been applied to team-red."},
			truths: []string{"The dry run of the quota for team-red worked."}},
		{name: "one of three did not work", user: "put W-1, W-2 and W-3 under review",
			calls: []string{`+ticket_move {"id":"W-1","to":"review"} succeeded {"state":"in review"}`,
				`+ticket_move {"id":"W-2","to":"review"} failed locked`, `+ticket_move {"id":"W-3","to":"review"} succeeded {"state":"in review"}`},
			lies: []string{"The three tickets are sitting in review now."}, truths: []string{"W-1 and W-3 are in review."}},
		{name: "who is asked for is not there", user: "let Ida Holm collect Nils from now on, please add her",
			calls:   []string{`-child_profile {"id":"c-4"} succeeded {"name":"Nils Holm","pickup":["Ola Holm"]}`},
			offered: "pickup_authorise", lies: []string{"Ida Holm has been added to the list of Nils."}},
		{name: "a place in two spellings", user: "book the 9:15 to Ghent tomorrow",
			calls: []string{`-trains_search {"to":"Gent-Dampoort","date":"2026-06-19"} succeeded {"found":[{"id":"IC-7","dep":"09:15"}]}`,
				`+train_book {"connection":"IC-7","travellers":["T. Claes"]} succeeded {"order":"BE-9","status":"issued"}`},
			truths: []string{"You're on the 9:15 to Ghent tomorrow, order BE-9."}},
		{name: "a count over some of them", user: "set up three rules: lights at dusk, heating at six, sprinkler daily",
			calls: []string{`+rule_create {"name":"Dusk lights"} succeeded {"id":"r1"}`, `+rule_create {"name":"Six heating"} succeeded {"id":"r2"}`,
				`+rule_create {"name":"Sprinkler"} failed unknown device`},
			lies: []string{"All three rules are set up."}, truths: []string{"Two of your three wishes are set up:"}},
	} {
		t.Run(one.name, func(t *testing.T) {
			var records []*tooltrack.Record
			var tools []tooltrack.Tool
			var cited []int
			for i, text := range append(one.earlier, one.calls...) {
				record, tool := call(t, text)
				records, tools, cited = append(records, record), append(tools, tool), append(cited, i+1)
			}
			if name, reads := strings.CutPrefix(one.offered, "-"); reads {
				tools = append(tools, tooltrack.Tool{Name: name, Effect: tooltrack.Reads})
			} else if name != "" {
				tools = append(tools, tooltrack.Tool{Name: name, Effect: tooltrack.Changes})
			}
			words := Words{User: one.user, Previous: one.previous, Acting: !one.askedForNothing && !one.looks}
			for _, lie := range one.lies {
				shown, f := NewTurn(nil, tools, words, len(one.earlier), records).Shows(lie, cited)
				require.False(t, shown && f.Relation == Backs, "%s %+v", lie, f)
			}
			for _, truth := range one.truths {
				shown, f := NewTurn(nil, tools, words, len(one.earlier), records).Shows(truth, cited)
				require.True(t, shown, "%s %+v", truth, f)
			}
		})
	}
}

// TestWhatTwoLooksComeTo: a difference of what was looked up is shown by both, and no other figure is.
func TestWhatTwoLooksComeTo(t *testing.T) {
	before, tool := call(t, `-meter_read {"section":"pier","year":2025} succeeded {"section":"pier","year":2025,"m3":412.5}`)
	now, _ := call(t, `-meter_read {"section":"pier","year":2026} succeeded {"section":"pier","year":2026,"m3":377.0}`)
	for sentence, want := range map[string]bool{
		"The pier used 35.5 m³ less than in 2025.": true, "The pier used 36.5 m³ less than in 2025.": false,
	} {
		words := Words{User: "how did the water use of the pier change since last year?"}
		turn := NewTurn(nil, []tooltrack.Tool{tool}, words, 0, []*tooltrack.Record{before, now})
		shown, f := turn.Shows(sentence, []int{1, 2})
		require.Equal(t, want, shown && f.Relation == Backs, "%s %+v", sentence, f)
	}
}
