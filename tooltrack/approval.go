package tooltrack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/clip"
)

// ApprovalState is how far a person's decision about a call has come. The zero
// value is [Waiting]: nothing was decided, so nothing may run.
type ApprovalState uint8

const (
	// Waiting is an approval that was asked for and not answered.
	Waiting ApprovalState = iota
	// Approved is one that a person has granted and that has not been used.
	Approved
	// Rejected is one that a person has refused.
	Rejected
	// Expired is one whose time ran out before its call began.
	Expired
	// Superseded is one that is not asked for any more: the user has spoken again,
	// the call may not run any longer, or another approval took its place.
	Superseded
	// Consumed is one whose call has begun. It is good for no other.
	Consumed
)

var approvalStateNames = [...]string{"waiting", "approved", "rejected", "expired", "superseded", "consumed"}

// String is the name that JSON uses.
func (s ApprovalState) String() string { return nameOf("state", approvalStateNames[:], s) }

// MarshalText writes the state by name.
func (s ApprovalState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name written by MarshalText; anything else is an error.
func (s *ApprovalState) UnmarshalText(text []byte) error {
	return byName("approval state", approvalStateNames[:], string(text), s)
}

// Approval is a call that waits for a person, and what was decided about it. Its
// times are those of the store's clock, which all processes share.
type Approval struct {
	// ID is random, so that it cannot be guessed, and names this one question: an
	// answer to it never decides another call.
	ID string `json:"id"`
	// Scope says who asked for the call, and in which turn.
	Scope
	// Call is exactly what runs if it is approved.
	Call Call `json:"call"`
	// Touched are the entities that the call is about.
	Touched []Subject `json:"touched,omitempty"`
	// Record is the Seq of its record, whose status is Held until then.
	Record int64 `json:"record"`
	// Digest identifies the tool and every byte of the arguments that may run.
	Digest string `json:"digest"`
	// Rule names what asked for the approval, and Summary says to people what it is about.
	Rule    string `json:"rule"`
	Summary string `json:"summary"`
	// Asked is when, and Expires until when it can be used; a zero Expires is no limit.
	Asked   time.Time `json:"asked"`
	Expires time.Time `json:"expires,omitzero"`
	// State is how far it has come.
	State ApprovalState `json:"state"`
	// By is who decided, Reason why, and Decided when.
	By      string    `json:"by,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Decided time.Time `json:"decided,omitzero"`
	// Original are the arguments that were asked about, where the person has approved others.
	Original json.RawMessage `json:"original,omitempty"`
	// Began is when its call began.
	Began time.Time `json:"began,omitzero"`
}

// Ask is what a person is asked about a call.
type Ask struct {
	// Rule names what asks, and Summary says to people what the call would do.
	Rule, Summary string
	// Within is how long the approval can be given and used; 0 is without limit.
	Within time.Duration
	// State is that of what the call is about, as JSON, for those who look again before it
	// runs; nil is unknown.
	State []byte
}

// Answer is a person's decision.
type Answer struct {
	// By is who decides. It is needed, and comes from the host, which knows who is
	// logged in; never from the model or from a form.
	By string
	// Approve lets the call run; false rejects it.
	Approve bool
	// Args are other arguments to run, for an approval; nil are those asked about.
	// The policy judges them again before they run.
	Args json.RawMessage
	// Reason is told to the model.
	Reason string
}

// ApprovalQuery says which approvals are wanted. Owner is needed unless AllOwners
// is set; every other field that is not empty narrows the answer.
type ApprovalQuery struct {
	Scope
	// ID is that of one approval.
	ID string
	// Closed asks for those as well whose call has begun or will never run.
	Closed bool
	// AllOwners asks for those of all owners: the inbox of an approver, or a worker
	// that resumes turns. Who may see them is the host's decision.
	AllOwners bool
}

var (
	// ErrCannotHold is returned where the ledger's store keeps no approvals.
	ErrCannotHold = errors.New("the ledger's store cannot hold calls for approval; use one that implements ApprovalStore")
	// ErrNoApproval is returned for an id that is not one of this owner's.
	ErrNoApproval = errors.New("there is no such approval for this owner; ask for the list of those that wait")
	// ErrNoApprover is returned for an answer that does not say whose it is.
	ErrNoApprover = errors.New("Answer.By is empty; set it to the person who is logged in")
	// ErrSelfApproval is returned where the owner of a call may not decide about it.
	ErrSelfApproval = errors.New("the owner of a call may not approve it here; somebody else has to")
	// ErrNotApproved matches every [*DecidedError] with errors.Is.
	ErrNotApproved = errors.New("the approval cannot be used")
	// ErrOtherCall is returned where the call that is to run is not, byte for byte,
	// the one that was approved. It does not run.
	ErrOtherCall = errors.New("the call differs from the one that was approved; nothing was run")
)

// DecidedError is an approval in a state in which it can neither be answered nor
// used: the first answer stands, and an expired or superseded one has none.
type DecidedError struct {
	// Approval is as it stands.
	Approval *Approval
}

// Error says in which state it is and what to do.
func (e *DecidedError) Error() string {
	a := e.Approval
	switch a.State {
	case Waiting:
		return "the approval has not been answered yet"
	case Expired:
		return fmt.Sprintf("the approval expired at %s; ask for the call again", a.Expires.Format(time.RFC3339))
	case Superseded:
		return "the approval is not asked for any more: " + a.Reason
	case Consumed:
		return fmt.Sprintf("the approval was given by %s and has been used; its call began at %s", clipped(a.By),
			a.Began.Format(time.RFC3339))
	}
	return fmt.Sprintf("the approval was %s by %s at %s; the first answer stands", a.State, clipped(a.By),
		a.Decided.Format(time.RFC3339))
}

// Is makes errors.Is(err, ErrNotApproved) true.
func (e *DecidedError) Is(target error) bool { return target == ErrNotApproved }

// The rules by which calls that a person decides about do not run.
const (
	RuleApproval   = "approval"
	RuleRejected   = "rejected"
	RuleExpired    = "expired"
	RuleSuperseded = "superseded"
)

const supersedes = "the user wrote again before it could run; it is not asked for any more, so go by the newer message"

// Refusal is why the call does not run as things stand, in words for the model. They
// differ by state, because what the model should do differs.
func (a *Approval) Refusal() (rule, reason string) {
	switch a.State {
	case Waiting, Approved:
		return RuleApproval, "a person has to approve it first (approval " + a.ID +
			"); nothing of it has been done: tell the user that it waits for approval, and claim nothing of it"
	case Rejected:
		why := plainLine(a.By) + " rejected it"
		if a.Reason != "" {
			why += ": " + strings.TrimRight(plainLine(a.Reason), ".")
		}
		return RuleRejected, why + "; tell the user so, and do not propose the same call again"
	case Expired:
		return RuleExpired, "its approval was not given or used before " + a.Expires.UTC().Format("2006-01-02 15:04 UTC") +
			"; nothing waits any more: say so, and ask the user whether it is still wanted"
	}
	return RuleSuperseded, supersedes
}

// plainLine makes one line of what a person wrote.
func plainLine(text string) string { return clip.Text(strings.Join(strings.Fields(text), " "), 300) }

// CallDigest identifies a tool and every byte of its arguments: what was shown to
// a person is what runs, not something that means the same.
func CallDigest(call Call) string {
	sum := sha256.Sum256(append(append([]byte(call.Tool), 0), call.Args...))
	return hex.EncodeToString(sum[:])
}

// IsOpen reports whether the call may still run: it waits, or was approved and has not begun.
func (a *Approval) IsOpen() bool { return a.State == Waiting || a.State == Approved }

// Waited is how long it took until a person decided; 0 until then.
func (a *Approval) Waited() time.Duration {
	if a.Decided.IsZero() {
		return 0
	}
	return a.Decided.Sub(a.Asked)
}

// approvalDocument is the stored form. JSON rewrites the white space of raw
// messages, so arguments are kept as bytes.
type approvalDocument struct {
	Approval
	Args         []byte `json:"exact_arguments"`
	OriginalArgs []byte `json:"exact_original,omitempty"`
}

const kindApproval = "approval"

// put writes the approval. It is open until its record is settled, so that an expired or
// rejected one is found by who resumes its turn.
func (a *Approval) put(desk Desk, open bool) error {
	bare := *a
	bare.Call.Args, bare.Original = nil, nil
	return putOn(desk, Document{Kind: kindApproval, ID: a.ID, Scope: a.Scope, Open: open},
		approvalDocument{bare, a.Call.Args, a.Original})
}

// onApproval runs a step on an approval, as it stands by the store's clock.
func onApproval(
	ctx context.Context, l *Ledger, owner, id string, step func(desk Desk, approval *Approval, now time.Time) error,
) error {
	return l.atomically(ctx, owner, func(desk Desk, now time.Time) error {
		stored, _, err := readOn[approvalDocument](desk, kindApproval, id, ErrNoApproval)
		if err != nil {
			return err
		}
		return step(desk, stored.at(now), now)
	})
}

func readApprovals(documents []Document, now time.Time) ([]*Approval, error) {
	stored, err := readAll[approvalDocument](documents)
	approvals := make([]*Approval, len(stored))
	for i := range stored {
		approvals[i] = stored[i].at(now)
	}
	return approvals, err
}

// at is the approval as it stands at a time of the store's clock.
func (d *approvalDocument) at(now time.Time) *Approval {
	a := &d.Approval
	a.Call.Args, a.Original = d.Args, d.OriginalArgs
	if a.IsOpen() && !a.Expires.IsZero() && !now.Before(a.Expires) {
		a.State = Expired
	}
	return a
}
