package proof_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// textRules are the rules that refuse a draft beside an item that holds, by what is
// at fault. Every sentence of it is a claim in doubt.
func textRules(t *testing.T, user, draft string, records []*tooltrack.Record) map[string]string {
	t.Helper()
	sentences := strings.Split(strings.TrimSuffix(draft, "."), ". ")
	c := ruleCase{user: user, draft: draft, records: records, small: sentences}
	rules := map[string]string{}
	for _, fault := range c.check(t, item("the kettle", "done", "1")) {
		rules[fault.Rule] = fault.Words
	}
	return rules
}

// TestTitlesThatNobodyHeardOf: a title is known by any word of it, however many it
// has, and wherever it stands.
func TestTitlesThatNobodyHeardOf(t *testing.T) {
	for draft, known := range map[string]bool{
		`I cancelled "tea kettle".`:                             true,
		`I cancelled "the rusty tea kettle".`:                   true,
		`I cancelled "Zeppelin harbour".`:                       false,
		`I cancelled "tea kettle" and sent "Zeppelin harbour".`: false,
		`I cancelled "Zeppelin harbour" and sent "tea kettle".`: false,
		`I cancelled "the and of".`:                             true, // it names nothing
		`Would you like "Zeppelin harbour"?`:                    true, // nothing is reported
		`I could not cancel "Zeppelin harbour".`:                true, // nor here
		`I cancelled "rusty harbours with the old tea kettle".`: true,
	} {
		rules := textRules(t, "cancel the tea kettle", draft, list(canceled))
		_, unshown := rules["unshown value"]
		require.Equal(t, known, !unshown, "%s: %v", draft, rules)
	}
}

// TestNamesThatNobodyHeardOf: a name is one with the capitals beside it, and known
// by any of its words. A word that begins a sentence is no name for that.
func TestNamesThatNobodyHeardOf(t *testing.T) {
	for draft, known := range map[string]bool{
		"the kettle went to Ann":                             true,
		"the kettle went to Ann Zwiebel":                     true,
		"the kettle went to Zwiebel":                         false,
		"the kettle went to Zwiebel Quark":                   false,
		"the kettle went to Zwiebel Ann Quark":               true,
		"the kettle went to Zwiebel and Ann":                 false, // two names
		"Zwiebel got the kettle":                             true,  // where a capital says nothing
		"the kettle went to ZWIEBEL":                         true,  // an abbreviation
		"the kettle went to Blue River":                      false, // listed words, but a name of two
		"the kettle went to the Customer":                    true,  // one listed word
		"the kettle is 7fe1d7f0-12ab-4c3d-9e8f-0":            false,
		"the kettle is 7fe1d7f0-12ab-4c3d-9e8f-001122334455": true, // no such id is shown to people
	} {
		rules := textRules(t, "cancel the kettle of Ann", draft+".", list(canceled))
		_, unshown := rules["unshown value"]
		require.Equal(t, known, !unshown, "%s: %v", draft, rules)
	}
}

// TestADenialHoldsForItsOwnSentence: what one sentence hedges, another does not.
func TestADenialHoldsForItsOwnSentence(t *testing.T) {
	const user = "cancel the kettle"
	unshown := func(draft string) bool {
		_, found := textRules(t, user, draft, list(canceled))["unshown value"]
		return found
	}
	require.True(t, unshown("I cancelled the kettle for €987."))
	require.False(t, unshown("I could not cancel the kettle for €987."))
	require.True(t, unshown("I could not find the toaster. I cancelled the kettle for €987."))
	require.True(t, unshown("I cancelled the kettle for €987. I could not find the toaster."))
	require.False(t, unshown("The kettle is cancelled. I could not find it for €987."))
}

// TestWhatLeadsToSomethingNeedsNoProof, but only where something follows.
func TestWhatLeadsToSomethingNeedsNoProof(t *testing.T) {
	rules := func(draft string) bool {
		c := ruleCase{user: "plan my week", draft: draft, doubts: []string{"Here is what I put together"}}
		return len(c.check(t, `{"message":null,"items":[]}`)) == 0
	}
	require.True(t, rules("Here is what I put together:\n- rest"))
	require.False(t, rules("Here is what I put together:"))
	require.False(t, rules("Here is what I put together:\n \n"))
	require.False(t, rules("Here is what I put together. - rest"))
}

// TestWhatIsOpenMayWait: a pending call carries a claim only in a text that leaves
// something open.
func TestWhatIsOpenMayWait(t *testing.T) {
	unproven := func(draft, claim, status, records string) bool {
		c := ruleCase{user: "tell Ann", draft: draft, doubts: []string{claim}, records: list(queued, canceled)}
		for _, fault := range c.check(t, item("Ann is told", status, records)) {
			if fault.Rule == "unproven claim" {
				return true
			}
		}
		return false
	}
	require.False(t, unproven("Ann is told. It is not sent yet.", "Ann is told", "pending", "1"))
	require.True(t, unproven("Ann is told.", "Ann is told", "pending", "1"))
	require.False(t, unproven("Ann is told.", "Ann is told", "done", "2"))
}

// TestWhatTheUserTookBackStays: an item that says so carries what the text says of
// it, where the message takes something back, and not what is surely false.
func TestWhatTheUserTookBackStays(t *testing.T) {
	carries := func(text, status string, withdrawn bool, tier completion.Tier) bool {
		report, err := proof.Parse(`{"message":null,"items":[{"what":"the kettle order","status":"` + status + `","reason":"as you said"}]}`)
		require.NoError(t, err)
		faults := proof.Check(report, proof.Case{
			User: "cancel the kettle, no, keep it", Draft: text + ".", Tools: shop, Withdrawn: withdrawn,
			Judge: func(string) completion.Verdict {
				return completion.Verdict{Claims: []completion.Claim{{Text: text, Doubt: 0.9, Tier: tier}}}
			},
		})
		return len(faults) == 0
	}
	const safe = "The kettle order is safe"
	require.True(t, carries(safe, "withdrawn", true, completion.Unsure))
	require.False(t, carries(safe, "withdrawn", false, completion.Unsure))
	require.False(t, carries(safe, "withdrawn", true, completion.Sure))
	require.False(t, carries(safe, "not_done", true, completion.Unsure))

	// Where nothing was changed, everything is as it was.
	require.True(t, carries("The kettle order stays", "not_done", true, completion.Unsure))
	require.True(t, carries("The kettle order hasn't been touched", "not_done", true, completion.Unsure))
	require.False(t, carries("The kettle order stays cancelled, and I have told the shop", "not_done", true, completion.Unsure))
}

// TestAFailedCallThatIsOwnedUpToIsHeard: its values may be told, those of one that
// is not may not.
func TestAFailedCallThatIsOwnedUpToIsHeard(t *testing.T) {
	other := call("issue_refund", `{"order":"XR-900"}`, tooltrack.Failed, "no")
	c := ruleCase{user: "cancel the kettle and refund the other order", draft: "The kettle, not XR-900.", records: list(canceled, other)}
	unshown := func(more string) bool {
		for _, fault := range c.check(t, `{"message":null,"items":[{"what":"kettle cancelled, unlike XR-900","status":"done","records":[1]}`+more+`]}`) {
			if fault.Rule == "unshown value" {
				return true
			}
		}
		return false
	}
	require.True(t, unshown(""))
	require.False(t, unshown(`,{"what":"the other order","status":"failed","records":[2]}`))
	require.True(t, unshown(`,{"what":"the other order","status":"not_done"}`))
}

// TestListsInArgumentsAreRead, at any place.
func TestListsInArgumentsAreRead(t *testing.T) {
	sent := call("send_message", `{"to":["ann@x.example","bob@x.example"],"parts":[{"text":"kettle"}]}`, tooltrack.Succeeded, `{}`)
	for who, known := range map[string]bool{"ann@x.example": true, "bob@x.example": true, "eve@x.example": false} {
		c := ruleCase{user: "tell them of the kettle", draft: "They know.", records: list(sent)}
		require.Equal(t, known, len(c.check(t, item("kettle told to "+who, "done", "1"))) == 0, who)
	}
}

// TestLongLinesAreCutBetweenWords: half an id would be another one.
func TestLongLinesAreCutBetweenWords(t *testing.T) {
	ask := func(claim string) string {
		return proof.Ask(proof.List{}, []proof.Doubt{{Claim: claim}}, proof.CallsInvited)
	}
	start := strings.Repeat("word ", 31) // 155 bytes
	require.Contains(t, ask(start+"KT-551-9876"), `word…"`)
	require.NotContains(t, ask(start+"KT-551-9876"), "KT-5")
	require.Contains(t, ask(start+"KT-55"), `word KT-55"`, "as long as may be")
	require.Contains(t, ask(start+"KT-55 and"), `word KT-55…"`, "a word that just fits")
	require.Contains(t, ask(strings.Repeat("x", 200)), strings.Repeat("x", 160)+`…"`, "no word to cut at")
	early := strings.Repeat("y", 50) + " " + strings.Repeat("x", 200)
	require.Contains(t, ask(early), early[:160]+`…"`, "nor near the end")
}

// TestWhoCitesNothingIsNotBelieved where there are calls to cite, unless the user
// took back what the earlier ones did; nor who says falsely that the user did.
func TestWhoCitesNothingIsNotBelieved(t *testing.T) {
	const state = "The kettle stays where it is"
	refused := func(change func(*ruleCase), items string) bool {
		c := ruleCase{user: "the kettle", draft: state + ".", small: []string{state}}
		change(&c)
		return len(c.check(t, `{"message":null,"items":[`+items+`]}`)) > 0
	}
	require.False(t, refused(func(*ruleCase) {}, ""), "nothing to cite")
	require.True(t, refused(func(c *ruleCase) { c.due = true }, ""), "something was to be done")
	require.True(t, refused(func(c *ruleCase) { c.records = list(found) }, ""))
	require.True(t, refused(func(c *ruleCase) { c.earlier = list(found) }, ""))
	require.False(t, refused(func(c *ruleCase) { c.earlier, c.withdraw = list(found), true }, ""))
	require.True(t, refused(func(c *ruleCase) { c.records, c.withdraw = list(found), true }, ""), "a call of this turn is there to be cited")
	require.False(t, refused(func(c *ruleCase) { c.records = list(found) }, `{"what":"the kettle","status":"answered","records":[1]}`))
	require.True(t, refused(func(*ruleCase) {}, `{"what":"the weather","status":"withdrawn"}`), "nobody took anything back")
	require.False(t, refused(func(*ruleCase) {}, `{"what":"the weather","status":"not_done"}`))
}

// TestValuesOfAFailedCall: those that only it has are not told as done, but for
// small numbers, which are everywhere.
func TestValuesOfAFailedCall(t *testing.T) {
	told := func(said string) bool {
		other := call("issue_refund", `{"note":"`+said+` pieces"}`, tooltrack.Failed, "no")
		c := ruleCase{user: "cancel the kettle", draft: "The kettle is cancelled.", records: list(canceled, other)}
		for _, fault := range c.check(t, `{"message":null,"items":[{"what":"kettle cancelled with `+said+` pieces","status":"done","records":[1]}]}`) {
			if fault.Rule == "unshown value" && strings.Contains(fault.Reason, "only a call that did not succeed") {
				return false
			}
		}
		return true
	}
	require.True(t, told("12"))
	require.False(t, told("ZZ-12"))
}

// TestSmallDoubtsOfValues: from a fifth on, a claim's values are looked at.
func TestSmallDoubtsOfValues(t *testing.T) {
	refused := func(doubt float64, kind completion.ClaimKind) bool {
		report, err := proof.Parse(item("the kettle", "done", "1"))
		require.NoError(t, err)
		faults := proof.Check(report, proof.Case{
			User: "cancel the kettle", Draft: "The kettle costs €987.", Tools: shop, List: proof.NewList(nil, list(canceled)),
			Judge: func(string) completion.Verdict {
				return completion.Verdict{Claims: []completion.Claim{{Text: "The kettle costs €987", Doubt: doubt, Kind: kind}}}
			},
		})
		return len(faults) > 0
	}
	require.True(t, refused(0.2, completion.ClaimChange))
	require.False(t, refused(0.19, completion.ClaimChange))
	require.False(t, refused(0.9, completion.ClaimFailure))
}

// TestAnotherLanguage: where most words are in no list, capitals and negations say
// nothing.
func TestAnotherLanguage(t *testing.T) {
	unshown := func(draft string) bool {
		_, found := textRules(t, "kettle", draft, list(canceled))["unshown value"]
		return found
	}
	require.False(t, unshown("der Wasserkocher wurde nach Quarkhausen geschickt."))
	require.True(t, unshown("the kettle order was sent to Quarkhausen."))
}

// TestAnItemInPartIsAnActToo: it must be the call's own, like one that is done.
func TestAnItemInPartIsAnActToo(t *testing.T) {
	kettle := ruleCase{user: "cancel the kettle and refund it", draft: "The kettle.", records: list(canceled)}
	for status, refused := range map[string][]string{"done": {"another act"}, "partial": {"another act"}, "answered": {"another act"}, "pending": nil} {
		e := edge{kettle, item("refunded the kettle", status, "1"), refused}
		if status == "answered" { // no offered tool reads refunds
			e.refused = nil
		}
		if status == "pending" { // the text leaves nothing open
			e.refused = []string{"kept quiet"}
		}
		require.Equal(t, e.refused, e.rules(t), status)
	}
}

// TestDeepArguments are read as deep as anybody writes them.
func TestDeepArguments(t *testing.T) {
	for depth, known := range map[int]bool{1: true, 16: true, 17: false} {
		args := strings.Repeat(`{"a":`, depth) + `"XR-900"` + strings.Repeat(`}`, depth)
		c := ruleCase{user: "the kettle", draft: "The kettle.", records: list(call("cancel_order", args, tooltrack.Succeeded, `{}`))}
		require.Equal(t, known, len(c.check(t, item("kettle XR-900", "done", "1"))) == 0, depth)
	}
}

// TestACutReportIsNoReport: whatever is missing at its end, it is not read as if it were
// whole, nor is a report that stands in an object that breaks off.
func TestACutReportIsNoReport(t *testing.T) {
	const whole = `{"message":null,"items":[{"what":"kettle cancelled","status":"done","records":[1]},{"what":"refund","status":"failed","records":[2],"reason":"limit"}]}`
	_, err := proof.Parse(whole)
	require.NoError(t, err)
	for _, around := range [][2]string{{"", ""}, {"```json\n", "\n```"}, {"Here it is: ", ""}, {`{"report":`, "}"}, {`{"answer":{"report":`, "}}"}, {"<think>hm</think>", ""}} {
		_, err := proof.Parse(around[0] + whole + around[1])
		require.NoError(t, err, around)
		for end := range len(whole) {
			_, err := proof.Parse(around[0] + whole[:end])
			require.Error(t, err, "%s%s", around[0], whole[:end])
		}
	}
	for _, cut := range []string{`{"report":` + whole, `{"answer":{"report":` + whole + `}`, `[{"x":` + whole} {
		_, err := proof.Parse(cut)
		require.Error(t, err, cut)
	}
	_, err = proof.Parse("The {kettle} and {the rest: " + whole)
	require.NoError(t, err, "a brace in prose opens no object")
}
