package chatwire

import (
	"strconv"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestMemoryForgetsTheOldest(t *testing.T) {
	var m memory
	for i := range maxRemembered + 1 {
		m.remember(strconv.Itoa(i), []guard.Message{{Text: "x"}}, nil)
	}
	if m.recall("0").messages != nil || len(m.recall("1").messages) != 1 || len(m.recall(strconv.Itoa(maxRemembered)).messages) != 1 || len(m.known) != maxRemembered || len(m.order) != maxRemembered {
		t.Errorf("%d responses are known, %d in order", len(m.known), len(m.order))
	}
}

func TestMemoryIsBoundedInBytes(t *testing.T) {
	var m memory
	third := []guard.Message{{Text: strings.Repeat("x", maxRecalled/3)}}
	for _, id := range []string{"a", "b", "c"} {
		m.remember(id, third, nil)
	}
	if m.recall("a").messages != nil || m.recall("b").messages == nil || m.recall("c").messages == nil || m.size > maxRecalled || m.size < maxRecalled/2 {
		t.Errorf("%d bytes of %v", m.size, m.order)
	}
	m.remember("d", []guard.Message{{Calls: []tooltrack.Call{{Args: []byte(strings.Repeat("x", maxRecalled))}}}}, nil)
	if m.recall("d").messages != nil || m.recall("c").messages == nil {
		t.Error("one that is too long drove the others out")
	}
	m.remember("", third, nil)
	m.remember("c", nil, nil)
	if m.recall("").messages != nil || m.recall("c").messages == nil || len(m.order) != 2 {
		t.Errorf("%v", m.order)
	}
}
