package main

import (
	"context"
	"fmt"
	"io"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/resolver"
)

// hotel stands for the system that the hotel already has: guests by id, and what can be done for them.
type hotel struct {
	out   io.Writer // where it prints what really happens
	rooms map[string]string
}

var guests = []resolver.Entry{
	{ID: "g-11", Title: "Kenji Ito"}, {ID: "g-12", Title: "Aiko Ito"}, {ID: "g-13", Title: "Ana Sousa"},
}

func newHotel(out io.Writer) *hotel {
	return &hotel{out, map[string]string{"g-11": "101", "g-12": "102", "g-13": "305"}}
}

// entries are the guests that a member of the staff may see.
func (h *hotel) entries(_ context.Context, _ string) ([]resolver.Entry, error) { return guests, nil }

type request struct {
	Guest  string  `json:"guest"` // an id: the guard has resolved the name
	Room   string  `json:"room"`
	Amount float64 `json:"amount"`
}

// answer is what a tool returns: enough for an answer to rest on, not only "ok".
type answer struct {
	Success bool    `json:"success"`
	Guest   string  `json:"guest"`
	Room    string  `json:"room,omitempty"`
	Amount  float64 `json:"amount,omitempty"`
}

// tools are the functions behind the tools' names.
func (h *hotel) tools() stage.Toolbox {
	return stage.Toolbox{
		"find_guest":      stage.Tool(h.find),
		"move_guest":      stage.Tool(h.move),
		"check_out_guest": stage.Tool(h.checkOut),
		"refund_guest":    stage.Tool(h.refund),
	}
}

func (h *hotel) find(_ context.Context, r request) (answer, error) { return h.did(r.Guest, "") }

func (h *hotel) move(_ context.Context, r request) (answer, error) {
	h.rooms[r.Guest] = r.Room
	return h.did(r.Guest, "moved to room %s", r.Room)
}

func (h *hotel) checkOut(_ context.Context, r request) (answer, error) {
	defer delete(h.rooms, r.Guest)
	return h.did(r.Guest, "checked out")
}

func (h *hotel) refund(_ context.Context, r request) (answer, error) {
	done, err := h.did(r.Guest, "%.0f euros refunded", r.Amount)
	done.Amount = r.Amount
	return done, err
}

// did prints what was done for a guest, and returns how the guest stands.
func (h *hotel) did(id, format string, args ...any) (answer, error) {
	for _, guest := range guests {
		if guest.ID == id && h.rooms[id] != "" {
			if format != "" {
				fmt.Fprintf(h.out, "  hotel: %s "+format+"\n", append([]any{guest.Title}, args...)...)
			}
			return answer{Success: true, Guest: guest.Title, Room: h.rooms[id]}, nil
		}
	}
	return answer{}, fmt.Errorf("no guest with the id %s is in the house", id)
}
