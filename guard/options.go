package guard

import (
	"context"
	"log/slog"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Classifier finds out what a message asks for. [intent.Classifier] is one.
type Classifier interface {
	Classify(ctx context.Context, request intent.Utterance) (intent.Intent, error)
}

// Options configure a [Guard]. Nil is a guard that derives intent from the
// tools, checks arguments by their schemas, judges completion and keeps its
// ledger in memory.
type Options struct {
	// Observe changes nothing and asks nothing again: calls run as sent, texts
	// pass, and the verdicts and events are those that the guard would have acted
	// on. It is the first step in production.
	Observe bool

	// Classifier says which tools a message needs. Default: intent.FromTools with
	// Intent.
	Classifier Classifier
	// Intent tunes the default classifier.
	Intent *intent.Options
	// Policy says which calls may run. Default: strict decoding and the tools'
	// own schemas. Its modes are those of Modes.
	Policy *policy.Options
	// Reviewer decides about calls instead of the policy, which then only describes
	// the rules in prompts, and keeps the rates. Default: the policy.
	Reviewer Reviewer
	// Evaluator judges texts. Default: completion.New with Completion.
	Evaluator Evaluator
	// Completion tunes the default judgement of texts.
	Completion *completion.Options
	// Ledger remembers calls. Default: in memory, bounded.
	Ledger *tooltrack.Ledger
	// Directories resolve titles to ids, by the kind that Tool.Subject names.
	// Default: none; references run as the model sent them.
	Directories map[string]Directory

	// Results say how the results of calls are read where only messages are known:
	// Wrap, chatwire, and conversations without a ledger. Default: see
	// [tooltrack.ParseResult].
	Results *tooltrack.ParseOptions

	// Contracts say when a request of a kind is done. A kind that is not listed
	// has the ready-made contract of its name.
	Contracts map[intent.Kind]completion.Contract
	// Modes are ways of working that Input.Mode can name.
	Modes []Mode
	// Budgets bound what a turn may cost.
	Budgets Budgets
	// Proof says when the model is asked what its text rests on. Default:
	// [WhenUnsure].
	Proof ProofMode
	// Referee answers requests for proof instead of the model that acted. It gets
	// the conversation, the text and the question, and calls no tools. Default: the
	// model itself answers.
	Referee Model
	// Lenient shows sentences in doubt whose proof did not come; they are listed in
	// Reply.Unproven. Default: they are left out of the text.
	Lenient bool
	// Texts are what the guard says to people. Default: English.
	Texts *Texts
	// Thresholds say how sure the guard must be before it insists on a tool.
	Thresholds Thresholds

	// System is the host's own system prompt. Date, limits and checklist follow
	// it.
	System string
	// Dates puts the current date and the years that may be used into the prompt
	// and into forced instructions. It should be the window that the policy
	// enforces. Default: no dates in the prompt.
	Dates *policy.DateWindow
	// Clock tells the time in the user's time zone. Default: time.Now.
	Clock func() time.Time

	// ToolTimeout bounds one call of a tool. Default: none but the context's.
	ToolTimeout time.Duration
	// AbandonAfter is how long a tool may go on after its context has ended,
	// before it is left alone and its fate recorded as unknown. Default: 100 ms.
	AbandonAfter time.Duration
	// ReaskTimeout bounds one corrective model call, and one request for proof to the
	// model or the referee. When it runs out, only the proof is lost, not the answer: of
	// that, what no call on record can show is left out, as with any error of the model.
	// Default: none but the context's.
	ReaskTimeout time.Duration
	// Parallel is how many consecutive reads may run at once. Default: 4; 1 turns
	// it off.
	Parallel int
	// Key names a call for "at most once" instead of turn, tool and arguments; an
	// empty name keeps the default. Default: nil.
	Key func(Input, tooltrack.Call) string

	// DeliverAccount turns a failed turn into a reply whose text is the honest
	// account, with the typed error in Reply.Err. Default: the error is returned.
	DeliverAccount bool
	// ReleaseSentences streams a text sentence by sentence, each once it holds no
	// unbacked claim. Default: while a tool that may change something is offered,
	// a text is held until it has passed as a whole.
	ReleaseSentences bool

	// Logger hears of every decision. Arguments, results and texts are never
	// logged. Default: silent.
	Logger *slog.Logger
	// LogClaims logs a short piece of each claim in doubt, with what looks like a
	// secret redacted. It quotes the model. Default: no texts are logged.
	LogClaims bool
	// LogErrors logs the texts of errors that the host's own code returned, cut
	// and with what looks like a secret redacted. They may quote messages and
	// arguments. Default: their types only.
	LogErrors bool
}

// contractFor is the one table from kinds of requests to contracts.
func (o *Options) contractFor(kind intent.Kind) completion.Contract {
	if contract, own := o.Contracts[kind]; own {
		return contract
	}
	switch kind {
	case intent.Action:
		return completion.Action()
	case intent.Question:
		return completion.Question()
	case intent.Analysis:
		return completion.Analysis()
	case intent.Chat:
		return completion.Chat()
	default: // a kind that nobody knows is judged strictly
		return completion.Action()
	}
}

// The defaults of [Options].
const (
	defaultAbandonAfter = 100 * time.Millisecond
	defaultParallel     = 4
)

// Thresholds are the probabilities at which the guard begins to act or to ask.
// Zero fields are the defaults; a number above 1 means never.
type Thresholds struct {
	// Change is the least confidence with which a tool that may change something
	// is insisted on. Default: [intent.DefaultSureChange].
	Change float64
	// Read is the same for tools that only read or verify. Default:
	// [intent.DefaultSureRead].
	Read float64
	// Due: an answer without calls is asked about if the probability that something is due
	// is at least this. Default: [intent.DefaultDue].
	Due float64
	// Outcome: a text is corrected if the probability that it falls short (it only
	// announces, or hides a failure) is at least this. Default 0.9.
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

// Mode is a way of working that a turn can be in: how many calls it may make,
// and when it is done. The limits print their own prompt text, so what the
// model is told and what is enforced come from one definition.
type Mode struct {
	// Mode holds the name and the limits.
	policy.Mode
	// Contract says when a turn in this mode is done, whatever tools the words of
	// the request expect; nil leaves it to the request.
	Contract *completion.Contract
	// Tools are the names of the tools offered in this mode; empty is all.
	Tools []string
	// Instructions stand in the system prompt of turns in this mode.
	Instructions string
}
