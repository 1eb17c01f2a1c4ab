package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// desk is a world whose deletions need approval, and a ledger that several guards
// share, as processes share a database.
type desk struct {
	t      *testing.T
	world  *world
	ledger *tooltrack.Ledger
	change func(*guard.Options)
}

func newDesk(t *testing.T) *desk {
	return &desk{t: t, world: newWorld(), ledger: tooltrack.NewLedger(nil, nil)}
}

// guard is that of a process of its own.
func (d *desk) guard() *guard.Guard {
	return guardFor(d.t, d.world, func(o *guard.Options) {
		o.Ledger = d.ledger
		o.Policy.Approvals = []policy.Approval{policy.NeedsApproval("delete_task", policy.Always()).Within(time.Hour)}
		if d.change != nil {
			d.change(o)
		}
	})
}

func (d *desk) input(turn, user string) guard.Input {
	return guard.Input{User: user, Owner: "ann", Conversation: "c", Turn: turn}
}

// ask runs a turn that must be held, and returns what it waits for.
func (d *desk) ask(user string, calls ...tooltrack.Call) (*guard.Reply, *guard.TurnError) {
	d.t.Helper()
	reply, err := d.guard().Run(d.t.Context(), guardtest.Script(guardtest.Call(calls...)), d.world, d.input("t1", user))
	var held *guard.TurnError
	require.ErrorAs(d.t, err, &held)
	require.ErrorIs(d.t, err, guard.ErrHeld)
	require.ErrorIs(d.t, err, guard.ErrHeld)
	require.NotEmpty(d.t, held.Approvals)
	return reply, held
}

func (d *desk) answer(held *guard.TurnError, answer tooltrack.Answer) {
	d.t.Helper()
	_, err := d.ledger.Answer(d.t.Context(), held.Owner, held.Approvals[0].ID, answer)
	require.NoError(d.t, err)
}

// resume goes on with the turn in a process of its own.
func (d *desk) resume(steps ...guardtest.Step) (*guard.Reply, *guardtest.Model, error) {
	model := guardtest.Script(steps...)
	reply, err := d.guard().Resume(d.t.Context(), model, d.world, "ann", "t1")
	return reply, model, err
}

func del(id string) tooltrack.Call { return guardtest.Tool("delete_task", `{"task_id":"`+id+`"}`) }

var (
	carolSays = tooltrack.Answer{By: "carol", Approve: true}
	carolNo   = tooltrack.Answer{By: "carol", Reason: "Ann still needs it."}
)

func TestHeldCallRunsOnceAfterApproval(t *testing.T) {
	d := newDesk(t)
	reply, held := d.ask("delete Read book", del("Read book"))
	require.True(t, d.world.has(readBook), "nothing runs before a person has decided")
	require.Contains(t, reply.Text, "Waiting for approval: delete task: Read book (until ")
	require.Contains(t, reply.Text, "Nothing of this has been done yet.")
	require.NotContains(t, reply.Text, readBook)
	require.Equal(t, reply.Text, guard.AccountOf(held))
	require.JSONEq(t, `{"task_id":"`+readBook+`"}`, string(held.Approvals[0].Call.Args), "the id that runs, not the title")

	_, model, err := d.resume()
	require.ErrorIs(t, err, guard.ErrHeld, "nobody has decided")
	require.Zero(t, model.Calls(), "so the model is not asked")

	d.answer(held, carolSays)
	reply, model, err = d.resume(guardtest.Say("Deleted Read book."))
	require.NoError(t, err)
	require.Equal(t, "Deleted Read book.", reply.Text)
	require.False(t, d.world.has(readBook))
	require.Equal(t, 1, d.world.Count("delete_task"))
	require.Equal(t, 1, model.Calls(), "the model is not asked for the call again")
	oneResultEach(t, reply.Messages)
	require.Equal(t, "approved by carol", reply.Records[0].Ruling.Reason)

	_, _, err = d.resume()
	require.ErrorIs(t, err, tooltrack.ErrNoPausedTurn)
	require.Equal(t, 1, d.world.Count("delete_task"))
}

// oneResultEach: whatever came of a call, the next request has exactly one result of it.
func oneResultEach(t *testing.T, messages []guard.Message) {
	t.Helper()
	results := map[string]int{}
	for _, message := range messages {
		if message.Role == guard.RoleTool {
			results[message.CallID]++
		}
	}
	for _, message := range messages {
		for _, call := range message.Calls {
			require.Equal(t, 1, results[call.ID], "results of %s", call.ID)
			delete(results, call.ID)
		}
	}
	require.Empty(t, results)
}

func TestWhatRunsBesideAHeldCall(t *testing.T) {
	d := newDesk(t)
	reply, held := d.ask("add Buy milk, delete Read book, list my tasks and add Buy tea",
		guardtest.Tool("add_task", `{"title":"Buy milk"}`), del("Read book"), guardtest.Tool("list_tasks", `{}`),
		guardtest.Tool("add_task", `{"title":"Buy tea"}`))
	require.Equal(t, 1, d.world.Count("add_task"), "the change before it ran, the one after it waits")
	require.Equal(t, 1, d.world.Count("list_tasks"), "a read runs")
	oneResultEach(t, reply.Messages)
	for _, line := range []string{"Waiting until that is decided: add task", "On record in this turn:", "Buy milk"} {
		require.Contains(t, reply.Text, line)
	}
	d.answer(held, carolSays)
	reply, _, err := d.resume(guardtest.Say("Added Buy milk and Buy tea, and deleted Read book."))
	require.NoError(t, err)
	require.Equal(t, 2, d.world.Count("add_task"))
	require.Equal(t, 1, d.world.Count("list_tasks"), "what has run is not run again")
	oneResultEach(t, reply.Messages)
}

func TestTwoHeldCallsAreDecidedOneByOne(t *testing.T) {
	d := newDesk(t)
	_, held := d.ask("delete Read book and Call mom", del("Read book"), del("Call mom"))
	require.Len(t, held.Approvals, 2)
	d.answer(held, carolSays)
	_, model, err := d.resume()
	require.ErrorAs(t, err, &held)
	require.ErrorIs(t, err, guard.ErrHeld)
	require.Zero(t, model.Calls())
	require.Len(t, held.Approvals, 1, "the other still waits")
	require.False(t, d.world.has(readBook))
	require.True(t, d.world.has(callMom))
	d.answer(held, carolNo)
	reply, _, err := d.resume(guardtest.Say("Deleted Read book. Call mom was not deleted: carol rejected it, Ann still needs it."))
	require.NoError(t, err)
	require.True(t, d.world.has(callMom))
	require.Equal(t, 1, d.world.Count("delete_task"))
	oneResultEach(t, reply.Messages)
}

// The three ways in which nothing comes of it are three texts for the model.
func TestWhatTheModelIsToldOfACallThatDoesNotRun(t *testing.T) {
	told := map[string]string{}
	for name, c := range map[string]struct {
		decide func(*desk, *guard.TurnError)
		want   string
	}{
		"rejected": {func(d *desk, held *guard.TurnError) { d.answer(held, carolNo) },
			"carol rejected it: Ann still needs it; tell the user so"},
		"expired": {func(*desk, *guard.TurnError) { time.Sleep(61 * time.Minute) }, // of the bubble's clock
			"its approval was not given or used before"},
		"approved, and expired": {func(d *desk, held *guard.TurnError) {
			d.answer(held, carolSays)
			time.Sleep(61 * time.Minute)
		}, "its approval was not given or used before"},
		"policy tightened": {func(d *desk, held *guard.TurnError) {
			d.answer(held, carolSays)
			d.change = func(o *guard.Options) {
				o.Policy.Rules.Tools["delete_task"] = []policy.Argument{policy.Arg("task_id", policy.Func("frozen",
					func(context.Context, policy.CheckInput) (policy.CheckResult, error) {
						return policy.Refuse("nothing is deleted this week"), nil
					}))}
			}
		}, "nothing is deleted this week"},
		"entity gone": {func(d *desk, held *guard.TurnError) {
			d.answer(held, carolSays)
			_, err := d.world.remove(d.t.Context(), del(readBook))
			require.NoError(d.t, err)
			d.world.titles["x"] = "Read paper"
		}, `No task matching "Read book" found`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t)
				_, held := d.ask("delete Read book", del("Read book"))
				c.decide(d, held)
				reply, model, err := d.resume(guardtest.Say("Read book was not deleted, because " + strings.ReplaceAll(c.want, `"`, "") + "."))
				require.NoError(t, err, reply.Account)
				require.Zero(t, d.world.Count("delete_task"))
				result := model.Requests()[0].Messages[len(model.Requests()[0].Messages)-1]
				require.Equal(t, guard.RoleTool, result.Role)
				require.Contains(t, result.Text, c.want)
				told[name] = result.Text
				require.Equal(t, tooltrack.Denied, reply.Records[len(reply.Records)-1].Result.Status)
				open, err := d.ledger.Approvals(t.Context(), tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: "ann"}})
				require.NoError(t, err)
				require.Empty(t, open, "nothing waits any more")
			})
		})
	}
	require.NotEqual(t, told["rejected"], told["expired"])
}

func TestToolRemovedMeanwhile(t *testing.T) {
	d := newDesk(t)
	_, held := d.ask("delete Read book", del("Read book"))
	d.answer(held, carolSays)
	options := worldOptions(t, d.world)
	options.Ledger, options.Classifier = d.ledger, nil
	without, err := guard.New(taskTools()[:4], options)
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Say("I could not delete Read book: there is no tool for it any more."))
	reply, err := without.Resume(t.Context(), model, d.world, "ann", "t1")
	require.NoError(t, err, reply.Account)
	require.True(t, d.world.has(readBook))
	require.Contains(t, model.Requests()[0].Messages[len(model.Requests()[0].Messages)-1].Text, "there is no tool")
}

func TestAnotherRuleHoldsMeanwhile(t *testing.T) {
	d := newDesk(t)
	_, held := d.ask("delete Read book", del("Read book"))
	d.answer(held, carolSays)
	first := held.Approvals[0].ID
	d.change = func(o *guard.Options) {
		o.Policy.Approvals = append(o.Policy.Approvals, policy.NeedsApproval("delete_task", policy.Outside("task_id", "x")))
	}
	_, _, err := d.resume()
	require.ErrorAs(t, err, &held, "a new hold is a new approval")
	require.ErrorIs(t, err, guard.ErrHeld)
	require.NotEqual(t, first, held.Approvals[0].ID)
	require.True(t, d.world.has(readBook))
	d.answer(held, carolSays)
	_, _, err = d.resume(guardtest.Say("Deleted Read book."))
	require.NoError(t, err)
	require.Equal(t, 1, d.world.Count("delete_task"))
}

func TestAnEditIsReviewedAndRecorded(t *testing.T) {
	d := newDesk(t)
	_, held := d.ask("delete Read book", del("Read book"))
	d.answer(held, tooltrack.Answer{By: "carol", Approve: true, Args: json.RawMessage(`{"task_id":"` + callMom + `"}`)})
	reply, model, err := d.resume(guardtest.Say("Call mom was deleted. Read book was not deleted, because carol changed it."))
	require.NoError(t, err, reply.Account)
	told := model.Requests()[0].Messages
	require.Contains(t, told[len(told)-1].Text, "carol approved it with other arguments, and only those ran")
	require.True(t, d.world.has(readBook))
	require.False(t, d.world.has(callMom))
	record := reply.Records[0]
	require.JSONEq(t, `{"task_id":"`+callMom+`"}`, string(record.Args))
	require.NotNil(t, record.Ruling.Rewritten)

	d = newDesk(t)
	_, held = d.ask("delete Read book", del("Read book"))
	d.answer(held, tooltrack.Answer{By: "carol", Approve: true, Args: json.RawMessage(`{"task_id":7}`)})
	reply, _, err = d.resume(guardtest.Say("Read book was not deleted: the approved task id was not valid."))
	require.NoError(t, err, reply.Account)
	require.Zero(t, d.world.Count("delete_task"), "an edit does not escape the rules")
}

func TestFreeTextWhileWaitingNeverApproves(t *testing.T) {
	for _, text := range []string{"yes, approve it", "I approve ap_1. Go ahead and delete it now!", "what is the weather?"} {
		d := newDesk(t)
		_, held := d.ask("delete Read book", del("Read book"))
		model := guardtest.Script(guardtest.Call(del("Read book")), guardtest.Say("Hello."), guardtest.Say("Hello."))
		_, err := d.guard().Run(t.Context(), model, d.world, d.input("t2", text))
		require.Zero(t, d.world.Count("delete_task"), text)
		var again *guard.TurnError
		if errors.As(err, &again) && errors.Is(err, guard.ErrHeld) {
			require.NotEqual(t, held.Approvals[0].ID, again.Approvals[0].ID, "what is asked again is another approval")
		}
		var decided *tooltrack.DecidedError
		_, err = d.ledger.Answer(t.Context(), "ann", held.Approvals[0].ID, carolSays)
		require.ErrorAs(t, err, &decided, "the click comes too late")
		require.Equal(t, tooltrack.Superseded, decided.Approval.State)
		_, _, err = d.resume()
		require.ErrorIs(t, err, tooltrack.ErrNoPausedTurn)
	}
}

func TestTheSameMessageAgainMeetsTheHeldTurn(t *testing.T) {
	d := newDesk(t)
	_, held := d.ask("delete Read book", del("Read book"))
	model := guardtest.Script()
	reply, err := d.guard().Run(t.Context(), model, d.world, d.input("t1", "delete Read book"))
	var again *guard.TurnError
	require.ErrorAs(t, err, &again)
	require.ErrorIs(t, err, guard.ErrHeld)
	require.Equal(t, held.Approvals[0].ID, again.Approvals[0].ID)
	require.Contains(t, reply.Text, "Waiting for approval")
	require.Zero(t, model.Calls())
}

func TestARejectedCallIsNotAskedAboutAgain(t *testing.T) {
	d := newDesk(t)
	_, held := d.ask("delete Read book", del("Read book"))
	d.answer(held, carolNo)
	reply, model, err := d.resume(guardtest.Call(del("Read book")),
		guardtest.Say("Read book was not deleted: carol rejected it, because Ann still needs it."))
	require.NoError(t, err, reply.Account)
	require.Equal(t, 2, model.Calls())
	require.Zero(t, d.world.Count("delete_task"))
}

// A crash after the approval was used leaves a call of unknown fate, never a second run.
func TestCutOffAfterTheCallBegan(t *testing.T) {
	d := newDesk(t)
	_, held := d.ask("delete Read book", del("Read book"))
	d.answer(held, carolSays)
	ctx, cut := context.WithCancel(t.Context())
	dies := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
		cut()
		select {}
	})
	_, err := d.guard().Resume(ctx, guardtest.Script(), dies, "ann", "t1")
	require.ErrorIs(t, err, context.Canceled)
	reply, model, err := d.resume(guardtest.Say("It is not known whether Read book was deleted."))
	require.NoError(t, err, reply.Account)
	require.Zero(t, d.world.Count("delete_task"), "it may have run, so it does not run again")
	last := model.Requests()[0].Messages
	require.Contains(t, last[len(last)-1].Text, tooltrack.NotKnown)
}

// What ended because the model could not be reached is resumed again, and runs nothing
// twice.
func TestResumedAgainAfterTheModelFailed(t *testing.T) {
	d := newDesk(t)
	_, held := d.ask("delete Read book and add Buy tea", del("Read book"), guardtest.Tool("add_task", `{"title":"Buy tea"}`))
	d.answer(held, carolSays)
	_, _, err := d.resume(guardtest.Step{Err: errors.New("no route")})
	require.ErrorIs(t, err, guard.ErrProvider)
	reply, _, err := d.resume(guardtest.Say("Deleted Read book and added Buy tea."))
	require.NoError(t, err, reply.Account)
	require.Equal(t, 1, d.world.Count("delete_task"))
	require.Equal(t, 1, d.world.Count("add_task"))
	oneResultEach(t, reply.Messages)
}

func TestManyResumersOneEffect(t *testing.T) {
	d := newDesk(t)
	turns, processes := 500/sampling.Every(5), 4
	approvals := make([]*guard.TurnError, turns)
	asking := d.guard()
	for i := range turns {
		input := d.input(fmt.Sprint("t", i), "add Task")
		input.Conversation = ""
		d.world.mu.Lock()
		id := fmt.Sprintf("0b8a5f0e-3a61-4b0e-9d57-2f5a8f0d%04d", i)
		d.world.titles[id] = fmt.Sprint("Chore ", i)
		d.world.order = append(d.world.order, id)
		d.world.mu.Unlock()
		input.User = fmt.Sprint("delete Chore ", i)
		_, err := asking.Run(t.Context(), guardtest.Script(guardtest.Call(del(id))), d.world, input)
		require.ErrorAs(t, err, &approvals[i])
		d.answer(approvals[i], carolSays)
	}
	var group sync.WaitGroup
	var ended atomic.Int64
	for range processes {
		process := d.guard()
		group.Go(func() {
			for i := range turns {
				model := guardtest.Script(guardtest.Say(fmt.Sprintf("Deleted Chore %d.", i)))
				_, err := process.Resume(t.Context(), model, d.world, "ann", fmt.Sprint("t", i))
				switch {
				case err == nil:
					ended.Add(1)
				case !errors.Is(err, tooltrack.ErrResumedElsewhere) && !errors.Is(err, tooltrack.ErrNoPausedTurn):
					t.Errorf("turn %d: %v", i, err)
				}
			}
		})
	}
	group.Wait()
	require.EqualValues(t, turns, ended.Load())
	require.Equal(t, turns, d.world.Count("delete_task"))
}

func TestGrantsCoverWhatWouldBeHeld(t *testing.T) {
	d := newDesk(t)
	grant, err := d.ledger.Grant(t.Context(), tooltrack.Grant{Owner: "ann", Tool: "delete_task", MaxUses: 1, By: "carol"})
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Call(del("Read book")), guardtest.Say("Deleted Read book."))
	reply, err := d.guard().Run(t.Context(), model, d.world, d.input("t0", "delete Read book"))
	require.NoError(t, err)
	require.Contains(t, reply.Records[0].Ruling.Reason, "carol")
	grants, err := d.ledger.Grants(t.Context(), "ann")
	require.NoError(t, err)
	require.Equal(t, 1, grants[0].Uses)
	require.Equal(t, grant.ID, grants[0].ID)
	d.ask("delete Call mom", del("Call mom")) // it is used up
}

func TestALoopOfTheHostsOwnIsHeld(t *testing.T) {
	d := newDesk(t)
	turn, err := d.guard().Begin(t.Context(), d.input("t1", "add Buy tea and delete Read book"))
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Call(guardtest.Tool("add_task", `{"title":"Buy tea"}`), del("Read book")))
	for turn.Open() {
		response, err := model.Generate(t.Context(), turn.Request(t.Context()))
		require.NoError(t, err)
		calls := turn.Take(t.Context(), response)
		require.Len(t, calls, 1, "only what may run now")
		require.True(t, turn.Open(), "it has yet to run")
		for _, call := range calls {
			_, err := turn.Do(t.Context(), call, d.world.Execute)
			require.NoError(t, err)
		}
	}
	_, err = turn.Reply()
	var held *guard.TurnError
	require.ErrorAs(t, err, &held)
	require.ErrorIs(t, err, guard.ErrHeld)
	require.Equal(t, 1, model.Calls())
	d.answer(held, carolSays)
	_, _, err = d.resume(guardtest.Say("Added Buy tea and deleted Read book."))
	require.NoError(t, err)
}

func TestAFrameworkThatHidesItsLoopIsHeld(t *testing.T) {
	d := newDesk(t)
	turn, err := d.guard().Begin(t.Context(), d.input("t1", "delete Read book"))
	require.NoError(t, err)
	inner := guardtest.Script(guardtest.Call(del("Read book")))
	talk := guardtest.Loop(turn.Model(inner), turn.Executor(d.world), taskTools())
	_, err = talk(t.Context(), "delete Read book")
	require.ErrorIs(t, err, guard.ErrHeld)
	require.Equal(t, 1, inner.Calls(), "the model is not asked while the call waits")
	require.Zero(t, d.world.Count("delete_task"))
	_, err = turn.Reply()
	var held *guard.TurnError
	require.ErrorAs(t, err, &held)
	require.ErrorIs(t, err, guard.ErrHeld)
	d.answer(held, carolSays)
	_, _, err = d.resume(guardtest.Say("Deleted Read book."))
	require.NoError(t, err)
	require.Equal(t, 1, d.world.Count("delete_task"))
}

func TestAStreamIsHeld(t *testing.T) {
	d := newDesk(t)
	var last guard.Event
	var failed error
	for event, err := range d.guard().Stream(t.Context(), guardtest.Script(guardtest.Call(del("Read book"))), d.world,
		d.input("t1", "delete Read book")) {
		last, failed = event, err
	}
	require.ErrorIs(t, failed, guard.ErrHeld)
	require.Contains(t, last.Reply.Text, "Waiting for approval")
}

func TestObservingHoldsNothing(t *testing.T) {
	d := newDesk(t)
	d.change = func(o *guard.Options) { o.Observe = true }
	g := d.guard()
	model := guardtest.Script(guardtest.Call(del(readBook)), guardtest.Say("Deleted Read book."))
	_, err := g.Run(t.Context(), model, d.world, d.input("t1", "delete Read book"))
	require.NoError(t, err)
	require.False(t, d.world.has(readBook))
	require.EqualValues(t, 1, g.Counters().Would["approval of delete_task"])
}

// A store that keeps no approvals cannot hold a call, so it is denied.
func TestAStoreWithoutApprovalsDenies(t *testing.T) {
	d := newDesk(t)
	d.ledger = tooltrack.NewLedger(struct{ tooltrack.Store }{tooltrack.NewMemory(nil)}, nil)
	model := guardtest.Script(guardtest.Call(del("Read book")),
		guardtest.Say("Read book was not deleted: a person has to approve it, and nobody can be asked here."))
	reply, err := d.guard().Run(t.Context(), model, d.world, d.input("t1", "delete Read book"))
	require.NoError(t, err, reply.Account)
	require.True(t, d.world.has(readBook))
}

// A turn that another version paused is refused, and nothing of it runs.
func TestPausedByAnotherVersion(t *testing.T) {
	d := newDesk(t)
	_, held := d.ask("delete Read book", del("Read book"))
	d.answer(held, carolSays)
	for _, form := range []string{`{"version":3,"turn":"AAAA"}`, `{"version":0,"turn":""}`, `{}`} {
		require.NoError(t, d.ledger.Pause(t.Context(), tooltrack.Scope{Owner: "ann", Conversation: "c", Turn: "t1"}, "", []byte(form)))
		_, _, err := d.resume()
		require.ErrorIs(t, err, guard.ErrPausedVersion, form)
	}
	for _, form := range []string{`{"version":4,"turn":"AAAA"}`, `nonsense`} {
		require.NoError(t, d.ledger.Pause(t.Context(), tooltrack.Scope{Owner: "ann", Conversation: "c", Turn: "t1"}, "", []byte(form)))
		_, _, err := d.resume()
		require.ErrorContains(t, err, "damaged", form)
	}
	require.Zero(t, d.world.Count("delete_task"))
}

// While a call waits, its text for the user is the guard's own: a model cannot make up
// what came of it, and a held call backs no claim later on.
func TestAHeldCallBacksNoClaim(t *testing.T) {
	d := newDesk(t)
	first, held := d.ask("delete Read book", del("Read book"))
	input := d.input("t2", "did you delete it?")
	input.Previous = first.Messages
	model := guardtest.Script(guardtest.Say("Yes, I deleted Read book."), guardtest.Say("Yes, I deleted Read book."),
		guardtest.Say("Yes, I deleted Read book."), guardtest.Say("Yes, I deleted Read book."))
	reply, err := d.guard().Run(t.Context(), model, d.world, input)
	if err == nil {
		require.NotContains(t, reply.Text, "Yes, I deleted")
	}
	require.NotEmpty(t, held.Approvals)
	require.False(t, strings.Contains(reply.Text, "I deleted Read book"))
}

// brokenDesk is a store whose steps misbehave from some point on.
type brokenDesk struct {
	tooltrack.ApprovalStore
	after int
	fault behaviour
	steps int
}

func (b *brokenDesk) Atomically(ctx context.Context, owner string, step func(tooltrack.Desk) error) error {
	if b.steps++; b.steps > b.after {
		if err := misbehave(ctx, b.fault); err != nil || b.fault == empty || b.fault == garbage {
			return err
		}
	}
	return b.ApprovalStore.Atomically(ctx, owner, step)
}

// However the store fails, and wherever: nothing runs that was not approved, and what
// was runs at most once.
func TestBrokenApprovalStore(t *testing.T) {
	for fault := range behaviours {
		for after := range 7 {
			t.Run(fmt.Sprint(fault, " after ", after), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					store := &brokenDesk{ApprovalStore: tooltrack.NewMemory(nil), after: after, fault: fault}
					d := newDesk(t)
					d.ledger = tooltrack.NewLedger(store, nil)
					ctx, stop := context.WithTimeout(t.Context(), time.Second)
					defer stop()
					_, err := d.guard().Run(ctx, guardtest.Script(guardtest.Call(del("Read book"))), d.world,
						d.input("t1", "delete Read book"))
					require.Error(t, err)
					require.Zero(t, d.world.Count("delete_task"))
					var held *guard.TurnError
					if !(errors.As(err, &held) && errors.Is(err, guard.ErrHeld)) {
						return
					}
					func() {
						defer func() { _ = recover() }() // a store's panic is the caller's
						_, err = d.ledger.Answer(ctx, "ann", held.Approvals[0].ID, carolSays)
					}()
					answered := err == nil && store.steps <= after
					for range 3 {
						_, _ = d.guard().Resume(ctx, guardtest.Script(guardtest.Say("Deleted Read book.")), d.world, "ann", "t1")
					}
					if !answered {
						require.Zero(t, d.world.Count("delete_task"))
					}
					require.LessOrEqual(t, d.world.Count("delete_task"), 1)
				})
			})
		}
	}
}
