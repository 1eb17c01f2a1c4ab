package tooltrack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Turn is one run of one user message, in which calls are begun and finished. Opening the same
// turn again, after a crash or in another process, meets the records of the first run: what
// succeeded there is not done again. It is safe for concurrent use.
type Turn struct {
	ledger *Ledger
	scope  Scope

	proposals proposals
}

// Open starts a run of a turn. Owner and Turn must be set.
func (l *Ledger) Open(scope Scope) (*Turn, error) {
	switch {
	case scope.Owner == "":
		return nil, ErrNoOwner
	case scope.Turn == "":
		return nil, ErrNoTurn
	}
	err := cmp.Or(checkName("owner", scope.Owner), checkName("conversation", scope.Conversation),
		checkName("task", scope.Task), checkName("turn", scope.Turn))
	if err != nil {
		return nil, err
	}
	return &Turn{ledger: l, scope: scope}, nil
}

// maxName bounds the names that a store indexes, and maxReason what a person writes, in bytes.
const maxName, maxReason = 512, 4096

func checkName(field, value string) error {
	return checkLength(field, value, maxName, ": use an id, or a digest of it")
}

func checkReason(field, value string) error { return checkLength(field, value, maxReason, "") }

func checkLength(field, value string, most int, advice string) error {
	if len(value) > most {
		return fmt.Errorf("%s has %d bytes; at most %d are allowed%s", field, len(value), most, advice)
	}
	return nil
}

// Scope returns what the turn was opened with.
func (t *Turn) Scope() Scope { return t.scope }

// CallOptions say more about a call. Nil is a call that was approved as sent.
type CallOptions struct {
	// Ruling is what was decided about the call. A denied call is recorded and does not run.
	Ruling Ruling
	// Key names the call for "at most once" instead of turn, tool and arguments, for this owner
	// and for good: an order number, say. Using it for another call is an error.
	Key string
	// Distinct says that the call does not repeat an earlier one, although their arguments
	// mean the same in other spellings: the user's words name the difference.
	Distinct bool
	// Retried marks a call made because the guard asked again, for RetryReason.
	Retried     bool
	RetryReason string
	// Message is a digest of the message that the turn answers; see [Record].
	Message string
	// Touched are the entities of the call, where the host knows better than Tool.Subject.
	Touched []Subject
	// Reconcile is asked about an earlier attempt after [LedgerOptions.Reconcile].
	Reconcile Reconcile
}

// Begin records a call before it runs, and says whether it may. If Run is true, [Turn.Finish]
// must follow. An error means that nothing was recorded, so nothing may run.
//
// Reads and verifications always run. A call that may change something runs at most once, for
// an owner, a turn, a tool and what its arguments say, however that is spelled: 100, "100.00"
// and "$100" are one amount, and null or empty is left out unless the schema names null. Letter
// case, ids, contents, code, paths, commands, queries, secrets and enumerations are compared as
// they are. The ways out are [CallOptions.Distinct], a key of the host's own and Repeatable.
//
//   - After one that is running, pending or of unknown fate it does not run again, unless the
//     tool is Idempotent or [LedgerOptions.Reconcile] finds out what became of it.
//   - After a failure or a denial it is the next attempt.
//   - After a success it runs again if the tool is Repeatable, or if a different change to the
//     same subject has succeeded since (on, off, on), three times in a turn at most.
//   - After a success of a tool whose effect is not declared, and whose name does not say that
//     it sends, creates, pays or deletes, it runs again, eight times at most: polling.
//
// What does not run is answered by an earlier record, with the reason in [Begun.Reason]: tell
// the model, or the second of "add two coffees" is lost without anybody knowing. A turn that is
// run again meets the n-th success of a call with its n-th proposal.
func (t *Turn) Begin(ctx context.Context, tool Tool, call Call, options *CallOptions) (Begun, error) {
	record, spent, err := t.proposal(tool, call, options)
	if err != nil {
		return Begun{}, err
	}
	options = cmp.Or(options, &CallOptions{})
	begun, err := t.propose(ctx, &tool, record, spent, options.Reconcile)
	if err != nil || begun.Reason == "" || record.Digest != "" || exactKey(begun.Record.Call) == exactKey(call) {
		return begun, err
	}
	if options.Distinct || hasOtherCurrency(begun.Record.Args, call.Args) {
		record.Key = exactKey(call)
		record.Occurrence, spent = t.proposals.occurrence(&tool, record.Key)
		return t.propose(ctx, &tool, record, spent, options.Reconcile)
	}
	begun.Reason += otherLetters
	return begun, nil
}

// otherLetters tells a model why a call is not run whose arguments are spelled otherwise.
const otherLetters = "; that call says the same in other letters, so this one would do it twice"

// propose asks the ledger whether an occurrence of a call may run.
func (t *Turn) propose(ctx context.Context, tool *Tool, record *Record, spent bool, ask Reconcile) (Begun, error) {
	begun, err := t.ledger.begin(ctx, record, tool.Idempotent, ask)
	if err == nil {
		begun = t.explain(begun, tool, spent)
	}
	return begun, err
}

// explain says why a call does not run, and remembers what answers for it.
func (t *Turn) explain(begun Begun, tool *Tool, spent bool) Begun {
	begun.Record = begun.Record.implying(tool.Implied)
	if !begun.Run {
		t.proposals.note(begun.Record)
		if !begun.Record.Ruling.Denied {
			begun.Reason = refusal(begun.Record, spent)
		}
	}
	return begun
}

// proposal is the record of a call as it is proposed now; it is spent where no
// further occurrence is allowed.
func (t *Turn) proposal(tool Tool, call Call, options *CallOptions) (record *Record, spent bool, err error) {
	options = cmp.Or(options, &CallOptions{})
	if tool.Name != call.Tool {
		return nil, false, fmt.Errorf("the call is of tool %q, but the tool given is %q", clipped(call.Tool),
			clipped(tool.Name))
	}
	if err := checkName("key", options.Key); err != nil {
		return nil, false, err
	}
	record = &Record{
		Scope: t.scope, Call: call, Effect: tool.Effect, Implied: tool.Implied, Ruling: options.Ruling, Occurrence: 1,
		Retried: options.Retried, RetryReason: options.RetryReason, Message: options.Message, Touched: options.Touched,
	}
	if record.Began, err = t.ledger.now(); err != nil {
		return nil, false, err
	}
	if record.Ruling.Denied {
		record.Result, record.Finished = DeniedResult(record.Ruling.Reason), record.Began
	}
	if record.Touched == nil {
		record.Touched = touchedBy(tool, call)
	}
	switch {
	case options.Key != "":
		record.Key, record.Digest = "host:"+options.Key, callKey(&tool, call)
	case tool.Effect.MayChange():
		record.Key = callKey(&tool, call)
		record.Occurrence, spent = t.proposals.occurrence(&tool, record.Key)
	}
	return record, spent, nil
}

// finishTime is how long a result may take to be written down after the
// context of its call has ended.
const finishTime = 10 * time.Second

// Finish completes a record that Begin returned, even if the call's own context has ended: what
// ran must be written down. A store that has not done so ten seconds after that is given up.
// Touched, if given, takes the place of what Begin recorded.
func (t *Turn) Finish(ctx context.Context, record *Record, result Result, touched ...Subject) (*Record, error) {
	if record == nil {
		return nil, errNoRecord
	}
	if touched == nil {
		touched = record.Touched
	}
	if ctx.Done() != nil {
		longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
		defer cancel()
		defer context.AfterFunc(ctx, func() { time.AfterFunc(finishTime, cancel) })()
		ctx = longer
	}
	stored, err := t.ledger.finish(ctx, record, result, touched)
	if stored != nil {
		t.proposals.note(stored)
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil { // nobody cancelled it: its time was up
		err = fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	return stored, err
}

// Do runs a call under the ledger: it begins the record, runs the tool if it may, as [Execute]
// does, and completes the record. It returns what [Turn.Begin] does, with the record completed.
// An error means that the ledger could not do its part, and comes with the record as far as it
// is known.
func (t *Turn) Do(
	ctx context.Context, tool Tool, call Call, options *CallOptions, run func(context.Context, Call) ([]byte, error),
) (Begun, error) {
	begun, err := t.Begin(ctx, tool, call, options)
	if err != nil || !begun.Run {
		return begun, err
	}
	stored, err := t.Finish(ctx, begun.Record, Execute(ctx, &tool, begun.Record.Call, run, t.ledger.results))
	if stored != nil {
		begun.Record = stored
	}
	return begun, err
}

// Records returns the records of the turn, those of earlier runs included.
func (t *Turn) Records(ctx context.Context) ([]*Record, error) {
	return t.ledger.Records(ctx, Query{Scope: Scope{Owner: t.scope.Owner, Turn: t.scope.Turn}})
}

// Evidence sums up the turn.
func (t *Turn) Evidence(ctx context.Context) (Evidence, error) {
	records, err := t.Records(ctx)
	return EvidenceOf(records), err
}

// touchedBy reads the entity from the argument that the tool's description names.
func touchedBy(tool Tool, call Call) []Subject {
	id := jsonspan.Scalar(jsonspan.Member(call.Args, tool.Subject.Arg))
	if tool.Subject.Arg == "" || id == "" {
		return nil
	}
	return []Subject{{Kind: tool.Subject.Kind, ID: id}}
}
