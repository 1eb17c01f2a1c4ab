package guard

import "github.com/bonafide-go/bonafide/tooltrack"

// A loop of the host's own may ask for the next request while a call still runs.
// The turn goes on without it: the call has begun, so it is neither told as not run
// nor as failed, and what comes of it is taken up at the next step.

// stillRunning is why the fate of such a call is not known.
const stillRunning = "it is still running"

// leave returns a call of the finished batch. In place of one that still runs it is
// a call of unknown fate, since the other one is in the hands of its Do.
func (t *Turn) leave(p *pending) *pending {
	t.mu.Lock()
	running := p.started && !p.returned && !p.ruling.Denied
	p.left = running
	begun := p.begun
	t.mu.Unlock()
	if !running {
		return p
	}
	if begun != nil {
		t.remember(begun)
	}
	return &pending{call: p.call, record: begun, result: tooltrack.UnknownResult(stillRunning)}
}

// returned notes that a call does not run any more.
func (t *Turn) returned(p *pending) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p.returned = true
}

// rememberOf adds the record of a call to those of the turn; if the turn has gone on,
// at its next step, since the records are being read now.
func (t *Turn) rememberOf(p *pending, record *tooltrack.Record) {
	t.mu.Lock()
	left := p.left
	if left {
		t.late = append(t.late, record)
	}
	t.mu.Unlock()
	if !left {
		t.remember(record)
	}
}

// takeLate takes up what has come of calls since the turn went on without them.
func (t *Turn) takeLate() {
	t.mu.Lock()
	late := t.late
	t.late = nil
	t.mu.Unlock()
	for _, record := range late {
		t.remember(record)
	}
}
