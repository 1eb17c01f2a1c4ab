package guard_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestAccountsAreForPeople: each line once, and facts without advice to the model.
func TestAccountsAreForPeople(t *testing.T) {
	loop := make([]guardtest.Step, 40)
	for i := range loop {
		loop[i] = guardtest.Call(lists())
	}
	claims := guardtest.Say("I've added Milk.")
	for name, c := range map[string]struct {
		steps []guardtest.Step
		has   string
		hasNo []string
	}{
		"a loop":               {loop, "4. Call mom (3 times)", nil},
		"an argument is amiss": {[]guardtest.Step{guardtest.Call(guardtest.Tool("add_task", `{"titel":"Milk"}`)), claims, claims, claims, claims}, "Not allowed to add", []string{"send it", "it takes"}},
		"no such tool":         {[]guardtest.Step{guardtest.Call(guardtest.Tool("make_task", `{"title":"Milk"}`)), claims, claims, claims, claims}, "there is no such tool", []string{"complete_task", "the tools are", "make_task"}},
		"a panic":              {[]guardtest.Step{guardtest.Call(guardtest.Tool("add_task", `{"title":"panic; now"}`)), claims, claims, claims, claims}, "the tool broke down", []string{"goroutine 7", "panicked"}},
		"a filter":             {[]guardtest.Step{{Response: guard.Response{Stop: guard.StopFiltered}}}, "held back by a content filter", []string{"cut off"}},
		"a refusal":            {[]guardtest.Step{{Response: guard.Response{Stop: guard.StopRefused}}}, "declined to answer", []string{"cut off"}},
		"a refusal in words":   {[]guardtest.Step{{Response: guard.Response{Stop: guard.StopRefused, Refusal: "I can't help with that."}}}, "I can't help with that.", []string{"cut off"}},
		"cut off":              {[]guardtest.Step{{Response: guard.Response{Stop: guard.StopCut}}}, "cut off", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			run := guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
				if strings.Contains(string(call.Args), "panic") {
					panic("goroutine 7: nil map")
				}
				return w.Execute(ctx, call)
			})
			reply, err := guardFor(t, w, nil).Run(context.Background(), guardtest.Script(c.steps...), run, ask("add a task Milk"))
			require.Error(t, err)
			require.Contains(t, reply.Account, c.has)
			for _, word := range c.hasNo {
				require.NotContains(t, reply.Account, word)
			}
			require.LessOrEqual(t, strings.Count(reply.Account, "\n"), 3)
		})
	}
}

// TestADenialQuotesWholeValues, semicolons and all, where a rule of the host's own
// tells its reason; the tool has its name in words.
func TestADenialQuotesWholeValues(t *testing.T) {
	w := newWorld()
	steps := []guardtest.Step{guardtest.Call(adds("Milk")), guardtest.Say("Done."), guardtest.Say("Done."), guardtest.Say("Done.")}
	g := guardFor(t, w, func(o *guard.Options) {
		o.Reviewer = guard.ReviewerFunc(func(context.Context, policy.Proposal) (policy.Decision, error) {
			return policy.Decision{Kind: policy.Deny, Rule: "house", Reason: `add_task does not take "milk; fresh"; ask for another one`}, nil
		})
	})
	reply, _ := g.Run(context.Background(), guardtest.Script(steps...), w, ask("add a task Milk"))
	require.Contains(t, reply.Account+reply.Text, `: add task does not take "milk; fresh"`)
	require.NotContains(t, reply.Account+reply.Text, "ask for another")
}

// TestPeopleReadNoJargon: neither the names of tools nor of arguments, and nothing
// that only programmers understand, in texts as well as in summaries.
func TestPeopleReadNoJargon(t *testing.T) {
	say, call := guardtest.Say, guardtest.Call
	slow := func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
		return nil, fmt.Errorf("dial tcp 10.0.0.7:443: %w", context.DeadlineExceeded)
	}
	for name, row := range map[string]struct {
		calls []tooltrack.Call
		run   guard.ExecutorFunc
		want  string
	}{
		"too often":         {[]tooltrack.Call{deletes("Read book"), deletes("Call mom")}, nil, "Not allowed to delete Call mom: it was done too often in a short time"},
		"no such tool":      {[]tooltrack.Call{guardtest.Tool("delete_tsk", `{}`)}, nil, "Not allowed to delete tsk: there is no such tool"},
		"a value of no use": {[]tooltrack.Call{guardtest.Tool("add_task", `{"title":5}`)}, nil, "Not allowed to add task: its details were not in order"},
		"too slow":          {[]tooltrack.Call{lists()}, slow, "Failed to list tasks: it took too long"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			run := row.run
			if run == nil {
				run = w.Execute
			}
			g := guardFor(t, w, func(o *guard.Options) {
				o.Policy = &policy.Options{Rates: map[string]policy.Rate{"delete_task": {Calls: 1, Per: time.Hour}}}
				o.Budgets = guard.Budgets{MissingTool: -1, Progress: -1}
			})
			reply, err := g.Run(context.Background(), guardtest.Script(call(row.calls...), say(leak)), run, ask("hello"))
			require.Error(t, err)
			told := reply.Account
			for _, summary := range reply.Summaries() {
				told += "\n" + summary.Message
			}
			require.Equal(t, 2, strings.Count(told, row.want), told)
			for _, jargon := range []string{"delete_task", "add_task", "delete_tsk", "titel", "title is", "deadline", "dial tcp"} {
				require.NotContains(t, told, jargon)
			}
		})
	}
}

// TestTextsReachAllThatPeopleRead: with every field set, no English is left.
func TestTextsReachAllThatPeopleRead(t *testing.T) {
	texts := &guard.Texts{
		NotDone: "Nicht getan", Withheld: "Ein Teil fehlt.", Unshown: "Unbelegt.",
		Recorded: "Belegt:", RecordedEarlier: "Belegt von vorher:", Nothing: "Nichts wurde ge\u00e4ndert.", LookedUp: "Nachgesehen", NotTriggered: "Nicht aufgerufen.", NotCompleted: "Nicht fertig.",
		CutOff: "Abgeschnitten.", Filtered: "Gefiltert.", Refused: "Abgelehnt.", NotAllowed: "Nicht erlaubt.", Unreachable: "Nicht erreichbar.", Unjudged: "Nicht gepr\u00fcft.", Ended: "Beendet.",
		Untold:   "Nicht zu erz\u00e4hlen.",
		Expected: "Erwartet: {tools}.", Times: "{n}-mal",
		Held: "Wartet auf Freigabe", HeldAfter: "Wartet danach", HeldUntil: "bis", HeldNothing: "Noch nichts davon ist getan.",
		Calls: completion.Wording{
			Done: "Erledigt ({tool}): {title}", Failed: "Gescheitert ({tool}): {title}: {reason}", Denied: "Nicht erlaubt ({tool}): {title}: {reason}",
			Pending: "Noch offen ({tool}): {title}", Unknown: "Ungewiss ({tool}): {title}", Listed: "Liste: {entries}", Empty: "Leere Liste",
		},
		Reasons: map[string]string{"arguments": "ung\u00fcltige Angaben", "timeout": "zu langsam", "panic": "defekt"},
	}
	fields := reflect.ValueOf(*texts)
	for i := range fields.NumField() {
		require.False(t, fields.Field(i).IsZero(), "%s is not tried", fields.Type().Field(i).Name)
	}
	w := newWorld()
	run := guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		switch {
		case call.Tool == "complete_task":
			panic("boom")
		case call.Tool == "update_task":
			return nil, tooltrack.NotDone(context.DeadlineExceeded)
		case call.Tool == "list_tasks":
			return []byte(`["Call mom"]`), nil
		}
		return w.Execute(ctx, call)
	})
	calls := []tooltrack.Call{
		lists(), deletes("Read book"), guardtest.Tool("add_task", `{"title":5}`), guardtest.Tool("complete_task", `{"task_id":"Call mom"}`),
		guardtest.Tool("update_task", `{"task_id":"Call mom","title":"Mama"}`),
	}
	g := guardFor(t, w, func(o *guard.Options) {
		o.Texts, o.Budgets = texts, guard.Budgets{MissingTool: -1, Progress: -1}
	})
	accounts := ""
	for _, steps := range [][]guardtest.Step{
		{guardtest.Call(calls...), guardtest.Call(lists()), guardtest.Say(leak)}, {guardtest.Say("I've added Buy milk.")},
	} {
		reply, err := g.Run(context.Background(), guardtest.Script(steps...), run, ask("add Buy milk"))
		require.Error(t, err)
		accounts += reply.Account + "\n\n"
	}
	golden.Check(t, "translated.txt", accounts)
}

// TestAccountsTellTheDecisiveValues: what was charged, and what a limit is.
func TestAccountsTellTheDecisiveValues(t *testing.T) {
	charge := tooltrack.Tool{
		Name: "charge_guest", Effect: tooltrack.Changes,
		Parameters: []byte(`{"type":"object","properties":{"name":{"type":"string"},"amount":{"type":"number","maximum":500}}}`),
	}
	for args, want := range map[string]string{
		`{"name":"Ann Miller","amount":81}`:  "Charged: Ann Miller (amount: 81)",
		`{"name":"Ann Miller","amount":900}`: "amount is 900; at most 500 is allowed",
	} {
		g, err := guard.New([]tooltrack.Tool{charge}, nil)
		require.NoError(t, err)
		lie := guardtest.Say("I've charged Ann Miller 900 and sent her the bill.")
		model := guardtest.Script(guardtest.Call(guardtest.Tool("charge_guest", args)), lie, lie, lie, lie)
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"ok":true}`), nil })
		reply, err := g.Run(t.Context(), model, executor, guard.Input{User: "charge Ann Miller 81"})
		require.Contains(t, guard.AccountOf(err)+reply.Text, want)
	}
}

// TestAccountsTellNoSecrets: a call's other texts are nobody's to read.
func TestAccountsTellNoSecrets(t *testing.T) {
	account := tooltrack.Tool{Name: "create_account", Effect: tooltrack.Changes}
	for _, user := range []string{"create an account for Ann", "create an account for Ann with hunter22"} {
		g, err := guard.New([]tooltrack.Tool{account}, nil)
		require.NoError(t, err)
		args := `{"name":"Ann","password":"hunter22","card":"4111 1111 1111 1111","otp":"99-1234","valid":"2027-03-01"}`
		lie := guardtest.Say("I've created the account and mailed Ann the contract.")
		model := guardtest.Script(guardtest.Call(guardtest.Tool("create_account", args)), lie, lie, lie, lie)
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"ok":true}`), nil })
		reply, err := g.Run(t.Context(), model, executor, guard.Input{User: user})
		told := guard.AccountOf(err) + reply.Text
		require.Contains(t, told, "valid: 2027-03-01")
		for _, secret := range []string{"hunter22", "4111", "1234"} {
			require.NotContains(t, told, secret)
		}
	}
}

// TestTextsInOtherLanguages: each has all texts of the English ones, and the same places for
// what is filled in.
func TestTextsInOtherLanguages(t *testing.T) {
	for _, language := range []string{"de", "es", "fr", "pt", "ja", "zh", "de-AT", "PT_br"} {
		texts := guard.TextsIn(language)
		require.NotNil(t, texts, language)
		value := reflect.ValueOf(*texts)
		for i := range value.NumField() {
			if name := value.Type().Field(i).Name; name != "Expected" {
				require.False(t, value.Field(i).IsZero(), "%s lacks %s", language, name)
			}
		}
		for _, wording := range []string{texts.Calls.Done, texts.Calls.Failed, texts.Calls.Denied, texts.Calls.Pending, texts.Calls.Unknown} {
			require.Contains(t, wording, "{title}", language)
		}
		require.Contains(t, texts.Times, "{n}", language)
		require.Len(t, texts.Reasons, 24, language)
	}
	require.Nil(t, guard.TextsIn("tlh"))

	g, err := guard.New(rentTools(), &guard.Options{Texts: guard.TextsIn("de")})
	require.NoError(t, err)
	lie := guardtest.Say("I've notified the tenant of unit 7.")
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"ok":true}`), nil })
	_, err = g.Run(t.Context(), guardtest.Script(lie, lie, lie, lie), executor, guard.Input{User: "notify the tenant of unit 7"})
	require.Contains(t, guard.AccountOf(err), "nicht ausgeführt.\nEs wurde nichts geändert.")
}
