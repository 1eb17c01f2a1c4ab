package tooltracktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// approvalCases are the promises of a [tooltrack.ApprovalStore]. They are held against
// a ledger on the store, since the rules are the ledger's and the steps the store's.
var approvalCases = []struct {
	name string
	test func(*approvalRun)
}{
	{"a held call does not run, and is asked about once", heldOnce},
	{"of many answers the first one stands", firstAnswerStands},
	{"who answers must be known, and the id be the owner's", answersAreChecked},
	{"an approved call begins exactly once", consumedOnce},
	{"one changed byte does not run", changedByte},
	{"an approval ends by the store's clock", expires},
	{"an edit runs as edited, and not twice", edited},
	{"a call that is refused is denied, and may be tried again", refused},
	{"a newer message supersedes what waits in its conversation", superseded},
	{"uses of a grant are counted, and bounded", grants},
	{"one process at a time goes on with a paused turn", pausedTurns},
	{"approvals of other owners are not seen", approvalsApart},
	{"a step that fails leaves no trace", failedStep},
}

func testApprovals(t *testing.T, open func(testing.TB) tooltrack.Store) {
	if _, can := open(t).(tooltrack.ApprovalStore); !can {
		t.Skip("the store is no ApprovalStore")
	}
	for _, c := range approvalCases {
		t.Run(c.name, func(t *testing.T) {
			store := open(t).(tooltrack.ApprovalStore)
			c.test(&approvalRun{T: t, store: store, ledger: tooltrack.NewLedger(store, nil)})
		})
	}
}

type approvalRun struct {
	*testing.T
	store  tooltrack.ApprovalStore
	ledger *tooltrack.Ledger
}

var (
	heldTool = tooltrack.Tool{Name: "pay", Effect: tooltrack.Changes}
	heldCall = tooltrack.Call{ID: "c1", Tool: "pay", Args: json.RawMessage(`{"amount": 70,  "to":"<bob>"}`)}
)

func (r *approvalRun) turn(owner, name string) *tooltrack.Turn {
	r.Helper()
	turn, err := r.ledger.Open(tooltrack.Scope{Owner: owner, Conversation: "c", Turn: name})
	r.must(err)
	return turn
}

func (r *approvalRun) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *approvalRun) hold(turn *tooltrack.Turn, within time.Duration) *tooltrack.Approval {
	r.Helper()
	begun, approval, err := turn.Hold(r.Context(), heldTool, heldCall, nil,
		tooltrack.Ask{Rule: "amount", Summary: "pay 70 to bob", Within: within})
	r.must(err)
	if begun.Run || approval == nil || !begun.Record.Held() {
		r.Fatalf("a held call: run %v, approval %v, record %+v", begun.Run, approval, begun.Record)
	}
	return approval
}

func (r *approvalRun) answer(owner, id string, answer tooltrack.Answer) *tooltrack.Approval {
	r.Helper()
	approval, err := r.ledger.Answer(r.Context(), owner, id, answer)
	r.must(err)
	return approval
}

var yes = tooltrack.Answer{By: "carol", Approve: true}

func heldOnce(r *approvalRun) {
	turn := r.turn("ann", "t1")
	first := r.hold(turn, time.Hour)
	if again := r.hold(r.turn("ann", "t1"), time.Hour); again.ID != first.ID {
		r.Errorf("the same call is asked about twice: %s and %s", first.ID, again.ID)
	}
	begun, err := turn.Begin(r.Context(), heldTool, heldCall, nil)
	if err != nil || begun.Run || begun.Reason == "" {
		r.Errorf("a held call may be begun: %+v (%v)", begun, err)
	}
	found, err := r.ledger.Approvals(r.Context(), tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: "ann"}})
	r.must(err)
	if len(found) != 1 || found[0].State != tooltrack.Waiting || found[0].Summary != "pay 70 to bob" ||
		string(found[0].Call.Args) != string(heldCall.Args) || found[0].Turn != "t1" || found[0].Record != begun.Record.Seq ||
		found[0].Expires.Sub(found[0].Asked) != time.Hour {
		r.Errorf("the list holds %+v", found)
	}
	evidence, err := turn.Evidence(r.Context())
	if err != nil || evidence.Held != 1 || evidence.Changes+evidence.Unknown+evidence.Pending != 0 {
		r.Errorf("a held call is evidence of %+v (%v)", evidence, err)
	}
}

func firstAnswerStands(r *approvalRun) {
	approval := r.hold(r.turn("ann", "t1"), 0)
	var group sync.WaitGroup
	var won atomic.Int64
	var winner atomic.Pointer[tooltrack.Approval]
	for i := range 100 {
		group.Go(func() {
			answered, err := r.ledger.Answer(r.Context(), "ann", approval.ID,
				tooltrack.Answer{By: fmt.Sprint("person ", i), Approve: i%2 == 0, Reason: fmt.Sprint(i)})
			var decided *tooltrack.DecidedError
			switch {
			case err == nil:
				won.Add(1)
				winner.Store(answered)
			case !errors.As(err, &decided) || decided.Approval.By == "":
				r.Errorf("a later answer: %v, want a DecidedError that names the first", err)
			}
		})
	}
	group.Wait()
	found, err := r.ledger.Approvals(r.Context(), tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: "ann"}})
	r.must(err)
	if won.Load() != 1 || found[0].By != winner.Load().By || found[0].State != winner.Load().State {
		r.Errorf("%d of 100 answers won; stored is %+v, want %+v", won.Load(), found[0], winner.Load())
	}
}

func answersAreChecked(r *approvalRun) {
	approval := r.hold(r.turn("ann", "t1"), 0)
	for _, c := range []struct {
		owner, id string
		answer    tooltrack.Answer
		want      error
	}{
		{"ann", approval.ID, tooltrack.Answer{Approve: true}, tooltrack.ErrNoApprover},
		{"ann", approval.ID, tooltrack.Answer{By: " ", Approve: true}, tooltrack.ErrNoApprover},
		{"bob", approval.ID, yes, tooltrack.ErrNoApproval},
		{"ann", "ap_other", yes, tooltrack.ErrNoApproval},
		{"ann", "", yes, tooltrack.ErrNoApproval},
		{"", approval.ID, yes, tooltrack.ErrNoOwner},
	} {
		if _, err := r.ledger.Answer(r.Context(), c.owner, c.id, c.answer); !errors.Is(err, c.want) {
			r.Errorf("%s answers %q as %+v: %v, want %v", c.owner, c.id, c.answer, err, c.want)
		}
	}
	for _, args := range []string{`[1]`, `{`, `"x"`, ``} {
		answer := tooltrack.Answer{By: "carol", Approve: true, Args: json.RawMessage(args)}
		if _, err := r.ledger.Answer(r.Context(), "ann", approval.ID, answer); err == nil {
			r.Errorf("the edit %q was taken", args)
		}
	}
	strict := tooltrack.NewLedger(r.store, &tooltrack.LedgerOptions{SeparateApprover: true})
	own := tooltrack.Answer{By: "ann", Approve: true}
	if _, err := strict.Answer(r.Context(), "ann", approval.ID, own); !errors.Is(err, tooltrack.ErrSelfApproval) {
		r.Errorf("the owner approves: %v, want ErrSelfApproval", err)
	}
	if answered := r.answer("ann", approval.ID, own); answered.State != tooltrack.Approved || answered.By != "ann" {
		r.Errorf("without that rule the owner may: %+v", answered)
	}
}

func consumedOnce(r *approvalRun) {
	approval := r.hold(r.turn("ann", "t1"), time.Hour)
	if _, err := r.turn("ann", "t1").Release(r.Context(), heldTool, heldCall, nil, approval.ID); !errors.Is(err,
		tooltrack.ErrNotApproved) {
		r.Fatalf("released before anybody answered: %v", err)
	}
	r.answer("ann", approval.ID, yes)
	var group sync.WaitGroup
	var runs atomic.Int64
	for range 20 {
		group.Go(func() {
			begun, err := r.turn("ann", "t1").Release(r.Context(), heldTool, heldCall, nil, approval.ID)
			if begun.Run {
				runs.Add(1)
			} else if !errors.Is(err, tooltrack.ErrNotApproved) {
				r.Errorf("a second release: %v, want ErrNotApproved", err)
			}
		})
	}
	group.Wait()
	if runs.Load() != 1 {
		r.Errorf("the call began %d times", runs.Load())
	}
	record, err := r.turn("ann", "t1").Fate(r.Context(), approval, nil)
	if err != nil || record.Done() || record.Result.Status != tooltrack.Unknown {
		r.Errorf("cut off after that, its record is %+v (%v), want one of unknown fate", record, err)
	}
	if begun, err := r.turn("ann", "t1").Begin(r.Context(), heldTool, heldCall, nil); err != nil || begun.Run {
		r.Errorf("after that, the call may be begun: %+v (%v)", begun, err)
	}
	if _, err := r.ledger.Answer(r.Context(), "ann", approval.ID, yes); !errors.Is(err, tooltrack.ErrNotApproved) {
		r.Errorf("a used approval was answered: %v", err)
	}
}

func changedByte(r *approvalRun) {
	approval := r.hold(r.turn("ann", "t1"), time.Hour)
	r.answer("ann", approval.ID, yes)
	for at := range heldCall.Args {
		other := heldCall
		other.Args = json.RawMessage(string(heldCall.Args[:at]) + "!" + string(heldCall.Args[at+1:]))
		begun, err := r.turn("ann", "t1").Release(r.Context(), heldTool, other, nil, approval.ID)
		if begun.Run || !errors.Is(err, tooltrack.ErrOtherCall) {
			r.Fatalf("%s ran in place of %s: %v", other.Args, heldCall.Args, err)
		}
	}
	other := tooltrack.Tool{Name: "pay_all", Effect: tooltrack.Changes}
	call := tooltrack.Call{Tool: other.Name, Args: heldCall.Args}
	if begun, err := r.turn("ann", "t1").Release(r.Context(), other, call, nil, approval.ID); begun.Run || err == nil {
		r.Error("another tool ran")
	}
	begun, err := r.turn("ann", "t2").Release(r.Context(), heldTool, heldCall, nil, approval.ID)
	if begun.Run || err == nil {
		r.Error("another turn used the approval")
	}
}

func expires(r *approvalRun) {
	short := r.hold(r.turn("ann", "t1"), time.Nanosecond)
	var decided *tooltrack.DecidedError
	_, err := r.ledger.Answer(r.Context(), "ann", short.ID, yes)
	if !errors.As(err, &decided) || decided.Approval.State != tooltrack.Expired {
		r.Errorf("an expired approval was answered: %v", err)
	}
	// By the store's clock: however wrong that of a process is, the time is the same.
	for _, ahead := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		skewed := tooltrack.NewLedger(r.store, &tooltrack.LedgerOptions{
			Clock: func() time.Time { return time.Now().Add(ahead) },
		})
		turn, err := skewed.Open(tooltrack.Scope{Owner: "ann", Turn: ahead.String()})
		r.must(err)
		_, approval, err := turn.Hold(r.Context(), heldTool, heldCall, nil, tooltrack.Ask{Within: time.Hour})
		r.must(err)
		r.answer("ann", approval.ID, yes)
		if begun, err := turn.Release(r.Context(), heldTool, heldCall, nil, approval.ID); err != nil || !begun.Run {
			r.Errorf("with a clock %v ahead an approval of one hour cannot be used: %v", ahead, err)
		}
	}
}

func edited(r *approvalRun) {
	turn := r.turn("ann", "t1")
	approval := r.hold(turn, 0)
	less := heldCall
	less.Args = json.RawMessage(`{"amount":5,"to":"bob"}`)
	answered := r.answer("ann", approval.ID, tooltrack.Answer{By: "carol", Approve: true, Args: less.Args})
	if answered.Digest != tooltrack.CallDigest(less) || string(answered.Original) != string(heldCall.Args) {
		r.Errorf("the edited approval is %+v", answered)
	}
	if _, err := turn.Release(r.Context(), heldTool, heldCall, nil, approval.ID); !errors.Is(err, tooltrack.ErrOtherCall) {
		r.Errorf("what was asked first ran: %v", err)
	}
	begun, err := turn.Release(r.Context(), heldTool, less, nil, approval.ID)
	r.must(err)
	if !begun.Run || string(begun.Record.Args) != string(less.Args) ||
		string(begun.Record.Ruling.Rewritten) != string(heldCall.Args) {
		r.Fatalf("the edited call is recorded as %+v", begun.Record)
	}
	_, err = turn.Finish(r.Context(), begun.Record, success)
	r.must(err)
	second := r.hold(turn, 0) // the first arguments are another call
	r.answer("ann", second.ID, tooltrack.Answer{By: "carol", Approve: true, Args: less.Args})
	again, err := turn.Release(r.Context(), heldTool, less, nil, second.ID)
	if err != nil || again.Run || again.Record.Seq != begun.Record.Seq || again.Reason == "" {
		r.Errorf("an edit to what has succeeded ran again: %+v (%v)", again, err)
	}
}

func refused(r *approvalRun) {
	turn := r.turn("ann", "t1")
	approval := r.hold(turn, 0)
	r.answer("ann", approval.ID, tooltrack.Answer{By: "carol", Reason: "too much"})
	if begun, err := turn.Release(r.Context(), heldTool, heldCall, nil, approval.ID); begun.Run || err == nil {
		r.Fatal("a rejected call ran")
	}
	record, err := turn.Refuse(r.Context(), approval.ID, "rejected", "carol said no")
	r.must(err)
	if !record.Ruling.Denied || record.Result.Status != tooltrack.Denied || !record.Done() || record.Cursor == 0 {
		r.Errorf("the refused call is %+v", record)
	}
	again, err := turn.Refuse(r.Context(), approval.ID, "rejected", "again")
	if err != nil || again.Ruling.Reason != "carol said no" {
		r.Errorf("refused again it is %+v (%v)", again, err)
	}
	found, err := r.ledger.Approvals(r.Context(), tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: "ann"}})
	if err != nil || len(found) != 0 {
		r.Errorf("%d approvals are open (%v), want none", len(found), err)
	}
	if next := r.hold(turn, 0); next.ID == approval.ID {
		r.Error("a new call got the old approval")
	}
}

func superseded(r *approvalRun) {
	waits, approved := r.hold(r.turn("ann", "t1"), 0), r.hold(r.turn("ann", "t2"), 0)
	r.answer("ann", approved.ID, yes)
	others := r.hold(r.turn("bob", "t1"), 0)
	r.must(r.ledger.Pause(r.Context(), tooltrack.Scope{Owner: "ann", Conversation: "c", Turn: "t1"}, "", []byte("x")))
	own := r.hold(r.turn("ann", "t3"), 0)
	newer := tooltrack.Scope{Owner: "ann", Conversation: "c", Turn: "t3"}
	denied, err := r.ledger.Supersede(r.Context(), newer)
	r.must(err)
	if len(denied) != 2 || !denied[0].Ruling.Denied || denied[0].Ruling.Rule != tooltrack.RuleSuperseded {
		r.Errorf("%d records were superseded, want 2", len(denied))
	}
	for _, approval := range []*tooltrack.Approval{waits, approved} {
		if begun, err := r.turn("ann", approval.Turn).Release(r.Context(), heldTool, heldCall, nil, approval.ID); begun.Run ||
			!errors.Is(err, tooltrack.ErrNotApproved) {
			r.Errorf("a superseded call ran: %v", err)
		}
	}
	if _, err := r.ledger.Claim(r.Context(), "ann", "t1", "w", time.Minute); !errors.Is(err, tooltrack.ErrNoPausedTurn) {
		r.Errorf("its paused turn is still there: %v", err)
	}
	r.answer("ann", own.ID, yes)
	r.answer("bob", others.ID, yes)
}

func grants(r *approvalRun) {
	const uses = 7
	grant, err := r.ledger.Grant(r.Context(), tooltrack.Grant{
		Owner: "ann", Tool: "pay", Arg: "amount", UpTo: "50", MaxUses: uses, By: "carol", Reason: "until Friday",
	})
	r.must(err)
	call := func(args string) tooltrack.Call { return tooltrack.Call{Tool: "pay", Args: json.RawMessage(args)} }
	for _, args := range []string{`{"amount":50.01}`, `{"amount":"5"}`, `{}`, `{"amount":-1}`, `{"amount":1e999999999}`} {
		if used, err := r.ledger.UseGrant(r.Context(), "ann", call(args)); err != nil || used != nil {
			r.Errorf("%s is covered by a grant up to 50 (%v)", args, err)
		}
	}
	if used, err := r.ledger.UseGrant(r.Context(), "bob", call(`{"amount":1}`)); err != nil || used != nil {
		r.Errorf("a grant of ann's covers bob (%v)", err)
	}
	var group sync.WaitGroup
	var used atomic.Int64
	for range 30 {
		group.Go(func() {
			if by, err := r.ledger.UseGrant(r.Context(), "ann", call(`{"amount":50.0}`)); err == nil && by != nil {
				used.Add(1)
			}
		})
	}
	group.Wait()
	stored, err := r.ledger.Grants(r.Context(), "ann")
	if err != nil || used.Load() != uses || len(stored) != 1 || stored[0].Uses != uses || stored[0].ID != grant.ID {
		r.Errorf("%d uses of %d; stored: %+v (%v)", used.Load(), uses, stored, err)
	}
	for name, ended := range map[string]tooltrack.Grant{
		"past":    {Owner: "ann", Tool: "pay", By: "carol", Until: time.Now().Add(-time.Hour)},
		"revoked": {Owner: "ann", Tool: "pay", By: "carol"},
	} {
		made, err := r.ledger.Grant(r.Context(), ended)
		r.must(err)
		if name == "revoked" {
			r.must(r.ledger.Revoke(r.Context(), "ann", made.ID))
		}
		if used, err := r.ledger.UseGrant(r.Context(), "ann", call(`{"amount":1}`)); err != nil || used != nil {
			r.Errorf("a %s grant was used (%v)", name, err)
		}
	}
	if err := r.ledger.Revoke(r.Context(), "bob", grant.ID); !errors.Is(err, tooltrack.ErrNoGrant) {
		r.Errorf("bob revokes ann's grant: %v", err)
	}
	if _, err := r.ledger.Grant(r.Context(), tooltrack.Grant{Owner: "ann", Tool: "pay"}); err == nil {
		r.Error("a grant that nobody gave was stored")
	}
}

func pausedTurns(r *approvalRun) {
	scope := tooltrack.Scope{Owner: "ann", Conversation: "c", Turn: "t1"}
	if _, err := r.ledger.Claim(r.Context(), "ann", "t1", "w1", time.Minute); !errors.Is(err, tooltrack.ErrNoPausedTurn) {
		r.Errorf("a turn that never paused: %v", err)
	}
	r.must(r.ledger.Pause(r.Context(), scope, "", []byte("state")))
	var group sync.WaitGroup
	var claims atomic.Int64
	for i := range 20 {
		group.Go(func() {
			state, err := r.ledger.Claim(r.Context(), "ann", "t1", fmt.Sprint("w", i), time.Hour)
			if err == nil && string(state) == "state" {
				claims.Add(1)
			} else if !errors.Is(err, tooltrack.ErrResumedElsewhere) {
				r.Errorf("claimed beside another: %q, %v", state, err)
			}
		})
	}
	group.Wait()
	if claims.Load() != 1 {
		r.Fatalf("%d of 20 claims held at once", claims.Load())
	}
	if err := r.ledger.Pause(r.Context(), scope, "other", nil); !errors.Is(err, tooltrack.ErrResumedElsewhere) {
		r.Errorf("written under another's claim: %v", err)
	}
	scope.Turn = "t2"
	r.must(r.ledger.Pause(r.Context(), scope, "", []byte("two")))
	_, err := r.ledger.Claim(r.Context(), "ann", "t2", "w1", time.Nanosecond)
	r.must(err)
	_, err = r.ledger.Claim(r.Context(), "ann", "t2", "w2", time.Hour) // the first has lapsed
	r.must(err)
	_, err = r.ledger.Claim(r.Context(), "ann", "t2", "w2", time.Hour) // renewed
	r.must(err)
	if err := r.ledger.Unpause(r.Context(), "ann", "t2", "w1"); !errors.Is(err, tooltrack.ErrResumedElsewhere) {
		r.Errorf("ended by who lost the claim: %v", err)
	}
	r.must(r.ledger.Unpause(r.Context(), "ann", "t2", "w2"))
	r.must(r.ledger.Unpause(r.Context(), "ann", "t2", "w2"))
	if waits, err := r.ledger.IsPaused(r.Context(), "ann", "t2"); err != nil || waits {
		r.Errorf("the ended turn still waits (%v)", err)
	}
}

func approvalsApart(r *approvalRun) {
	ann, bob := r.hold(r.turn("ann", "t1"), 0), r.hold(r.turn("bob", "t1"), 0)
	for owner, want := range map[string]string{"ann": ann.ID, "bob": bob.ID} {
		found, err := r.ledger.Approvals(r.Context(), tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: owner}})
		if err != nil || len(found) != 1 || found[0].ID != want {
			r.Errorf("%s sees %d approvals (%v), want the own one", owner, len(found), err)
		}
	}
	all, err := r.ledger.Approvals(r.Context(), tooltrack.ApprovalQuery{AllOwners: true})
	if err != nil || len(all) != 2 {
		r.Errorf("all owners have %d approvals (%v), want 2", len(all), err)
	}
	if _, err := r.ledger.Approvals(r.Context(), tooltrack.ApprovalQuery{}); !errors.Is(err, tooltrack.ErrNoOwner) {
		r.Errorf("without an owner: %v, want ErrNoOwner", err)
	}
}

func failedStep(r *approvalRun) {
	fault := errors.New("changed my mind")
	err := r.store.Atomically(r.Context(), "ann", func(tooltrack.Desk) error { return fault })
	if !errors.Is(err, fault) {
		r.Errorf("the step's error came back as %v", err)
	}
	r.must(r.store.Atomically(r.Context(), "ann", func(desk tooltrack.Desk) error {
		return desk.Put(tooltrack.Document{Kind: "note", ID: "1", Open: true, Data: []byte("kept")})
	}))
	found, now, err := r.store.Documents(r.Context(), tooltrack.DocumentQuery{
		Scope: tooltrack.Scope{Owner: "ann"}, Kind: "note",
	})
	if err != nil || len(found) != 1 || string(found[0].Data) != "kept" || now.IsZero() {
		r.Errorf("the documents are %+v at %v (%v)", found, now, err)
	}
}
