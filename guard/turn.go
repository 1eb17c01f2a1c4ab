package guard

import (
	"context"
	"sync"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Turn is one user message on its way to an answer that may be shown. A loop of
// the host's own drives it step by step:
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
// Request, Take and Reply belong to one goroutine; Do may be called from
// several, as loops do that run calls in parallel.
type Turn struct {
	guard *Guard
	userRequest
	ledgerView
	conversation
	drafts
	interventions
	costs
	outcome
	driver  driver
	started time.Time
	batch   []pending    // the calls of the last answer
	denying sync.Mutex   // held while denied calls are written down
	context *turnContext // what Context made of what it was last given
	only    turnContext  // the first of these
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
	names     [2]string // room for these
	asked     demands
	wanted    string   // what of the message may ask for something; the rest is handed on
	previous  string   // the assistant's text before the message
	mentioned []string // references to entities that were found in the message
}

// ledgerView is what a turn knows of the ledger. Those who run beside the turn add to it.
type ledgerView struct {
	mu      sync.Mutex
	track   *tooltrack.Turn      // nil when only messages are known
	records []*tooltrack.Record  // of this turn, in the order proposed
	made    [2]*tooltrack.Record // room for these
	linked  []*tooltrack.Record  // of sub-agents, see Link
	earlier []*tooltrack.Record  // of earlier turns of the conversation
	history []*tooltrack.Record  // of the task, other turns
	late    []*tooltrack.Record  // of calls that the turn did not wait for
	attempt int
	traced  bool   // an earlier run left the trace of an attempt without calls
	claimed string // under which name it was claimed, where it is resumed
	digest  string // of the message, where the turn is named
}

// conversation is what the model sees.
type conversation struct {
	caps      Capabilities
	messages  []Message
	room      [5]Message // for these
	first     int        // where this turn's messages begin
	choice    Choice
	forcedOn  []string // the entities that the last choice was forced for, until its answer is reviewed
	retry     string   // why calls of the next answers are retries; empty if they are none
	barred    bool     // the loop's own request forbids calls, so none is asked for
	reporting bool     // the report tool was offered
}

// drafts are the texts that did not pass, or not yet.
type drafts struct {
	proving   *proving        // the text that waits for its proof
	aside     *proving        // the text that was asked about before the last calls
	answering *tooltrack.Call // the tool call that the last text came by
	lastFault *finding        // what the model was last corrected for, until it answers
	caught    *finding        // the last one that told as done what was not
}

// interventions are what the guard has said to the model so far.
type interventions struct {
	spent    spending
	insisted bool // to call a tool
	accused  bool // that a text of it is false
	required bool // what the contract still asks for
	settled  bool // that the request is met, and its words are to be put right
	inquired bool // nothing: another guard asks, and answers for what comes of it
}

// outcome is how a turn has ended. Most turns need no more memory than this.
type outcome struct {
	closed    bool
	refusable bool      // its text would not pass, and is only observed
	final     *Response // what the turn ended with, where it is not the last answer
	reply     *Reply
	answer    Reply // room for it
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

// Adapt takes note of what a model cannot do, for loops that call it
// themselves. For one without tool calls, Request then tells the tools in words,
// and Take reads the calls from the text.
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
	switch {
	case t.context == nil: // most turns have one context from beginning to end
		t.only = turnContext{ctx, t}
		t.context = &t.only
	case t.context.Context != ctx:
		t.context = &turnContext{ctx, t}
	}
	return t.context
}

// turnContext is a context with a turn.
type turnContext struct {
	context.Context
	turn *Turn
}

// Value knows the turn and its input.
func (c *turnContext) Value(key any) any {
	switch key.(type) {
	case inputKey:
		return &c.turn.input
	case linkKey:
		return c.turn
	}
	return c.Context.Value(key)
}

// lastContext is the context of the last step that had one.
func (t *Turn) lastContext() context.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.context == nil {
		return context.Background()
	}
	return t.context.Context
}

type linkKey struct{}
