package chatwire

import (
	"context"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	// maxRemembered is how many responses are remembered in this process, and
	// maxRecalled how many bytes of them.
	maxRemembered = 8192
	maxRecalled   = 64 << 20
	// maxLinks is how many responses back a conversation is followed.
	maxLinks = 1024
)

// newMemory holds what responses added to conversations that later requests may go on with
// by an id alone. It is bounded, and forgets the oldest first.
func newMemory() *tooltrack.Ledger {
	bounds := &tooltrack.MemoryOptions{MaxRecords: maxRemembered, MaxBytes: maxRecalled}
	return tooltrack.NewLedger(tooltrack.NewMemory(bounds), nil)
}

// remembered is what one response added, here and in the ledger.
type remembered struct {
	Previous string         `json:"previous,omitempty"` // the response that it went on from
	Messages []savedMessage `json:"messages,omitzero"`  // what was said in the request and in the answer
	Open     []savedCall    `json:"open,omitzero"`      // calls that the provider has and the client was not given
	Aside    []savedCall    `json:"aside,omitzero"`     // and the other way round
}

// recollection is what is known to a request: what this process remembers and, for an owner, what
// the guard's ledger does. What is in neither has to be sent by the client.
type recollection struct{ here, shared shelf }

func (c *conversation) recollection() recollection {
	ctx := c.request.Context()
	known := recollection{here: shelf{context.WithoutCancel(ctx), c.shell.memory, StoredResponses}}
	if owner := ownerOf(ctx); owner != "" && c.handling.Guard != nil {
		known.shared = shelf{ctx, c.handling.Guard.Ledger(), StoredResponses + owner}
	}
	return known
}

// end is the last response of a conversation that the provider keeps. Another
// process may have gone on with it, so the ledger is asked first.
func (r recollection) end(conversation string) string {
	end, known := r.shared.load(conversation)
	if !known {
		end, _ = r.here.load(conversation)
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
	found, known := r.here.load(id)
	if !known {
		if found, known = r.shared.load(id); known {
			r.here.save(id, found)
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
		r.save(id, added)
	}
	if conversation != "" {
		r.save(conversation, remembered{Previous: id})
	}
}

func (r recollection) save(id string, added remembered) {
	r.here.save(id, added)
	r.shared.save(id, added)
}

func ownerOf(ctx context.Context) string {
	input, _ := guard.FromContext(ctx)
	return input.Owner
}
