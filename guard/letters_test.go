package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestColumnsAreNotAskedAbout: the first row of a table names its columns, and tells nothing that a call could show.
func TestColumnsAreNotAskedAbout(t *testing.T) {
	g, err := guard.New(rentTools(), &guard.Options{Evaluator: doubting("| Unit | Deposit |")})
	require.NoError(t, err)
	asked := ""
	model := guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		if last := request.Messages[len(request.Messages)-1]; request.Report && asked == "" {
			asked = last.Text
		}
		return guardtest.Say("Set:\n\n| Unit | Deposit |\n|---|---|\n| 7 | 450 |\n| 8 | 500 |").Response, nil
	})
	_, _ = g.Run(t.Context(), model, guardtest.Tools(nil), guard.Input{User: "set the deposits"}) // how it ends is not asked here
	require.Contains(t, asked, `"| 7 | 450 |"`)
	require.NotContains(t, asked, `a "| Unit`)
}

// rentTools are those of a house's management.
func rentTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "get_unit", Effect: tooltrack.Reads}, {Name: "set_deposit", Effect: tooltrack.Changes},
		{Name: "notify_tenant", Effect: tooltrack.Changes},
	}
}

// runRent plays a turn whose text is always in doubt.
func runRent(t *testing.T, user, doubted string, steps ...guardtest.Step) (*guard.Reply, *int) {
	t.Helper()
	changes := 0
	executor := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
		if call.Tool != "get_unit" {
			changes++
		}
		return []byte(`{"ok":true}`), nil
	})
	options := &guard.Options{Evaluator: doubting(doubted)}
	if strings.HasSuffix(user, "?") {
		options.Classifier = expecting(intent.Chat, 0)
	}
	g, err := guard.New(rentTools(), options)
	require.NoError(t, err)
	reply, err := g.Run(t.Context(), guardtest.Script(steps...), executor, guard.Input{User: user})
	require.NoError(t, err)
	return reply, &changes
}

// TestAnInvitedRemedyRuns: the guard finds another sum in the record, and the call that mends
// it is made: the same tool with other arguments is another call.
func TestAnInvitedRemedyRuns(t *testing.T) {
	const text = "The deposit of unit 7 is set to 450."
	deposit := func(amount string) guardtest.Step {
		return guardtest.Call(guardtest.Tool("set_deposit", `{"unit":7,"amount":`+amount+`}`))
	}
	reply, changes := runRent(t, "set the deposit of unit 7 to 450", "deposit",
		deposit("45"), guardtest.Say(text), deposit("450"), guardtest.Say(text), guardtest.Say(forAll("[2]", "")))
	require.Equal(t, 2, *changes)
	require.Equal(t, text, reply.Text)
}

// TestWhatIsLeftOfARequestMayBeDone: two of three were refunded, and the model is told that its
// text says more; then the third one may follow.
func TestWhatIsLeftOfARequestMayBeDone(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "refund_item", Effect: tooltrack.Changes}, {Name: "get_order", Effect: tooltrack.Reads}}
	refund := func(sku, amount string) guardtest.Step {
		return guardtest.Call(guardtest.Tool("refund_item", `{"sku":"`+sku+`","amount":`+amount+`}`))
	}
	g, err := guard.New(tools, nil)
	require.NoError(t, err)
	ran := 0
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { ran++; return []byte(`{"ok":true}`), nil })
	model := guardtest.Script(refund("CHED", "3.20"), refund("COFF", "5.99"),
		guardtest.Say("All three missing items have been refunded, £11.69 in total."), refund("OLIV", "2.50"),
		guardtest.Say("The cheddar, the coffee and the olives have been refunded."), guardtest.Say(forAll("[1,2,3]", "")))
	_, err = g.Run(t.Context(), model, executor, guard.Input{User: "missing: cheddar 3.20, olives 2.50, coffee 5.99. refund all three pls"})
	require.NoError(t, err)
	require.Equal(t, 3, ran)
}

// TestAReadShowsNoChange: whatever is said of it, the sentence is not shown.
func TestAReadShowsNoChange(t *testing.T) {
	look := guardtest.Call(guardtest.Tool("get_unit", `{"unit":7}`))
	for _, basis := range []string{"[1]", `"no call"`, "[9]"} {
		lie := guardtest.Say(forAll(basis, ""))
		reply, _ := runRent(t, "tell the tenant of unit 7 about the leak", "tenant",
			look, guardtest.Say("Good news. The tenant of unit 7 has been notified."), lie, lie)
		require.NotContains(t, reply.Text, "has been notified", basis)
		require.Nil(t, reply.Proof)
	}
}

// TestWhatTheModelCallsNotDoneIsNotShown: it takes no second question, and no line stands
// beside a sentence that says otherwise.
func TestWhatTheModelCallsNotDoneIsNotShown(t *testing.T) {
	reply, _ := runRent(t, "does the tenant of unit 7 know?", "tenant",
		guardtest.Call(guardtest.Tool("get_unit", `{"unit":7}`)),
		guardtest.Say("Hello! The tenant of unit 7 has been notified."), guardtest.Say(forAll(`"not done"`, "")))
	require.NotContains(t, reply.Text, "has been notified")
	require.Contains(t, reply.Text, "Hello!")
}

// TestADenialIsAClaim: "not done" against a call that did it is refused, and the text stays.
func TestADenialIsAClaim(t *testing.T) {
	const text = "The tenant of unit 7 has been notified."
	denies := guardtest.Say(forAll(`"not done"`, ""))
	reply, _ := runRent(t, "tell the tenant of unit 7 about the leak", "tenant",
		guardtest.Call(guardtest.Tool("notify_tenant", `{"unit":7,"text":"leak"}`)), guardtest.Say(text), denies,
		guardtest.Say(forAll("[1]", "")))
	require.Equal(t, text, reply.Text)
}

// TestTheRecordsSpeakWhereNoAnswerComes: after two that cannot be read, what the records
// settle is presumed, and the rest is withheld.
func TestTheRecordsSpeakWhereNoAnswerComes(t *testing.T) {
	silent := guardtest.Say("I would rather not say.")
	reply, _ := runRent(t, "does the tenant of unit 7 know?", "unit",
		guardtest.Call(guardtest.Tool("notify_tenant", `{"unit":7,"text":"leak"}`)),
		guardtest.Say("The tenant of unit 7 has been notified. The deposit of unit 7 is set to 450."), silent, silent)
	require.Contains(t, reply.Text, "The tenant of unit 7 has been notified.")
	require.NotContains(t, reply.Text, "is set to 450")
	require.True(t, reply.ProofMissing)
}

// TestARefusedClaimIsAskedAboutInOtherWords: after a correction, what may tell the same once
// more is not shown without proof; what takes it back, or tells what is on record, is.
func TestARefusedClaimIsAskedAboutInOtherWords(t *testing.T) {
	for text, shown := range map[string]bool{
		"The tenant is in the picture.":                                  false,
		"No worries, that's all taken care of.":                          false,
		"Unit 7 is up to speed.":                                         false,
		"Consider it off your desk.":                                     false,
		"It's with the tenant.":                                          false,
		"The tenant of unit 7 has not been notified.":                    true,
		"No message about the leak in the bath of unit 7 has been sent.": true,
		"I couldn't notify the tenant: I have no number.":                true,
		"Which of the two tenants of unit 7 shall I write?":              true,
	} {
		g, err := guard.New(rentTools(), nil)
		require.NoError(t, err)
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"unit":7,"tenants":2}`), nil })
		lie := guardtest.Say(forAll("[1]", ""))
		model := guardtest.Script(guardtest.Call(guardtest.Tool("get_unit", `{"unit":7}`)),
			guardtest.Say("I've notified the tenant of unit 7."), guardtest.Say(text), lie, lie)
		reply, _ := g.Run(t.Context(), model, executor, guard.Input{User: "tell the tenant of unit 7 about the leak"})
		assert.Equal(t, shown, reply != nil && strings.Contains(reply.Text, text), text)
	}
}

// TestWhatLeansOnALieGoesWithIt: the sentences after an invented failure, or in a language without
// a reading those beside a claim that nothing proves, are not what is left of a text.
func TestWhatLeansOnALieGoesWithIt(t *testing.T) {
	look := guardtest.Call(guardtest.Tool("get_unit", `{"unit":7}`))
	for text, gone := range map[string][]string{
		"I tried to notify the tenant, but the mail server returned an error. Please try again later.": {"mail server", "try again"},
		"The notification service is down at the moment. You can try it again in an hour.":             {"service is down", "in an hour"},
		"Lejeren er blevet underrettet om lækagen. Hav en rigtig god dag!":                             {"underrettet", "god dag"},
		"Vuokralaiselle on ilmoitettu vuodosta. Mukavaa päivänjatkoa!":                                 {"ilmoitettu", "Mukavaa"},
	} {
		for _, basis := range []string{"[1]", `"no call"`} {
			g, err := guard.New(rentTools(), nil)
			require.NoError(t, err)
			executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"unit":7}`), nil })
			says, cites := guardtest.Say(text), guardtest.Say(forAll(basis, ""))
			for name, model := range map[string]guard.Model{
				"cites": guardtest.Script(look, says, cites, cites), "repeats": guardtest.Script(look, says, says, says, says),
			} {
				reply, _ := g.Run(t.Context(), model, executor, guard.Input{User: "tell the tenant of unit 7 about the leak"})
				for _, piece := range gone {
					assert.NotContains(t, reply.Text, piece, "%s, %s %s", text, name, basis)
				}
			}
		}
	}
}

// TestReportParts: where proof is always asked for, a turn ends with parts that say first what
// they rest on.
func TestReportParts(t *testing.T) {
	part := func(calls, text string) string { return `{"calls":` + calls + `,"text":"` + text + `"}` }
	report := func(parts string) guardtest.Step {
		return guardtest.Call(guardtest.Tool("report", `{"parts":[`+parts+`]}`))
	}
	run := func(steps ...guardtest.Step) *guard.Reply {
		g, err := guard.New(rentTools(), &guard.Options{Proof: guard.Always})
		require.NoError(t, err)
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"ok":true}`), nil })
		reply, err := g.Run(t.Context(), guardtest.Script(steps...), executor, guard.Input{User: "tell the tenant of unit 7 about the leak"})
		require.NoError(t, err)
		return reply
	}
	notify := guardtest.Call(guardtest.Tool("notify_tenant", `{"unit":7,"text":"leak"}`))
	told := part(`["notify_tenant"]`, "The tenant of unit 7 has been notified.")
	reply := run(notify, report(told+","+part(`["no call"]`, "Have a nice day!")))
	require.Equal(t, "The tenant of unit 7 has been notified. Have a nice day!", reply.Text)
	require.Equal(t, "notify_tenant", reply.Proof.Sentences[0].Calls()[0].Tool)

	false1 := part(`["set_deposit"]`, "The deposit is raised.")
	reply = run(notify, report(told+","+false1), report(told))
	require.Equal(t, "The tenant of unit 7 has been notified.", reply.Text)
}

// TestAlwaysIsAlways: where every text is asked about, one that stands by not making a call is,
// too. It is not shown above the line that says what was not done.
func TestAlwaysIsAlways(t *testing.T) {
	for _, text := range []string{"All set, enjoy your day!", "She couldn't be happier about it.", "That's off your list.", "Unit 7 is in the picture."} {
		g, err := guard.New(rentTools(), &guard.Options{Proof: guard.Always})
		require.NoError(t, err)
		said := guardtest.Say(text)
		model := guardtest.Script(said, said, said, said, said, said)
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"ok":true}`), nil })
		reply, err := g.Run(t.Context(), model, executor, guard.Input{User: "notify the tenant of unit 7 about the leak"})
		asked := false
		for _, request := range model.Requests() {
			asked = asked || strings.Contains(request.Messages[len(request.Messages)-1].Text, "Check your answer before it is shown.")
		}
		require.True(t, asked || err != nil, text)
		if err == nil {
			require.NotContains(t, reply.Text, text)
		}
	}
}
