package guard

import (
	"encoding/json"
	"fmt"
)

// Response is what a [Model] answered.
type Response struct {
	// Message is the assistant's message: text, calls, or both.
	Message Message
	// Stop says why the model stopped. It never proves that work was done, but a
	// message that was cut off proves that it is not whole.
	Stop Stop
	// Refusal is the provider's own field for a refusal, where it has one.
	Refusal string
	// Faults are calls of the message that could not be read. They never run, and
	// the model is told why.
	Faults []CallFault
	// Usage is what the provider counted.
	Usage Usage
	// Raw is the provider's whole answer, for those who hand it on.
	Raw json.RawMessage
}

// CallFault says why a call of a response cannot run, whatever its tool.
type CallFault struct {
	// Call is the index in the message's calls.
	Call int
	// Reason is written for the model.
	Reason string
}

// Usage counts tokens.
type Usage struct {
	Input, Output int     // tokens of the request and of the answer
	Money         float64 // what they cost by [Budgets].Prices; the guard sets it
}

// Stop is why a model stopped. The zero value is a message that is whole.
type Stop uint8

const (
	// StopEnd is a message that is whole, with or without calls.
	StopEnd Stop = iota
	// StopCut is a message that a limit or a broken stream cut off.
	StopCut
	// StopFiltered is a message that a content filter withheld or cut.
	StopFiltered
	// StopRefused is a refusal by the provider, not one worded by the model.
	StopRefused
	// StopPaused is a message that the provider wants to continue later.
	StopPaused
)

var stopNames = [...]string{"end", "cut", "filtered", "refused", "paused"}

// String is the name used in logs and errors.
func (s Stop) String() string {
	if int(s) < len(stopNames) {
		return stopNames[s]
	}
	return fmt.Sprintf("stop(%d)", uint8(s))
}

// Whole reports whether the message is all that the model meant to say. Nothing
// that may change the world runs from one that is not.
func (s Stop) Whole() bool { return s == StopEnd }
