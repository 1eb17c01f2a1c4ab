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
// on with by an id alone. It is bounded, and forgets the oldest first.
type memory struct {
	mu    sync.Mutex
	known map[string]remembered // by the id of a response or of a conversation
	order []string
	size  int
}

// remembered is what one response added, here and in the ledger.
type remembered struct {
	Previous string         `json:"previous,omitempty"` // the response that it went on from
	Messages []savedMessage `json:"messages,omitzero"`  // what was said in the request and in the answer
	Open     []savedCall    `json:"open,omitzero"`      // calls that the provider has and the client was not given
	Aside    []savedCall    `json:"aside,omitzero"`     // and the other way round
}

// recollection is what is known to a request: what this process remembers and,
// for an owner, what the ledger does. What is in neither has to be sent by the
// client.
type recollection struct {
	*memory
	ctx    context.Context
	owner  string
	ledger *tooltrack.Ledger
}

func (c *conversation) recollection() recollection {
	known := recollection{memory: c.shell.memory, ctx: c.request.Context(), owner: ownerOf(c.request.Context())}
	if c.handling.Guard != nil {
		known.ledger = c.handling.Guard.Ledger()
	}
	return known
}

// end is the last response of a conversation that the provider keeps. Another
// process may have gone on with it, so the ledger is asked first.
func (r recollection) end(conversation string) string {
	end, known := r.load(conversation)
	if !known {
		end, _ = r.find(conversation)
	}
	return end.Previous
}

// recall puts a conversation together that ends with a response: what was said,
// and what the last response left to do.
func (r recollection) recall(id string) (said []guard.Message, last remembered) {
	var links []remembered
	for id != "" && len(links) < maxLinks {
		link, known := r.find(id)
		if !known {
			break
		}
		links = append(links, link)
		id = link.Previous
	}
	for _, last = range slices.Backward(links) {
		said = append(said, madeOf(last.Messages, savedMessage.message)...)
	}
	return said, last
}

func (r recollection) find(id string) (remembered, bool) {
	r.mu.Lock()
	found, known := r.known[id]
	r.mu.Unlock()
	if !known {
		if found, known = r.load(id); known {
			r.keep(id, found)
		}
	}
	return found, known
}

// remember keeps what a response added. The conversation that it is part of, if
// the provider keeps one, ends with it.
func (r recollection) remember(id, conversation string, added remembered) {
	if id == "" {
		return
	}
	if _, twice := r.find(id); !twice {
		added.Messages = slices.DeleteFunc(slices.Clone(added.Messages), func(message savedMessage) bool {
			return message.Role == guard.RoleSystem // instructions hold for one request
		})
		r.keep(id, added)
		r.save(id, added)
	}
	if conversation != "" {
		end := remembered{Previous: id}
		r.keep(conversation, end)
		r.save(conversation, end)
	}
}

func (r remembered) size() int {
	size := 64
	for _, message := range r.Messages {
		size += len(message.Text) + 64
		for _, call := range message.Calls {
			size += len(call.Args) + 64
		}
	}
	return size
}

// keep remembers in this process.
func (m *memory) keep(id string, added remembered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if added.size() > maxRecalled {
		return
	}
	if m.known == nil {
		m.known = map[string]remembered{}
	}
	if before, twice := m.known[id]; twice {
		m.size -= before.size()
	} else {
		m.order = append(m.order, id)
	}
	m.known[id], m.size = added, m.size+added.size()
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
