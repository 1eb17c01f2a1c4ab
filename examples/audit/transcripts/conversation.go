package transcripts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// conversation is one log entry: who said what, and which tools there were.
type conversation struct {
	id, model string
	messages  []guard.Message
	tools     []tooltrack.Tool // as logged, without effects; nil if the log names none
	records   []*tooltrack.Record
	// exchange is an entry that holds one request to a model and its answer. The
	// turns before the last are in entries of their own.
	exchange bool
}

// entry is the shape of a log entry. Everything but the messages may be absent.
type entry struct {
	ID             json.RawMessage     `json:"id"`
	ConversationID json.RawMessage     `json:"conversation_id"`
	Model          string              `json:"model"`
	Messages       json.RawMessage     `json:"messages"`
	Tools          []toolEntry         `json:"tools"`
	Functions      []definition        `json:"functions"` // what tools were called before 2024
	Records        []*tooltrack.Record `json:"records"`
	Choices        []choice            `json:"choices"`
	Request        *entry              `json:"request"`
	Response       *entry              `json:"response"`
}

type choice struct {
	Message json.RawMessage `json:"message"`
}

// toolEntry is a tool, with or without the envelope around its definition.
type toolEntry struct {
	definition
	Function *definition `json:"function"`
}

type definition struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

var errNoMessages = errors.New(`there are no "messages" in it`)

// parse reads one entry: an object with messages, or a bare list of them.
func parse(data []byte) (*conversation, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("not valid UTF-8")
	}
	var e entry
	if len(data) > 0 && data[0] == '[' {
		e.Messages = data
	} else if err := json.Unmarshal(data, &e); err != nil {
		return nil, readable(err)
	}
	exchange := e.join()
	if len(e.Messages) == 0 || e.Messages[0] != '[' {
		return nil, errNoMessages
	}
	messages, err := parseMessages(e.Messages)
	if err != nil {
		return nil, err
	}
	c := &conversation{id: e.name(), model: e.Model, messages: messages, tools: e.definitions(), records: e.Records, exchange: exchange}
	return c, nil
}

// readable is a fault of the JSON in words for people.
func readable(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%q has the wrong type (%s)", kind.Field, kind.Value)
	}
	return fmt.Errorf("not valid JSON: %w", err)
}

// join brings the other shapes of an entry into that of a conversation: a
// request and its response are the messages and one more.
func (e *entry) join() (exchange bool) {
	if e.Request != nil && len(e.Messages) == 0 {
		e.Messages, e.Tools, e.Functions = e.Request.Messages, e.Request.Tools, e.Request.Functions
		e.Model = first(e.Model, e.Request.Model)
		exchange = true
	}
	choices := e.Choices
	if e.Response != nil {
		choices = e.Response.Choices
		e.Model = first(e.Model, e.Response.Model)
	}
	if len(choices) == 0 || len(choices[0].Message) == 0 || len(e.Messages) == 0 {
		return exchange
	}
	body := bytes.TrimSpace(e.Messages)
	joined := append([]byte(nil), bytes.TrimSuffix(body, []byte("]"))...)
	if len(bytes.TrimSpace(joined)) > 1 {
		joined = append(joined, ',')
	}
	e.Messages = append(append(joined, choices[0].Message...), ']')
	return true
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// name is the entry's own name, whether it is a string or a number.
func (e *entry) name() string {
	for _, raw := range []json.RawMessage{e.ConversationID, e.ID} {
		var text string
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return text
		}
		if len(raw) > 0 && raw[0] >= '0' && raw[0] <= '9' {
			return string(raw)
		}
	}
	return ""
}

// definitions are the tools that can be judged. A name that no model could call
// and one that is there already are left out: the rest of the log is worth
// judging all the same.
func (e *entry) definitions() []tooltrack.Tool {
	found := make([]definition, 0, len(e.Tools)+len(e.Functions))
	for _, tool := range e.Tools {
		if tool.Function != nil {
			tool.definition = *tool.Function
		}
		found = append(found, tool.definition)
	}
	found = append(found, e.Functions...)
	var tools []tooltrack.Tool
	seen := map[string]bool{}
	for _, d := range found {
		tool := tooltrack.Tool{Name: d.Name, Description: d.Description, Parameters: d.Parameters}
		if string(d.Parameters) == "null" {
			tool.Parameters = nil
		}
		if seen[d.Name] || tool.Validate() != nil {
			continue
		}
		seen[d.Name] = true
		tools = append(tools, tool)
	}
	return tools
}

// parseMessages reads messages as strictly as the guard does in production.
func parseMessages(list json.RawMessage) ([]guard.Message, error) {
	body := make([]byte, 0, len(list)+16)
	body = append(append(append(body, `{"messages":`...), list...), '}')
	request, err := chatwire.ParseRequest(body)
	if err != nil {
		return nil, errors.New(trimReading(err.Error()))
	}
	for i := range request.Messages {
		message := &request.Messages[i]
		if message.Role != guard.RoleAssistant {
			message.Calls = nil // nobody else calls tools
		}
		if message.Role == guard.RoleAssistant && message.Text == "" && len(message.Calls) == 0 {
			message.Text = refusal(message.Raw)
		}
	}
	nameCalls(request.Messages)
	return request.Messages, nil
}

func trimReading(text string) string {
	const prefix = "reading the request: "
	if len(text) > len(prefix) && text[:len(prefix)] == prefix {
		return text[len(prefix):]
	}
	return text
}

// refusal is the provider's own field for one; it is said to the user as any
// text is.
func refusal(raw json.RawMessage) string {
	var said struct {
		Refusal string `json:"refusal"`
	}
	_ = json.Unmarshal(raw, &said) // what cannot be read says nothing
	return said.Refusal
}

// nameCalls gives ids to calls that have none, and to the results behind them in
// order: logs of older clients match them by place.
func nameCalls(messages []guard.Message) {
	var waiting []*tooltrack.Call
	named := 0
	for i := range messages {
		message := &messages[i]
		for j := range message.Calls {
			if call := &message.Calls[j]; call.ID == "" {
				named++
				call.ID = fmt.Sprintf("unnamed %d", named)
				waiting = append(waiting, call)
			}
		}
		if message.Role != guard.RoleTool || message.CallID != "" {
			continue
		}
		for at, call := range waiting {
			if message.Tool == "" || message.Tool == call.Tool {
				message.CallID = call.ID
				waiting = append(waiting[:at:at], waiting[at+1:]...)
				break
			}
		}
	}
}
