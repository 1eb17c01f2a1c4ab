package mcpguard

import (
	"container/list"
	"sync"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// maxTurns bounds the turns that are kept open. One that has left is opened
// again: then a call that was meant to repeat is taken for the first one, and
// not run.
const maxTurns = 4096

// turns are those whose calls come one by one. They are kept, since a turn
// knows which of its changes were meant to be made twice.
type turns struct {
	mu      sync.Mutex
	order   list.List // of tooltrack.Turn, the latest first
	byScope map[tooltrack.Scope]*list.Element
}

// open finds the turn of a scope, or opens it. Without a name it is a new one.
func (t *turns) open(ledger *tooltrack.Ledger, scope tooltrack.Scope) (*tooltrack.Turn, error) {
	if scope.Turn == "" {
		scope.Turn = tooltrack.NewTurn()
		return ledger.Open(scope)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.byScope[scope]; known != nil {
		t.order.MoveToFront(known)
		return known.Value.(*tooltrack.Turn), nil
	}
	opened, err := ledger.Open(scope)
	if err != nil {
		return nil, err
	}
	if t.byScope == nil {
		t.byScope = map[tooltrack.Scope]*list.Element{}
	}
	t.byScope[scope] = t.order.PushFront(opened)
	if t.order.Len() > maxTurns {
		oldest := t.order.Remove(t.order.Back()).(*tooltrack.Turn)
		delete(t.byScope, oldest.Scope())
	}
	return opened, nil
}
