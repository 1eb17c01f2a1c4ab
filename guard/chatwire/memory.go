package chatwire

import (
	"context"
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	// maxRemembered is how many responses are remembered in this process, and
	// maxRecalled how many bytes of them.
	maxRemembered = 4096
	maxRecalled   = 64 << 20
	// maxLinks is how many responses back a conversation is followed.
	maxLinks = 1024
)

// memory holds what responses added to conversations that later requests may go
// on with by an id alone. It is bounded, and forgets the oldest first; what is
// not in it, nor in the ledger, has to be sent by the client. What belongs to
// one owner is not found by another.
type memory struct {
	ledger *tooltrack.Ledger

	mu    sync.Mutex
	known map[memoryKey]remembered
	order []memoryKey
	size  int
}

type memoryKey struct {
	owner string
	id    string // of a response or of a conversation
}

// remembered is what one response added.
type remembered struct {
	previous string           // the response that it went on from
	messages []guard.Message  // what was said in the request and in the answer
	open     []tooltrack.Call // calls that the provider has and the client was not given
	aside    []tooltrack.Call // calls that the client was given and the provider's conversation does not have
}

// recalled is a conversation up to a response.
type recalled struct {
	remembered
	at string // the response, known or not
}

// end is the last response of a conversation that the provider keeps. Another
// process may have gone on with it, so the ledger is asked first.
func (m *memory) end(ctx context.Context, conversation string) string {
	key := memoryKey{ownerOf(ctx), conversation}
	end, known := m.load(ctx, key)
	if !known {
		end, _ = m.find(ctx, key)
	}
	return end.previous
}

// recall puts a conversation together that ends with a response.
func (m *memory) recall(ctx context.Context, id string) recalled {
	owner := ownerOf(ctx)
	last := recalled{at: id}
	var links []remembered
	for id != "" && len(links) < maxLinks {
		link, known := m.find(ctx, memoryKey{owner, id})
		if !known {
			break
		}
		links = append(links, link)
		id = link.previous
	}
	if len(links) == 0 {
		return recalled{at: last.at}
	}
	last.open, last.aside = links[0].open, links[0].aside
	for _, link := range slices.Backward(links) {
		last.messages = append(last.messages, link.messages...)
	}
	return last
}

func (m *memory) find(ctx context.Context, key memoryKey) (remembered, bool) {
	m.mu.Lock()
	found, known := m.known[key]
	m.mu.Unlock()
	if !known {
		if found, known = m.load(ctx, key); known {
			m.keep(key, found)
		}
	}
	return found, known
}

// remember keeps what a response added. The conversation that it is part of, if
// the provider keeps one, ends with it.
func (m *memory) remember(ctx context.Context, id, conversation string, added remembered) {
	if id == "" {
		return
	}
	key := memoryKey{ownerOf(ctx), id}
	if _, twice := m.find(ctx, key); !twice {
		added.messages = slices.DeleteFunc(slices.Clone(added.messages), func(message guard.Message) bool {
			return message.Role == guard.RoleSystem // instructions hold for one request
		})
		m.keep(key, added)
		m.save(ctx, key, added)
	}
	if conversation != "" {
		key.id = conversation
		end := remembered{previous: id}
		m.keep(key, end)
		m.save(ctx, key, end)
	}
}

func (r remembered) size() int {
	size := 64
	for _, message := range r.messages {
		size += len(message.Text) + len(message.Raw) + 64
		for _, call := range message.Calls {
			size += len(call.Args) + 64
		}
	}
	return size
}

// keep remembers in this process.
func (m *memory) keep(key memoryKey, added remembered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if added.size() > maxRecalled {
		return
	}
	if m.known == nil {
		m.known = map[memoryKey]remembered{}
	}
	if before, twice := m.known[key]; twice {
		m.size -= before.size()
	} else {
		m.order = append(m.order, key)
	}
	m.known[key], m.size = added, m.size+added.size()
	for len(m.order) > maxRemembered || m.size > maxRecalled {
		m.size -= m.known[m.order[0]].size()
		delete(m.known, m.order[0])
		m.order = m.order[1:]
	}
}

func ownerOf(ctx context.Context) string {
	input, _ := guard.FromContext(ctx)
	return input.Owner
}
