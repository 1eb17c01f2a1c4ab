package tooltracktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
			c.test(&approvalRun{t, require.New(t), t.Context(), store, tooltrack.NewLedger(store, nil)})
		})
	}
}

type approvalRun struct {
	*testing.T
	*require.Assertions
	ctx    context.Context
	store  tooltrack.ApprovalStore
	ledger *tooltrack.Ledger
}

var (
	heldTool = tooltrack.Tool{Name: "pay", Effect: tooltrack.Changes}
	heldCall = tooltrack.Call{ID: "c1", Tool: "pay", Args: json.RawMessage(`{"amount": 70,  "to":"<bob>"}`)}
	ann      = tooltrack.Scope{Owner: "ann"}
	yes      = tooltrack.Answer{By: "carol", Approve: true}
)

func (r *approvalRun) turn(owner, name string) *tooltrack.Turn {
	r.Helper()
	turn, err := r.ledger.Open(tooltrack.Scope{Owner: owner, Conversation: "c", Turn: name})
	r.NoError(err)
	return turn
}

func (r *approvalRun) hold(turn *tooltrack.Turn, within time.Duration) *tooltrack.Approval {
	r.Helper()
	ask := tooltrack.Ask{Rule: "amount", Summary: "pay 70 to bob", Within: within}
	begun, approval, err := turn.Hold(r.ctx, heldTool, heldCall, nil, ask)
	r.NoError(err)
	r.NotNil(approval)
	r.True(!begun.Run && begun.Record.Held(), "a held call: run %v, record %+v", begun.Run, begun.Record)
	return approval
}

func (r *approvalRun) answer(owner, id string, answer tooltrack.Answer) *tooltrack.Approval {
	r.Helper()
	approval, err := r.ledger.Answer(r.ctx, owner, id, answer)
	r.NoError(err)
	return approval
}

// refuses expects that a call cannot be released.
func (r *approvalRun) refuses(turn *tooltrack.Turn, call tooltrack.Call, id string, want error) {
	r.Helper()
	begun, err := turn.Release(r.ctx, heldTool, call, nil, id)
	r.ErrorIs(err, want, "releasing %s", call.Args)
	r.False(begun.Run)
}

// asked are the approvals that the owner still has to see.
func (r *approvalRun) asked(query tooltrack.ApprovalQuery) []*tooltrack.Approval {
	r.Helper()
	found, err := r.ledger.Approvals(r.ctx, query)
	r.NoError(err)
	return found
}

// atOnce runs a step many times at once, and counts how often it reports success.
func atOnce(times int, step func(i int) bool) int {
	var group sync.WaitGroup
	var done atomic.Int64
	for i := range times {
		group.Go(func() {
			if step(i) {
				done.Add(1)
			}
		})
	}
	group.Wait()
	return int(done.Load())
}

func heldOnce(r *approvalRun) {
	turn := r.turn("ann", "t1")
	first := r.hold(turn, time.Hour)
	r.Equal(first.ID, r.hold(r.turn("ann", "t1"), time.Hour).ID, "the same call is asked about twice")
	begun, err := turn.Begin(r.ctx, heldTool, heldCall, nil)
	r.NoError(err)
	r.True(!begun.Run && begun.Reason != "", "a held call may be begun: %+v", begun)
	found := r.asked(tooltrack.ApprovalQuery{Scope: ann})
	r.Len(found, 1)
	r.Equal(string(heldCall.Args), string(found[0].Call.Args))
	r.Equal([]any{tooltrack.Waiting, "pay 70 to bob", "t1", begun.Record.Seq, time.Hour}, []any{
		found[0].State, found[0].Summary, found[0].Turn, found[0].Record, found[0].Expires.Sub(found[0].Asked),
	})
	evidence, err := turn.Evidence(r.ctx)
	r.NoError(err)
	r.Equal([]int{1, 0}, []int{evidence.Held, evidence.Changes + evidence.Unknown + evidence.Pending})
}

func firstAnswerStands(r *approvalRun) {
	approval := r.hold(r.turn("ann", "t1"), 0)
	var winner atomic.Pointer[tooltrack.Approval]
	won := atOnce(100, func(i int) bool {
		answered, err := r.ledger.Answer(r.ctx, "ann", approval.ID,
			tooltrack.Answer{By: fmt.Sprint("person ", i), Approve: i%2 == 0, Reason: fmt.Sprint(i)})
		var decided *tooltrack.DecidedError
		if err == nil {
			winner.Store(answered)
		} else if assert.ErrorAs(r.T, err, &decided, "a later answer") {
			assert.NotEmpty(r.T, decided.Approval.By, "it names the first")
		}
		return err == nil
	})
	r.Equal(1, won, "answers that won")
	found := r.asked(tooltrack.ApprovalQuery{Scope: ann})
	r.Equal([]any{winner.Load().By, winner.Load().State}, []any{found[0].By, found[0].State})
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
		_, err := r.ledger.Answer(r.ctx, c.owner, c.id, c.answer)
		r.ErrorIs(err, c.want, "%s answers %q as %+v", c.owner, c.id, c.answer)
	}
	for _, args := range []string{`[1]`, `{`, `"x"`, ``} {
		answer := tooltrack.Answer{By: "carol", Approve: true, Args: json.RawMessage(args)}
		_, err := r.ledger.Answer(r.ctx, "ann", approval.ID, answer)
		r.Error(err, "the edit %q was taken", args)
	}
	strict := tooltrack.NewLedger(r.store, &tooltrack.LedgerOptions{SeparateApprover: true})
	own := tooltrack.Answer{By: "ann", Approve: true}
	_, err := strict.Answer(r.ctx, "ann", approval.ID, own)
	r.ErrorIs(err, tooltrack.ErrSelfApproval)
	answered := r.answer("ann", approval.ID, own) // without that rule the owner may
	r.Equal([]any{tooltrack.Approved, "ann"}, []any{answered.State, answered.By})
}

func consumedOnce(r *approvalRun) {
	approval := r.hold(r.turn("ann", "t1"), time.Hour)
	r.refuses(r.turn("ann", "t1"), heldCall, approval.ID, tooltrack.ErrNotApproved)
	r.answer("ann", approval.ID, yes)
	turns := make([]*tooltrack.Turn, 20)
	for i := range turns {
		turns[i] = r.turn("ann", "t1")
	}
	runs := atOnce(len(turns), func(i int) bool {
		begun, err := turns[i].Release(r.ctx, heldTool, heldCall, nil, approval.ID)
		return begun.Run || !assert.ErrorIs(r.T, err, tooltrack.ErrNotApproved, "a second release")
	})
	r.Equal(1, runs, "how often the call began")
	record, err := r.turn("ann", "t1").Fate(r.ctx, approval, nil)
	r.NoError(err)
	r.True(!record.Done() && record.Result.Status == tooltrack.Unknown, "cut off after that, its record is %+v", record)
	begun, err := r.turn("ann", "t1").Begin(r.ctx, heldTool, heldCall, nil)
	r.NoError(err)
	r.False(begun.Run, "after that, the call may be begun")
	_, err = r.ledger.Answer(r.ctx, "ann", approval.ID, yes)
	r.ErrorIs(err, tooltrack.ErrNotApproved, "a used approval was answered")
}

func changedByte(r *approvalRun) {
	turn := r.turn("ann", "t1")
	approval := r.hold(turn, time.Hour)
	r.answer("ann", approval.ID, yes)
	for at := range heldCall.Args {
		other := heldCall
		other.Args = json.RawMessage(string(heldCall.Args[:at]) + "!" + string(heldCall.Args[at+1:]))
		r.refuses(turn, other, approval.ID, tooltrack.ErrOtherCall)
	}
	other := tooltrack.Tool{Name: "pay_all", Effect: tooltrack.Changes}
	begun, err := turn.Release(r.ctx, other, tooltrack.Call{Tool: other.Name, Args: heldCall.Args}, nil, approval.ID)
	r.Error(err)
	r.False(begun.Run, "another tool ran")
	r.refuses(r.turn("ann", "t2"), heldCall, approval.ID, tooltrack.ErrOtherCall)
}

func expires(r *approvalRun) {
	short := r.hold(r.turn("ann", "t1"), time.Nanosecond)
	var decided *tooltrack.DecidedError
	_, err := r.ledger.Answer(r.ctx, "ann", short.ID, yes)
	r.ErrorAs(err, &decided)
	r.Equal(tooltrack.Expired, decided.Approval.State)
	// By the store's clock: however wrong that of a process is, the time is the same.
	for _, ahead := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		r.ledger = tooltrack.NewLedger(r.store, &tooltrack.LedgerOptions{
			Clock: func() time.Time { return time.Now().Add(ahead) },
		})
		turn := r.turn("ann", ahead.String())
		approval := r.hold(turn, time.Hour)
		r.answer("ann", approval.ID, yes)
		begun, err := turn.Release(r.ctx, heldTool, heldCall, nil, approval.ID)
		r.NoError(err)
		r.True(begun.Run, "with a clock %v ahead an approval of one hour cannot be used", ahead)
	}
}

func edited(r *approvalRun) {
	turn := r.turn("ann", "t1")
	approval := r.hold(turn, 0)
	less := heldCall
	less.Args = json.RawMessage(`{"amount":5,"to":"bob"}`)
	edit := tooltrack.Answer{By: "carol", Approve: true, Args: less.Args}
	answered := r.answer("ann", approval.ID, edit)
	r.Equal(tooltrack.CallDigest(less), answered.Digest)
	r.Equal(string(heldCall.Args), string(answered.Original))
	r.refuses(turn, heldCall, approval.ID, tooltrack.ErrOtherCall) // what was asked first
	begun, err := turn.Release(r.ctx, heldTool, less, nil, approval.ID)
	r.NoError(err)
	r.True(begun.Run)
	r.Equal(string(less.Args), string(begun.Record.Args))
	r.Equal(string(heldCall.Args), string(begun.Record.Ruling.Rewritten))
	_, err = turn.Finish(r.ctx, begun.Record, success)
	r.NoError(err)
	second := r.hold(turn, 0) // the first arguments are another call
	r.answer("ann", second.ID, edit)
	again, err := turn.Release(r.ctx, heldTool, less, nil, second.ID)
	r.NoError(err)
	r.True(!again.Run && again.Record.Seq == begun.Record.Seq && again.Reason != "", "run again: %+v", again)
}

func refused(r *approvalRun) {
	turn := r.turn("ann", "t1")
	approval := r.hold(turn, 0)
	r.answer("ann", approval.ID, tooltrack.Answer{By: "carol", Reason: "too much"})
	r.refuses(turn, heldCall, approval.ID, tooltrack.ErrNotApproved)
	record, err := turn.Refuse(r.ctx, approval.ID, "rejected", "carol said no")
	r.NoError(err)
	r.True(record.Ruling.Denied && record.Result.Status == tooltrack.Denied && record.Done() && record.Cursor != 0,
		"the refused call is %+v", record)
	again, err := turn.Refuse(r.ctx, approval.ID, "rejected", "again")
	r.NoError(err)
	r.Equal("carol said no", again.Ruling.Reason)
	r.Empty(r.asked(tooltrack.ApprovalQuery{Scope: ann}), "approvals that are open")
	r.NotEqual(approval.ID, r.hold(turn, 0).ID, "a new call got the old approval")
}

func superseded(r *approvalRun) {
	waits, approved := r.hold(r.turn("ann", "t1"), 0), r.hold(r.turn("ann", "t2"), 0)
	r.answer("ann", approved.ID, yes)
	others := r.hold(r.turn("bob", "t1"), 0)
	r.NoError(r.ledger.Pause(r.ctx, waits.Scope, "", []byte("x")))
	own := r.hold(r.turn("ann", "t3"), 0)
	denied, err := r.ledger.Supersede(r.ctx, own.Scope)
	r.NoError(err)
	r.Len(denied, 2)
	r.Equal(tooltrack.RuleSuperseded, denied[0].Ruling.Rule)
	for _, approval := range []*tooltrack.Approval{waits, approved} {
		r.refuses(r.turn("ann", approval.Turn), heldCall, approval.ID, tooltrack.ErrNotApproved)
	}
	_, err = r.ledger.Claim(r.ctx, "ann", "t1", "w", time.Minute)
	r.ErrorIs(err, tooltrack.ErrNoPausedTurn)
	r.answer("ann", own.ID, yes)
	r.answer("bob", others.ID, yes)
}

func grants(r *approvalRun) {
	const uses = 7
	grant, err := r.ledger.Grant(r.ctx, tooltrack.Grant{
		Owner: "ann", Tool: "pay", Arg: "amount", UpTo: "50", MaxUses: uses, By: "carol", Reason: "until Friday",
	})
	r.NoError(err)
	covers := func(owner, args string) bool {
		used, err := r.ledger.UseGrant(r.ctx, owner, tooltrack.Call{Tool: "pay", Args: json.RawMessage(args)})
		return assert.NoError(r.T, err) && used != nil
	}
	for _, args := range []string{`{"amount":50.01}`, `{"amount":"5"}`, `{}`, `{"amount":-1}`, `{"amount":1e999999999}`} {
		r.False(covers("ann", args), "%s is covered by a grant up to 50", args)
	}
	r.False(covers("bob", `{"amount":1}`), "a grant of ann's covers bob")
	r.Equal(uses, atOnce(30, func(int) bool { return covers("ann", `{"amount":50.0}`) }))
	stored, err := r.ledger.Grants(r.ctx, "ann")
	r.NoError(err)
	r.Len(stored, 1)
	r.Equal([]any{uses, grant.ID}, []any{stored[0].Uses, stored[0].ID})
	for name, until := range map[string]time.Time{"past": time.Now().Add(-time.Hour), "revoked": {}} {
		ended, err := r.ledger.Grant(r.ctx, tooltrack.Grant{Owner: "ann", Tool: "pay", By: "carol", Until: until})
		r.NoError(err)
		if name == "revoked" {
			r.NoError(r.ledger.Revoke(r.ctx, "ann", ended.ID))
		}
		r.False(covers("ann", `{"amount":1}`), "a %s grant was used", name)
	}
	r.ErrorIs(r.ledger.Revoke(r.ctx, "bob", grant.ID), tooltrack.ErrNoGrant)
	_, err = r.ledger.Grant(r.ctx, tooltrack.Grant{Owner: "ann", Tool: "pay"})
	r.Error(err, "a grant that no one gave was stored")
}

func pausedTurns(r *approvalRun) {
	claim := func(turn, by string, lease time.Duration) error {
		state, err := r.ledger.Claim(r.ctx, "ann", turn, by, lease)
		if err == nil {
			assert.Equal(r.T, "state", string(state))
		}
		return err
	}
	scope := tooltrack.Scope{Owner: "ann", Conversation: "c", Turn: "t1"}
	r.ErrorIs(claim("t1", "w1", time.Minute), tooltrack.ErrNoPausedTurn, "a turn that never paused")
	r.NoError(r.ledger.Pause(r.ctx, scope, "", []byte("state")))
	claims := atOnce(20, func(i int) bool {
		err := claim("t1", fmt.Sprint("w", i), time.Hour)
		return err == nil || !assert.ErrorIs(r.T, err, tooltrack.ErrResumedElsewhere)
	})
	r.Equal(1, claims, "claims held at once")
	r.ErrorIs(r.ledger.Pause(r.ctx, scope, "other", nil), tooltrack.ErrResumedElsewhere)
	scope.Turn = "t2"
	r.NoError(r.ledger.Pause(r.ctx, scope, "", []byte("state")))
	r.NoError(claim("t2", "w1", time.Nanosecond))
	r.NoError(claim("t2", "w2", time.Hour), "the first has lapsed")
	r.NoError(claim("t2", "w2", time.Hour), "renewed")
	r.ErrorIs(r.ledger.Unpause(r.ctx, "ann", "t2", "w1"), tooltrack.ErrResumedElsewhere)
	r.NoError(r.ledger.Unpause(r.ctx, "ann", "t2", "w2"))
	r.NoError(r.ledger.Unpause(r.ctx, "ann", "t2", "w2"))
	waits, err := r.ledger.IsPaused(r.ctx, "ann", "t2")
	r.NoError(err)
	r.False(waits, "the ended turn still waits")
}

func approvalsApart(r *approvalRun) {
	for _, owner := range []string{"ann", "bob"} {
		own := r.hold(r.turn(owner, "t1"), 0)
		found := r.asked(tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: owner}})
		r.Len(found, 1)
		r.Equal(own.ID, found[0].ID)
	}
	r.Len(r.asked(tooltrack.ApprovalQuery{Scope: ann}), 1)
	r.Len(r.asked(tooltrack.ApprovalQuery{AllOwners: true}), 2)
	_, err := r.ledger.Approvals(r.ctx, tooltrack.ApprovalQuery{})
	r.ErrorIs(err, tooltrack.ErrNoOwner)
}

func failedStep(r *approvalRun) {
	fault := errors.New("changed my mind")
	r.ErrorIs(r.store.Atomically(r.ctx, "ann", func(tooltrack.Desk) error { return fault }), fault)
	r.NoError(r.store.Atomically(r.ctx, "ann", func(desk tooltrack.Desk) error {
		return desk.Put(tooltrack.Document{Kind: "note", ID: "1", Open: true, Data: []byte("kept")})
	}))
	found, now, err := r.store.Documents(r.ctx, tooltrack.DocumentQuery{Scope: ann, Kind: "note"})
	r.NoError(err)
	r.Len(found, 1)
	r.Equal("kept", string(found[0].Data))
	r.False(now.IsZero())
}
