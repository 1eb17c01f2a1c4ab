package guard_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestTheUsersWordsTellCallsApart: a call in other letters does not run again, unless the
// user has named the difference.
func TestTheUsersWordsTellCallsApart(t *testing.T) {
	for _, c := range []struct {
		user, first, second string
		runs                int
	}{
		{"pay Ann 100", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":"100.00"}`, 1},
		{"pay Ann 100.00", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":"100.00"}`, 1},
		{"pay Ann 100 and then 100.00", `{"to":"Ann","amount":"100"}`, `{"to":"Ann","amount":"100.00"}`, 2},
		{"pay Ann 100", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":100,"due_date":""}`, 1},
		{"pay Ann 100, then once more and clear the due date", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":100,"due_date":""}`, 2},
		{"pay Ann 100, then once more and clear the due date", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":100}`, 1},
		{"rename 'Buy Milk' to 'buy milk'", `{"title":"Buy Milk"}`, `{"title":"buy milk"}`, 2},
	} {
		model := guardtest.Script(guardtest.Call(guardtest.Tool("pay", c.first)), guardtest.Call(guardtest.Tool("pay", c.second)), guardtest.Say("That is all."))
		tools := guardtest.Tools(map[string]guard.ExecutorFunc{"pay": guardtest.Returns(`{"id":7}`)})
		g, err := guard.New([]tooltrack.Tool{{Name: "pay", Description: "Pays somebody.", Effect: tooltrack.Changes}}, nil)
		require.NoError(t, err)
		_, err = g.Run(t.Context(), model, tools, guard.Input{User: c.user, Owner: "ann"})
		require.Equal(t, c.runs, tools.Count("pay"), "%s: %v", c.user, err)
	}
}

// TestAnInvitedCallIsAnotherOne: what the guard has asked for runs, where it is another call, and
// what only has other letters than a call that succeeded does not, though the guard has asked.
func TestAnInvitedCallIsAnotherOne(t *testing.T) {
	const text = "The deposit of unit 7 is set to 480." // which no call shows, so that the guard asks
	for _, c := range []struct {
		user, first, second string
		runs                int
	}{
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":45}`, `{"unit":7,"amount":450}`, 2},
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":450}`, `{"unit":7,"amount":"450.00"}`, 1},
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":450}`, `{"unit":"7 ","amount":450}`, 1},
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":450}`, `{"unit":7,"amount":450,"note":""}`, 1},
		{"set the deposit of unit 7 to 450 and clear the note", `{"unit":7,"amount":450}`, `{"unit":7,"amount":450,"note":""}`, 2},
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":450,"note":"Old Lease"}`, `{"unit":7,"amount":450,"note":"old lease"}`, 1},
		{"set the deposit of unit 7 to 450, and rename the note \"Old Lease\" to \"old lease\"", `{"unit":7,"amount":450,"note":"Old Lease"}`,
			`{"unit":7,"amount":450,"note":"old lease"}`, 2},
	} {
		deposit := func(args string) guardtest.Step { return guardtest.Call(guardtest.Tool("set_deposit", args)) }
		reply, changes := runRent(t, c.user, "deposit", deposit(c.first), guardtest.Say(text), deposit(c.second), guardtest.Say(text),
			guardtest.Say(forAll("[2]", "")), guardtest.Say(text), guardtest.Say(text), guardtest.Say(text))
		require.Greater(t, reply.Execution.ModelCalls, 3, "%s after %s: the guard has asked, and the model has called", c.second, c.first)
		require.Equal(t, c.runs, *changes, "%s after %s: %s", c.second, c.first, c.user)
	}
}

// TestWhatIsMissingIsCalled: what follows a message of the guard runs where it is missing, and
// nothing runs twice.
func TestWhatIsMissingIsCalled(t *testing.T) {
	changes := func(name, description string) tooltrack.Tool {
		return tooltrack.Tool{Name: name, Description: description, Effect: tooltrack.Changes}
	}
	tools := []tooltrack.Tool{
		changes("order_seeds", "Order packets of seed from the shop"),
		changes("silence_alert", "Mute the alerts that match for a while"),
		changes("enable_roaming", "Turn roaming on for a line"), changes("add_data_pack", "Add gigabytes to a line"),
		changes("email_parents", "Mail the parents of a class"), changes("mail_choir", "Mail a voice of the choir"),
		changes("label_pr", "Label a pull request"), {Name: "search_prs", Effect: tooltrack.Reads},
	}
	for _, c := range []struct {
		user, draft   string
		first, second tooltrack.Call
		runs          int
	}{
		{"order me seed of the Cherokee Purple, three packets", "Three packets of Cherokee Purple are on their way.",
			guardtest.Tool("order_seeds", `{"variety":"Cherokee Purple","packets":2}`), guardtest.Tool("order_seeds", `{"variety":"Cherokee Purple","packets":1}`), 2},
		{"order me seed of the Cherokee Purple, three packets", "Three packets of Cherokee Purple are on their way.",
			guardtest.Tool("order_seeds", `{"variety":"Cherokee Purple","packets":2}`), guardtest.Tool("order_seeds", `{"variety":"Cherokee Purple","packets":3}`), 1},
		{"silence the disk alerts on the backup hosts until tomorrow 8", "Silenced: DiskFull. It has been set until tomorrow at 8.",
			guardtest.Tool("silence_alert", `{"matcher":"DiskFull","duration":"2h"}`), guardtest.Tool("silence_alert", `{"matcher":"DiskFull","duration":"14h20m"}`), 2},
		{"silence the disk alerts on the backup hosts until tomorrow 8", "Silenced: DiskFull. It has been set until tomorrow at 8.",
			guardtest.Tool("silence_alert", `{"matcher":"DiskFull","duration":"2h"}`), guardtest.Tool("silence_alert", `{"matcher":"CPUHigh","duration":"14h20m"}`), 1},
		{"Flying to Spain tomorrow with both kids. Can you make sure the phone works there and chuck 10 gig on it?",
			"The 10 GB pack is added. Roaming was off, so I've switched that on for you.",
			guardtest.Tool("add_data_pack", `{"line":"L-71002","gb":10}`), guardtest.Tool("enable_roaming", `{"line":"L-71002","zone":"EU"}`), 2},
		{"label all open PRs on billing with needs-review", "Labelled the PRs 4781 and 4806.",
			guardtest.Tool("label_pr", `{"pr":4781,"add":"needs-review"}`), guardtest.Tool("label_pr", `{"pr":4806,"add":"needs-review"}`), 2},
		{"label all open PRs on billing with needs-review", "Labelled the PRs 4781 and 4806.",
			guardtest.Tool("label_pr", `{"pr":4781,"add":"needs-review"}`), guardtest.Tool("label_pr", `{"pr":5012,"add":"needs-review"}`), 1},
		{"tell the sopranos and altos that we moved", "The ladies have been told.",
			guardtest.Tool("mail_choir", `{"to":"S","subject":"Moved"}`), guardtest.Tool("mail_choir", `{"to":"A","subject":"Moved"}`), 2},
		{"tell the sopranos and altos that we moved", "The ladies have been told.",
			guardtest.Tool("mail_choir", `{"to":"S","subject":"Moved"}`), guardtest.Tool("mail_choir", `{"to":"S","subject":"Moved","cc":"B"}`), 1},
		{"Write to the parents of 7A and 7C: school closes at 11:20 on Friday 30 Jan, no lunch", "I've written to the parents of 7A and 7C.",
			guardtest.Tool("email_parents", `{"to":"7C","subject":"Early finish"}`), guardtest.Tool("email_parents", `{"to":"7A","subject":"Early finish"}`), 2},
	} {
		ran := 0
		executor := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
			if call.Tool == "search_prs" {
				return []byte(`[{"pr":4781},{"pr":4806}]`), nil
			}
			ran++
			return []byte(`{"ok":true}`), nil
		})
		g, err := guard.New(tools, &guard.Options{Proof: guard.Always})
		require.NoError(t, err)
		says := guardtest.Say(c.draft)
		steps := []guardtest.Step{guardtest.Call(c.first), says, guardtest.Call(c.second), says, says, says, says}
		if c.first.Tool == "label_pr" {
			steps = slices.Insert(steps, 0, guardtest.Call(guardtest.Tool("search_prs", `{}`)))
		}
		model := guardtest.Script(steps...)
		_, err = g.Run(t.Context(), model, executor, guard.Input{User: c.user, Owner: "ann"})
		require.Equal(t, c.runs, ran, "%s: %s: %v", c.user, c.second.Args, err)
		require.Greater(t, len(model.Requests()), 2, "the guard has asked")
	}
}
