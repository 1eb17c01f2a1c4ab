package proof_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// edge is a report about a turn, and the rules that refuse it.
type edge struct {
	turn    ruleCase
	answer  string
	refused []string
}

func (e *edge) rules(t *testing.T) []string {
	var rules []string
	for _, fault := range e.turn.check(t, e.answer) {
		rules = append(rules, fault.Rule)
	}
	return rules
}

func checkEdges(t *testing.T, edges map[string]edge) {
	t.Helper()
	for name, e := range edges {
		t.Run(name, func(t *testing.T) { require.Equal(t, e.refused, e.rules(t)) })
	}
}

func item(what, status, records string) string {
	return `{"message":null,"items":[{"what":"` + what + `","status":"` + status + `","records":[` + records + `]}]}`
}

// TestWhatEachStatusNeeds: which fates of a call an item of each status may rest
// on.
func TestAReasonIsToldOnce(t *testing.T) {
	faults := []proof.Fault{
		{Rule: "unproven claim", Words: "Ann is told", Reason: "a"}, {Rule: "unproven claim", Words: "Ann is told, and Bob is", Reason: "b"},
		{Rule: "unproven claim", Words: "Ann is told, and Bob is", Reason: "c"}, {Rule: "contradicted", Words: "Ann is told", Reason: "d"},
		{Rule: "vague", Item: 1, Reason: "e"}, {Rule: "vague", Item: 2, Reason: "e"},
	}
	require.Equal(t, []string{"b", "d", "e"}, proof.Reasons(faults))
	require.Empty(t, proof.Reasons(nil))
}

func TestWhatEachStatusNeeds(t *testing.T) {
	doubtful := call("cancel_order", `{"order":"KT-551"}`, tooltrack.Succeeded, `"Error: locked"`)
	doubtful.Result.Doubtful = "the text reads like an error"
	unknown := call("cancel_order", `{"order":"KT-551"}`, tooltrack.Unknown, "lost")
	undeclared := call("do_things", `{"order":"KT-551"}`, tooltrack.Succeeded, `{}`)
	records := list(found, canceled, failed, queued, doubtful, unknown, undeclared)
	passes := map[string]string{ // by status: the records that show it
		"done": "2 7", "answered": "1 2 7", "partial": "1 2 7", "pending": "1 2 4 7", "failed": "3 4 5 6",
	}
	for status, good := range passes {
		for number := 1; number <= len(records); number++ {
			n := string(rune('0' + number))
			turn := ruleCase{user: "the kettle", records: records}
			report, err := proof.Parse(item("the kettle KT-551", status, n))
			require.NoError(t, err)
			refused := false
			for _, fault := range proof.Check(report, turnOf(&turn)) {
				refused = refused || fault.Item == 1 && (fault.Rule == "not succeeded" || fault.Rule == "read for a change" || fault.Rule == "not pending" || fault.Rule == "not failed")
			}
			require.Equal(t, strings.Contains(good, n), !refused, "%s by #%s", status, n)
		}
	}
}

func turnOf(c *ruleCase) proof.Case {
	return proof.Case{User: c.user, Draft: c.draft, Tools: shop, List: proof.NewList(c.earlier, c.records), Acting: c.acting,
		Judge: func(string) completion.Verdict { return completion.Verdict{Outcome: completion.CompletedWithWork} }}
}

// TestAnyOfTheCitedCallsMayShowIt: one that fits is enough, among others.
func TestAnyOfTheCitedCallsMayShowIt(t *testing.T) {
	checkEdges(t, map[string]edge{
		"a read and a change":     {ruleCase{user: "kettle", records: list(found, canceled)}, item("the kettle", "done", "1,2"), nil},
		"a failure and a change":  {ruleCase{user: "kettle", records: list(failed, canceled)}, item("the kettle", "done", "1,2"), nil},
		"a success and a failure": {ruleCase{user: "kettle", records: list(canceled, failed)}, item("the kettle", "failed", "1,2"), nil},
		"this turn and an earlier": {ruleCase{user: "cancel the kettle", earlier: list(canceled), records: list(canceled), acting: true},
			item("the kettle", "done", "1,2"), nil},
		"only an earlier one": {ruleCase{user: "cancel the kettle", earlier: list(canceled), records: list(canceled), acting: true},
			item("the kettle", "done", "1"), []string{"earlier record"}},
		"an earlier one, nothing asked now": {ruleCase{user: "what of the kettle?", earlier: list(canceled)}, item("the kettle", "done", "1"), nil},
		"answered before, asked again": {ruleCase{user: "find the kettle", earlier: list(found), records: list(found)},
			item("the kettle", "answered", "1"), []string{"earlier record"}},
		"answered before, asked again last": {ruleCase{user: "find the kettle", earlier: list(found), records: list(canceled, found)},
			item("the kettle", "answered", "1"), []string{"earlier record"}},
		"answered before, something else asked": {ruleCase{user: "find the kettle", earlier: list(found), records: list(canceled)},
			item("the kettle", "answered", "1"), nil},
		"answered before and again": {ruleCase{user: "find the kettle", earlier: list(found), records: list(found)},
			item("the kettle", "answered", "1,2"), nil},
	})
}

// TestHowAnItemIsNamed: with a word of the conversation, and not with a novel.
func TestHowAnItemIsNamed(t *testing.T) {
	kettle := ruleCase{user: "the kettle", records: list(canceled)}
	long := func(n int) string { return "kettle " + strings.Repeat("x", n-len("kettle ")) }
	checkEdges(t, map[string]edge{
		"as long as may be":                          {kettle, item(long(1000), "done", "1"), nil},
		"a byte longer":                              {kettle, item(long(1001), "done", "1"), []string{"what"}},
		"empty":                                      {kettle, item("", "done", "1"), []string{"what"}},
		"a word of the text":                         {ruleCase{user: "hm", draft: "The toaster is here.", records: list(canceled)}, item("toaster", "done", "1"), nil},
		"no word of anything":                        {kettle, item("the zeppelin", "done", "1"), []string{"vague"}},
		"not done needs no such word":                {kettle, `{"message":"The zeppelin is not here.","items":[{"what":"the zeppelin","status":"not_done"}]}`, nil},
		"function words alone":                       {kettle, item("it was for them and us", "done", "1"), []string{"vague"}},
		"many of these: in a language without words": {kettle, item(strings.Repeat("to ", 14), "done", "1"), nil},
		"forty bytes of them":                        {kettle, item(strings.Repeat("to ", 13)+"a", "done", "1"), []string{"vague"}},
		"forty-one":                                  {kettle, item(strings.Repeat("to ", 13)+"an", "done", "1"), nil},
	})
}

// TestNumbersThatWereIssued: from one to the last, and no other.
func TestNumbersThatWereIssued(t *testing.T) {
	two := ruleCase{user: "the kettle", records: list(found, canceled)}
	for number, known := range map[string]bool{"0": false, "1": true, "2": true, "3": false, "-1": false} {
		e := edge{two, item("the kettle", "answered", number), nil}
		require.Equal(t, !known, len(e.rules(t)) > 0, "#%s", number)
	}
	faults := two.check(t, `{"message":null,"items":[{"what":"the kettle","status":"answered","records":[1]},{"what":"the kettle","status":"answered","records":[7]}]}`)
	require.Len(t, faults, 1)
	require.Equal(t, 2, faults[0].Item)
	require.Equal(t, "item 2: there is no record #7; only #1 to #2 count", faults[0].Reason)
}

// TestValuesAreCompared: of an item that claims or waits, where it names one of a
// kind.
func TestValuesAreCompared(t *testing.T) {
	refund := func(what, status string) edge {
		records := list(refunded)
		if status == "pending" {
			records = list(call("issue_refund", `{"order":"KT-551","amount":40}`, tooltrack.Pending, "queued"))
		}
		return edge{ruleCase{user: "the order", records: records}, item(what, status, "1"), nil}
	}
	other := refund("the order: €400", "done")
	other.refused = []string{"contradicted"}
	part := refund("the order: €400", "partial")
	part.refused = []string{"contradicted"}
	waits := refund("the order: €400", "pending")
	waits.refused = []string{"contradicted"}
	asked := refund("the order: €400", "partial")
	asked.turn.user = "refund €400 of the order"
	askedDone := refund("the order: €400", "done")
	askedDone.turn.user, askedDone.refused = "refund €400 of the order", []string{"contradicted"}
	either, alien := refund("the order: €400 or €500", "done"), refund("the order AB_9", "done")
	either.refused, alien.refused = []string{"unshown value"}, []string{"unshown value"}
	checkEdges(t, map[string]edge{
		"the same":                         refund("the order: €40", "done"),
		"another":                          other,
		"another, in part":                 part,
		"another, waiting":                 waits,
		"what the user asked for, in part": asked,
		"what the user asked for, as done": askedDone,
		"two of a kind":                    either,
		"none":                             refund("the order", "done"),
		"an id of another make":            alien,
		"the id in another spelling":       refund("the order kt551", "done"),
	})
}

// TestFailuresAreTold: each change of this turn that did not succeed, unless a
// later call made it good.
func TestFailuresAreTold(t *testing.T) {
	told := func(items string) string { return `{"message":"The kettle.","items":[` + items + `]}` }
	const done = `{"what":"kettle","status":"done","records":[1]}`
	lookup := call("find_order", `{"order":"KT-551"}`, tooltrack.Failed, "no")
	alien := call("fly", `{}`, tooltrack.Failed, "there is no such tool")
	alien.Effect = tooltrack.Changes
	checkEdges(t, map[string]edge{
		"not told":                {ruleCase{user: "kettle", records: list(canceled, failed)}, told(done), []string{"failure not told"}},
		"told":                    {ruleCase{user: "kettle", records: list(canceled, failed)}, told(done + `,{"what":"x","status":"failed","records":[2]}`), nil},
		"told without its number": {ruleCase{user: "kettle", records: list(canceled, failed)}, told(done + `,{"what":"issue the refund","status":"not_done"}`), nil},
		"a claim does not tell it": {ruleCase{user: "kettle", records: list(canceled, failed)},
			told(done + `,{"what":"kettle refund","status":"answered","records":[1]}`), []string{"one record for two", "failure not told"}},
		"made good later":               {ruleCase{user: "kettle", records: list(canceled, failed, refunded)}, told(done), nil},
		"made good before":              {ruleCase{user: "kettle", records: list(refunded, failed)}, told(done), []string{"failure not told"}},
		"made good at last":             {ruleCase{user: "kettle", records: list(canceled, failed, found, refunded)}, told(done), nil},
		"of an earlier turn":            {ruleCase{user: "kettle", earlier: list(failed), records: list(canceled)}, told(`{"what":"kettle","status":"done","records":[2]}`), nil},
		"of a look-up":                  {ruleCase{user: "kettle", records: list(canceled, lookup)}, told(done), nil},
		"of a tool that does not exist": {ruleCase{user: "kettle", records: list(canceled, alien)}, told(done), nil},
	})
}

// TestNeedsAreCovered: by a record of the tool, its words, or the words of the
// request.
func TestNeedsAreCovered(t *testing.T) {
	asked := ruleCase{user: "refund the kettle", draft: "The kettle.", records: list(canceled, refunded), needs: []proof.Need{{Tool: "issue_refund", Words: "give it back"}}}
	checkEdges(t, map[string]edge{
		"by its record":      {asked, item("the kettle", "done", "2"), nil},
		"by another record":  {asked, item("the kettle", "done", "1"), []string{"missing item"}},
		"by the tool's verb": {asked, `{"message":"Kettle: no refund.","items":[{"what":"refund","status":"not_done"}]}`, nil},
		"by the words":       {asked, `{"message":"I cannot give the kettle back.","items":[{"what":"give it back","status":"not_done"}]}`, nil},
		"by nothing":         {asked, `{"message":null,"items":[]}`, []string{"missing item"}},
	})
}

// TestClaimsOfTheText: from the doubt on that needs a proof, by an item that is
// about it and holds itself.
func TestClaimsOfTheText(t *testing.T) {
	said := "Ann is in the picture"
	check := func(doubt float64, tier completion.Tier, kind completion.ClaimKind, answer string) (rules []string) {
		report, err := proof.Parse(answer)
		require.NoError(t, err)
		turn := proof.Case{User: "tell Ann", Draft: said + ".", Tools: shop, List: proof.NewList(nil, list(canceled, call("send_message", `{"to":"ann"}`, tooltrack.Failed, "no route"), call("send_message", `{"to":"ann"}`, tooltrack.Succeeded, `{}`))),
			Judge: func(string) completion.Verdict {
				return completion.Verdict{Claims: []completion.Claim{{Text: said, Doubt: doubt, Tier: tier, Kind: kind}}}
			}}
		for _, fault := range proof.Check(report, turn) {
			if fault.Rule == "unproven claim" {
				rules = append(rules, fault.Rule)
			}
		}
		return rules
	}
	const nothing, unproven = `{"message":null,"items":[]}`, "unproven claim"
	elsewhere := item("kettle cancelled", "done", "1")
	require.Equal(t, []string{unproven}, check(0.7, completion.Unsure, 0, elsewhere))
	require.Empty(t, check(0.69, completion.Unsure, 0, elsewhere), "below it the model's word is as good as ours")
	said = "Ann has been told"
	require.Equal(t, []string{unproven}, check(0.1, completion.Unsure, 0, elsewhere), "what tells of an act always needs an item")
	require.Equal(t, []string{unproven}, check(0.1, completion.Unsure, 0, nothing), "but not that of one that cites nothing")
	require.Empty(t, check(1, completion.Clean, 0, nothing))
	require.Empty(t, check(0.9, completion.Unsure, 0, item("Ann told", "done", "3")))
	require.Equal(t, []string{unproven}, check(0.9, completion.Unsure, 0, item("kettle cancelled", "done", "1")), "an item about something else")
	require.Empty(t, check(0.9, completion.Unsure, 0, item("ann", "done", "3")), "by the arguments of its record")
	require.Equal(t, []string{unproven}, check(0.9, completion.Unsure, 0, item("Ann told", "done", "9")), "an item that fails itself")
	require.Equal(t, []string{unproven}, check(0.9, completion.Unsure, 0, `{"message":null,"items":[{"what":"Ann told","status":"not_done"}]}`))
	require.Equal(t, []string{unproven}, check(0.9, completion.Unsure, 0, item("Ann told", "failed", "2")))
	require.Empty(t, check(0.9, completion.Unsure, completion.ClaimFailure, item("Ann told", "failed", "2")), "a failure is proven by one")
	require.Equal(t, []string{unproven}, check(0.9, completion.Unsure, completion.ClaimFailure, nothing))
}

// TestADraftThatIsKeptTellsTheTruth: what is not done is not told as done, and
// what needs input asks for it, unless the text says so itself.
func TestADraftThatIsKeptTellsTheTruth(t *testing.T) {
	claims := ruleCase{user: "tell Ann", draft: "Ann has been told.", doubts: []string{"Ann has been told"}, records: list(canceled, failed)}
	rules := func(c ruleCase, answer string) map[string]bool {
		found := map[string]bool{}
		for _, fault := range c.check(t, answer) {
			found[fault.Rule] = true
		}
		return found
	}
	for _, status := range []string{"not_done", "withdrawn"} {
		require.True(t, rules(claims, item("tell Ann", status, "2"))["not told"], status)
		again := `{"message":"Ann has been told.","items":[{"what":"tell Ann","status":"` + status + `","records":[2]}]}`
		require.True(t, rules(claims, again)["not told"], "%s, in a new message that says it again", status)
	}
	require.False(t, rules(claims, item("tell Ann", "partial", "1"))["not told"])
	require.False(t, rules(claims, item("buy bread", "not_done", "1"))["not told"], "about something else")
	asks := ruleCase{user: "tell Ann", draft: "Which Ann?"}
	require.False(t, rules(asks, item("tell Ann", "needs_input", ""))["nothing asked"])
}

// TestReadingsAreKept: those that somebody keeps are used where they cover the
// tools, and read anew where they do not.
func TestReadingsAreKept(t *testing.T) {
	turn := ruleCase{user: "cancel the kettle and refund it", records: list(canceled)}
	report, err := proof.Parse(item("refunded the kettle", "done", "1"))
	require.NoError(t, err)
	for name, readings := range map[string]*proof.Readings{"none": nil, "all": proof.NewReadings(shop), "of other tools": proof.NewReadings(shop[:1])} {
		with := turnOf(&turn)
		with.Readings = readings
		faults := proof.Check(report, with)
		require.Len(t, faults, 1, name)
		require.Equal(t, "another act", faults[0].Rule, name)
	}
}

// TestPlainReports: the act of the one change, about what the user named, where
// the call itself names nothing.
func TestPlainReports(t *testing.T) {
	readings := proof.NewReadings(shop)
	byID := call("cancel_order", `{"order":"551"}`, tooltrack.Succeeded, `{}`)
	byName := call("cancel_order", `{"order":"the kettle"}`, tooltrack.Succeeded, `{}`)
	doubtful := call("cancel_order", `{"order":"551"}`, tooltrack.Succeeded, `"Error"`)
	doubtful.Result.Doubtful = "reads like an error"
	alien := call("fly", `{}`, tooltrack.Succeeded, `{}`)
	alien.Effect = tooltrack.Changes
	const user, claim = "please cancel the kettle", "I cancelled the kettle"
	for name, c := range map[string]struct {
		claim   string
		records []*tooltrack.Record
		want    bool
	}{
		"the one change":               {claim, list(byID), true},
		"beside a look-up":             {claim, list(found, byID, nil), true},
		"another act":                  {"I refunded the kettle", list(byID), false},
		"another thing":                {"I cancelled the toaster", list(byID), false},
		"more than was asked":          {"I cancelled the kettle and the toaster", list(byID), false},
		"no act":                       {"The kettle", list(byID), false},
		"the call names it":            {claim, list(byName), false},
		"two changes":                  {claim, list(byID, byID), false},
		"a change that failed":         {claim, list(failed), false},
		"a change in doubt":            {claim, list(doubtful), false},
		"no change":                    {claim, list(found), false},
		"nothing":                      {claim, nil, false},
		"a tool that nobody described": {claim, list(alien), false},
	} {
		require.Equal(t, c.want, readings.Plain(c.claim, user, c.records), name)
	}
	require.False(t, (*proof.Readings)(nil).Plain(claim, user, list(byID)))
	one := list(call("cancel_order", `{"order":"AB-551"}`, tooltrack.Succeeded, `{}`))
	require.True(t, readings.Plain("AB-551 is cancelled", "cancel AB-551 and AB-552", one))
	require.False(t, readings.Plain("AB-551 and AB-552 are cancelled", "cancel AB-551 and AB-552", one), "one of two")
}

// TestHowARecordIsListed: a name as it is, unless it could be taken for
// something else; what is too long is cut between letters.
func TestHowARecordIsListed(t *testing.T) {
	line := func(tool, args string, status tooltrack.Status, result string) string {
		return strings.TrimSuffix(proof.NewList(nil, list(call(tool, args, status, result))).String(), "\n")
	}
	for _, plain := range []string{"a", "z", "A", "Z", "0", "9", "get_x", "a-b.c:d/e", strings.Repeat("x", 80)} {
		require.Equal(t, "#1 "+plain+` "{}" succeeded`, line(plain, `{}`, tooltrack.Succeeded, `{}`))
	}
	for _, odd := range []string{"a b", "a\"b", "{", "`", "@", "[", "a;", "ä", ""} {
		require.Contains(t, line(odd, `{}`, tooltrack.Succeeded, `{}`), `#1 "`, odd)
	}
	require.Contains(t, line(strings.Repeat("x", 81), `{}`, tooltrack.Succeeded, `{}`), `#1 "`+strings.Repeat("x", 80)+`…"`)
	require.Equal(t, `#1 a "{}" failed: "no"`, line("a", `{}`, tooltrack.Failed, "no"))
	require.Equal(t, `#1 a "{}" failed`, line("a", `{}`, tooltrack.Failed, ""))
	require.Contains(t, line("a", strings.Repeat("y", 80), tooltrack.Succeeded, ""), `"`+strings.Repeat("y", 80)+`"`)
	require.Contains(t, line("a", strings.Repeat("y", 79)+"ää", tooltrack.Succeeded, ""), `"`+strings.Repeat("y", 79)+`…"`, "not within a letter")
	denied := call("a", `{}`, tooltrack.Succeeded, `{}`)
	denied.Ruling.Denied = true
	require.Contains(t, proof.NewList(nil, list(denied)).String(), "denied")
	titled := call("a", `{"id":7}`, tooltrack.Succeeded, `{}`)
	titled.Touched = []tooltrack.Subject{{ID: "7"}, {Title: "Tea kettle"}}
	require.Equal(t, "#1 (earlier) a \"Tea kettle\" succeeded\n", proof.NewList(list(titled), nil).String())
	require.Equal(t, "(no calls were made)\n", proof.List{}.String())
	require.Zero(t, proof.NewList(nil, list(found, canceled)).Number("find_order", 2))
	require.Equal(t, 3, proof.NewList(nil, list(found, canceled, found)).Number("find_order", 2))
}

// TestTheQuestion: what is in doubt stands in it, and nothing where nothing is.
func TestTheQuestion(t *testing.T) {
	all := proof.NewList(nil, list(found))
	many := make([]proof.Doubt, proof.MaxDoubts+1)
	for i := range many {
		many[i].Claim = strings.Repeat("x", i+1)
	}
	require.NotContains(t, proof.Ask(all, nil, proof.CallsInvited), "could not be told")
	require.NotContains(t, proof.Ask(all, nil, proof.CallsInvited), "not listed")
	question := proof.Ask(all, []proof.Doubt{{Claim: "it is gone"}, {Due: "delete it"}, {}}, proof.CallsInvited)
	require.Contains(t, question, "What could not be told from the words alone:\n- whether a call shows this: \"it is gone\"\n"+
		"- whether this is still to be done: \"delete it\"\n- whether something that the user asked for is still to be done\n")
	require.Contains(t, question, "you may call the tool instead")
	require.NotContains(t, proof.Ask(all, nil, proof.CallsHeldBack), "you may call the tool instead")
	require.Contains(t, proof.Ask(all, nil, proof.CallsHeldBack), "taken something back")
	require.Contains(t, proof.Ask(all, nil, proof.CallsThatRead), "looked up with a tool, you may do that instead")
	require.NotContains(t, proof.Ask(all, nil, proof.CallsThatRead), "call the tool")
	require.Contains(t, proof.Again(nil, proof.CallsThatRead), "or look up what is missing")
	require.NotContains(t, proof.Again(nil, proof.CallsThatRead), "call the tool")
	require.NotContains(t, proof.Ask(all, nil, proof.CallsBarred), "call the tool")
	require.NotContains(t, proof.Ask(all, nil, proof.CallsBarred), "taken something back")
	require.Contains(t, proof.Ask(all, many, proof.CallsInvited), `"`+many[proof.MaxDoubts-1].Claim+`"`)
	require.NotContains(t, proof.Ask(all, many, proof.CallsInvited), `"`+many[proof.MaxDoubts].Claim+`"`)
	require.Contains(t, question, "needs an item that names it")
	require.NotContains(t, proof.Ask(all, []proof.Doubt{{Due: "delete it"}, {}}, proof.CallsInvited), "needs an item that names it")
	again := proof.Again(strings.Split("abcdefghi", ""), proof.CallsInvited)
	require.Contains(t, again, "or call the tool")
	require.NotContains(t, proof.Again(nil, proof.CallsHeldBack), "call the tool")
	require.NotContains(t, proof.Again(nil, proof.CallsBarred), "call the tool")
	require.Contains(t, again, "- h\n")
	require.NotContains(t, again, "- i\n")
}

// TestHowLongAReportMayBe: the limit and one beyond.
func TestHowLongAReportMayBe(t *testing.T) {
	fill := func(n int) string {
		const around = `{"items":[],"message":""}`
		return `{"items":[],"message":"` + strings.Repeat("x", n-len(around)) + `"}`
	}
	items := func(n int) string {
		return `{"items":[` + strings.TrimSuffix(strings.Repeat(`{"what":"x","status":"not_done"},`, n), ",") + `]}`
	}
	for answer, fine := range map[string]bool{
		fill(proof.MaxReport): true, fill(proof.MaxReport + 1): false, items(proof.MaxItems): true, items(proof.MaxItems + 1): false,
	} {
		_, err := proof.Parse(answer)
		require.Equal(t, fine, err == nil, "%.40s: %v", answer, err)
	}
	blank, err := proof.Parse(`{"items":[],"message":" \n"}`)
	require.NoError(t, err)
	require.Equal(t, "the draft", blank.Text("the draft"), "a blank message keeps the draft")
}

// TestWhatIsUntold: what is not done and not spoken of is added by code.
func TestWhatIsUntold(t *testing.T) {
	untold := func(status proof.Status, reason, text string, rewritten bool) bool {
		report := proof.Report{Items: []proof.Item{{What: "refund the grinder", Status: status, Reason: reason}}}
		if rewritten {
			report.Message = &text
		}
		return len(proof.Untold(report, text)) == 1
	}
	for status, want := range map[proof.Status]bool{
		proof.NotDone: true, proof.Failed: true, proof.Pending: true, proof.Partial: true, proof.NeedsInput: true,
		proof.Done: false, proof.Answered: false, proof.Withdrawn: false,
	} {
		require.Equal(t, want, untold(status, "", "All is well.", false), status)
	}
	require.False(t, untold(proof.NotDone, "", "The grinder stays.", false), "by a word of it")
	require.False(t, untold(proof.NotDone, "the limit is reached", "There is a limit.", false), "by its reason")
	require.True(t, untold(proof.NotDone, "", "There is a limit.", false))
	require.True(t, untold(proof.NotDone, "", "All is well.", true))
	require.False(t, untold(proof.NotDone, "", "That I could not do.", true), "a new message that denies something in its own words")
	require.True(t, untold(proof.NotDone, "", "That I could not do.", false), "a draft that is kept was not written for it")
}

// TestATicketMayBeAboutAnError: what a thing is called, and what the call brought
// along, is no complaint of the tool.
func TestATicketMayBeAboutAnError(t *testing.T) {
	for name, c := range map[string]struct {
		result  string
		refused []string
	}{
		"its title":        {`{"order":"KT-551","title":"Cannot open the lid"}`, nil},
		"an argument":      {`{"order":"KT-551","note":"Unable to open the lid"}`, nil},
		"the tool's words": {`{"order":"KT-551","stderr":"Unable to reach the shop"}`, []string{"not succeeded"}},
	} {
		t.Run(name, func(t *testing.T) {
			made := call("cancel_order", `{"order":"KT-551","note":"unable to open the lid"}`, tooltrack.Succeeded, c.result)
			e := edge{turn: ruleCase{user: "cancel the kettle KT-551", draft: "The kettle is cancelled.", records: list(made)}, answer: item("the kettle KT-551", "done", "1")}
			require.Equal(t, c.refused, e.rules(t))
		})
	}
}
