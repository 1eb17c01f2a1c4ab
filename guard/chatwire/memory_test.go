package chatwire

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func saying(texts ...string) remembered {
	var r remembered
	for _, text := range texts {
		r.messages = append(r.messages, guard.Message{Role: guard.RoleUser, Text: text})
	}
	return r
}

func TestMemoryForgetsTheOldest(t *testing.T) {
	var m memory
	ctx := context.Background()
	for i := range maxRemembered + 1 {
		m.remember(ctx, strconv.Itoa(i), "", saying("x"))
	}
	if m.recall(ctx, "0").messages != nil || len(m.recall(ctx, "1").messages) != 1 || len(m.recall(ctx, strconv.Itoa(maxRemembered)).messages) != 1 || len(m.known) != maxRemembered || len(m.order) != maxRemembered {
		t.Errorf("%d responses are known, %d in order", len(m.known), len(m.order))
	}
}

func TestMemoryIsBoundedInBytes(t *testing.T) {
	var m memory
	ctx := context.Background()
	third := saying(strings.Repeat("x", maxRecalled/3-200))
	for _, id := range []string{"a", "b", "c", "d"} {
		m.remember(ctx, id, "", third)
	}
	if m.recall(ctx, "a").messages != nil || m.recall(ctx, "b").messages == nil || m.recall(ctx, "d").messages == nil || m.size > maxRecalled || m.size < maxRecalled/2 {
		t.Errorf("%d bytes of %v", m.size, m.order)
	}
	long := remembered{messages: []guard.Message{{Calls: []tooltrack.Call{{Args: []byte(strings.Repeat("x", maxRecalled))}}}}}
	m.remember(ctx, "e", "", long)
	if m.recall(ctx, "e").messages != nil || m.recall(ctx, "d").messages == nil {
		t.Error("one that is too long drove the others out")
	}
	m.remember(ctx, "", "", third)
	m.remember(ctx, "d", "", saying())
	if m.recall(ctx, "").messages != nil || m.recall(ctx, "d").messages == nil || len(m.order) != 3 {
		t.Errorf("%v", m.order)
	}
}

// TestMemoryFollowsConversations from response to response, each owner's own, and
// in another process by the ledger alone.
func TestMemoryFollowsConversations(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	ann := guard.NewContext(context.Background(), guard.Input{Owner: "ann"})
	bob := guard.NewContext(context.Background(), guard.Input{Owner: "bob"})
	call := tooltrack.Call{ID: "a", Tool: "delete_task", Args: []byte(`{"id": 1}`)}
	first, second := saying("one"), saying("two")
	first.messages = append(first.messages, guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}})
	second.messages = append(second.messages, guard.Message{Role: guard.RoleTool, CallID: "a", Text: "ok"}, guard.Message{Role: guard.RoleSystem, Text: "Be brief."})
	second.previous, second.open, second.aside = "r1", []tooltrack.Call{call}, []tooltrack.Call{call}
	here := &memory{ledger: ledger}
	here.remember(ann, "r1", "conv", first)
	here.remember(ann, "r2", "conv", second)
	for name, m := range map[string]*memory{"here": here, "in another process": {ledger: ledger}} {
		if end := m.end(ann, "conv"); end != "r2" {
			t.Errorf("%s: the conversation ends with %q", name, end)
		}
		got := m.recall(ann, "r2")
		want := append(append([]guard.Message{}, first.messages...), second.messages[:2]...)
		if !reflect.DeepEqual(got.messages, want) || !reflect.DeepEqual(got.open, second.open) || !reflect.DeepEqual(got.aside, second.aside) {
			t.Errorf("%s: %+v", name, got)
		}
		for _, other := range []context.Context{bob, context.Background()} {
			if got := m.recall(other, "r2"); got.messages != nil || m.end(other, "conv") != "" {
				t.Errorf("%s: another owner finds %+v", name, got)
			}
		}
	}
	if records, err := ledger.Records(ann, tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Conversation: "c1"}}); err != nil || len(records) != 0 {
		t.Errorf("the host's own conversations hold %v, %v", records, err)
	}
}

// TestMemoryWithoutAnOwnerStoresNothing.
func TestMemoryWithoutAnOwnerStoresNothing(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	m := &memory{ledger: ledger}
	m.remember(context.Background(), "r1", "", saying("secret"))
	if got := (&memory{ledger: ledger}).recall(context.Background(), "r1"); got.messages != nil || m.recall(context.Background(), "r1").messages == nil {
		t.Errorf("%+v", got)
	}
}

// failingStore breaks in a way of its own.
type failingStore struct {
	tooltrack.Store
	fail func() error
}

func (s failingStore) Begin(context.Context, *tooltrack.Record, bool) (tooltrack.Begun, error) {
	return tooltrack.Begun{}, s.fail()
}

func (s failingStore) Records(context.Context, tooltrack.Query) ([]*tooltrack.Record, error) {
	return nil, s.fail()
}

// TestMemorySurvivesTheLedger: a ledger that fails costs what other processes
// would know, and nothing else.
func TestMemorySurvivesTheLedger(t *testing.T) {
	ctx := guard.NewContext(context.Background(), guard.Input{Owner: "ann"})
	for name, fail := range map[string]func() error{
		"an error": func() error { return errors.New("the disk is full") },
		"a panic":  func() error { panic("the disk is full") },
	} {
		m := &memory{ledger: tooltrack.NewLedger(failingStore{fail: fail}, nil)}
		m.remember(ctx, "r1", "conv", saying("one"))
		if m.recall(ctx, "r1").messages == nil || m.end(ctx, "conv") != "r1" || m.recall(ctx, "r2").messages != nil {
			t.Errorf("%s: %+v", name, m.recall(ctx, "r1"))
		}
	}
}
