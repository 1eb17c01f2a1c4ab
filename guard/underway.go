package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// settledRecords are the records of earlier turns and the evidence of this one, with what
// was told later of the jobs that some of them launched.
func (t *Turn) settledRecords() (earlier, records []*tooltrack.Record) {
	return tooltrack.Settled(t.earlier, t.evidence())
}

// withJobs are the records of this turn and, before them, those of earlier ones whose jobs
// it asked about, with what was told of them.
func (l *ledgerView) withJobs() []*tooltrack.Record {
	earlier, records := tooltrack.Settled(l.earlier, l.records)
	jobs := tooltrack.JobsOf(slices.Concat(l.earlier, l.records))
	if jobs == nil || len(earlier) == 0 {
		return records
	}
	var asked []*tooltrack.Record
	for i, record := range l.earlier {
		about := func(r *tooltrack.Record) bool { return jobs.Launch(r) == record }
		if slices.ContainsFunc(l.records, about) {
			asked = append(asked, earlier[i])
		}
	}
	return append(asked, records...)
}

// begun makes a verdict good that takes a text to keep quiet about a call which is not done
// yet, where the text tells just that: it was begun, and goes on.
func (d *demands) begun(turn completion.Case, verdict *completion.Verdict) {
	if verdict.Outcome.Completed() || verdict.Reason != completion.UnreportedFailure || d.readings == nil ||
		!d.matched(turn).IsBegun(turn.Text) {
		return
	}
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithBlocker, completion.Blocked, ""
}

// openJobs are the sentences that tell something as over, where what this turn began, or
// asked about, is told not to be, and nothing else was changed.
func (d *demands) openJobs(turn completion.Case) []Doubt {
	const doubt = 0.7 // as grave as a claim that is not shown without proof
	if len(turn.Records) == 0 || changed(turn.Records) {
		return nil
	}
	if d.readings == nil || len(unfinished(turn)) == 0 {
		return nil
	}
	known := d.matched(turn)
	var doubts []Doubt
	for _, piece := range match.Pieces(turn.Text) {
		if words := piece.Text(); known.IsTooEarly(words) {
			claim := completion.Claim{Kind: completion.ClaimChange, Text: words, Tier: completion.Unsure, Doubt: doubt}
			doubts = append(doubts, Doubt{Claim: &claim, Words: words, Probability: doubt})
		}
	}
	return doubts
}

// unfinished are the calls of this turn that were accepted and are not done yet, and those
// of earlier ones that it asks about, where these are not done, or have failed.
func unfinished(turn completion.Case) []*tooltrack.Record {
	var open []*tooltrack.Record
	pending := func(r *tooltrack.Record) bool { return r.Result.Status == tooltrack.Pending && r.Effect.MayChange() }
	for _, record := range turn.Records {
		if pending(record) {
			open = append(open, record)
		}
	}
	failed := func(r *tooltrack.Record) bool { return pending(r) || r.Result.Status == tooltrack.Failed }
	if len(open) > 0 || !slices.ContainsFunc(turn.Earlier, failed) {
		return open
	}
	jobs := tooltrack.JobsOf(slices.Concat(turn.Earlier, turn.Records))
	for _, record := range turn.Records {
		if launch := jobs.Launch(record); launch != nil && failed(launch) {
			open = append(open, launch)
		}
	}
	return open
}

// A loop of the host's own may ask for the next request while a call still runs.
// The turn goes on without it: the call has begun, so it is neither told as not run
// nor as failed, and what comes of it is taken up at the next step.

// stillRunning is why the fate of such a call is not known.
const stillRunning = "it is still running"

// leave returns a call of the finished batch. In place of one that still runs it is
// a call of unknown fate, since the other one is in the hands of its Do.
func (l *ledgerView) leave(p *pending) *pending {
	l.mu.Lock()
	running := p.started && !p.returned && !p.ruling.Denied
	p.left = running
	begun := p.begun
	l.mu.Unlock()
	if !running {
		return p
	}
	if begun != nil {
		l.remember(begun)
	}
	return &pending{call: p.call, tool: p.tool, record: begun, result: tooltrack.UnknownResult(stillRunning)}
}

// returned notes that a call does not run any more.
func (l *ledgerView) returned(p *pending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.returned = true
}

// rememberOf adds the record of a call to those of the turn; if the turn has gone on,
// at its next step, since the records are being read now.
func (l *ledgerView) rememberOf(p *pending, record *tooltrack.Record) {
	l.mu.Lock()
	left := p.left
	if left {
		l.late = append(l.late, record)
	}
	l.mu.Unlock()
	if !left {
		l.remember(record)
	}
}

// takeLate takes up what has come of calls since the turn went on without them.
func (l *ledgerView) takeLate() {
	l.mu.Lock()
	late := l.late
	l.late = nil
	l.mu.Unlock()
	for _, record := range late {
		l.remember(record)
	}
}
