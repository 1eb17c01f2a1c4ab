package guard

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Event is a piece of a streamed turn. One of its fields is set.
type Event struct {
	// Text is a piece of the answer that may be shown.
	Text string
	// Calling is a tool that is about to run.
	Calling string
	// AskedAgain is why the model is asked again, about a text that did not pass: "missing
	// tool", "unbacked claim", "proof".
	AskedAgain string
	// Reply is the finished turn; it ends the stream.
	Reply *Reply
}

// Stream is [Guard.Run] with the answer in pieces. While a tool that may change
// something is offered, a text is held until it has passed: what was shown
// cannot be unsaid. [Options.ReleaseSentences] releases each sentence as soon as
// it is clear that it claims nothing unproven; what was released of a text that did not
// pass then stands in Reply.Text, too, before what did. The last event carries the
// reply; a turn that fails ends with its error, and the reply beside it.
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

// streaming is one streamed turn. Its consumer may leave at any time; then the
// turn ends as if its context had been cancelled.
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
	s.turn = t
	s.release = (t.guard.options.ReleaseSentences || t.guard.options.Observe || !t.mayChange()) && !t.caps.NoTools
	return ModelFunc(func(ctx context.Context, request Request) (Response, error) {
		return s.hear(ctx, model, request)
	})
}

// hasLeft reports whether there was a consumer, and it has left.
func (s *streaming) hasLeft() bool { return s != nil && s.gone }

func (s *streaming) beginAnswer() {
	if s == nil {
		return
	}
	s.pending.Reset()
	s.report = reportStream{}
	if s.held = false; !s.quiet {
		s.shown.Reset()
	}
}

// calls tells of calls that are about to run.
func (s *streaming) calls(calls []tooltrack.Call) {
	for i := range calls {
		if s != nil {
			s.send(Event{Calling: calls[i].Tool}, nil)
		}
	}
}

// endAnswer tells that the model is asked again, if it is: spent and records are what there was
// before its answer.
func (s *streaming) endAnswer(spent spending, records int) {
	if s == nil {
		return
	}
	t := s.turn
	if t.spent != spent || t.proving != nil && s.shown.Len() > 0 {
		s.quiet = true
		s.send(Event{AskedAgain: t.retry}, nil)
	} else if len(t.records) > records && s.shown.Len() == 0 && t.aside == nil {
		s.quiet = false // a new answer follows the calls, and repeats nothing
	}
}

// take takes a piece of the model's answer and releases what may go: the sentences of a text, or
// the parts of a report.
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

// longestSentence is how long a sentence may grow before the rest of the answer
// waits for the verdict.
const longestSentence = 8 << 10

// isHarmless reports whether a sentence may be shown before the verdict: it is judged with
// those before it, since one record may back only one of them. What a fence holds is only
// known at its end.
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

// lastSentences is the end of a text, from the beginning of a sentence on. Where no
// sentence ends in it, there is none: so each sentence is judged with so much at most.
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

// end sends what is left of an accepted text, and the reply. It gives a consumer that panicked
// its panic back.
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

// unshown is what is left to show of a text: what it begins with and was shown is not
// shown twice. Where another text has been shown before, a new paragraph begins.
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

// send hands an event to the consumer. One that panics has left, too; its panic
// passes through the model's stream, which may swallow it, and is raised again
// when the turn has been brought to its end.
func (s *streaming) send(event Event, err error) {
	if s.gone {
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
