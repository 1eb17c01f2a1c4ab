package guard

import (
	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/policy"
)

// Mode is a way of working that a turn can be in: how many calls it may make,
// and when it is done. The limits print their own prompt text, so what the
// model is told and what is enforced come from one definition.
type Mode struct {
	// Mode holds the name and the limits.
	policy.Mode
	// Contract says when a turn in this mode is done, whatever tools the words of
	// the request expect; nil leaves it to the request.
	Contract *completion.Contract
	// Tools are the names of the tools offered in this mode; empty is all.
	Tools []string
	// Instructions stand in the system prompt of turns in this mode.
	Instructions string
}
