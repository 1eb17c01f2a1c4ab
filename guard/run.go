package guard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Run is a whole turn: it asks the model, reviews and executes its calls, and judges its text, until a text passes
// or a budget is spent. A turn that fails returns a typed error, and beside it a reply with the honest account. So
// does a turn that could not begin, because its input is not valid, a tool that the message needs is not offered,
// or the context had ended.
func (g *Guard) Run(ctx context.Context, model Model, executor Executor, input Input) (*Reply, error) {
	return runTurn(ctx, g, model, executor, input, new(streaming))
}

func runTurn(
	ctx context.Context, g *Guard, model Model, executor Executor, input Input, heard *streaming,
) (*Reply, error) {
	if err := checkBoth(model, executor); err != nil {
		return g.unbegun(err), err
	}
	t, err := g.Begin(ctx, input)
	if err != nil {
		return g.unbegun(err), err
	}
	return t.loop(ctx, model, executor, heard)
}

// loop asks the model and runs its calls until the turn ends, or whoever hears of it has left.
func (t *Turn) loop(ctx context.Context, model Model, executor Executor, heard *streaming) (*Reply, error) {
	t.Adapt(model)
	t.driver, t.seenBack.executor = guardLoop, executor
	model = heard.begin(t, model)
	for t.Open() && !heard.gone {
		heard.beginAnswer()
		request := t.next()
		if t.closed { // the ledger did not take what was denied
			break
		}
		response, err := t.ask(ctx, model, request)
		if heard.gone {
			err = context.Canceled
		}
		if err != nil {
			return t.Fail(err)
		}
		asked, before := t.spent.corrections(), len(t.records)
		heard.calls(t.Take(ctx, response))
		if len(t.batch) > 0 && !heard.gone {
			t.executeAll(ctx, executor)
		}
		heard.endAnswer(asked, before)
	}
	return t.Reply()
}

// unbegun is the reply of a turn that did not begin.
func (g *Guard) unbegun(err error) *Reply {
	var held *TurnError
	if errors.As(err, &held) && held.Kind == ErrHeld {
		return &Reply{Text: held.Account, Records: held.Records, Turn: held.Turn}
	}
	return &Reply{Account: policy.HideSecrets(g.texts.headline(err)) + "\n" + g.texts.Nothing}
}

// checkBoth refuses a turn without the parts that it needs.
func checkBoth(model Model, executor Executor) error {
	switch {
	case isAbsent(model):
		return ErrNoModel
	case isAbsent(executor):
		return ErrNoExecutor
	}
	return nil
}

// ask asks the model once. A corrective call and a request for proof have a timeout of their own; when it runs out,
// the fault that was to be corrected is what is wrong with the turn, and of a proof only that is lost.
func (t *Turn) ask(ctx context.Context, model Model, request Request) (Response, error) {
	if err := ctx.Err(); err != nil {
		return Response{}, err
	}
	if err := overspent(ctx, t); err != nil {
		return Response{}, err
	}
	if t.guard.isHeard() {
		t.debug(ctx, "tools bound", "tools", len(request.Tools), "choice", request.Choice.String())
	}
	if t.lastFault == nil && t.proving == nil {
		return t.generate(t.Context(ctx), model, request)
	}
	limited, cancel := t.limited(ctx)
	defer cancel()
	response, err := t.generate(context.WithValue(limited, askingKey{}, true), model, request)
	if err != nil && ctx.Err() == nil && limited.Err() != nil && t.lastFault != nil {
		return Response{}, t.errorFor(*t.lastFault, "", err)
	}
	return response, err
}

// generate asks the model in the form that it understands.
func (t *Turn) generate(ctx context.Context, model Model, request Request) (Response, error) {
	if given := t.answered; given != nil {
		t.answered = nil
		return *given, nil
	}
	if t.caps.NoTools {
		request = asText(request)
	}
	response, err := generate(ctx, model, request)
	if err == nil {
		err = t.oversized(response)
	}
	if t.caps.NoTools && err == nil {
		response = fromText(response)
	}
	return response, err
}

// executeAll runs the approved calls of the batch. Consecutive reads run side by side; everything else waits for
// what is before it. Each is written down before the next one is, so that the ledger has them in the order of the
// answer.
func (t *Turn) executeAll(ctx context.Context, executor Executor) {
	if t.closed {
		return
	}
	var running sync.WaitGroup
	slots, errs := make(chan struct{}, t.guard.options.Parallel), make([]error, len(t.batch))
	for i := range t.batch {
		p := &t.batch[i]
		if p.tool.Effect != tooltrack.Reads || t.guard.options.Parallel == 1 {
			if running.Wait(); cmp.Or(errs...) == nil {
				errs[i] = t.execute(ctx, executor, p)
			}
			continue
		}
		slots <- struct{}{}
		var begun tooltrack.Begun
		err := t.contain(ctx, p, func() (err error) {
			begun, err = t.start(ctx, p)
			return err
		})
		if err != nil {
			running.Wait()
			errs[i] = err
			break
		}
		running.Add(1)
		contain.Go("executing side by side", func() {
			errs[i] = t.runBegun(ctx, p, executor, begun)
		}, func(fault *contain.Panic) {
			if fault != nil {
				errs[i] = t.executedUnrecorded(ctx, p, fault)
			}
			<-slots
			running.Done()
		})
	}
	running.Wait()
	if err := cmp.Or(cmp.Or(errs...), ctx.Err()); err != nil { // no new attempt after a cancellation
		t.fail(err)
	}
}

// execute writes a call down, runs it and records what came of it.
func (t *Turn) execute(ctx context.Context, executor Executor, p *pending) error {
	return t.contain(ctx, p, func() error {
		begun, err := t.start(ctx, p)
		if err != nil {
			return err
		}
		return t.runBegun(ctx, p, executor, begun)
	})
}

// Open reports whether the turn still needs the model.
//
// While a call waits for a person, it does not: once the others have run, the turn is paused, and Reply returns an
// [ErrHeld].
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

// askingKey marks the context of a request by which a guard asks for proof or for a correction. A guard further in
// leaves that exchange alone: it is known by this mark, which no message can carry, and not by its words.
type askingKey struct{}

// Event is a piece of a streamed turn. One of its fields is set.
type Event struct {
	// Text is a piece of the answer that may be shown.
	Text string
	// Calling is a tool that is about to run.
	Calling string
	// AskedAgain is why the model is asked again, about a text that did not pass: "missing tool", "unbacked claim",
	// "proof".
	AskedAgain string
	// Reply is the finished turn; it ends the stream.
	Reply *Reply
}

// Stream is [Guard.Run] with the answer in pieces. While a tool that may change something is offered, a text is
// held until it has passed: what was shown cannot be unsaid. [Options.ReleaseSentences] releases each sentence as
// soon as it is clear that it claims nothing unproven; what was released of a text that did not pass then stands in
// Reply.Text, too, before what did. The last event carries the reply; a turn that fails ends with its error, and
// the reply beside it.
func (g *Guard) Stream(ctx context.Context, model Model, executor Executor, input Input) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		s := &streaming{ctx: ctx, yield: yield}
		reply, err := runTurn(ctx, g, model, executor, input, s)
		s.end(reply, err)
	}
}

func (r *userRequest) mayChange() bool {
	return slices.ContainsFunc(r.offered, func(tool tooltrack.Tool) bool { return tool.Effect.MayChange() })
}

// streaming is one turn, and who hears of it, if anybody does. The consumer may leave at any time; then the turn
// ends as if its context had been cancelled.
type streaming struct {
	ctx     context.Context
	turn    *Turn
	yield   func(Event, error) bool
	release bool // sentence by sentence
	gone    bool // the consumer has left
	fault   any  // what it panicked with
	held    bool // a sentence of this answer did not pass: the rest waits
	quiet   bool // the model was asked again: its answers wait for the verdict
	pending strings.Builder
	shown   strings.Builder // what was released of this answer, or before a re-ask
	report  reportStream
}

// begin makes a model tell what it says while it says it.
func (s *streaming) begin(t *Turn, model Model) Model {
	if s.turn = t; s.yield == nil {
		return model
	}
	s.release = (t.guard.options.ReleaseSentences || t.guard.options.Observe || !t.mayChange()) && !t.caps.NoTools
	return ModelFunc(func(ctx context.Context, request Request) (Response, error) {
		return s.hear(ctx, model, request)
	})
}

func (s *streaming) beginAnswer() {
	s.pending.Reset()
	s.report = reportStream{}
	if s.held = false; !s.quiet {
		s.shown.Reset()
	}
}

// calls tells of calls that are about to run.
func (s *streaming) calls(calls []tooltrack.Call) {
	for i := range calls {
		s.send(Event{Calling: calls[i].Tool}, nil)
	}
}

// endAnswer tells that the model is asked again, if it is: asked and records are what there was before its answer.
func (s *streaming) endAnswer(asked, records int) {
	t := s.turn
	if t.spent.corrections() > asked || t.proving != nil && s.shown.Len() > 0 {
		s.quiet = true
		s.send(Event{AskedAgain: t.said.Retry}, nil)
	} else if len(t.records) > records && s.shown.Len() == 0 && t.aside == nil {
		s.quiet = false // a new answer follows the calls, and repeats nothing
	}
}

// take takes a piece of the model's answer and releases what may go: the sentences of a text, or the parts of a
// report.
func (s *streaming) take(delta Delta) bool {
	if delta.Call.Tool == reportName && s.turn.reporting {
		s.takeParts(delta.Call.Args)
	}
	if s.pending.WriteString(delta.Text); !s.release || s.held || s.quiet {
		return !s.gone
	}
	rest := s.pending.String()
	for {
		cut := sentenceEnd(rest)
		if cut == 0 {
			break
		}
		if !s.isHarmless(rest[:cut]) {
			s.held = true
			break
		}
		s.show(rest[:cut])
		rest = rest[cut:]
	}
	s.held = s.held || len(rest) > longestSentence
	s.pending.Reset()
	s.pending.WriteString(rest)
	return !s.gone
}

// longestSentence is how long a sentence may grow before the rest of the answer waits for the verdict.
const longestSentence = 8 << 10

// isHarmless reports whether a sentence may be shown before the verdict: it is judged with those before it, since
// one record may back only one of them. What a fence holds is only known at its end.
func (s *streaming) isHarmless(sentence string) bool {
	if strings.Contains(sentence, "```") {
		return false
	}
	found, fault := s.turn.judgeSafely(s.ctx, lastSentences(s.shown.String())+sentence)
	if fault != nil {
		return false
	}
	verdict := &found.verdict
	invented := verdict.Reason == completion.LeakedCall || verdict.Reason == completion.FabricatedFailure
	claims := slices.ContainsFunc(found.doubts, func(d Doubt) bool { return d.Claim != nil })
	return s.ctx.Err() == nil && !invented && !claims && !verdict.Ghost() && len(verdict.Unsure()) == 0
}

// lastSentences is the end of a text, from the beginning of a sentence on. Where no sentence ends in it, there is
// none: so each sentence is judged with so much at most.
func lastSentences(text string) string {
	const most = 1 << 10
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	return text[sentenceEnd(text):]
}

func (s *streaming) show(text string) {
	text = s.turn.redact(s.ctx, text)
	s.shown.WriteString(text)
	s.send(Event{Text: text}, nil)
}

// end sends what is left of an accepted text, and the reply. It gives a consumer that panicked its panic back.
func (s *streaming) end(reply *Reply, err error) {
	if s.gone {
		_, _ = s.turn.Fail(context.Canceled)
	} else if err == nil && reply.Text != "" {
		rest := unshown(reply.Text, s.shown.String())
		reply.shownAs(s.shown.String() + rest)
		if rest != "" {
			s.send(Event{Text: rest}, nil)
		}
	}
	s.send(Event{Reply: reply}, err)
	if s.fault != nil {
		panic(s.fault)
	}
}

// unshown is what is left to show of a text: what it begins with and was shown is not shown twice. Where another
// text has been shown before, a new paragraph begins.
func unshown(text, shown string) string {
	if rest, continues := strings.CutPrefix(text, shown); continues {
		return rest
	}
	for {
		cut := sentenceEnd(text)
		if cut == 0 || !strings.Contains(shown, strings.TrimSpace(text[:cut])) {
			break
		}
		text = text[cut:]
	}
	if strings.Contains(shown, strings.TrimSpace(text)) {
		return ""
	}
	return "\n\n" + text
}

// send hands an event to the consumer. One that panics has left, too; its panic passes through the model's stream,
// which may swallow it, and is raised again when the turn has been brought to its end.
func (s *streaming) send(event Event, err error) {
	if s.gone || s.yield == nil {
		return
	}
	s.gone = true
	defer func() {
		if s.gone && s.fault == nil {
			s.fault = recover()
		}
	}()
	s.gone = !s.yield(event, err)
}

var errNoResponse = errors.New("the model's stream ended without an answer")

// hear asks a model that can stream, and any other one whole.
func (s *streaming) hear(ctx context.Context, model Model, request Request) (Response, error) {
	streamer, can := model.(Streamer)
	if !can {
		response, err := model.Generate(ctx, request)
		if err == nil && len(response.Message.Calls) == 0 && len(response.Message.Text) <= maxText {
			s.take(Delta{Text: response.Message.Text})
		}
		return response, err
	}
	size := 0
	for delta, err := range streamer.Stream(ctx, request) {
		if err != nil {
			return Response{}, err
		}
		if size += len(delta.Text); max(size, len(delta.Call.Args)) > maxText && !s.turn.guard.options.Observe {
			return Response{}, fmt.Errorf("the model streams more than %d bytes of text", maxText)
		}
		if delta.Response != nil {
			return *delta.Response, nil
		}
		if !s.take(delta) {
			return Response{}, context.Canceled
		}
	}
	return Response{}, errNoResponse
}

// reportStream is a report while it arrives: where its next part begins, and those before it.
type reportStream struct {
	at    int
	parts []proof.Part
}

// reportBegins is what stands before the first part.
var reportBegins = regexp.MustCompile(`^\s*\{\s*"parts"\s*:\s*\[`)

// takeParts releases each part of a report that passes its check, before the next has arrived. From one that does
// not, the rest waits for the verdict on the whole.
func (s *streaming) takeParts(args []byte) {
	r := &s.report
	if r.at == 0 {
		r.at = len(reportBegins.Find(args))
	}
	for r.at > 0 && r.at < len(args) && !s.held && !s.quiet {
		var part proof.Part
		from := jsonspan.SkipSpace(args, r.at)
		to := jsonspan.SkipValue(args, from)
		if json.Unmarshal(args[from:to], &part) != nil { // it is not whole
			s.held = to-from > longestSentence
			return
		}
		r.at = jsonspan.SkipSpace(args, to) + 1 // after the comma
		before := proof.TextOf(r.parts)
		r.parts = append(r.parts, part)
		said := proof.TextOf(r.parts)
		if s.held = !canShowPart(s.ctx, s.turn, part, lastSentences(said)); !s.held {
			s.show(strings.TrimPrefix(said, before))
		}
	}
}

// canShowPart reports whether a part of a report passes its check, told after those before it.
func canShowPart(ctx context.Context, t *Turn, part proof.Part, said string) (passes bool) {
	waiting := t.proving
	defer func() { t.proving = waiting }()
	fault := t.guard.contained(ctx, "checking a part", func() {
		t.proving = &proving{list: proof.NewList(t.earlier, t.evidence()), draft: Response{Message: Message{Text: said}}}
		t.proving.found = t.judge(ctx, said)
		result, reasons := t.checkParts(ctx, []proof.Part{part}, nil)
		passes = len(reasons) == 0 && len(result.Withdrawn) == 0 && !t.proving.found.isRefused()
	})
	return passes && fault == nil && ctx.Err() == nil
}
