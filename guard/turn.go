package guard

import (
	"context"
	"sync"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Turn is one user message on its way to an answer that may be shown. A loop of the host's own drives it step by
// step:
//
//	turn, err := g.Begin(ctx, input)
//	for turn.Open() {
//		response, err := model.Generate(ctx, turn.Request(ctx))
//		if err != nil {
//			return turn.Fail(err)
//		}
//		for _, call := range turn.Take(ctx, response) {
//			turn.Do(ctx, call, run)
//		}
//	}
//	reply, err := turn.Reply()
//
// Request, Take and Reply belong to one goroutine; Do may be called from several, as loops do that run calls in
// parallel.
type Turn struct {
	guard *Guard
	userRequest
	ledgerView
	conversation
	drafts
	costs
	turnEnd
	driver  driver
	started time.Time
	batch   []pending  // the calls of the last answer
	denying sync.Mutex // held while denied calls are written down
}

// userRequest is what a turn is asked for, and by whom.
type userRequest struct {
	input     Input
	named     bool // the host named the turn
	ownerless bool // nobody said whose entities are meant: none are looked up
	mode      *Mode
	offered   []tooltrack.Tool
	intent    intent.Intent
	unread    *contain.Panic // why the message could not be read; nil if it was
	contract  completion.Contract
	expected  []string
	asked     demands
	wanted    string    // what of the message may ask for something; the rest is handed on
	previous  string    // the assistant's text before the message
	mentioned []mention // nil until the directories were asked
}

// ledgerView is what a turn knows of the ledger. Those who run beside the turn add to it.
type ledgerView struct {
	mu      sync.Mutex
	track   *tooltrack.Turn     // nil when only messages are known
	records []*tooltrack.Record // of this turn, in the order proposed
	linked  []*tooltrack.Record // of sub-agents, see Link
	earlier []*tooltrack.Record // of earlier turns of the conversation
	history []*tooltrack.Record // of the task, other turns
	late    []*tooltrack.Record // of calls that the turn did not wait for
	attempt int
	traced  bool   // an earlier run left the trace of an attempt without calls
	claimed string // under which name it was claimed, where it is resumed
	digest  string // of the message, where the turn is named
}

// conversation is what the model sees.
type conversation struct {
	caps      Capabilities
	messages  []Message
	first     int // where this turn's messages begin
	choice    Choice
	forcedOn  []string  // the entities that the last choice was forced for, until its answer is reviewed
	barred    bool      // the loop's own request forbids calls, so none is asked for
	inquired  bool      // another guard asks, and answers for what comes of it
	answered  *Response // what the model has said already
	said      interventions
	last      context.Context // of the last step that had one
	carrying  context.Context // what Context made of it
	reporting bool            // the report tool was offered
}

// drafts are the texts that did not pass, or not yet.
type drafts struct {
	proving   *proving        // the text that waits for its proof
	aside     *proving        // the text that was asked about before the last calls
	answering *tooltrack.Call // the tool call that the last text came by
	lastFault *finding        // what the model was last corrected for, until it answers
	caught    *finding        // the last one that told as done what was not
}

// interventions are what the guard has said to the model so far: to call a tool; that a text of it is false; what
// the contract still asks for; that the request is met, and its words are to be put right.
type interventions struct {
	Insisted, Accused, Required, Settled bool
	Retry                                string // why calls of the next answers are retries; empty if they are none
}

// turnEnd is how a turn has ended.
type turnEnd struct {
	closed    bool
	refusable bool      // its text would not pass, and is only observed
	final     *Response // what the turn ended with, where that is a text
	reply     *Reply
	err       error
}

// driver is whose loop asks the model.
type driver uint8

const (
	hostLoop     driver = iota // the host's own, step by step
	guardLoop                  // Run, Stream or Resume, so nobody else ends it
	foreignLoop                // a framework's, which ends by itself
	messagesOnly               // one that is out of sight, with those who run the calls
)

// Input is what the turn was begun with, with owner and turn filled in.
func (t *Turn) Input() Input { return t.input }

// Intent is what the message asks for.
func (t *Turn) Intent() intent.Intent { return t.intent }

// Adapt takes note of what a model cannot do, for loops that call it themselves. For one without tool calls,
// Request then tells the tools in words, and Take reads the calls from the text.
func (t *Turn) Adapt(model Model) {
	var err error
	if t.caps, err = capabilitiesOf(model); err != nil {
		t.guard.hostFault(context.Background(), "Model.Capabilities", err)
	}
}

// Context tells executors who asks.
func (t *Turn) Context(ctx context.Context) context.Context {
	if ctx == nil {
		ctx = context.Background()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.carrying == nil || t.last != ctx {
		t.last, t.carrying = ctx, carrying(ctx, t)
	}
	return t.carrying
}

// carrying is a context with a turn and its input.
func carrying(ctx context.Context, t *Turn) context.Context {
	return context.WithValue(context.WithValue(ctx, inputKey{}, &t.input), linkKey{}, t)
}

// lastContext is the context of the last step that had one.
func (t *Turn) lastContext() context.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil {
		return context.Background()
	}
	return t.last
}

type linkKey struct{}

// pending is a call between its review and its result.
type pending struct {
	call    tooltrack.Call // as it is to run
	args    *policy.Args   // its arguments, if somebody had to read them
	tool    *tooltrack.Tool
	unknown bool // the tool is not offered; tool stands in for the record's sake
	ruling  tooltrack.Ruling
	touched []tooltrack.Subject
	record  *tooltrack.Record // set when its fate is known
	result  tooltrack.Result
	repeat  string // what the model is told instead of the result, when an earlier call answers
	beside  *attachments

	// Of calls that a person decides about:
	ask      *tooltrack.Ask      // what is to be asked
	approval *tooltrack.Approval // what the call waits for
	approved []string            // the rules for which it has been given
	deferred bool                // it waits for a call before it
	edited   string              // what a person has changed about it
	told     *Message            // what came of it before the turn was paused

	// Under the lock of the turn:
	phase runPhase
	begun *tooltrack.Record // it is written down

	batch []pending // the calls of its message, and its place among them
	at    int
}

// runPhase is how far a call is that the host's own loop runs.
type runPhase uint8

const (
	notBegun    runPhase = iota
	running              // Do was called
	returned             // Do has returned
	leftRunning          // the turn went on before that
)

// decode reads the arguments once for all who look into them; nil if they are not what a strict reader accepts.
func (p *pending) decode() *policy.Args {
	if p.args == nil {
		p.args, _ = policy.Decode(p.call.Args) // the policy tells what is wrong
	}
	return p.args
}

func (p *pending) isRunnable() bool {
	return !p.ruling.Denied && p.record == nil && !p.isWaiting() && p.told == nil
}

// isWaiting reports whether the call waits for a person, or for another that does.
func (p *pending) isWaiting() bool { return p.approval != nil || p.deferred }

func (p *pending) deny(rule, reason string) {
	p.ruling = tooltrack.Ruling{Denied: true, Rule: rule, Reason: reason}
}

// Reply is a finished turn. It is returned beside an error, too: then Text is empty, and Account says what is known
// to have happened.
type Reply struct {
	// Text is what may be shown: it passed the check, and holds no ids.
	Text string
	// Account is what the ledger proves, in words for people. It is set when the model's own text did not pass.
	Account string
	// Err is the typed error of a turn whose account was delivered as text; see [Options.DeliverAccount].
	Err error
	// Proof is what the text rests on, where the model was asked and its report was accepted; nil otherwise.
	Proof *Proof
	// ProofMissing is true where the text was in doubt and no proof came: a program that acts on replies should not
	// take it for done.
	ProofMissing bool
	// Draft is what the model said, if that did not pass at once: the text that was asked about, or else the first
	// one that was corrected or refused. Do not show it to users: it is proven only if it equals Text. With
	// [Always] it is set for every text but small talk, since each of them is asked about or comes through the
	// report tool. It is empty if the model's first text passed unasked.
	Draft string
	// Unproven are the sentences of the draft that no record clearly backs and no citation proves. They are left
	// out of Text, except in three cases: the model says that they need no call (a fact, a text of its own); the
	// model is no longer asked because it never answers, and a record may be meant; or [Options.Lenient] or [Never]
	// is set.
	Unproven []string
	// Verdict is the judgement of the last text.
	Verdict completion.Verdict
	// Intent is what was asked for.
	Intent intent.Intent
	// Records are all calls of the turn, denied ones included.
	Records []*tooltrack.Record
	// Execution says what it took.
	Execution Execution
	// Usage is that of all model calls of the turn, discarded ones and the guard's own questions included.
	Usage Usage
	// Messages are those of this turn, to be appended to the conversation: the user's, the calls with their
	// results, the accepted text. Corrections and texts that did not pass are not among them.
	Messages []Message
	// Turn is the name under which the calls are recorded.
	Turn string

	turn *Turn
}

// Proof is what an accepted text rests on, as the model said and the guard has checked.
type Proof struct {
	// Sentences are those that were in doubt, each with the calls behind it.
	Sentences []ProofSentence
	// NotDone are the requests of the user that were not done, as the model says itself.
	NotDone []string
	// Kept is true when the model's first text was shown as it was.
	Kept bool
}

// ProofSentence is one sentence that was in doubt, and the calls that show it.
type ProofSentence struct {
	proof.Shown
	cited []*tooltrack.Record
	turn  *Turn
}

// CallSummary is one call that was made, for a user interface.
type CallSummary struct {
	// Tool is the name of the tool, Success whether it did its work, and Seen whether that was read back.
	Tool    string `json:"action"`
	Success bool   `json:"success"`
	Seen    bool   `json:"seen,omitempty"`
	// Subject is the entity that the call was about; empty when that is not known.
	Subject tooltrack.Subject `json:"subject,omitzero"`
	// Message is for people: "Deleted: Read book", or the tool's own reason.
	Message string `json:"message"`
}

// Execution is what a turn took.
type Execution struct {
	// Executed is the number of successful calls.
	Executed int `json:"tool_calls_executed"`
	// Retried is how often the model was asked again for a missing tool.
	Retried int `json:"tool_calls_retried"`
	// Corrected is how often it was corrected for another reason.
	Corrected int `json:"corrections"`
	// ModelCalls is how often a model was asked in all, a referee included.
	ModelCalls int `json:"model_calls"`
	// ReadBacks is how often changes were read back; see [tooltrack.Confirm].
	ReadBacks int `json:"read_backs,omitempty"`
}

// demands are what the message asks for, as far as it can be met: nothing of it where the loop's own request
// forbids calls. That something was asked for still speaks against a text that tells it as done.
func (t *Turn) demands() *demands {
	if !t.barred {
		return &t.asked
	}
	asked := t.asked
	asked.wants, asked.threshold, asked.strict = nil, never, false
	return &asked
}

// isWantedByHost reports whether the host itself says that a change is due.
func (r *userRequest) isWantedByHost() bool {
	return r.asked.strict && r.contract.Due == completion.DueChange
}

// finding is the judgement of one text. The zero value is a text that passes.
type finding struct {
	fault   fault
	verdict completion.Verdict
	missing []want  // for faultMissing
	doubts  []Doubt // for faultDoubt
	// unsettled is why the text may be insufficient, for faultDoubt; the zero value where nothing says so.
	unsettled  completion.Reason
	correction string // what the model would be told about it
	records    int    // how many there were when the model was told
}

// tier is how sure the guard is that a text must not end its turn. It acts only when it is sure; when it is not, it
// asks for proof.
func (f *finding) tier() completion.Tier {
	switch f.fault {
	case noFault:
		return completion.Clean
	case faultDoubt:
		return completion.Unsure
	}
	return completion.Sure
}

// isAccusation reports whether the model is told that its text is false.
func (f *finding) isAccusation() bool { return f.fault == faultClaim || f.fault == faultLeaked }

// proving is a text that waits for its proof.
type proving struct {
	draft   Response // as the model gave it
	found   finding
	list    proof.List
	letters []proof.Letter
	// answering is the tool call that the draft came by, while it is set aside.
	answering *tooltrack.Call
	fixed     bool // the model was told once what was wrong with its answer
	report    bool // the answer came as a call of the report tool
	// faults are those of the last answer; nil where none could be read.
	faults []proof.Fault
}

// spending is what a turn has cost: corrective calls, by kind; answers with calls; calls of the model.
type spending struct {
	Missing, Progress, Proofs int
	Rounds, Calls             int
	Usage                     Usage
}

// corrections are the corrective calls of all kinds.
func (s *spending) corrections() int { return s.Missing + s.Progress + s.Proofs }

// allow spends one corrective call on a fault, if the budget for its kind and that of the whole turn permit. What
// the provider did is never corrected: the same question would get the same answer.
func (s *spending) allow(f fault, budgets Budgets) bool {
	spent, most := &s.Progress, budgets.Progress
	switch f {
	case faultMissing:
		spent, most = &s.Missing, budgets.MissingTool
	case faultLeaked, faultClaim, faultOther:
	default:
		return false
	}
	if *spent >= most || s.Missing+s.Progress >= 1+max(budgets.MissingTool, budgets.Progress) {
		return false
	}
	*spent++
	return true
}

// instruction is what the guard tells the model beside the conversation, in the role that the provider allows
// there.
func (t *Turn) instruction(text string) Message {
	role := RoleSystem
	if t.caps.NoLateSystem {
		role = RoleUser
	}
	return Message{Role: role, Text: text, Internal: true}
}
