package intent

import "fmt"

// Kind is what sort of answer a message asks for.
type Kind uint8

const (
	// Chat asks for nothing that a tool has to do: small talk, thanks, a
	// statement, or a request that none of the tools serves.
	Chat Kind = iota
	// Question asks for information. A listing is a question that expects its
	// tool.
	Question
	// Analysis asks for thought and words only: explain, review, why does it.
	Analysis
	// Action asks for a change. Without expectations, any change will do:
	// "implement this".
	Action
)

var kindNames = [...]string{"chat", "question", "analysis", "action"}

// String is the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}
