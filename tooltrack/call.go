package tooltrack

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/internal/clip"
)

// Call is one tool call as a model proposed it.
type Call struct {
	// ID is the provider's name for the call; see [Call.WithID] for those that send none.
	ID string `json:"id,omitempty"`
	// Tool is the name of the tool.
	Tool string `json:"name"`
	// Args are the exact bytes of the arguments. Raw bytes keep large integers
	// exact, and what was reviewed is what runs.
	Args json.RawMessage `json:"arguments,omitempty"`
}

// WithID returns the call with an id: its own, or a new random one. Providers
// may leave ids out, but results can only be told apart by them.
func (c Call) WithID() Call {
	if c.ID == "" {
		c.ID = "call_" + uuid.NewString()
	}
	return c
}

// clipped keeps error messages short, whatever a caller sent.
func clipped(s string) string { return clip.Text(s, 60) }
