package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// question is a turn whose request for proof named some pieces of the text.
type question struct {
	user, draft string
	earlier     []*tooltrack.Record
	records     []*tooltrack.Record
	asked       []completion.Claim
	acting, due bool
}

// doubt is a claim of a change, of small doubt.
func doubt(text string) completion.Claim {
	return completion.Claim{Text: text, Doubt: 0.5, Tier: completion.Unsure}
}

func (q *question) faults(t *testing.T, answer string) []proof.Fault {
	t.Helper()
	report, err := proof.Parse(answer)
	require.NoError(t, err)
	return proof.Check(report, q.turn())
}

func (q *question) turn() proof.Case {
	turn := proof.Case{
		User: q.user, Draft: q.draft, Tools: shop, List: proof.NewList(q.earlier, q.records), Acting: q.acting, Due: q.due,
		Judge: func(text string) completion.Verdict {
			verdict := completion.Verdict{Outcome: completion.CompletedWithWork}
			if text == q.draft { // other words beside them take the doubts away
				verdict.Claims = q.asked
			}
			return verdict
		},
	}
	for _, claim := range q.asked {
		turn.Asked = append(turn.Asked, claim.Text)
	}
	return turn
}

func (q *question) rules(t *testing.T, answer string) map[string]string {
	t.Helper()
	rules := map[string]string{}
	for _, fault := range q.faults(t, answer) {
		rules[fault.Rule] = fault.Words
	}
	return rules
}

const kettleItem = `{"what":"kettle cancelled","status":"done","records":[1]}`

func items(more ...string) string {
	all := kettleItem
	for _, one := range more {
		all += "," + one
	}
	return `{"message":null,"items":[` + all + `]}`
}

// TestWhatWasAskedAboutIsAnswered: a true item beside a false sentence does not
// carry it, and only that sentence is at fault.
func TestWhatWasAskedAboutIsAnswered(t *testing.T) {
	const extra = "Every neighbour is aware of it"
	q := question{user: "cancel the tea kettle", draft: "The kettle is cancelled. " + extra + ".", records: list(canceled),
		asked: []completion.Claim{doubt(extra)}}
	require.Equal(t, map[string]string{"unanswered": extra}, q.rules(t, items()))
	named := items(`{"what":"every neighbour is aware","status":"general"}`)
	require.Empty(t, q.rules(t, named), "called general by name")
	require.Equal(t, map[string]string{"unanswered": extra}, q.rules(t, items(`{"what":"the weather","status":"general"}`)))
	q.asked = nil
	require.Empty(t, q.rules(t, items()), "what nobody asked about needs no answer")
}

// TestAnAnswerMayBeInOtherWords: naming the thing by its id is enough.
func TestAnAnswerMayBeInOtherWords(t *testing.T) {
	const gone = "KT-551 will not bother anybody again"
	q := question{user: "cancel it", draft: gone + ".", records: list(canceled), asked: []completion.Claim{doubt(gone)}}
	require.Empty(t, q.rules(t, item("the order KT-551 was called off", "done", "1")))
	q.asked[0].Text, q.draft = "KT-551 and KT-552 will not bother anybody again", "KT-551 and KT-552 will not bother anybody again."
	require.Contains(t, q.rules(t, item("the order KT-551 was called off", "done", "1")), "unanswered", "the other one is not named")
}

// TestWhatIsNotGeneral: nothing that reads like work, of whatever small doubt.
func TestWhatIsNotGeneral(t *testing.T) {
	for said, general := range map[string]bool{
		"Kettles last about ten years":           true,
		"Most shops are closed on Sundays":       true,
		"No kettle lasts for ever":               true,
		"I have thanked the neighbours":          false, // an act of ours
		"The neighbours have been thanked":       false, // of nobody in particular
		"Since the neighbours have been thanked": false, // told by the way
		"I have not thanked the neighbours":      true,
		"BX-77 is in the archive":                false, // it has an id in the conversation
		"Your parcel is on its way":              false, // something of yours
		"Zwiebel is on its way":                  false, // it has a name in the conversation
	} {
		q := question{user: "cancel the tea kettle of Zwiebel, see BX-77", draft: said + ".", records: list(canceled), asked: []completion.Claim{doubt(said)}}
		rules := q.rules(t, items(`{"what":"`+said+`","status":"general"}`))
		require.Equal(t, general, len(rules) == 0, "%s: %v", said, rules)
	}
}

// TestAGraveDoubtIsNeverGeneral: nor what is sure, nor a look-up.
func TestAGraveDoubtIsNeverGeneral(t *testing.T) {
	const said = "Kettles last about ten years"
	for name, change := range map[string]func(*completion.Claim){
		"grave":    func(c *completion.Claim) { c.Doubt = 0.7 },
		"sure":     func(c *completion.Claim) { c.Tier = completion.Sure },
		"look-up":  func(c *completion.Claim) { c.Kind = completion.ClaimLookup },
		"verified": func(c *completion.Claim) { c.Kind = completion.ClaimVerification },
	} {
		q := question{user: "cancel the tea kettle", draft: said + ".", records: list(canceled), asked: []completion.Claim{doubt(said)}}
		change(&q.asked[0])
		require.NotEmpty(t, q.rules(t, items(`{"what":"`+said+`","status":"general"}`)), name)
	}
}

// TestAChangedMessageKeepsItsQuestions: a piece that still stands in it has to be
// answered for, although nothing doubts it any more.
func TestAChangedMessageKeepsItsQuestions(t *testing.T) {
	const extra = "Every neighbour is aware of it"
	q := question{user: "cancel the tea kettle", draft: extra + ".", records: list(canceled), asked: []completion.Claim{doubt(extra)}}
	message := func(text, more string) string {
		return `{"message":"` + text + `","items":[` + kettleItem + more + `]}`
	}
	require.Equal(t, map[string]string{"unanswered": extra}, q.rules(t, message("Of course. "+extra+".", "")))
	require.Empty(t, q.rules(t, message("Of course.", "")), "it is gone")
	require.Empty(t, q.rules(t, message("Of course. "+extra+".", `,{"what":"every neighbour is aware","status":"general"}`)))
	require.Empty(t, q.rules(t, message("Of course. "+extra+".", `,{"what":"every neighbour is aware","status":"answered","records":[1]}`)))
}

// TestAFaultOfAnAnswerIsThatOfItsSentence: what is wrong with the item that answers
// for one sentence costs that sentence, and no other.
func TestAFaultOfAnAnswerIsThatOfItsSentence(t *testing.T) {
	const extra = "Every neighbour was paid"
	q := question{user: "cancel the tea kettle", draft: "The kettle is cancelled. " + extra + ".", records: list(canceled),
		asked: []completion.Claim{doubt(extra)}}
	for _, fault := range q.faults(t, items(`{"what":"`+extra+`","status":"done","records":[1]}`)) {
		require.Equal(t, extra, fault.Words, fault.Rule)
	}
	refused := q.rules(t, items(`{"what":"`+extra+`","status":"done","records":[9]}`))
	require.Equal(t, extra, refused["unknown number"])
	whole := q.rules(t, items(`{"what":"kettle","status":"done","records":[9]}`))
	require.Empty(t, whole["unknown number"], "an item about something else is the whole report's fault")
}

// TestOneLookUpAnswersManyQuestions, one change makes many things so, and an act may
// be told again in other words, but a second act needs a call of its own.
func TestOneLookUpAnswersManyQuestions(t *testing.T) {
	const state = "the rest was rather cheap"
	q := question{user: "what about my kettle?", draft: state + ".", records: list(found), asked: []completion.Claim{doubt(state)}}
	twice := func(status string) string {
		return `{"message":null,"items":[{"what":"kettle","status":"` + status + `","records":[1]},{"what":"` + q.asked[0].Text + `","status":"` + status + `","records":[1]}]}`
	}
	require.Empty(t, q.rules(t, twice("answered")))
	q.records = list(canceled)
	require.NotContains(t, q.rules(t, twice("done")), "one record for two", "what is so")
	q.asked[0].Text, q.draft = "we have informed the whole neighbourhood", "we have informed the whole neighbourhood."
	require.Contains(t, q.rules(t, twice("done")), "one record for two")
	q.asked[0].Text, q.draft = "we have called it off, cancelled for good", "we have called it off, cancelled for good."
	require.NotContains(t, q.rules(t, twice("done")), "one record for two", "the act of the call")
}

// TestWhatWasDoneBeforeIsNotDoneNow: an earlier call shows nothing of what the user
// asks for now.
func TestWhatWasDoneBeforeIsNotDoneNow(t *testing.T) {
	const said = "the kettle order is cancelled as well"
	q := question{user: "cancel the other kettle, too", draft: said + ".", earlier: list(canceled), acting: true, due: true,
		asked: []completion.Claim{doubt(said)}}
	answer := item(said, "answered", "1")
	require.Contains(t, q.rules(t, answer), "unanswered")
	q.acting = false
	require.Contains(t, q.rules(t, answer), "unanswered", "what has to be looked up now was not looked up then")
	for name, change := range map[string]func(*question){
		"nothing is due": func(q *question) { q.due = false },
		"it looks back":  func(q *question) { q.asked[0].Earlier = true },
		"done now":       func(q *question) { q.earlier, q.records = nil, list(canceled) },
	} {
		other := q
		other.asked = []completion.Claim{q.asked[0]}
		change(&other)
		require.NotContains(t, other.rules(t, answer), "unanswered", name)
	}
}

// TestALookIsNoAct: what was only read shows that something was done where the
// result says so itself.
func TestALookIsNoAct(t *testing.T) {
	const said = "I have packed the kettle"
	q := question{user: "pack the kettle", draft: said + ".", records: list(found), asked: []completion.Claim{doubt(said)}}
	require.Contains(t, q.rules(t, item(said, "answered", "1")), "unproven claim")
	q.records = list(call("find_order", `{"order":"KT-551"}`, tooltrack.Succeeded, `{"item":"kettle","state":"packed"}`))
	require.Empty(t, q.rules(t, item(said, "answered", "1")))
}

// TestTheReasonOfAFailureTellsIt: whoever says why it did not work has told that it
// did not.
func TestTheReasonOfAFailureTellsIt(t *testing.T) {
	offline := call("send_message", `{"to":"ann"}`, tooltrack.Failed, "recipient offline")
	told := func(text string) map[string]string {
		q := question{user: "tell Ann and Bob", draft: text, records: list(call("send_message", `{"to":"bob"}`, tooltrack.Succeeded, `{}`), offline)}
		return q.rules(t, `{"message":null,"items":[{"what":"tell Ann","status":"failed","records":[2]},{"what":"tell Bob","status":"done","records":[1]}]}`)
	}
	require.NotContains(t, told("Bob knows. Ann has gone offline."), "kept quiet")
	require.Contains(t, told("Bob knows. Ann knows."), "kept quiet")
	const why = "Ann has gone offline"
	q := question{user: "tell Ann", draft: why + ".", records: list(offline), asked: []completion.Claim{doubt(why)}}
	require.Empty(t, q.rules(t, item("tell Ann, gone offline", "failed", "1")), "the failed call shows its own reason")
}

// TestWhatIsDueIsNotGeneral: in the answer to a request, what reads like a report is
// one, unless it denies something or explains a failure that the text tells.
func TestWhatIsDueIsNotGeneral(t *testing.T) {
	const said = "the kettle people are informed"
	q := question{user: "tell the kettle people", draft: said + ".", asked: []completion.Claim{doubt(said)}}
	general := func(said string) string {
		return `{"message":null,"items":[{"what":"` + said + `","status":"general"}]}`
	}
	require.Empty(t, q.rules(t, general(said)), "nothing is due")
	q.due = true
	require.Contains(t, q.rules(t, general(said)), "unproven claim")

	const why = "that is how the limit works"
	q = question{user: "refund the kettle", draft: "The refund failed: " + why + ".", due: true, records: list(failed),
		asked: []completion.Claim{doubt(why)}}
	explained := `{"message":null,"items":[{"what":"refund the kettle","status":"failed","records":[1]},{"what":"` + why + `","status":"general"}]}`
	require.Empty(t, q.rules(t, explained), "it explains a failure")
}

// TestWhatHasHappenedIsNotGeneral, whoever did it. How things usually are may be.
func TestWhatHasHappenedIsNotGeneral(t *testing.T) {
	for said, general := range map[string]bool{
		"the plumber has arrived":        false,
		"a plumber arrives within a day": true,
	} {
		q := question{user: "how is it going?", draft: said + ".", asked: []completion.Claim{doubt(said)}}
		rules := q.rules(t, `{"message":null,"items":[{"what":"`+said+`","status":"general"}]}`)
		require.Equal(t, general, len(rules) == 0, "%s: %v", said, rules)
	}
}
