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

// remembered is what one response added.
type remembered struct {
	previous string           // the response that it went on from
	messages []guard.Message  // what was said in the request and in the answer
	open     []tooltrack.Call // calls that the provider has and the client was not given
	aside    []tooltrack.Call // calls that the client was given and the provider's conversation does not have
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
	return end.previous
}

// recall puts a conversation together that ends with a response: what was said,
// and what the last response left to do.
func (r recollection) recall(id string) remembered {
	var links []remembered
	for id != "" && len(links) < maxLinks {
		link, known := r.find(id)
		if !known {
			break
		}
		links = append(links, link)
		id = link.previous
	}
	if len(links) == 0 {
		return remembered{}
	}
	last := remembered{open: links[0].open, aside: links[0].aside}
	for _, link := range slices.Backward(links) {
		last.messages = append(last.messages, link.messages...)
	}
	return last
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
		added.messages = slices.DeleteFunc(slices.Clone(added.messages), func(message guard.Message) bool {
			return message.Role == guard.RoleSystem // instructions hold for one request
		})
		r.keep(id, added)
		r.save(id, added)
	}
	if conversation != "" {
		end := remembered{previous: id}
		r.keep(conversation, end)
		r.save(conversation, end)
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
