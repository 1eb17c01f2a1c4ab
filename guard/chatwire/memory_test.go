package chatwire

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func saying(texts ...string) remembered {
	var r remembered
	for _, text := range texts {
		r.Messages = append(r.Messages, savedMessage{Role: guard.RoleUser, Text: text})
	}
	return r
}

func recalled(r recollection, id string) []guard.Message {
	messages, _ := r.recall(id)
	return messages
}

func TestMemoryForgetsTheOldest(t *testing.T) {
	m := ofOwner("", newMemory(), nil)
	for i := range maxRemembered + 1 {
		m.remember(strconv.Itoa(i), "", saying("x"))
	}
	if recalled(m, "0") != nil || len(recalled(m, "1")) != 1 || len(recalled(m, strconv.Itoa(maxRemembered))) != 1 {
		t.Errorf("of %d responses %v, %v and %v are known", maxRemembered+1, recalled(m, "0"), recalled(m, "1"), recalled(m, strconv.Itoa(maxRemembered)))
	}
}

func TestMemoryIsBoundedInBytes(t *testing.T) {
	m := ofOwner("", newMemory(), nil)
	third := saying(strings.Repeat("x", maxRecalled/3-2000)) // with what a record takes by itself
	for _, id := range []string{"a", "b", "c", "d"} {
		m.remember(id, "", third)
	}
	if recalled(m, "a") != nil || recalled(m, "b") == nil || recalled(m, "d") == nil {
		t.Error("of four thirds not the first one is forgotten")
	}
	long := remembered{Messages: []savedMessage{{Calls: []savedCall{{Args: []byte(strings.Repeat("x", maxRecalled))}}}}}
	m.remember("e", "", long)
	if recalled(m, "e") != nil || recalled(m, "d") == nil {
		t.Error("one that is too long drove the others out")
	}
	m.remember("", "", third)
	m.remember("d", "", saying())
	if recalled(m, "") != nil || recalled(m, "d") == nil {
		t.Error("a response is remembered without an id, or twice")
	}
}

func ofOwner(owner string, here, ledger *tooltrack.Ledger) recollection {
	known := recollection{here: shelf{context.Background(), here, StoredResponses}}
	if owner != "" {
		known.shared = shelf{context.Background(), ledger, StoredResponses + owner}
	}
	return known
}

// TestMemoryFollowsConversations from response to response, in another process by
// the ledger alone, and there each owner's own.
func TestMemoryFollowsConversations(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	call := savedCall{ID: "a", Tool: "delete_task", Args: []byte(`{"id": 1}`)}
	first, second := saying("one"), saying("two")
	first.Messages = append(first.Messages, savedMessage{Role: guard.RoleAssistant, Calls: []savedCall{call}})
	second.Messages = append(second.Messages, savedMessage{Role: guard.RoleTool, CallID: "a", Text: "ok"}, savedMessage{Role: guard.RoleSystem, Text: "Be brief."})
	second.Previous, second.Open, second.Aside = "r1", []savedCall{call}, []savedCall{call}
	here := ofOwner("ann", newMemory(), ledger)
	here.remember("r1", "conv", first)
	here.remember("r2", "conv", second)
	for name, known := range map[string]recollection{"here": here, "in another process": ofOwner("ann", newMemory(), ledger)} {
		if end := known.end("conv"); end != "r2" {
			t.Errorf("%s: the conversation ends with %q", name, end)
		}
		got, last := known.recall("r2")
		want := madeOf(append(slices.Clone(first.Messages), second.Messages[:2]...), savedMessage.message)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(last.Open, second.Open) || !reflect.DeepEqual(last.Aside, second.Aside) {
			t.Errorf("%s: %+v, %+v", name, got, last)
		}
	}
	for _, other := range []string{"bob", ""} {
		known := ofOwner(other, newMemory(), ledger)
		if got := recalled(known, "r2"); got != nil || known.end("conv") != "" {
			t.Errorf("%q finds %+v", other, got)
		}
	}
	elsewhere := ofOwner("ann", newMemory(), ledger)
	elsewhere.remember("r3", "conv", saying("three"))
	if end := here.end("conv"); end != "r3" {
		t.Errorf("another process went on, and here the conversation ends with %q", end)
	}
	if records, err := ledger.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}}); err != nil || len(records) != 0 {
		t.Errorf("among the owner's calls are %v, %v", records, err)
	}
}

// TestMemoryWithoutAnOwnerStoresNothing in the ledger.
func TestMemoryWithoutAnOwnerStoresNothing(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	known := ofOwner("", newMemory(), ledger)
	known.remember("r1", "", saying("secret"))
	if got := recalled(ofOwner("", newMemory(), ledger), "r1"); got != nil || recalled(known, "r1") == nil {
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
	for name, fail := range map[string]func() error{
		"an error": func() error { return errors.New("the disk is full") },
		"a panic":  func() error { panic("the disk is full") },
	} {
		m := ofOwner("ann", newMemory(), tooltrack.NewLedger(failingStore{fail: fail}, nil))
		m.remember("r1", "conv", saying("one"))
		if recalled(m, "r1") == nil || m.end("conv") != "r1" || recalled(m, "r2") != nil {
			t.Errorf("%s: %+v", name, recalled(m, "r1"))
		}
	}
}
