package guard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Classifier finds out what a message asks for. [intent.Classifier] is one.
type Classifier interface {
	Classify(ctx context.Context, request intent.Utterance) (intent.Intent, error)
}

// Options configure a [Guard]. Nil is a guard that derives intent from the tools, checks arguments by their
// schemas, judges completion and keeps its ledger in memory.
type Options struct {
	// Observe changes nothing and asks nothing again: calls run as sent, texts pass, and the verdicts and events
	// are those that the guard would have acted on. It is the first step in production.
	Observe bool

	// Classifier says which tools a message needs. Default: intent.FromTools with Intent.
	Classifier Classifier
	// Intent tunes the default classifier.
	Intent *intent.Options
	// Policy says which calls may run. Default: strict decoding and the tools' own schemas. Its modes are those of
	// Modes.
	Policy *policy.Options
	// Reviewer decides about calls instead of the policy, which then only describes the rules in prompts, and keeps
	// the rates. Default: the policy.
	Reviewer Reviewer
	// Evaluator judges texts. Default: completion.New with Completion.
	Evaluator Evaluator
	// Completion tunes the default judgement of texts.
	Completion *completion.Options
	// Ledger remembers calls. Default: in memory, bounded.
	Ledger *tooltrack.Ledger
	// Directories resolve titles to ids, by the kind that Tool.Subject names. Default: none; references run as the
	// model sent them.
	Directories map[string]Directory

	// Results say how the results of calls are read where only messages are known: Wrap, chatwire, and
	// conversations without a ledger. Default: see [tooltrack.ParseResult].
	Results *tooltrack.ParseOptions

	// Contracts say when a request of a kind is done. A kind that is not listed has the ready-made contract of its
	// name.
	Contracts map[intent.Kind]completion.Contract
	// Modes are ways of working that Input.Mode can name.
	Modes []Mode
	// Budgets bound what a turn may cost.
	Budgets Budgets
	// Proof says when the model is asked what its text rests on. Default: [WhenUnsure].
	Proof ProofMode
	// Referee answers requests for proof instead of the model that acted. It gets the conversation, the text and
	// the question, and calls no tools. Default: the model itself answers.
	Referee Model
	// Lenient shows sentences in doubt whose proof did not come; they are listed in Reply.Unproven. Default: they
	// are left out of the text.
	Lenient bool
	// Texts are what the guard says to people. Default: English.
	Texts *Texts
	// Thresholds say how sure the guard must be before it insists on a tool.
	Thresholds Thresholds

	// System is the host's own system prompt. Date, limits and checklist follow it.
	System string
	// Dates puts the current date and the years that may be used into the prompt and into forced instructions. It
	// should be the window that the policy enforces. Default: no dates in the prompt.
	Dates *policy.DateWindow
	// Clock tells the time in the user's time zone. Default: time.Now.
	Clock func() time.Time

	// ToolTimeout bounds one call of a tool. Default: none but the context's.
	ToolTimeout time.Duration
	// AbandonAfter is how long a tool may go on after its context has ended, before it is left alone and its fate
	// recorded as unknown. Default: 100 ms.
	AbandonAfter time.Duration
	// ReaskTimeout bounds one corrective model call, and one request for proof to the model or the referee. When it
	// runs out, only the proof is lost, not the answer: of that, what no call on record can show is left out, as
	// with any error of the model. Default: none but the context's.
	ReaskTimeout time.Duration
	// Parallel is how many consecutive reads may run at once. Default: 4; 1 turns it off.
	Parallel int
	// Key names a call for "at most once" instead of turn, tool and arguments; an empty name keeps the default.
	// Default: nil.
	Key func(Input, tooltrack.Call) string

	// DeliverAccount turns a failed turn into a reply whose text is the honest account, with the typed error in
	// Reply.Err. Default: the error is returned.
	DeliverAccount bool
	// ReleaseSentences streams a text sentence by sentence, each once it holds no unbacked claim. Default: while a
	// tool that may change something is offered, a text is held until it has passed as a whole.
	ReleaseSentences bool

	// Logger hears of every decision. Arguments, results and texts are never logged. Default: silent.
	Logger *slog.Logger
	// LogClaims logs a short piece of each claim in doubt, with what looks like a secret redacted. It quotes the
	// model. Default: no texts are logged.
	LogClaims bool
	// LogErrors logs the texts of errors that the host's own code returned, cut and with what looks like a secret
	// redacted. They may quote messages and arguments. Default: their types only.
	LogErrors bool
}

// The defaults of [Options].
const (
	defaultAbandonAfter = 100 * time.Millisecond
	defaultParallel     = 4
)

// Thresholds are the probabilities at which the guard begins to act or to ask. Zero fields are the defaults; a
// number above 1 means never.
type Thresholds struct {
	// Change is the least confidence with which a tool that may change something is insisted on. Default:
	// [intent.DefaultSureChange].
	Change float64
	// Read is the same for tools that only read or verify. Default: [intent.DefaultSureRead].
	Read float64
	// Due: an answer without calls is asked about if the probability that something is due is at least this.
	// Default: [intent.DefaultDue].
	Due float64
	// Outcome: a text is corrected if the probability that it falls short (it only announces, or hides a failure)
	// is at least this. Default 0.9.
	Outcome float64
}

func (t Thresholds) withDefaults() Thresholds {
	set := func(field *float64, standard float64) {
		if !(*field > 0) { // not a number is no threshold
			*field = standard
		}
	}
	set(&t.Change, intent.DefaultSureChange)
	set(&t.Read, intent.DefaultSureRead)
	set(&t.Due, intent.DefaultDue)
	set(&t.Outcome, 0.9)
	return t
}

// Mode is a way of working that a turn can be in: how many calls it may make, and when it is done. The limits print
// their own prompt text, so what the model is told and what is enforced come from one definition.
type Mode struct {
	// Mode holds the name and the limits.
	policy.Mode
	// Contract says when a turn in this mode is done, whatever tools the words of the request expect; nil leaves it
	// to the request.
	Contract *completion.Contract
	// Tools are the names of the tools offered in this mode; empty is all.
	Tools []string
	// Instructions stand in the system prompt of turns in this mode.
	Instructions string
}

// Evaluator judges texts. [completion.Evaluator] is one. It must be safe for concurrent use, and leaves clean what
// it cannot judge. A turn does not wait for one that takes longer than its context.
type Evaluator interface {
	Evaluate(turn completion.Case) completion.Verdict
}

// EvaluatorFunc makes an Evaluator of a function.
type EvaluatorFunc func(turn completion.Case) completion.Verdict

// Evaluate calls the function.
func (f EvaluatorFunc) Evaluate(turn completion.Case) completion.Verdict { return f(turn) }

// Reviewer decides whether a call may run, and with which arguments. A *policy.Set is one; Cedar or OPA can stand
// behind another. An error means that it could not decide: the call is denied.
type Reviewer interface {
	Review(ctx context.Context, request policy.Proposal) (policy.Decision, error)
}

// ReviewerFunc makes a Reviewer of a function.
type ReviewerFunc func(ctx context.Context, request policy.Proposal) (policy.Decision, error)

// Review calls the function.
func (f ReviewerFunc) Review(ctx context.Context, request policy.Proposal) (policy.Decision, error) {
	return f(ctx, request)
}

// Directory finds the entity that a reference means, among those of one owner. [resolver.Directory] is one.
//
// If it can list its entities, implement [Lister], too. Without it "the second one" means nothing, and a title in a
// message is recognised only if nothing but the title follows the first word.
type Directory interface {
	// Resolve returns the match, a *resolver.AmbiguousError or a *resolver.NotFoundError; any other error means
	// that it could not look.
	Resolve(ctx context.Context, owner, reference string) (resolver.Match, error)
	// Redact replaces the ids of the owner's entities by their titles.
	Redact(ctx context.Context, owner, text string) (string, error)
}

// Lister is a [Directory] that can list an owner's entities. From their titles the guard knows which entities a
// message or a listing names. So "the second one" has a meaning, and a report about an entity that no call was
// about is noticed.
type Lister interface {
	Directory
	// Entries are the entities of the owner, in any order. It must return when the context ends, and is asked
	// several times in a turn.
	Entries(ctx context.Context, owner string) ([]resolver.Entry, error)
}

// Input is one user message and where it belongs.
type Input struct {
	// User is the message.
	User string
	// Previous are the messages before it, oldest first, without system messages of the guard's own.
	Previous []Message
	// System follows [Options.System] in the prompt of this turn: what changes from turn to turn, such as the
	// user's name or the page that is open. It is not evidence: a question about the open tasks still needs the
	// tool that lists them, even if they are told here.
	System string
	// Owner is the user or tenant on whose behalf tools run. A program with a single user may leave it empty: it is
	// then "local".
	Owner string
	// Conversation groups turns.
	Conversation string
	// Task groups turns that work on one thing: checklists and attempts count across them.
	Task string
	// Turn names the message: its id, or an idempotency key. The same name after a restart or a replay keeps a
	// change from running twice. A generated name protects only within one run. One name is for one message:
	// another message under it is refused with [ErrTurnReused], if the first made calls.
	Turn string
	// Mode is the name of one of [Options.Modes]; empty is no mode.
	Mode string
	// Checklist gates resolving tools for this turn, instead of the policy's own: hosts with several kinds of
	// problems choose it by kind.
	Checklist *policy.Checklist
	// Attempt says how often Task has been tried, this turn included. Zero lets the guard count the turns of the
	// task in the ledger; one whose model made no call leaves a denied record of the tool and rule "no_call" there.
	Attempt int
}

// LocalOwner is the owner of turns whose input names none. No argument of a tool is set from it: see
// [policy.Options].
const LocalOwner = "local"

func (in Input) scope() tooltrack.Scope {
	return tooltrack.Scope{Owner: in.Owner, Conversation: in.Conversation, Task: in.Task, Turn: in.Turn}
}

type inputKey struct{}

// NewContext puts an input into a context, so that executors, [Guard.Wrap] and middleware know who asks. User and
// Previous need not be set.
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

// ProofMode says when a model is asked what its text rests on.
type ProofMode uint8

const (
	// WhenUnsure asks about texts that the guard can neither trust nor refuse: one more model call for these, none
	// for the others.
	WhenUnsure ProofMode = iota
	// Always asks about every text, except where nothing was called, claimed or asked for. Where the guard sets the
	// tools (Run, Stream, Begin) it offers a tool named report, by which a model ends its turn and tells what it
	// rests on without an extra call. It is the way for high stakes: what no local reading notices, such as one
	// false sentence in a long true text, the model itself has to put into the report.
	Always
	// Never lets texts in doubt pass, counted and logged.
	Never
)

// Recorded is a turn that is over, as a log holds it.
type Recorded struct {
	// User is the message that the turn answers, and Previous what the assistant said before it.
	User, Previous string
	// Before are the messages of both before these, the latest first, as far as they are known: a recap may name
	// what was said in them.
	Before []string
	// Text is what the turn ended with.
	Text string
	// Records are the calls of the turn and Earlier those of the turns before; [Guard.RecordsOf] reads both from
	// messages.
	Records, Earlier []*tooltrack.Record
}

// under puts the part that an error comes from before each of its lines.
func under(part string, err error) error {
	several, joined := err.(interface{ Unwrap() []error })
	if !joined {
		return fmt.Errorf("%s: %w", part, err)
	}
	var faults []error
	for _, fault := range several.Unwrap() {
		faults = append(faults, under(part, fault))
	}
	return errors.Join(faults...)
}

// Executor runs one approved tool call. The arguments of the call are exactly those that were reviewed, with titles
// already replaced by ids.
//
// A non-nil error is a failure, unless it leaves open whether a change was made: see [tooltrack.Execute]. An
// executor that knows says so: [tooltrack.ErrOutcomeUnknown] is a call of unknown fate, which does not run again,
// and [tooltrack.NotDone] one that took no effect. A nil error is a success unless the body says otherwise; see
// [tooltrack.ResultOf].
//
// Calls of reading tools may run concurrently. Who asked is in the context; see [FromContext].
type Executor interface {
	Execute(ctx context.Context, call tooltrack.Call) (body []byte, err error)
}

// ExecutorFunc makes an Executor of a function.
type ExecutorFunc func(ctx context.Context, call tooltrack.Call) ([]byte, error)

// Execute calls the function; where that is nil, the error is [ErrNoExecutor].
func (f ExecutorFunc) Execute(ctx context.Context, call tooltrack.Call) ([]byte, error) {
	if f == nil {
		return nil, ErrNoExecutor
	}
	return f(ctx, call)
}

// Texts are what the guard says to people. Empty fields are the English defaults; a host translates them by setting
// them.
type Texts struct {
	// NotDone begins the line that is added for a thing that was not done and that the text does not tell: "Not
	// done".
	NotDone string
	// Withheld stands in place of sentences that no record shows, and Unshown after such that are shown, because
	// the conversation tells the same: see [Guard.Wrap].
	Withheld, Unshown string
	// Recorded stands before what the ledger holds of the turn, RecordedEarlier before what it holds of earlier
	// ones, and Nothing where it holds no change. LookedUp begins the line that names what was only read.
	Recorded, RecordedEarlier, Nothing, LookedUp string
	// NotTriggered, NotCompleted, CutOff, NotAllowed, Unreachable, Unjudged and Ended are the first lines of
	// accounts. Filtered and Refused are those of answers that a filter withheld and that the provider refused
	// without words of its own.
	NotTriggered, NotCompleted, CutOff, Filtered, Refused, NotAllowed, Unreachable, Unjudged, Ended string
	// Untold stands in place of an account that could not be put into words.
	Untold string
	// Held begins the line that names a call which waits for a person, HeldAfter that of one which waits for such a
	// call, HeldUntil stands before the time until when, and HeldNothing says that none of them has been made.
	Held, HeldAfter, HeldUntil, HeldNothing string
	// Expected follows NotTriggered, with "{tools}" for the names of the tools that were not called, in words:
	// "Expected: {tools}." By default they are not told.
	Expected string
	// Times is said of a line that would stand in an account "{n}" times. Default: "twice", "3 times".
	Times string
	// Calls are how accounts tell of calls, where [completion.Options] has no wording for the tool. The default
	// tells them in English: "Deleted: Read book".
	Calls completion.Wording
	// Reasons are what people read of why a call did not work, where the reason itself is meant for models and
	// programmers: by the rule that denied it ("rate", "type", "unknown_tool"), with "arguments" for all rules
	// about single arguments that have no text of their own, and "panic", "timeout" and "cancelled". Names that are
	// not set have the English default; other rules, those of a host, tell their own reason.
	Reasons map[string]string
}
