package guard

import (
	"encoding/json"
	"slices"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Role is who speaks in a [Message].
type Role string

// The four roles that every provider knows, by the names most of them use.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one message of a conversation, whatever the provider calls its
// parts.
type Message struct {
	// Role is who speaks.
	Role Role
	// Text is what the message says; for a tool message the result.
	Text string
	// Calls are the tool calls that an assistant message proposes, in order.
	Calls []tooltrack.Call
	// CallID and Tool say which call a tool message answers.
	CallID string
	Tool   string
	// Failed marks a tool message whose call did not succeed, for formats that have
	// a flag for it. Its text says so, too.
	Failed bool
	// Parts are what a tool message holds besides its text; see [Attach]. Formats
	// that know no such parts leave them out.
	Parts []Part
	// Seen are calls that the provider ran by itself while it wrote an assistant
	// message, such as web searches, with what came of them. They are evidence like
	// calls of the turn, graded [tooltrack.Seen].
	Seen []*tooltrack.Record
	// Shows is what an assistant message without a text holds instead, such as
	// "image"; empty if it holds nothing else. Such a message claims nothing.
	Shows string
	// Raw is the provider's own message. It is replayed untouched where it is
	// given: some providers refuse a message that was taken apart and rebuilt.
	Raw json.RawMessage
	// Internal marks what the guard said to the model. People do not see it.
	Internal bool
	// Beside marks a user's text that shares one message with results, in formats that
	// allow it. Frameworks write most of these, so it begins a turn only if it asks for
	// something.
	Beside bool
}

// lastText is what the assistant said last.
func lastText(messages []Message) string {
	for _, message := range slices.Backward(messages) {
		if message.Role == RoleAssistant && message.Text != "" {
			return message.Text
		}
	}
	return ""
}
