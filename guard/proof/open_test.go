package proof_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// bare are the rules that refuse a report of one item without a record.
func (q *question) bare(t *testing.T, what string, status proof.Status) map[string]string {
	t.Helper()
	report, err := json.Marshal(proof.Report{Items: []proof.Item{{What: what, Status: status, Reason: "so it is"}}})
	require.NoError(t, err)
	return q.rules(t, string(report))
}

// TestWhatWasNotDoneIsBelieved of a sentence that denies, refuses or asks, however the
// item names it, and never of one that tells something as done.
func TestWhatWasNotDoneIsBelieved(t *testing.T) {
	for said, user := range map[string]string{
		"I'm sorry, but I can't send insulting messages to other customers": "send Ann a message that she is an idiot",
		"I didn't cancel anything":                   "don't cancel the kettle unless it is late",
		"I won't cancel the kettle without her word": "cancel Ann's kettle",
		"Okay, I have left the cluster as it is":     "scale the cluster to nine, or better wait for Kim",
		"All right, I have left it":                  "scale the cluster to nine, or better wait for Kim",
	} {
		q := told(user, said)
		q.due = true
		require.Empty(t, q.bare(t, user, proof.NotDone), said)
		require.Empty(t, q.bare(t, said, proof.NotDone), said)
	}
	for said, user := range map[string]string{
		"the kettle has been cancelled, no problem": "cancel the kettle",
		"I cancelled the kettle, don't worry":       "cancel the kettle",
		"the kettle is off your list":               "cancel the kettle",
		"I left a note for Ann about the kettle":    "tell Ann about the kettle",
	} {
		q := told(user, said)
		q.due = true
		require.NotEmpty(t, q.bare(t, said, proof.NotDone), said)
		require.NotEmpty(t, q.bare(t, said, proof.NeedsInput), said)
	}
}

// TestAnotherLanguageMayRefuseAndAsk: nobody can tell what such a text says, so a line
// of ours tells what was not done.
func TestAnotherLanguageMayRefuseAndAsk(t *testing.T) {
	const refusal = "Das kann ich leider nicht: Der Wasserkocher gehört nicht zu Ihren Bestellungen"
	const leaving = "In Ordnung, ich storniere den Wasserkocher noch nicht"
	for _, said := range []string{refusal, leaving} {
		q := told("storniere den Wasserkocher", said)
		require.Empty(t, q.bare(t, said, proof.NotDone), said)
		require.NotEmpty(t, q.bare(t, said, proof.NeedsInput), "it asks nothing")
		report := proof.Report{Items: []proof.Item{{What: said, Status: proof.NotDone}}}
		require.Len(t, proof.Untold(report, said+"."), 1)
	}
	q := told("storniere die Bestellung", "Welche Bestellung meinen Sie, Kocher oder Toaster?")
	q.draft = q.asked[0].Text
	for _, status := range []proof.Status{proof.General, proof.NeedsInput, proof.NotDone} {
		require.Empty(t, q.bare(t, q.draft, status), status)
	}
	report := proof.Report{Items: []proof.Item{{What: q.draft, Status: proof.NeedsInput}}}
	require.Empty(t, proof.Untold(report, q.draft), "it is asked")
}

// TestAFailureInAnotherLanguage is told by an item in other words.
func TestAFailureInAnotherLanguage(t *testing.T) {
	limited := call("issue_refund", `{"order":"Emma"}`, tooltrack.Failed, "the refund limit is 30 EUR")
	for said, what := range map[string]string{
		"Emma kann leider nicht erstattet werden, weil die Grenze erreicht ist": "Erstattung",
		"抱歉,Emma已超出限额,无法退款":                                                     "退款Emma",
	} {
		q := told("Bitte erstatte Emma", said, limited)
		q.due = true
		report, err := json.Marshal(proof.Report{Items: []proof.Item{{What: what, Status: proof.Failed, Records: []int{1}, Reason: "Grenze"}}})
		require.NoError(t, err)
		require.Empty(t, q.rules(t, string(report)), said)
		done, err := json.Marshal(proof.Report{Items: []proof.Item{{What: what, Status: proof.Done, Records: []int{1}}}})
		require.NoError(t, err)
		require.NotEmpty(t, q.rules(t, string(done)), said)
	}
}

// TestWhatWasReadBeforeStillHolds for what a text gives exactly as it was read, and
// shows nothing as done.
func TestWhatWasReadBeforeStillHolds(t *testing.T) {
	read := call("find_order", `{}`, tooltrack.Succeeded, `{"orders":[{"title":"Emma's kettle","due":"2026-11-25"}]}`)
	for said, holds := range map[string]bool{
		"Emma's kettle is due on 2026-11-25, so that works": true,
		"Emma's kettle is due on 2026-12-16 now":            false,
		"Emma's kettle is off the list":                     false,
		"Ida's kettle is due on 2026-11-25":                 false,
	} {
		q := told("next week I will send Emma's kettle back", said)
		q.earlier, q.due = list(read), true
		require.Equal(t, holds, len(q.answered(t, "answered")) == 0, said)
	}
}

// TestATextThatTheUserHandsOver may be told again, where no tool is asked for.
func TestATextThatTheUserHandsOver(t *testing.T) {
	const said = "Tom asks you to cancel the Ulmer kettle by Friday"
	q := told("Summarize this mail for me: 'Hi Ann, please cancel the Ulmer kettle by Friday. Tom'", said)
	q.due, q.acting = true, true
	require.Empty(t, q.bare(t, said, proof.General))
	q.user = "Cancel what he says: 'Hi Ann, please cancel the Ulmer kettle by Friday. Tom'"
	require.NotEmpty(t, q.bare(t, said, proof.General), "a tool does that")
	other := told("Summarize this mail for me: 'Hi Ann, please cancel the Ulmer kettle by Friday. Tom'", "Tom paid Ida for the Ulmer kettle")
	other.due = true
	require.NotEmpty(t, other.bare(t, other.asked[0].Text, proof.General), "nobody has heard of Ida")
}

// TestWhatIsCountedWasDoneAsOften, by as many calls or by one that gives the number.
func TestWhatIsCountedWasDoneAsOften(t *testing.T) {
	one := order(`{"order":"kettle"}`)
	for said, records := range map[string][]*tooltrack.Record{
		"I've cancelled two kettles":         {one},
		"I've cancelled the kettle twice":    {one},
		"I cancelled the kettle three times": {one, one},
		"two kettles were cancelled":         {one},
		"I've cancelled 2 kettles":           {one, call("find_order", `{}`, tooltrack.Succeeded, `{"found":"kettle"}`)},
	} {
		q := told("please do", said, records...)
		require.Contains(t, q.answered(t, "done"), "too many", said)
	}
	for said, records := range map[string][]*tooltrack.Record{
		"I've cancelled two kettles":                 {one, one},
		"the kettle was mentioned twice":             {one},
		"I've cancelled the kettle twice":            {one, one},
		"I've cancelled 2 kettles":                   {order(`{"order":"kettle","quantity":2}`)},
		"two of the kettles were cancelled":          {order(`{"orders":["kettle","kettle"]}`)},
		"I cancelled the kettle for two people":      {one},
		"I've cancelled the kettle two hours early":  {one},
		"I've cancelled the kettle with two handles": {one},
	} {
		q := told("please do", said, records...)
		require.NotContains(t, q.answered(t, "done"), "too many", said)
	}
}

// TestSignedDates: a date in Chinese, Japanese or Korean is the same day.
func TestSignedDates(t *testing.T) {
	read := call("find_order", `{}`, tooltrack.Succeeded, `{"orders":[{"title":"Emma","due":"2026-11-20"}]}`)
	for said, right := range map[string]bool{
		"Emma(返却期限11月20日)を借りています": true, "Emma(返却期限11月21日)を借りています": false,
		"Emma 于2026年11月20日到期": true, "Emma 반납일은 11월 20일입니다": true, "Emma 반납일은 11월 21일입니다": false,
	} {
		q := told("教えてください", said, read)
		require.Equal(t, right, len(q.answered(t, "answered")) == 0, "%s %v", said, q.answered(t, "answered"))
	}
}

// TestWhatIsDueIsSaid: where no call can be it, an item says what became of it.
func TestWhatIsDueIsSaid(t *testing.T) {
	const none, due = `{"message":null,"items":[]}`, "cancel the kettle"
	rules := func(draft, answer string, change func(*proof.Case)) []string {
		report, err := proof.Parse(answer)
		require.NoError(t, err)
		turn := proof.Case{User: due, Draft: draft, Tools: shop, Due: true, Acting: true, Open: []string{due},
			Judge: func(string) completion.Verdict { return completion.Verdict{Outcome: completion.CompletedWithWork} }}
		if change != nil {
			change(&turn)
		}
		var rules []string
		for _, fault := range proof.Check(report, turn) {
			rules = append(rules, fault.Rule)
			require.Equal(t, fault.Rule == "still due", fault.Due)
		}
		return rules
	}
	announces := func(c *proof.Case) {
		c.Judge = func(string) completion.Verdict { return completion.Verdict{Reason: completion.Promise} }
	}
	unlikely := func(c *proof.Case) { c.Due = false }
	undone := `{"message":null,"items":[{"what":"cancel the kettle","status":"not_done","reason":"x"}]}`
	general := `{"message":null,"items":[{"what":"talk","status":"general"}]}`
	long := "Kettles boil water in a few minutes, and many of them whistle."
	require.Equal(t, []string{"still due"}, rules("On it!", none, nil))
	require.Equal(t, []string{"still due"}, rules("On it!", general, nil))
	require.Equal(t, []string{"still due"}, rules("On it!", none, unlikely))
	require.Equal(t, []string{"still due"}, rules(long, none, nil))
	require.Equal(t, []string{"only announced"}, rules("Will do.", none, announces))
	require.Equal(t, []string{"only announced"}, rules("Will do.", undone, announces))
	require.Empty(t, rules("On it!", undone, nil))
	require.Empty(t, rules(long, general, nil))
	require.Empty(t, rules(long, none, unlikely))
	require.Empty(t, rules("Sure!", none, func(c *proof.Case) { c.Open = nil }))
	require.Empty(t, rules("Which one?", none, func(c *proof.Case) {
		c.Judge = func(string) completion.Verdict {
			return completion.Verdict{Outcome: completion.CompletedWithBlocker, Asks: true}
		}
	}))
}
