package guard

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// pausedVersion changes with the meaning or the shape of what is stored. A turn that
// another version has paused is refused, never misread.
const pausedVersion = 3

// pausedTurn is a turn that waits for a person. Everything else is made anew from the
// input when it is resumed: the prompt, whose date would be stale, and what is expected.
type pausedTurn struct {
	Input    Input
	Messages []Message // of this turn, after the user's
	Calls    []pausedCall
	Seq      int64 // of the last record that the turn knew

	Missing, Progress, Proofs   int // what was spent
	Rounds, ModelCalls          int
	Usage                       Usage
	Insisted, Accused, Required bool
	Retry                       string
}

// pausedCall is one call of the message that the model waits for.
type pausedCall struct {
	Call     tooltrack.Call
	Touched  []tooltrack.Subject
	Told     *Message // what came of it, as the model will read it; nil while it waits
	Approval string   // the id of what it waits for; empty for a call that waits for another
	Approved []string
}

// pausedEnvelope is what the ledger keeps. The turn itself is in a form that keeps every
// byte of arguments and of providers' messages, which JSON would write anew.
type pausedEnvelope struct {
	Version int    `json:"version"`
	Turn    []byte `json:"turn"`
}

// nestedMetadata lets what a result has beside its data be stored, whatever JSON it was.
func nestedMetadata() {
	gob.Register(map[string]any{})
	gob.Register([]any{})
}

func (p *pausedTurn) encode() ([]byte, error) {
	nestedMetadata()
	var turn bytes.Buffer
	if err := gob.NewEncoder(&turn).Encode(p); err != nil {
		return nil, fmt.Errorf("the turn cannot be paused: %w", err)
	}
	return json.Marshal(pausedEnvelope{pausedVersion, turn.Bytes()})
}

func decodePaused(data []byte) (*pausedTurn, error) {
	var envelope pausedEnvelope
	if err := json.Unmarshal(data, &envelope); err != nil {
		return nil, fmt.Errorf("the paused turn is damaged: %w", err)
	}
	if envelope.Version != pausedVersion {
		return nil, wordedError(ErrPausedVersion, "the turn was paused in version %d of its form, and this program resumes "+
			"version %d; resume it with the program that paused it, or let the user ask again", envelope.Version, pausedVersion)
	}
	nestedMetadata()
	paused := new(pausedTurn)
	if err := gob.NewDecoder(bytes.NewReader(envelope.Turn)).Decode(paused); err != nil {
		return nil, fmt.Errorf("the paused turn is damaged: %w", err)
	}
	return paused, nil
}

// isWaiting reports whether a call of the batch waits for a person.
func (t *Turn) isWaiting() bool {
	return slices.ContainsFunc(t.batch, func(p pending) bool { return p.approval != nil })
}

// hasRunnable reports whether a call of the batch may still run now.
func (t *Turn) hasRunnable() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.batch, func(p pending) bool { return p.isRunnable() && !p.returned })
}

// pause ends this run of a turn whose calls wait, and keeps the turn for who resumes it.
func (t *Turn) pause(ctx context.Context) {
	if err := t.recordDenied(ctx, t.batch); err != nil {
		t.fail(err)
		return
	}
	t.takeLate()
	paused := &pausedTurn{
		Input: t.input, Messages: t.messages[min(t.first+1, len(t.messages)):], Missing: t.spent.missing,
		Progress: t.spent.progress, Proofs: t.spent.proofs, Rounds: t.rounds, ModelCalls: t.calls, Usage: t.usage,
		Insisted: t.insisted, Accused: t.accused, Required: t.required, Retry: t.retry,
	}
	var approvals []*tooltrack.Approval
	var results []Message
	var deferred []string
	for i := range t.batch {
		p := t.leave(&t.batch[i])
		call := pausedCall{Call: p.call, Touched: p.touched, Approved: p.approved}
		result := t.resultMessage(ctx, p)
		switch {
		case p.approval != nil:
			call.Approval = p.approval.ID
			approvals = append(approvals, p.approval)
		case p.deferred:
			deferred = append(deferred, t.summaryFor(p))
		default:
			call.Told = &result
		}
		paused.Calls, results = append(paused.Calls, call), append(results, result)
	}
	for _, record := range t.records {
		paused.Seq = max(paused.Seq, record.Seq)
	}
	_, err := callHost("Ledger.Pause", func() (any, error) {
		data, err := paused.encode()
		if err == nil {
			err = t.guard.ledger.Pause(ctx, t.input.scope(), t.claimed, data)
		}
		return nil, err
	})
	if err != nil {
		t.fail(err)
		return
	}
	t.endHeld(ctx, approvals, results, deferred)
}

// endHeld closes the turn with what may be shown while it waits: every call has a
// result among its messages, so that the conversation can go on without it.
func (t *Turn) endHeld(ctx context.Context, approvals []*tooltrack.Approval, results []Message, deferred []string) {
	t.batch = nil
	t.withholdBeside(ctx, len(t.messages)-1)
	t.messages = append(t.messages, results...)
	t.close()
	held := t.heldBy(approvals, t.redact(ctx, t.heldAccount(approvals, deferred)))
	t.reply.Text, t.err = held.Account, held
	t.reply.Messages = append(t.reply.Messages, Message{Role: RoleAssistant, Text: t.reply.Text})
	if t.guard.options.DeliverAccount {
		t.reply.Err, t.err = held, nil
	}
	t.info(ctx, "turn paused", "approvals", len(approvals))
}
