package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// shop has orders, and tools whose receipts need not be true.
type shop struct {
	mu      sync.Mutex
	status  map[string]string
	receipt string        // what cancel_order returns
	lost    bool          // it is accepted, and not saved
	late    time.Duration // after which it is saved
	reads   int
	writes  int
	look    func(id string) ([]byte, error) // in place of get_order
}

func newShop(receipt string) *shop {
	return &shop{status: map[string]string{"A-17": "open", "A-18": "open"}, receipt: receipt}
}

func shopTools(confirm *tooltrack.Confirm) []tooltrack.Tool {
	byID := json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)
	return []tooltrack.Tool{
		{Name: "get_order", Description: "Look up an order.", Effect: tooltrack.Reads, Parameters: byID},
		{Name: "cancel_order", Description: "Cancel an order.", Effect: tooltrack.Changes, Parameters: byID, Confirm: confirm},
		{Name: "reopen_order", Description: "Reopen a cancelled order.", Effect: tooltrack.Changes, Parameters: byID},
	}
}

func cancelSeen(when tooltrack.ConfirmMode) *tooltrack.Confirm {
	return &tooltrack.Confirm{Read: "get_order(id = $args.id)", Expect: "status = cancelled", When: when}
}

func (s *shop) Execute(_ context.Context, call tooltrack.Call) ([]byte, error) {
	var args struct{ ID string }
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch call.Tool {
	case "get_order":
		s.reads++
		if s.look != nil {
			return s.look(args.ID)
		}
		return fmt.Appendf(nil, `{"id":%q,"status":%q}`, args.ID, s.status[args.ID]), nil
	case "reopen_order":
		s.status[args.ID] = "open"
		return fmt.Appendf(nil, `{"id":%q,"status":"open"}`, args.ID), nil
	}
	s.writes++
	save := func() { s.status[args.ID] = "cancelled" }
	switch {
	case s.lost:
	case s.late > 0:
		time.AfterFunc(s.late, func() { s.mu.Lock(); defer s.mu.Unlock(); save() })
	default:
		save()
	}
	return []byte(s.receipt), nil
}

func cancels(id string) tooltrack.Call { return guardtest.Tool("cancel_order", `{"id":"`+id+`"}`) }

const (
	cancelled     = "I've cancelled order A-17."
	notCancelled  = "Order A-17 could not be cancelled: it is still open."
	plainReceipt  = `{"ok":true}`
	goodReceipt   = `{"id":"A-17","status":"cancelled","refund":48}`
	queuedReceipt = `{"id":"A-17","status":"queued"}`
)

func (s *shop) run(t *testing.T, confirm *tooltrack.Confirm, steps ...guardtest.Step) (*guard.Reply, error) {
	t.Helper()
	g, err := guard.New(shopTools(confirm), nil)
	require.NoError(t, err)
	model := guardtest.Script(append([]guardtest.Step{guardtest.Call(cancels("A-17"))}, steps...)...)
	return g.Run(t.Context(), model, s, guard.Input{User: "cancel order A-17"})
}

// A change that was accepted and not saved is not told as done, whatever its receipt says.
func TestAcceptedButNotSaved(t *testing.T) {
	for receipt, when := range map[string]tooltrack.ConfirmMode{
		plainReceipt: tooltrack.WhenInDoubt, "": tooltrack.WhenInDoubt, "OK": tooltrack.WhenInDoubt,
		goodReceipt: tooltrack.AlwaysConfirm, `{"id":"A-17","status":"cancelled"}`: tooltrack.AlwaysConfirm,
	} {
		t.Run(receipt, func(t *testing.T) {
			s := newShop(receipt)
			s.lost = true
			reply, err := s.run(t, cancelSeen(when), guardtest.Say(cancelled), guardtest.Say(cancelled), guardtest.Say(cancelled), guardtest.Say(cancelled))
			require.Error(t, err)
			require.Empty(t, reply.Text, "a lie was shown")
			require.Contains(t, reply.Account, `status "open", not "cancelled"`, "the account says what was found")
			require.Equal(t, tooltrack.Contradicted, reply.Records[0].Sight())
			require.Equal(t, tooltrack.Succeeded, reply.Records[0].Result.Status, "what the tool said is kept")
			require.Equal(t, 1, s.writes, "nothing runs twice")

			honest := newShop(receipt)
			honest.lost = true
			reply, err = honest.run(t, cancelSeen(when), guardtest.Say(cancelled), guardtest.Say(notCancelled))
			require.NoError(t, err, reply.Account)
			require.Equal(t, notCancelled, reply.Text)
		})
	}
}

// What was seen is shown, and without a question where its receipt alone would need one.
func TestSeenInTheWorld(t *testing.T) {
	for _, receipt := range []string{plainReceipt, "", goodReceipt, queuedReceipt, `{"status":"pending"}`} {
		t.Run(receipt, func(t *testing.T) {
			s := newShop(receipt)
			reply, err := s.run(t, cancelSeen(tooltrack.AlwaysConfirm), guardtest.Say(cancelled))
			require.NoError(t, err, reply.Account)
			require.Equal(t, cancelled, reply.Text)
			require.Equal(t, tooltrack.Confirmed, reply.Records[0].Sight())
			require.True(t, reply.Records[0].Proves())
			require.Equal(t, 2, reply.Execution.ModelCalls)
			require.Equal(t, 1, reply.Execution.ReadBacks)
			require.True(t, reply.Summaries()[0].Seen, "a user interface can say so")
		})
	}
}

// The account says of a change that it was seen, in the language of the texts. A host's own words
// for it stand alone, unless it has some for that, too.
func TestTheAccountSaysWhatWasSeen(t *testing.T) {
	own := func(words completion.Wording) *guard.Options {
		return &guard.Options{Completion: &completion.Options{Wording: map[string]completion.Wording{"cancel_order": words}}}
	}
	for want, options := range map[string]*guard.Options{
		"Cancelled: order A-17 (confirmed)":               nil,
		"Erledigt: cancel order: order A-17 (bestätigt)":  {Texts: guard.TextsIn("de")},
		"Listo: order A-17":                               {Texts: &guard.Texts{Calls: completion.Wording{Done: "Listo: {title}"}}},
		"Your order A-17 is off":                          own(completion.Wording{Done: "Your {title} is off"}),
		"Your order A-17 is off (we looked at the order)": own(completion.Wording{Done: "Your {title} is off", Seen: "we looked at the order"}),
	} {
		g, err := guard.New(shopTools(cancelSeen(tooltrack.AlwaysConfirm)), options)
		require.NoError(t, err)
		lie := guardtest.Say("I've cancelled A-17 and reopened A-18.")
		model := guardtest.Script(guardtest.Call(cancels("A-17")), lie, lie, lie, lie)
		reply, err := g.Run(t.Context(), model, newShop(goodReceipt), guard.Input{User: "cancel order A-17 and reopen order A-18"})
		require.Contains(t, "\n"+guard.AccountOf(err)+reply.Text+"\n", "\n"+want+"\n")
	}
}

// The calls behind a proven sentence say whether they were seen.
func TestProofSaysWhatWasSeen(t *testing.T) {
	for seen, when := range map[bool]tooltrack.ConfirmMode{true: tooltrack.AlwaysConfirm, false: tooltrack.NeverConfirm} {
		g, err := guard.New(shopTools(cancelSeen(when)), &guard.Options{Proof: guard.Always})
		require.NoError(t, err)
		model := guardtest.Script(guardtest.Call(cancels("A-17")), guardtest.Say(cancelled), guardtest.Say(`{"a":[1],"message":null}`))
		reply, err := g.Run(t.Context(), model, newShop(goodReceipt), guard.Input{User: "cancel order A-17"})
		require.NoError(t, err, reply.Account)
		require.NotNil(t, reply.Proof)
		require.Equal(t, seen, reply.Proof.Sentences[0].Calls()[0].Seen)
	}
}

// How often is read depends on the mode, on what the record shows and on what is claimed.
func TestWhenChangesAreReadBack(t *testing.T) {
	for _, c := range []struct {
		name, receipt string
		when          tooltrack.ConfirmMode
		text          string
		reads         int
	}{
		{"always", goodReceipt, tooltrack.AlwaysConfirm, cancelled, 1},
		{"in doubt, and a receipt with content", goodReceipt, tooltrack.WhenInDoubt, cancelled, 0},
		{"in doubt, and an empty one", plainReceipt, tooltrack.WhenInDoubt, cancelled, 1},
		{"in doubt, and it waits", queuedReceipt, tooltrack.WhenInDoubt, cancelled, 1},
		{"never", plainReceipt, tooltrack.NeverConfirm, cancelled, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShop(c.receipt)
			reply, err := s.run(t, cancelSeen(c.when), guardtest.Say(c.text))
			require.NoError(t, err, reply.Account)
			require.Equal(t, c.reads, s.reads)
			require.Equal(t, c.reads, reply.Execution.ReadBacks)
		})
	}
}

// A queue takes its time: it is read again, within the tries and the time that it is given.
func TestQueues(t *testing.T) {
	for _, c := range []struct {
		name  string
		late  time.Duration
		reads int
		sight tooltrack.Sight
	}{
		{"at once", 0, 1, tooltrack.Confirmed},
		{"after a while", 2500 * time.Millisecond, 3, tooltrack.Confirmed},
		{"too late", time.Minute, 4, tooltrack.Contradicted},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newShop(goodReceipt)
				s.late = c.late
				confirm := cancelSeen(tooltrack.AlwaysConfirm)
				confirm.Delay, confirm.Tries = time.Second, 4
				text := cancelled
				if c.sight == tooltrack.Contradicted {
					text = notCancelled
				}
				reply, err := s.run(t, confirm, guardtest.Say(text))
				require.NoError(t, err, reply.Account)
				require.Equal(t, c.sight, reply.Records[0].Sight(), reply.Records[0].Result.Confirmation.Reason)
				require.Equal(t, c.reads, s.reads)
				time.Sleep(2 * time.Minute)
			})
		})
	}
}

// A read-back that does not work costs nothing but itself: the receipt shows what it showed
// before.
func TestReadBacksThatDoNotWork(t *testing.T) {
	for name, look := range map[string]func(string) ([]byte, error){
		"panics":              func(string) ([]byte, error) { panic("boom") },
		"fails":               func(string) ([]byte, error) { return nil, errors.New("connection refused") },
		"lies":                func(string) ([]byte, error) { return []byte(`{"id":"B-1","status":"open"}`), nil },
		"says something else": func(string) ([]byte, error) { return []byte(`{"id":"A-17","total":48}`), nil },
		"says nonsense":       func(string) ([]byte, error) { return []byte("\xff{"), nil },
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(goodReceipt)
			s.look = look
			reply, err := s.run(t, cancelSeen(tooltrack.AlwaysConfirm), guardtest.Say(cancelled))
			require.NoError(t, err, reply.Account)
			require.Equal(t, cancelled, reply.Text)
			require.Equal(t, tooltrack.NotConfirmed, reply.Records[0].Sight())
			require.NotEmpty(t, reply.Records[0].Result.Confirmation.Reason)
		})
	}
	t.Run("hangs", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := newShop(goodReceipt)
			confirm := &tooltrack.Confirm{Expect: "exists", When: tooltrack.AlwaysConfirm, By: func(ctx context.Context, _ *tooltrack.Record) (json.RawMessage, error) {
				time.Sleep(time.Hour) // it does not even listen to its context
				return nil, nil
			}}
			began := time.Now()
			reply, err := s.run(t, confirm, guardtest.Say(cancelled))
			require.NoError(t, err, reply.Account)
			require.Equal(t, tooltrack.NotConfirmed, reply.Records[0].Sight())
			require.Less(t, time.Since(began), 6*time.Second)
			time.Sleep(2 * time.Hour)
		})
	})
}

// Read-backs run side by side: each of these waits for the other.
func TestReadBacksRunSideBySide(t *testing.T) {
	both := make(chan struct{}, 2)
	var met sync.WaitGroup
	met.Add(2)
	confirm := &tooltrack.Confirm{Expect: "exists", When: tooltrack.AlwaysConfirm, By: func(context.Context, *tooltrack.Record) (json.RawMessage, error) {
		both <- struct{}{}
		met.Done()
		met.Wait()
		return json.RawMessage(`{"id":1}`), nil
	}}
	g, err := guard.New(shopTools(confirm), nil)
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Call(cancels("A-17"), cancels("A-18")), guardtest.Say("I've cancelled orders A-17 and A-18."))
	reply, err := g.Run(t.Context(), model, newShop(goodReceipt), guard.Input{User: "cancel orders A-17 and A-18"})
	require.NoError(t, err, reply.Account)
	require.Len(t, both, 2)
	for _, record := range reply.Records {
		require.Equal(t, tooltrack.Confirmed, record.Sight(), "one has waited for the other to be given up")
	}
}

// Reads cost: no more are made than the budget of the turn allows.
func TestReadBacksHaveABudget(t *testing.T) {
	s := newShop(goodReceipt)
	s.lost = true
	confirm := cancelSeen(tooltrack.AlwaysConfirm)
	confirm.Tries, confirm.Delay = 20, time.Nanosecond
	g, err := guard.New(shopTools(confirm), &guard.Options{Budgets: guard.Budgets{ReadBacks: 3}})
	require.NoError(t, err)
	reply, err := g.Run(t.Context(), guardtest.Script(guardtest.Call(cancels("A-17")), guardtest.Say(cancelled)), s, guard.Input{User: "cancel order A-17"})
	require.NoError(t, err, reply.Account)
	require.Equal(t, 3, s.reads)
	require.Equal(t, tooltrack.NotConfirmed, reply.Records[0].Sight(), "what could not be read to the end is not contradicted")
}

// What was changed again in the same answer is not contradicted by its later state.
func TestChangedAgainSince(t *testing.T) {
	s := newShop(goodReceipt)
	g, err := guard.New(shopTools(cancelSeen(tooltrack.AlwaysConfirm)), nil)
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Call(cancels("A-17"), guardtest.Tool("reopen_order", `{"id":"A-17"}`)),
		guardtest.Say("I cancelled order A-17 and reopened it."))
	reply, err := g.Run(t.Context(), model, s, guard.Input{User: "cancel order A-17 and reopen it"})
	require.NoError(t, err, reply.Account)
	require.Equal(t, tooltrack.NotConfirmed, reply.Records[0].Sight())
}

// A loop of the host's own gets the same: the function that it runs calls by reads them back.
func TestReadBacksInAForeignLoop(t *testing.T) {
	s := newShop(goodReceipt)
	s.lost = true
	g, err := guard.New(shopTools(cancelSeen(tooltrack.AlwaysConfirm)), nil)
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Call(cancels("A-17")), guardtest.Say(notCancelled))
	turn, err := g.Begin(t.Context(), guard.Input{User: "cancel order A-17"})
	require.NoError(t, err)
	var told string
	for turn.Open() {
		request := turn.Request(t.Context())
		told = request.Messages[len(request.Messages)-1].Text
		response, err := model.Generate(t.Context(), request)
		require.NoError(t, err)
		for _, call := range turn.Take(t.Context(), response) {
			_, err := turn.Do(t.Context(), call, s.Execute)
			require.NoError(t, err)
		}
	}
	reply, err := turn.Reply()
	require.NoError(t, err)
	require.Equal(t, notCancelled, reply.Text)
	require.Equal(t, `Error: get_order shows status "open", not "cancelled"`, told, "the model reads what was found")
}

// An observing guard judges by what it reads, and changes nothing.
func TestReadBacksObserved(t *testing.T) {
	s := newShop(goodReceipt)
	s.lost = true
	g, err := guard.New(shopTools(cancelSeen(tooltrack.AlwaysConfirm)), &guard.Options{Observe: true})
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Call(cancels("A-17")), guardtest.Say(cancelled))
	reply, err := g.Run(t.Context(), model, s, guard.Input{User: "cancel order A-17"})
	require.NoError(t, err)
	require.Equal(t, cancelled, reply.Text)
	require.False(t, reply.Verdict.Outcome.Completed())
	require.Contains(t, fmt.Sprint(g.Counters().Would), "correction")
}

// Names in a Confirm that lead nowhere are refused, and so is a reader that may change
// something.
func TestConfirmThatLeadsNowhere(t *testing.T) {
	for want, confirm := range map[string]tooltrack.Confirm{
		`Confirm of cancel_order: "get_orders" is not a tool; did you mean "get_order"?`:             {Read: "get_orders(id = $args.id)", Expect: "exists"},
		`Confirm of cancel_order: "order" is not an argument of get_order`:                           {Read: "get_order(id = $args.id, order = 1)", Expect: "exists"},
		`Confirm of cancel_order: "order_id" is not an argument of cancel_order; use one of id`:      {Read: "get_order(id = $args.order_id)", Expect: "exists"},
		`Confirm of cancel_order: "idd" is not an argument of cancel_order; did you mean "id"?`:      {Read: "get_order(id = $args.id)", Expect: "items has (id = $args.idd)"},
		`Confirm of cancel_order: get_order needs "id"; write get_order(id = …)`:                     {Read: "get_order()", Expect: "exists"},
		`Confirm of cancel_order: reopen_order may change something; declare its Effect as Reads`:    {Read: "reopen_order(id = $args.id)", Expect: "exists"},
		`Confirm of cancel_order: "status is cancelled" is no condition; write exists, absent, name`: {Read: "get_order(id = $args.id)", Expect: "status is cancelled"},
	} {
		_, err := guard.New(shopTools(&confirm), nil)
		require.ErrorContains(t, err, want)
	}
	tools := shopTools(nil)
	tools[0].Confirm = cancelSeen("")
	_, err := guard.New(tools, nil)
	require.ErrorContains(t, err, "Confirm of get_order: get_order changes nothing by its Effect; leave Confirm out")
}

// Where only messages are known, a read that the model made later shows what became of a
// change.
func TestLaterReadsOnTheWire(t *testing.T) {
	g, err := guard.New(shopTools(cancelSeen("")), nil)
	require.NoError(t, err)
	for _, c := range []struct {
		name, receipt, asked, found string
		sight                       tooltrack.Sight
		tier                        completion.Tier
	}{
		{"seen", plainReceipt, "A-17", `{"id":"A-17","status":"cancelled"}`, tooltrack.Confirmed, completion.Clean},
		{"seen at last", queuedReceipt, "A-17", `{"id":"A-17","status":"cancelled"}`, tooltrack.Confirmed, completion.Clean},
		{"not there", goodReceipt, "A-17", `{"id":"A-17","status":"open"}`, tooltrack.Contradicted, completion.Sure},
		{"asked for another order", goodReceipt, "A-18", `{"status":"open"}`, "", completion.Clean},
		{"of another order", goodReceipt, "A-17", `{"id":"A-18","status":"open"}`, tooltrack.NotConfirmed, completion.Clean},
	} {
		t.Run(c.name, func(t *testing.T) {
			call, look := cancels("A-17"), guardtest.Tool("get_order", `{"id":"`+c.asked+`"}`)
			call.ID, look.ID = "c1", "c2"
			messages := []guard.Message{
				{Role: guard.RoleUser, Text: "cancel order A-17"},
				{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}}, {Role: guard.RoleTool, CallID: "c1", Tool: call.Tool, Text: c.receipt},
				{Role: guard.RoleAssistant, Calls: []tooltrack.Call{look}}, {Role: guard.RoleTool, CallID: "c2", Tool: look.Tool, Text: c.found},
			}
			records := g.RecordsOf(messages[1:], nil)
			require.Equal(t, c.sight, records[0].Sight())
			judged, err := g.Judge(t.Context(), guard.Recorded{User: messages[0].Text, Text: cancelled, Records: records})
			require.NoError(t, err)
			require.Equal(t, c.tier, judged.Tier, "a log is judged as a living turn is")

			asked := 0
			inner := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
				if asked++; asked == 1 {
					return guardtest.Say(cancelled).Response, nil
				}
				return guardtest.Say(notCancelled).Response, nil
			})
			response, err := g.Wrap(inner).Generate(t.Context(), guard.Request{Messages: messages, Tools: shopTools(nil)})
			require.NoError(t, err)
			want := cancelled
			if c.tier == completion.Sure {
				want = notCancelled
			}
			require.Equal(t, want, response.Message.Text)
		})
	}
}

// A call that a person has approved is held again where what it is about has changed since,
// if its tool says so.
func TestApprovedAndChangedSince(t *testing.T) {
	for _, c := range []struct {
		name       string
		holds      bool
		status     string
		held, runs int
	}{
		{"as it was", true, "open", 0, 1},
		{"changed", true, "shipped", 1, 0},
		{"changed, and nobody cares", false, "shipped", 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, confirm := newShop(goodReceipt), cancelSeen("")
			confirm.HoldChanged = c.holds
			rules := &policy.Options{Approvals: []policy.Approval{policy.NeedsApproval("cancel_order", policy.Always())}}
			g, err := guard.New(shopTools(confirm), &guard.Options{Policy: rules})
			require.NoError(t, err)
			model := guardtest.Script(guardtest.Call(cancels("A-17")), guardtest.Say(cancelled))
			input := guard.Input{User: "cancel order A-17", Owner: "ann", Conversation: "c", Turn: "m1"}
			_, err = g.Run(t.Context(), model, s, input)
			var held *guard.TurnError
			require.ErrorAs(t, err, &held)
			require.ErrorIs(t, err, guard.ErrHeld)
			s.status["A-17"] = c.status
			_, err = g.Ledger().Answer(t.Context(), "ann", held.Approvals[0].ID, tooltrack.Answer{By: "carol", Approve: true})
			require.NoError(t, err)
			reply, err := g.Resume(t.Context(), model, s, "ann", "m1")
			require.Equal(t, c.runs, s.writes)
			if c.held == 0 {
				require.NoError(t, err, reply.Account)
				return
			}
			require.ErrorAs(t, err, &held)
			require.ErrorIs(t, err, guard.ErrHeld)
			require.Len(t, held.Approvals, c.held)
		})
	}
}
