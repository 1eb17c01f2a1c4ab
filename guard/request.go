package guard

import "github.com/bonafide-go/bonafide/tooltrack"

// Request is what a [Model] is asked. It always carries the tools: a model that
// was never offered a tool cannot be blamed for not calling it.
type Request struct {
	// Messages are the conversation, oldest first.
	Messages []Message
	// Tools are those that may be called.
	Tools []tooltrack.Tool
	// Choice says how free the model is in calling them.
	Choice Choice
	// Report is true when the answer is a report for the guard, not for people. A response
	// format that the client asked for does not apply to it.
	Report bool
}

// Choice says how free the model is in calling tools. The zero value leaves it
// to the model.
type Choice struct {
	// Mode is the degree of freedom.
	Mode ChoiceMode
	// Tool is the tool that [ChooseNamed] names.
	Tool string
}

// String is the choice as it is logged: "auto", "required", "none" or the name
// of the tool.
func (c Choice) String() string {
	switch c.Mode {
	case ChooseRequired:
		return "required"
	case ChooseNamed:
		return c.Tool
	case ChooseNone:
		return "none"
	default:
		return "auto"
	}
}

// narrowed is the choice of a request that a loop makes, where a guard would have
// its own instead. A loop that leaves it to the model, or to a call of whichever
// tool, leaves it to the guard, too.
func (c Choice) narrowed(own Choice) Choice {
	if c.Mode == ChooseAuto || c.Mode == ChooseRequired && own.Mode == ChooseNamed {
		return own
	}
	return c
}

// ChoiceMode is one of four degrees of freedom.
type ChoiceMode uint8

const (
	// ChooseAuto leaves it to the model whether to call a tool.
	ChooseAuto ChoiceMode = iota
	// ChooseRequired asks for a call of any tool.
	ChooseRequired
	// ChooseNamed asks for a call of one tool.
	ChooseNamed
	// ChooseNone forbids calls.
	ChooseNone
)
