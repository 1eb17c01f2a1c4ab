package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

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
	guard     *Guard
	input     Input
	mode      *Mode
	offered   []tooltrack.Tool
	intent    intent.Intent
	contract  completion.Contract
	expected  []string
	asked     demands
	wanted    string   // what of the message may ask for something; the rest is handed on
	previous  string   // the assistant's text before the message
	mentioned []string // references to entities that were found in the message
	caps      Capabilities
	started   time.Time
	claimed   string         // under which name it was claimed, where it is resumed
	digest    string         // of the message, where the turn is named
	unread    *contain.Panic // why the message could not be read; nil if it was

	// Side by side, they take a word or two: a turn is the largest thing that a turn
	// allocates.
	named        bool // the host named the turn
	ownLoop      bool // Run or Stream drives it, so nobody else ends it
	ownerless    bool // nobody said whose entities are meant: none are looked up
	foreign      bool // another's loop asks the model, and ends by itself
	messagesOnly bool // rebuilt from messages: who runs the calls is out of sight
	traced       bool // an earlier run left the trace of an attempt without calls
	barred       bool // the loop's own request forbids calls, so none is asked for
	reporting    bool // the report tool was offered
	insisted     bool // the model was told to call a tool
	accused      bool // the model was told that a text of it is false
	inquired     bool // another guard asks, and answers for what comes of it
	required     bool // the model was told what the contract still asks for
	settled      bool // the request is met, and the model was told to put its words right
	refusable    bool // its text would not pass, and is only observed
	closed       bool
	over         bool // the same, for those who run beside the turn: mu guards it

	denying sync.Mutex // held while denied calls are written down

	mu      sync.Mutex
	context *turnContext        // what Context made of what it was last given
	only    turnContext         // the first of these
	track   *tooltrack.Turn     // nil when only messages are known
	records []*tooltrack.Record // of this turn, in the order proposed
	linked  []*tooltrack.Record // of sub-agents, see Link
	earlier []*tooltrack.Record // of earlier turns of the conversation
	history []*tooltrack.Record // of the task, other turns
	attempt int

	messages  []Message // the whole conversation as the model sees it
	first     int       // where this turn's messages begin
	choice    Choice
	forcedOn  []string        // the entities that the last choice was forced for, until its answer is reviewed
	retry     string          // why calls of the next answers are retries; empty if they are none
	proving   *proving        // the text that waits for its proof
	aside     *proving        // the text that was asked about before the last calls
	answering *tooltrack.Call // the tool call that the last text came by
	final     *Response       // what the turn ended with, where it is not the last answer
	lastFault *finding        // what the model was last corrected for, until it answers
	caught    *finding        // the last one that told as done what was not
	batch     []pending
	late      []*tooltrack.Record // of calls that the turn did not wait for
	spent     spending
	costs

	reply *Reply
	err   error

	// Most turns need no more than this: one allocation instead of five.
	room   [5]Message
	names  [2]string
	made   [2]*tooltrack.Record
	answer Reply
}

// Begin opens a turn. If the message needs a tool that the guard does not have, the error
// is a [*ToolNotOfferedError], and no model is asked. If only the mode leaves the tool out,
// the model answers without it.
func (g *Guard) Begin(ctx context.Context, input Input) (*Turn, error) {
	if ctx == nil {
		return nil, ErrNoContext
	}
	blank := func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) } // or of no width
	if strings.TrimFunc(input.User, blank) == "" {
		return nil, ErrNoMessage
	}
	t, err := g.open(ctx, input, input.User, nil, false)
	if err != nil {
		return nil, err
	}
	g.counters.understood(t.intent)
	if t.track, err = g.ledger.Open(t.input.scope()); err != nil {
		return nil, err
	}
	if fault := g.contained(ctx, "beginning", func() { err = t.prepare(ctx) }); fault != nil {
		if !g.options.Observe {
			return nil, unjudgedError(fault)
		}
		t.unread = fault
		t.layOut("")
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// prepare reads the ledger and lays out the conversation.
func (t *Turn) prepare(ctx context.Context) error {
	if err := t.recall(ctx); err != nil {
		return err
	}
	if err := t.meetHeld(ctx); err != nil {
		return err
	}
	return t.compose(ctx)
}

// open prepares what every way in needs. A nil offer is all tools of the mode.
func (g *Guard) open(
	ctx context.Context, input Input, wanted string, offer []tooltrack.Tool, ownerless bool,
) (*Turn, error) {
	t := &Turn{
		guard: g, input: input, wanted: wanted, started: g.now(), named: input.Turn != "", ownerless: ownerless,
		foreign: offer != nil,
	}
	t.records = t.made[:0]
	if t.input.Owner == "" {
		t.input.Owner = LocalOwner
	}
	if !t.named {
		t.input.Turn = tooltrack.NewTurn()
	}
	if err := t.setMode(offer); err != nil {
		return nil, err
	}
	t.previous = lastText(input.Previous)
	var err error
	t.unread = g.contained(ctx, "understanding", func() { err = t.understand(ctx) })
	if t.unread != nil { // nothing is asked for, and no text is judged
		t.intent, t.expected, t.asked = intent.Intent{}, nil, demands{threshold: never}
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Turn) setMode(offer []tooltrack.Tool) error {
	t.offered = t.guard.tools
	if offer != nil {
		t.offered = offer
	}
	if t.input.Mode != "" {
		if t.mode = t.guard.modes[t.input.Mode]; t.mode == nil {
			near := nearest(t.input.Mode, slices.Sorted(maps.Keys(t.guard.modes)))
			return &UnknownModeError{Mode: t.input.Mode, Nearest: near}
		}
		if len(t.mode.Tools) > 0 && offer == nil {
			t.offered = slices.DeleteFunc(slices.Clone(t.guard.tools), func(tool tooltrack.Tool) bool {
				return !slices.Contains(t.mode.Tools, tool.Name)
			})
		}
	}
	if len(t.offered) == 0 {
		return ErrNoTools
	}
	return nil
}

// understand finds out what is asked for and what is due. A classifier that
// fails costs the expectation of tools, not the turn: the text is judged all
// the same.
func (t *Turn) understand(ctx context.Context) error {
	found, err := t.guard.classify(ctx, intent.Utterance{User: t.wanted, Previous: t.previous})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.guard.hostFault(ctx, "Options.Classifier", err)
	}
	if len(found.Expect) > maxExpected {
		tooMany := fmt.Errorf("%d tools are expected; the first %d count", len(found.Expect), maxExpected)
		t.guard.hostFault(ctx, "Options.Classifier", tooMany)
		found.Expect = found.Expect[:maxExpected]
	}
	if len(found.Expect) == 0 {
		if again, better := t.understandMentions(ctx); better {
			found = again
		}
	}
	t.chooseSibling(ctx, &found)
	t.intent = found
	if err := t.setContract(ctx); err != nil {
		return err
	}
	if t.guard.loud() {
		t.debug(ctx, "intent", "kind", found.Kind.String(), "expected", t.expected, "unsupported", found.Unsupported)
	}
	return nil
}

// maxExpected bounds the tools that one message can need.
const maxExpected = 64

// setContract says what is due. A mode with a contract of its own says it alone:
// what the words of the message expect is then known to the judge of texts, and
// demanded by nobody.
func (t *Turn) setContract(ctx context.Context) error {
	own := t.mode != nil && t.mode.Contract != nil
	t.contract = t.guard.options.contractFor(t.intent.Kind)
	asked := t.intent
	if own {
		t.contract, asked.Expect = *t.mode.Contract, nil
	}
	t.asked = t.guard.demandsOf(t.wanted, asked, t.offered, func(e intent.Expectation, tool *tooltrack.Tool) bool {
		return t.resolves(ctx, e, tool)
	})
	t.asked.prompts = prompts{t.guard.options.System, &t.input}
	_, set := t.guard.options.Contracts[t.intent.Kind]
	t.asked.strict = t.asked.strict || own || set
	t.expected = t.names[:0]
	lacking := false
	for i, expected := range t.intent.Expect {
		if toolNamed(t.offered, expected.Tool) == nil && !t.guard.options.Observe {
			switch {
			case own || !t.asked.sure[i]:
			case t.mayLack(expected.Tool):
				lacking = true
			default:
				return &ToolNotOfferedError{Tool: printable(expected.Tool, maxName), Offered: names(t.offered)}
			}
			continue
		}
		t.expected = append(t.expected, expected.Tool)
	}
	if lacking {
		t.asked = t.offeredOnly(t.asked)
	}
	return nil
}

// recall reads what the ledger knows of the turn, the conversation
// and the task.
func (t *Turn) recall(ctx context.Context) (err error) {
	scope := t.input.scope()
	if t.named { // a replay meets what the first run did
		t.digest = digestOf(t.input)
		if err := t.recallOwn(ctx); err != nil {
			return err
		}
	}
	if scope.Conversation != "" {
		if t.earlier, err = t.others(ctx, tooltrack.Scope{Owner: scope.Owner, Conversation: scope.Conversation}); err != nil {
			return err
		}
	}
	if t.earlier = withCalls(t.earlier); len(t.earlier) == 0 {
		t.earlier = recordsOf(t.input.Previous, t.guard.tools, t.guard.options.Results)
	}
	t.attempt = t.input.Attempt
	if scope.Task != "" {
		if t.history, err = t.others(ctx, tooltrack.Scope{Owner: scope.Owner, Task: scope.Task}); err != nil {
			return err
		}
		if t.attempt == 0 {
			t.attempt = attempts(t.history)
		}
		t.history = withCalls(t.history)
	}
	return nil
}

// recallOwn reads what an earlier run of the turn did.
func (t *Turn) recallOwn(ctx context.Context) error {
	records, err := t.recordsIn(ctx, tooltrack.Scope{Owner: t.input.Owner, Turn: t.input.Turn})
	if err != nil {
		return fmt.Errorf("reading the ledger: %w", err)
	}
	if err := t.checkName(ctx, records); err != nil {
		return err
	}
	t.records = withCalls(records)
	t.traced = len(t.records) < len(records)
	return nil
}

// others are the records in a scope that belong to other turns.
func (t *Turn) others(ctx context.Context, scope tooltrack.Scope) ([]*tooltrack.Record, error) {
	records, err := t.recordsIn(ctx, scope)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", err)
	}
	var others []*tooltrack.Record
	for _, record := range records {
		if record.Turn != t.input.Turn {
			others = append(others, record)
		}
	}
	return others, nil
}

// Open reports whether the turn still needs the model.
//
// While a call waits for a person, it does not: once the others have run, the turn is
// paused, and Reply returns a [*HeldError].
func (t *Turn) Open() bool {
	if !t.closed && t.isWaiting() && !t.hasRunnable() {
		t.pause(t.lastContext())
	}
	if !t.closed && !t.hasRunnable() {
		if err := overspent(t.lastContext(), t); err != nil {
			t.fail(err)
		}
	}
	return !t.closed
}

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
		t.caps = cautious
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

// Fail ends the turn because the model could not be asked, and returns what
// Reply returns.
func (t *Turn) Fail(err error) (*Reply, error) {
	if t.closed {
		return t.Reply()
	}
	if err == nil {
		err = errNoCause
	}
	if ctx := t.lastContext(); t.proving != nil && ctx.Err() == nil { // the answer is there, only its proof is not
		t.unasked(ctx, err)
		t.endUnasked(ctx)
		return t.Reply()
	}
	switch {
	case errors.Is(err, ErrToolNotTriggered), errors.Is(err, ErrInsufficientProgress), errors.Is(err, ErrBudget),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		t.fail(err)
	default:
		t.guard.counters.refused(faultProvider)
		t.fail(&ProviderError{Err: err})
	}
	return t.Reply()
}

var errNoCause = errors.New("Turn.Fail was given no error; pass the one that the model returned")

// unasked tells of an error for which no proof came: the turn does not end by it,
// so nobody else does.
func (t *Turn) unasked(ctx context.Context, err error) {
	var host *HostError
	if errors.As(err, &host) {
		t.guard.hostFault(ctx, host.Callback, err)
		return
	}
	t.info(ctx, "proof could not be asked for", "error", t.guard.logged(err))
}

// situation is what a judgement looks at.
func (t *Turn) situation(text string) completion.Case {
	earlier, records := t.settledRecords()
	return completion.Case{
		User: t.input.User, Previous: t.previous, Text: text, Tools: t.offered,
		Records: records, Earlier: earlier, Expected: t.expected, Contract: t.contract,
	}
}

// lastText is what the assistant said last.
func lastText(messages []Message) string {
	for _, message := range slices.Backward(messages) {
		if message.Role == RoleAssistant && message.Text != "" {
			return message.Text
		}
	}
	return ""
}

func names(tools []tooltrack.Tool) []string {
	list := make([]string, len(tools))
	for i, tool := range tools {
		list[i] = tool.Name
	}
	return list
}
