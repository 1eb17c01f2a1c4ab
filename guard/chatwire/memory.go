package chatwire

import (
	"sync"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	// maxRemembered is how many responses are remembered, and maxRecalled how many
	// bytes of them.
	maxRemembered = 4096
	maxRecalled   = 64 << 20
)

// memory holds the conversations of responses that later requests may go on from
// by their id alone. It is bounded, and forgets the oldest first; what is not in
// it has to be sent by the client.
type memory struct {
	mu    sync.Mutex
	known map[string]remembered
	order []string
	size  int
}

type remembered struct {
	messages []guard.Message
	open     []tooltrack.Call // calls that the provider has and the client was not given
	size     int
}

func (m *memory) recall(id string) remembered {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[id]
}

// remember keeps what a response ended a conversation with. Calls that were taken
// out of it still lie with the provider, which will ask for their results.
func (m *memory) remember(id string, messages []guard.Message, open []tooltrack.Call) {
	if id == "" {
		return
	}
	size := 0
	for _, message := range messages {
		size += len(message.Text) + len(message.Raw) + 64
		for _, call := range message.Calls {
			size += len(call.Args) + 64
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, twice := m.known[id]; twice || size > maxRecalled {
		return
	}
	if m.known == nil {
		m.known = map[string]remembered{}
	}
	m.known[id], m.order, m.size = remembered{messages, open, size}, append(m.order, id), m.size+size
	for len(m.order) > maxRemembered || m.size > maxRecalled {
		m.size -= m.known[m.order[0]].size
		delete(m.known, m.order[0])
		m.order = m.order[1:]
	}
}
