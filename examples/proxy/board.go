package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/policy"
)

// What the board keeps, at most.
const (
	maxTurns    = 200
	maxWatchers = 32
	maxCalls    = 20
	maxSteps    = 24
	maxUserText = 400
	maxText     = 1500
	maxArgs     = 160
)

// board holds the last turns that passed, for the page: in memory only, cut, secrets replaced.
type board struct {
	now func() time.Time

	mu       sync.Mutex
	turns    []*turnView // the oldest first
	totals   totals
	last     int64
	watchers map[chan []byte]struct{}
	closed   bool
}

// turnView is one turn as the page shows it.
type turnView struct {
	ID           int64      `json:"id"`
	Began        time.Time  `json:"began"`
	Owner        string     `json:"owner"`
	Conversation string     `json:"conversation"`
	Turn         string     `json:"turn"`
	Tools        string     `json:"tools"`
	Requests     int        `json:"requests"`
	User         string     `json:"user"`
	Calls        []callView `json:"calls"`
	MoreCalls    int        `json:"more_calls"` // before them
	Text         string     `json:"text"`
	State        state      `json:"state"`
	Would        []string   `json:"would"`
	Steps        []step     `json:"steps"`
	MoreSteps    int        `json:"more_steps"` // before them
	Proof        []proven   `json:"proof"`
	Millis       int64      `json:"millis"`
}

// callView is one call of a turn.
type callView struct {
	Tool   string `json:"tool"`
	Args   string `json:"args"`
	Effect string `json:"effect"`
	Status string `json:"status"`
	Sight  string `json:"sight,omitempty"` // what a later read showed of it
}

// step is something that the guard found, did or would have done.
type step struct {
	Kind string `json:"kind"` // "model", "found", "did"
	Text string `json:"text"`
}

// proven is one item of a proof that was accepted.
type proven struct {
	What   string `json:"what"`
	Status string `json:"status"`
	Calls  []int  `json:"calls"`
}

// state is what became of a turn so far.
type state string

const (
	asking   state = "asking"   // the model is asked
	calling  state = "calling"  // it called tools, and their results are awaited
	passed   state = "passed"   // its text passed, with nothing in doubt
	doubted  state = "doubted"  // observed: proof would have been asked for
	wouldAct state = "would"    // observed: it would have been corrected or refused
	proved   state = "proved"   // a proof was asked for and holds
	mended   state = "mended"   // corrected, and then it passed
	cut      state = "cut"      // shown without the sentences that nothing proves
	refused  state = "refused"  // it did not pass
	failed   state = "failed"   // the model's server failed
	left     state = "left"     // the client left
	unjudged state = "unjudged" // it could not be judged
)

// totals count turns by what became of them.
type totals map[state]uint64

func newBoard(now func() time.Time) *board {
	return &board{now: now, totals: totals{}, watchers: map[chan []byte]struct{}{}}
}

// begin opens a turn, or goes on with it: the requests of a tool loop are one.
func (b *board) begin(who identity, tools string) *turnView {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, turn := range slices.Backward(b.turns) {
		if turn.Turn == who.turn && turn.Owner == who.owner && turn.Conversation == who.conversation &&
			turn.State == calling {
			turn.Requests++
			return turn
		}
	}
	b.last++
	turn := &turnView{
		ID: b.last, Began: b.now(), Owner: who.owner, Conversation: who.conversation, Turn: who.turn,
		Tools: tools, Requests: 1, State: asking,
	}
	if b.turns = append(b.turns, turn); len(b.turns) > maxTurns {
		b.turns = slices.Delete(b.turns, 0, len(b.turns)-maxTurns)
	}
	return turn
}

// update changes a turn and shows it to those who watch.
func (b *board) update(turn *turnView, change func(*turnView)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := turn.State
	change(turn)
	turn.Millis = b.now().Sub(turn.Began).Milliseconds()
	turn.MoreSteps += max(0, len(turn.Steps)-maxSteps)
	turn.Calls = lastOf(turn.Calls, maxCalls)
	turn.Steps = lastOf(turn.Steps, maxSteps)
	turn.Would = lastOf(turn.Would, maxSteps)
	turn.Proof = lastOf(turn.Proof, maxSteps)
	if turn.State != before && turn.State != asking && turn.State != calling {
		b.totals[turn.State]++
	}
	if len(b.watchers) == 0 {
		return
	}
	told := b.news(turn)
	for watcher := range b.watchers {
		select {
		case watcher <- told:
		default: // too slow: the page comes back and gets all of it anew
			b.drop(watcher)
		}
	}
}

func (b *board) news(turn *turnView) []byte {
	told, _ := json.Marshal(map[string]any{"turn": turn, "totals": b.totals}) // strings and numbers always marshal
	return told
}

func lastOf[T any](list []T, most int) []T {
	if len(list) > most {
		return slices.Clone(list[len(list)-most:])
	}
	return list
}

// watch hands out everything so far, oldest first, and then what is new. It is false when too many
// watch, or the proxy ends. The channel closes when the watcher is too slow, or at the end.
func (b *board) watch() (backlog [][]byte, updates chan []byte, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || len(b.watchers) >= maxWatchers {
		return nil, nil, false
	}
	for _, turn := range b.turns {
		backlog = append(backlog, b.news(turn))
	}
	updates = make(chan []byte, 256)
	b.watchers[updates] = struct{}{}
	return backlog, updates, true
}

// leave ends a watch.
func (b *board) leave(updates chan []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop(updates)
}

func (b *board) drop(updates chan []byte) {
	if _, there := b.watchers[updates]; there {
		delete(b.watchers, updates)
		close(updates)
	}
}

func (b *board) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for watcher := range b.watchers {
		b.drop(watcher)
	}
}

func (b *board) watching() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.watchers)
}

// shown is a text as the page may show it: a copy, cut, with what looks like a secret replaced. What is cut off
// is not looked at, but for a secret at the edge.
func shown(text string, most int) string {
	const edge = 256
	return strings.Clone(clip.Text(policy.HideSecrets(clip.Text(text, most+edge)), most))
}

// shownArgs is the same for arguments.
func shownArgs(args []byte) string {
	return strings.Clone(clip.Text(policy.LoggableArgs(args), maxArgs))
}

func shownName(tool string) string { return strings.Clone(clip.Text(tool, 60)) }

func (b *board) counts() totals {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.totals)
}
