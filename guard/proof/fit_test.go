package proof_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// told is a turn with one sentence in doubt, answered for by the calls of the turn.
func told(user, said string, records ...*tooltrack.Record) question {
	return question{user: user, draft: said + ".", records: records, asked: []completion.Claim{doubt(said)}}
}

// answered are the rules that refuse an answer for the sentence by all calls.
func (q *question) answered(t *testing.T, status string) map[string]string {
	t.Helper()
	numbers := []int{}
	for i := range append(q.earlier, q.records...) {
		numbers = append(numbers, i+1)
	}
	report, err := json.Marshal(proof.Report{Items: []proof.Item{{What: q.asked[0].Text, Status: proof.Status(status), Records: numbers}}})
	require.NoError(t, err)
	return q.rules(t, string(report))
}

func order(args string) *tooltrack.Record {
	return call("cancel_order", args, tooltrack.Succeeded, `{"ok":true}`)
}

// TestEachIDIsThatOfACall: an id of the make that the calls use, and that none of
// them has, is another thing.
func TestEachIDIsThatOfACall(t *testing.T) {
	for said, args := range map[string]string{
		"KT-551, KT-552 and KT-553 are cancelled":              `{"orders":["KT-551","KT-552"]}`,
		"orders.csv and toasters.csv are gone":                 `{"file":"lists/orders.csv"}`,
		"orders.json and toasters.json are gone":               `{"file":"lists/orders.json"}`,
		"ann@shop.example and bea@shop.example have been told": `{"to":"ann@shop.example"}`,
	} {
		q := told("please do", said, order(args))
		require.Contains(t, q.answered(t, "done"), "contradicted", said)
	}
	for said, args := range map[string]string{
		"KT-551, KT-552 and KT-553 are cancelled": `{"orders":["KT-551","KT-552","KT-553"]}`,
		"KT-551 is cancelled for AB-7":            `{"order":"KT-551"}`,          // of another make
		"orders.csv is gone":                      `{"file":"lists/orders.csv"}`, // a piece of it
	} {
		q := told("please do, it is for AB-7", said, order(args))
		require.Empty(t, q.answered(t, "done"), said)
	}
}

// TestAFigureIsTheOneOfItsName: line 2 is not line 3, whoever asked for it.
func TestAFigureIsTheOneOfItsName(t *testing.T) {
	third := order(`{"order":"KT-551","line":3,"note":"by phone"}`)
	q := told("cancel line 2 of KT-551", "line 2 of KT-551 is cancelled", third)
	require.Contains(t, q.answered(t, "done"), "contradicted")
	for _, said := range []string{
		"line 3 of KT-551 is cancelled",       // the same
		"KT-551 is cancelled, 2 days ahead",   // by another name
		"line two of KT-551 is not cancelled", // denied
		"the second line of KT-551 is cancelled",
	} {
		q := told("cancel line 2 of KT-551, 2 days ahead", said, third)
		require.NotContains(t, q.answered(t, "done"), "contradicted", said)
	}
	ninth := told("cancel line 2", "line 2 of KT-551 is cancelled", order(`{"order":"KT-551","line":9}`))
	require.Contains(t, ninth.answered(t, "done"), "contradicted")
	both := told("cancel lines 2 and 3", "line 2 is cancelled", third, order(`{"order":"KT-551","line":2}`))
	require.Empty(t, both.answered(t, "done"), "one of them is")
	earlier := told("what did you cancel?", "line 2 is cancelled", third)
	earlier.asked[0].Earlier = true
	require.Empty(t, earlier.answered(t, "done"), "that was another call")
}

// TestAsManyThingsAsCalls: who says both or all three has to show as many.
func TestAsManyThingsAsCalls(t *testing.T) {
	one := order(`{"order":"KT-551"}`)
	for _, said := range []string{"both orders are cancelled", "all three orders are cancelled", "all 12 orders are cancelled"} {
		q := told("cancel the orders", said, one)
		require.Contains(t, q.answered(t, "done"), "too many", said)
	}
	for said, records := range map[string][]*tooltrack.Record{
		"both orders are cancelled":                    list(one, order(`{"order":"KT-552"}`)),
		"all three orders are cancelled":               list(order(`{"orders":["a","b","c"]}`)),
		"all 12 orders are cancelled":                  list(call("cancel_order", `{"all":true}`, tooltrack.Succeeded, `{"cancelled":12}`)),
		"the order is cancelled, we ask every 5 weeks": list(one),
		"12 orders are cancelled":                      list(one),
		"one of the two orders is cancelled":           list(one),
		"not all three orders are cancelled":           list(one),
	} {
		q := told("cancel the orders, ask every 5 weeks", said, records...)
		require.NotContains(t, q.answered(t, "done"), "too many", said)
	}
	state := told("is it paid?", "it is included for both mornings", found)
	require.Empty(t, state.answered(t, "answered"), "a state that was looked up counts no calls")
	looked := told("look up KT-551 and KT-552", "I looked both orders up", found)
	looked.asked[0].Kind = completion.ClaimLookup
	require.Contains(t, looked.answered(t, "answered"), "too many")
}

// TestAnotherPartOfTheRequest: a call that did one part of what was asked for shows
// nothing of the other part.
func TestAnotherPartOfTheRequest(t *testing.T) {
	first := order(`{"order":"KT-551"}`)
	q := told("cancel KT-551 and let Bea have the toaster", "Bea has the toaster", first)
	require.Contains(t, q.answered(t, "done"), "unanswered")
	for name, other := range map[string]question{
		"the calls have something of it": told("cancel KT-551 and let Bea know", "Bea has word about KT-551", first),
		"its act is the call's":          told("cancel KT-551 and Bea's toaster", "the toaster is called off, cancelled for Bea", first),
		"in words of its own":            told("cancel KT-551", "that slot is up for grabs", first),
		"the call takes an id only":      told("cancel the kettle and let Bea have it", "Bea has it", first),
	} {
		require.NotContains(t, other.answered(t, "done"), "unanswered", name)
	}
}

// TestWhatFailedIsNotGeneral: nor is what says that the thing is done.
func TestWhatFailedIsNotGeneral(t *testing.T) {
	late := call("send_message", `{"to":"bea","at":"21:00"}`, tooltrack.Failed, "no such time")
	general := func(q question) map[string]string {
		answer, err := json.Marshal(proof.Report{Items: []proof.Item{
			{What: q.user, Status: proof.Failed, Records: []int{1}, Reason: "no such time"}, {What: q.asked[0].Text, Status: proof.General},
		}})
		require.NoError(t, err)
		return q.rules(t, string(answer))
	}
	said := "they expect you at 21:00"
	require.Contains(t, general(told("move it to nine", said, late)), "unanswered")
	require.NotContains(t, general(told("move it to nine", said, late, call("send_message", `{"to":"bea","at":"21:00"}`, tooltrack.Succeeded, `{}`))), "unanswered", "made good")
	require.NotContains(t, general(told("move it to nine", "people dine late in Spain", late)), "unanswered")
	done := told("move it to nine", "all done", late)
	require.NotContains(t, general(done), "unanswered", "nothing is asked for now")
	done.acting = true
	require.Contains(t, general(done), "unanswered")
	talk := told("move it to nine", "people dine late in Spain", late)
	talk.acting = true
	require.NotContains(t, general(talk), "unanswered")
}

// TestAReadDoesNoWork: that something is complete is not shown by a look-up.
func TestAReadDoesNoWork(t *testing.T) {
	q := told("cancel KT-551", "cancellation of KT-551 complete", found)
	q.acting = true
	require.Contains(t, q.answered(t, "answered"), "unanswered")
	q.acting = false
	require.Empty(t, q.answered(t, "answered"), "a question about it")
}

// TestWhatWaitsIsTold: an item that is pending shows a text that leaves something
// open, or gives the state of the call. A name of the request leaves nothing open.
func TestWhatWaitsIsTold(t *testing.T) {
	held := call("send_message", `{"to":"ann"}`, tooltrack.Succeeded, `{"state":"queued"}`)
	for said, user := range map[string]string{"the message to Ann is not out yet": "tell Ann", "the message to Ann is queued": "tell Ann"} {
		q := told(user, said, held)
		require.Empty(t, q.answered(t, "pending"), said)
	}
	q := told("tell Ann about the approval", "Ann knows about the approval", held)
	require.NotEmpty(t, q.answered(t, "pending"), "the approval is what the message is about")
}

// TestOtherLanguages: nobody can tell what a text in another language denies, so
// what did not work is told by code.
func TestOtherLanguages(t *testing.T) {
	said := "Das ging leider nicht, die Erstattung wurde abgelehnt"
	q := told("Bitte den Wasserkocher erstatten", said, failed)
	answer, err := json.Marshal(proof.Report{Items: []proof.Item{{What: said, Status: proof.Failed, Records: []int{1}, Reason: "limit"}}})
	require.NoError(t, err)
	require.Empty(t, q.rules(t, string(answer)))
	report := proof.Report{Items: []proof.Item{{What: said, Status: proof.Failed, Reason: "limit"}, {What: said, Status: proof.NeedsInput}}}
	require.Equal(t, report.Items[:1], proof.Untold(report, said+"."))
	english := proof.Report{Items: []proof.Item{{What: "refund of the kettle", Status: proof.Failed}}}
	require.Empty(t, proof.Untold(english, "The refund of the kettle did not work."))
}

// TestADayBesideADate: a figure before a date is none itself, if somebody gave it.
func TestADayBesideADate(t *testing.T) {
	shelf := call("cancel_order", `{"shelf":"5","date":"2026-07-11"}`, tooltrack.Succeeded, `{"ok":true}`)
	q := told("empty shelf five", "cancelled on shelf 5, 11 July", shelf)
	require.Empty(t, q.answered(t, "done"))
	q = told("empty shelf five", "cancelled on shelf 6, 11 July", shelf)
	require.NotEmpty(t, q.answered(t, "done"))
	morning := call("cancel_order", `{"from":"2026-11-17T08:00"}`, tooltrack.Succeeded, `{"ok":true}`)
	q = told("cancel it", "cancelled, 17 November, 8 sharp", morning)
	require.Empty(t, q.answered(t, "done"), "an hour")
}

// TestMadeGood: a failure that a later call made good needs no word.
func TestMadeGood(t *testing.T) {
	q := told("refund the kettle", "the kettle is refunded", failed, refunded)
	answer := `{"message":null,"items":[{"what":"refund of the kettle","status":"failed","records":[1],"reason":"limit"},{"what":"the kettle is refunded","status":"done","records":[2]}]}`
	require.Empty(t, q.rules(t, answer))
}

// TestATextOfItsOwnIsGeneral: what is done in words alone needs no call, if nothing
// is due, none was made, and no tool does such a thing.
func TestATextOfItsOwnIsGeneral(t *testing.T) {
	const said = "I've kept it short"
	answer := item(said, "general", "")
	q := told("write Ann a line", said)
	require.Empty(t, q.rules(t, answer))
	for name, change := range map[string]func(*question){
		"something is due": func(q *question) { q.due = true },
		"a call was made":  func(q *question) { q.records = list(found) },
		"a tool does it":   func(q *question) { *q = told("write Ann a line", "I've refunded it") },
	} {
		other := q
		change(&other)
		require.Contains(t, other.rules(t, item(other.asked[0].Text, "general", "")), "unproven claim", name)
	}
}

// TestWhatTheUserSaidShowsNothing: a value that the text has from the user alone is no
// value of a call that was made with another one.
func TestWhatTheUserSaidShowsNothing(t *testing.T) {
	for said, other := range map[string]struct{ user, args, right string }{
		"The visit is on Tuesday":    {"a visit on Tuesday", `{"on":"2027-02-10"}`, `{"on":"2027-02-09"}`},
		"The visit is on the 9th":    {"a visit on the 9th", `{"on":"2027-02-10"}`, `{"on":"2027-02-09"}`},
		"The limit is 50,000 now":    {"the limit to 50000", `{"limit":500000}`, `{"limit":50000}`},
		"The rule holds for 30 days": {"for 30 days please", `{"seconds":259200}`, `{"seconds":2592000}`},
	} {
		q := told(other.user, said, order(other.args))
		require.Contains(t, q.answered(t, "done"), "another one", said)
		q = told(other.user, said, order(other.right))
		require.Empty(t, q.answered(t, "done"), said)
	}
}

// TestALineOfAListIsHeldAgainstTheCalls, although nobody would take it for a claim.
func TestALineOfAListIsHeldAgainstTheCalls(t *testing.T) {
	const head = "the visit is arranged"
	visit := func(line string) question {
		return question{user: "please arrange the visit", draft: head + ":\n\n" + line + "\n- **Who:** Ann",
			records: list(order(`{"visit":"on","at":"2027-02-10"}`)), asked: []completion.Claim{doubt(head)}}
	}
	q := visit("- **When:** 9 February 2027")
	require.Equal(t, map[string]string{"contradicted": "- **When:** 9 February 2027"}, q.answered(t, "done"))
	q = visit("- **When:** 10 February 2027")
	require.Empty(t, q.answered(t, "done"))
	q = visit("- **When:** not 9 February 2027")
	require.Empty(t, q.answered(t, "done"), "it denies")
}

// TestTimesAreReckoned: who gives a beginning and a duration has given the end.
func TestTimesAreReckoned(t *testing.T) {
	args := `{"from":"2026-11-17T09:00","minutes":45}`
	q := told("please", "The visit lasts from 9:00 to 9:45", order(args))
	require.Empty(t, q.answered(t, "done"))
	q = told("please", "The visit lasts from 9:00 to 10:20", order(args))
	require.Contains(t, q.answered(t, "done"), "unshown value")
}

// TestNamesThatAreMembers: a result may say names as the names of its members.
func TestNamesThatAreMembers(t *testing.T) {
	absent := call("find_order", `{"class":"10C"}`, tooltrack.Succeeded, `{"absent":{"Tim Roos":9,"Jana Pohl":6}}`)
	q := told("who is absent most in 10C?", "Tim Roos is absent most, with 9", absent)
	require.Empty(t, q.answered(t, "answered"))
	q = told("who is absent most in 10C?", "Otto Rasmussen is absent most, with 9", absent)
	require.NotEmpty(t, q.answered(t, "answered"))
}

// TestTheUsersOwnWords: an item may repeat the request. What it tells by the way, and the
// call took as its reason, is no act that the call would have to do.
func TestTheUsersOwnWords(t *testing.T) {
	user := "551 should never have gone through, my son ordered it"
	reason := call("cancel_order", `{"order":"551","reason":"ordered by mistake"}`, tooltrack.Succeeded, `{"status":"cancelled"}`)
	q := told(user, "order 551 is cancelled", reason)
	answer := func(what string) string {
		report, err := json.Marshal(proof.Report{Items: []proof.Item{
			{What: what, Status: proof.Done, Records: []int{1}}, {What: "order 551 is cancelled", Status: proof.Done, Records: []int{1}},
		}})
		require.NoError(t, err)
		return string(report)
	}
	require.Empty(t, q.rules(t, answer(user)))
	require.NotEmpty(t, q.rules(t, answer("reopened order 551")), "words of its own must be what the call does")
}
