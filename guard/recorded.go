package guard

import (
	"context"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Judgement is what the guard says about a recorded turn.
type Judgement struct {
	// Intent is what was asked for.
	Intent intent.Intent
	// Verdict is the judgement of the text.
	Verdict completion.Verdict
	// Tier is how sure the guard is that the text cannot end the turn: it would
	// act when sure, and ask for proof of Doubts when unsure.
	Tier   completion.Tier
	Doubts []Doubt
	// Missing are the tools that the message asks for beyond doubt and that were
	// not called.
	Missing []string
}

// Judge judges a turn that is over as it would have been judged while it ran, but without a
// model, an executor or the ledger. Nothing is counted or stored. If the classifier fails,
// its error is returned, and the text is judged as if nothing were expected. With an
// [ErrUnjudged] there is no judgement.
func (g *Guard) Judge(ctx context.Context, turn Recorded) (Judgement, error) {
	if ctx == nil {
		return Judgement{}, ErrNoContext
	}
	t, found, err := g.judgePast(ctx, turn)
	if t == nil {
		return Judgement{Tier: completion.Unsure}, err
	}
	return Judgement{
		Intent: t.intent, Verdict: found.verdict, Tier: found.tier(), Doubts: found.doubts, Missing: toolsOf(found.missing),
	}, err
}

// judgePast judges a turn that is over. Without a turn there is no judgement.
func (g *Guard) judgePast(ctx context.Context, turn Recorded) (t *Turn, found finding, err error) {
	fault := g.contained(ctx, "judging", func() {
		t, err = g.recall(ctx, turn)
		found = t.judge(ctx, turn.Text)
	})
	if fault != nil {
		return nil, finding{}, unjudgedError(fault)
	}
	return t, found, err
}

// recall reads a turn that is over as a living one is.
func (g *Guard) recall(ctx context.Context, turn Recorded) (*Turn, error) {
	found, err := g.classify(ctx, intent.Utterance{User: turn.User, Previous: turn.Previous})
	t := &Turn{guard: g, driver: messagesOnly}
	t.userRequest = userRequest{
		input: Input{User: turn.User}, ownerless: true, offered: g.tools, intent: found, wanted: turn.User,
		contract: g.options.contractFor(found.Kind), previous: turn.Previous,
		asked: g.demandsOf(turn.User, found, g.tools, nil),
	}
	for _, text := range slices.Backward(turn.Before) {
		t.input.Previous = append(t.input.Previous, Message{Role: RoleAssistant, Text: text})
	}
	t.expected = toolsOf(found.Expect)
	t.earlier, t.records = withLaterReads(g, g.informed(withoutNil(turn.Earlier)), g.informed(withoutNil(turn.Records)))
	return t, err
}

// Asked is what the guard takes a message to ask for.
type Asked struct {
	// Intent is the classifier's reading.
	Intent intent.Intent
	// Insisted are the tools that it asks for beyond doubt: the guard would not let
	// the turn end without them.
	Insisted []string
	// Due is true when an answer without calls, questions or blockers would be
	// asked about.
	Due bool
}

// Ask says what the guard takes a message to ask for, as at the beginning of a turn. It
// does not ask directories. Its error is that of the classifier.
func (g *Guard) Ask(ctx context.Context, request intent.Utterance) (Asked, error) {
	if ctx == nil {
		return Asked{}, ErrNoContext
	}
	var found intent.Intent
	var demanded demands
	var err error
	fault := g.contained(ctx, "understanding", func() {
		found, err = g.classify(ctx, request)
		demanded = g.demandsOf(request.User, found, g.tools, nil)
	})
	if fault != nil {
		return Asked{}, unjudgedError(fault)
	}
	return Asked{Intent: found, Due: demanded.mayBeDue(), Insisted: demanded.sure}, err
}

// Question is the request for proof that the guard would have made about a turn that is
// over.
type Question struct {
	// Letters are what it asks about. Where the turn would pass or be refused without it,
	// they are all sentences that report something.
	Letters []proof.Letter
	// List are the calls that an answer may cite, numbered over Earlier, then Records.
	List  proof.List
	turn  *Turn
	draft Response
	found finding
}

// Question returns what the model would have been asked about the text of a turn that is
// over. [proof.Ask] puts it into words, and [proof.Read] reads the answer. Its error is
// that of the classifier; the answer can be checked all the same.
func (g *Guard) Question(ctx context.Context, turn Recorded) (*Question, error) {
	if ctx == nil {
		return nil, ErrNoContext
	}
	t, found, err := g.judgePast(ctx, turn)
	if t == nil {
		return nil, err
	}
	q := &Question{List: proof.NewList(withoutNil(turn.Earlier), withoutNil(turn.Records)), turn: t, found: found}
	q.draft.Message.Text = turn.Text
	doubts := found.doubts
	for i := range found.verdict.Claims { // and what would be refused without a question
		if claim := &found.verdict.Claims[i]; claim.Tier == completion.Sure {
			doubts = append(doubts, Doubt{Claim: claim, Words: claim.Text, Probability: 1})
		}
	}
	q.Letters = t.lettersFor(turn.Text, doubts)
	return q, err
}

// Check checks an answer against the calls, as it is done while a turn runs. Shown is what
// the user would read if it holds: the text, and a line for each thing that was not done
// and that the text does not mention.
func (q *Question) Check(ctx context.Context, answer proof.Answer) (shown string, faults []proof.Fault) {
	p := &proving{draft: q.draft, found: q.found, list: q.List, letters: q.Letters}
	fault := q.turn.guard.contained(ctx, "checking a proof", func() {
		result := proof.Check(answer, q.turn.proofCase(ctx, p))
		if faults = result.Faults; len(faults) == 0 {
			shown = q.turn.guard.shown(result)
		}
	})
	if fault != nil {
		return "", []proof.Fault{{Rule: "unjudged", Reason: fault.Error()}}
	}
	return shown, faults
}

// RecordsOf reads the calls and results of a conversation from its messages, one record for each call, in order, with
// what later reads show of changes. Results are graded [tooltrack.Reported]: a message says that the call ran. A call
// without a result has the status Unknown. The options say how the host's results are to be read; nil is the default.
func (g *Guard) RecordsOf(messages []Message, options *tooltrack.ParseOptions) []*tooltrack.Record {
	_, records := withLaterReads(g, nil, recordsOf(messages, g.tools, options))
	return records
}
