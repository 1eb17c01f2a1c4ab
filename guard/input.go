package guard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Input is one user message and where it belongs.
type Input struct {
	// User is the message.
	User string
	// Previous are the messages before it, oldest first, without system
	// messages of the guard's own.
	Previous []Message
	// System follows [Options.System] in the prompt of this turn: what changes from
	// turn to turn, such as the user's name or the page that is open. It is not
	// evidence: a question about the open tasks still needs the tool that lists
	// them, even if they are told here.
	System string
	// Owner is the user or tenant on whose behalf tools run. A program with a
	// single user may leave it empty: it is then "local".
	Owner string
	// Conversation groups turns.
	Conversation string
	// Task groups turns that work on one thing: checklists and attempts count
	// across them.
	Task string
	// Turn names the message: its id, or an idempotency key. The same name after
	// a restart or a replay keeps a change from running twice. A generated name
	// protects only within one run. One name is for one message: another message
	// under it is refused with a [ErrTurnReused], if the first made calls.
	Turn string
	// Mode is the name of one of [Options.Modes]; empty is no mode.
	Mode string
	// Checklist gates resolving tools for this turn, instead of the policy's own:
	// hosts with several kinds of problems choose it by kind.
	Checklist *policy.Checklist
	// Attempt says how often Task has been tried, this turn included. Zero lets
	// the guard count the turns of the task in the ledger; one whose model made no
	// call leaves a denied record of the tool and rule "no_call" there.
	Attempt int
}

// LocalOwner is the owner of turns whose input names none. No argument of a tool is
// set from it: see [policy.Options].
const LocalOwner = "local"

func (in Input) scope() tooltrack.Scope {
	return tooltrack.Scope{Owner: in.Owner, Conversation: in.Conversation, Task: in.Task, Turn: in.Turn}
}

type inputKey struct{}

// NewContext puts an input into a context, so that executors, [Guard.Wrap] and middleware
// know who asks. User and Previous need not be set.
func NewContext(ctx context.Context, input Input) context.Context {
	if ctx == nil {
		ctx = context.Background()
	}
	return context.WithValue(ctx, inputKey{}, &input)
}

// FromContext is the input that NewContext stored; none without a context.
func FromContext(ctx context.Context) (Input, bool) {
	if ctx == nil {
		return Input{}, false
	}
	if input, ok := ctx.Value(inputKey{}).(*Input); ok {
		return *input, true
	}
	return Input{}, false
}

// A turn's name makes a replay of its message harmless, and another message under
// it harmful: the records of the first would answer for its calls, which then do
// not run, and back what is said of them. So each record of a named turn holds a
// digest of the message.

// checkName refuses a name that stands for another message. Records without a
// digest are older than digests, or were made by others than turns.
func (t *Turn) checkName(ctx context.Context, records []*tooltrack.Record) error {
	other := func(record *tooltrack.Record) bool { return record.Message != "" && record.Message != t.digest }
	if !slices.ContainsFunc(records, other) {
		return nil
	}
	calls, tools := "1 call", []string{}
	if n := len(records); n != 1 {
		calls = fmt.Sprintf("%d calls", n)
	}
	for _, record := range records {
		if tool := clipped(record.Tool); !slices.Contains(tools, tool) && len(tools) < 3 {
			tools = append(tools, tool)
		}
	}
	reused := wordedError(ErrTurnReused, "Input.Turn %q is the name of another message of this owner, with %s on "+
		"record (%s); set it to the id of this message, or leave it empty",
		clipped(t.input.Turn), calls, strings.Join(tools, ", "))
	if !t.guard.options.Observe {
		return reused
	}
	t.guard.hostFault(ctx, "Input.Turn", reused)
	t.guard.counters.wouldHave("refusal of a turn's name")
	return nil
}

// digestOf is by what a message is known again, however its white space was
// handed on. Owner and turn are in it, so that equal messages of different people
// cannot be told from their records.
func digestOf(input Input) string {
	known := make([]byte, 0, 256)
	known = append(append(append(append(known, input.Owner...), 0), input.Turn...), 0)
	for word := range strings.FieldsSeq(input.User) {
		known = append(append(known, word...), ' ')
	}
	sum := sha256.Sum256(known)
	return hex.EncodeToString(sum[:16])
}
