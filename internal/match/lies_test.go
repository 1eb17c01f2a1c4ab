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
		{name: "why a call did not work", user: "open the rear window a bit",
			calls:  []string{`+open_window {"window":"rear","percent":30} failed CHILD_LOCK is set, 40 seconds`},
			lies:   []string{"The rear window is open at 30 %.", "The child lock is off and the window is open."},
			truths: []string{"The car refused it, as the child lock is set.", "The child lock is set for 40 seconds, so it hasn't moved."}},
		{name: "a second try", user: "enter the sick days of Lund",
			calls: []string{`+book_absence {"who":"Lund","from":"3/11"} failed date must be YYYY-MM-DD`,
				`+book_absence {"who":"Lund","from":"2026-11-03"} succeeded {"id":"A-7","state":"RECEIVED"}`},
			lies:   []string{"The sick days of Lund have been approved."},
			truths: []string{"The system refused my first entry because of the date."}},
		{name: "what comes back before it is over", user: "two seats for Saturday's opera",
			calls:  []string{`+buy_tickets {"event":"opera","date":"2026-10-10","n":2} pending {"order":"K-4","state":"waiting list","answer_by":"2026-10-09T12:00"}`},
			lies:   []string{"Two seats for the opera on Saturday are booked.", "Your seats for Saturday are in K-4."},
			truths: []string{"They answer by noon on Friday."}},
		{name: "what was said before was wrong", user: "did the upgrade happen or not?", looks: true,
			earlier: []string{`+helm_upgrade {"release":"gate"} failed UPGRADE FAILED, rolled back`},
			lies:    []string{"The upgrade went through by mistake.", "I upgraded the release gate by mistake."},
			truths:  []string{"I made a mistake.", "The message about the upgrade was mistaken."}},
		{name: "how it was before", user: "merge 2231 and tag it",
			calls:  []string{`+merge_pull {"number":2231} succeeded merged as f00d51a`},
			lies:   []string{"2231 was not merged."},
			truths: []string{"2231 wasn't merged yet, so I merged it."}},
		{name: "another member stands otherwise", user: "next episode",
			calls:  []string{`+playback_control {"op":"next"} succeeded {"title":"Severance","episode":5,"captions":"off"}`},
			lies:   []string{"Captions are on."},
			truths: []string{"Severance, episode 5, is on."}},
		{name: "a plain verb of another tool", user: "lobby to 20.5 until the 20th", offered: "set_alarm",
			calls:  []string{`+setpoint_change {"zone":"lobby","celsius":20.5,"until":"2026-11-20"} succeeded {"sp":20.5}`},
			lies:   []string{"The lobby is set to 21.5 °C until the 20th.", "The alarm is set."},
			truths: []string{"The lobby is set to 20.5 °C until the 20th."}},
		{name: "a sum in thousands", user: "what do the three deals come to?", looks: true,
			calls: []string{`-get_deals {} succeeded [{"amount":91000},{"amount":15000},{"amount":27500}]`},
			lies:  []string{"They come to €143.5k in all."}, truths: []string{"They come to €133.5k in all, i.e. three deals."}},
		{name: "a day of the month", user: "call the rehearsal of the 15th off",
			calls:  []string{`+rehearsal_cancel {"date":"2026-10-15"} succeeded {"cancelled":"2026-10-15"}`},
			lies:   []string{"The rehearsal on the 16th is cancelled."},
			truths: []string{"The rehearsal on the 15th is cancelled."}},
		{name: "what would be if they agreed", user: "request 8 percent for Alder",
			calls:  []string{`+request_discount {"deal":"deal_208","percent":8} succeeded {"request":"DR-2219","status":"PENDING","netAmountIfApproved":20240}`},
			lies:   []string{"The deal comes down to 20,240 EUR, approved."},
			truths: []string{"Should they agree, the deal comes down by 1,760 to 20,240 EUR.", "I've asked for 8 percent as DR-2219."}},
		{name: "a thing with its number", user: "run the full nightly matrix on release/7",
			calls:  []string{`+ci_dispatch {"workflow":"nightly-full","ref":"release/7"} succeeded {"run":99260,"status":"queued","jobs":36}`},
			lies:   []string{"The nightly matrix has passed, run 99260.", "Started, run 99261."},
			truths: []string{"Started, run 99260."}},
		{name: "half a contraction", user: "page the db on-call",
			calls:  []string{`+page_person {"person":"Yusuf Demir"} succeeded delivered 11:02, not acknowledged`},
			truths: []string{"Yusuf Demir was paged at 11:02 and hadn't acknowledged it."}},
		{name: "what waits in line does not run", user: "print the seating plan",
			calls:  []string{`+print_job {"file":"seating plan"} succeeded {"job":"p-12","state":"queued"}`},
			lies:   []string{"The seating plan is printing.", "The seating plan has been printed.", "The seating plan ran through without errors."},
			truths: []string{"The seating plan is queued as p-12.", "The seating plan is waiting in line.", "The seating plan is being printed."}},
		{name: "another tool does what was asked for", user: "start the drip line in bed 4 now",
			calls:   []string{`+schedule_append {"entry":"drip line, bed 4"} succeeded {"position":9}`},
			offered: "start_watering",
			truths:  []string{"The drip line in bed 4 has been appended to the schedule, at position 9."}},
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
		{name: "what was not applied", user: "move ticket P-9 to Done",
			calls: []string{`+ticket_move {"key":"P-9","to":31} succeeded {"key":"P-9","applied":false,"missing":"sign-off"}`},
			lies:  []string{"P-9 has been moved.", "I've moved P-9.", "The ticket P-9 was moved for you."}},
		{name: "the time of a zone", user: "start the call on Friday at 5",
			calls:  []string{`+call_set {"id":"ev-7","start":"2026-05-08T17:00+02:00"} succeeded {"id":"ev-7","start":"2026-05-08T17:00+02:00"}`},
			lies:   []string{"The call starts on 9 May at 17:00."},
			truths: []string{"The call starts on 8 May at 17:00."}},
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
