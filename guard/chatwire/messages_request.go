package chatwire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// parse reads a request. Its results become messages of their own; a text that stands
// beside results is marked (Internal and Beside), since it mostly begins no turn.
func (anthropic) parse(r *Request, top span) error {
	found, err := top.members("the request",
		"messages", "tools", "tool_choice", "stream", "system", "thinking", "output_format", "output_config",
		"mcp_servers")
	if err != nil {
		return err
	}
	r.messages, r.choice = found[0], found[2]
	r.Stream = string(found[3].bytes()) == "true"
	r.config = found[7]
	r.Structured = !found[6].absent() || found[7].kind() == '{' && found[7].has("format")
	if found[5].kind() == '{' {
		thinking, err := found[5].members("thinking", "type")
		if err != nil {
			return err
		}
		r.thinking = string(thinking[0].bytes()) != `"disabled"`
	}
	if err := r.readSystem(found[4]); err != nil {
		return err
	}
	err = found[0].eachIn("messages", func(element span) error {
		messages, err := readMessagesMessage(element)
		r.Messages = append(r.Messages, messages...)
		return err
	})
	if err != nil {
		return err
	}
	if len(listOf(found[8])) > 0 {
		r.Server = append(r.Server, "mcp_servers")
	}
	r.Choice = readMessagesChoice(found[2])
	return r.readTools(found[1], func(tool span) error { return r.addTool(tool, "input_schema") }, inputTool, builtinTool)
}

func (r *Request) readSystem(system span) error {
	if system.absent() {
		return nil
	}
	said, err := readBlocks(system)
	if err != nil {
		return fmt.Errorf("system: %w", err)
	}
	r.Messages = append(r.Messages, guard.Message{Role: guard.RoleSystem, Text: said.text})
	return nil
}

// readMessagesMessage reads one message: the results that it holds, each as a
// message, and then what it says.
func readMessagesMessage(element span) ([]guard.Message, error) {
	found, err := element.members("the message", "role", "content")
	if err != nil {
		return nil, err
	}
	role, err := found[0].text("role")
	if err != nil {
		return nil, err
	}
	said, err := readBlocks(found[1])
	if err != nil {
		return nil, err
	}
	beside := len(said.results) > 0
	message := guard.Message{
		Role: guard.Role(role), Text: said.text, Calls: said.calls, Seen: said.seen, Internal: beside, Beside: beside,
	}
	if len(said.results) == 0 {
		message.Raw = json.RawMessage(element.bytes())
		return []guard.Message{message}, nil
	}
	if message.Text == "" {
		return said.results, nil
	}
	return append(said.results, message), nil
}

// saidBlocks is what a list of blocks holds.
type saidBlocks struct {
	text    string
	calls   []tooltrack.Call
	results []guard.Message
	seen    seenCalls
}

// readBlocks reads a string or a list of blocks. Blocks of kinds that say
// nothing to the guard stay where they are.
func readBlocks(content span) (saidBlocks, error) {
	var said saidBlocks
	if content.kind() != '[' {
		text, err := content.text("content")
		return saidBlocks{text: text}, err
	}
	var text strings.Builder
	err := content.eachIn("content", func(block span) error { return said.add(block, &text) })
	said.text = text.String()
	return said, err
}

func (s *saidBlocks) add(block span, text *strings.Builder) error {
	kind, found, err := block.typed("the block", "text", "id", "name", "input", "tool_use_id", "content", "is_error")
	if err != nil {
		return err
	}
	switch kind {
	case "text":
		piece, err := found[1].text("text")
		text.WriteString(piece)
		return err
	case "tool_use":
		var w words
		call := tooltrack.Call{ID: w.of(found[2], "id"), Tool: w.of(found[3], "name"), Args: found[4].bytes()}
		s.calls = append(s.calls, call)
		return w.err
	case "tool_result":
		return s.addResult(found[5], found[6], string(found[7].bytes()) == "true")
	}
	s.seen.seeBlock(kind, block)
	return nil
}

// addResult reads a result. One that is marked as an error says so in its first
// word, so that it is read as what it is.
func (s *saidBlocks) addResult(id, content span, failed bool) error {
	said, err := readBlocks(content)
	if err != nil {
		return err
	}
	result := guard.Message{Role: guard.RoleTool, Text: said.text, Failed: failed}
	if result.CallID, err = id.text("tool_use_id"); err != nil {
		return err
	}
	if failed && !strings.HasPrefix(strings.ToLower(result.Text), "error") {
		result.Text = strings.TrimSpace("Error: " + result.Text)
	}
	s.results = append(s.results, result)
	return nil
}

func readMessagesChoice(choice span) guard.Choice {
	switch name := member(choice, "name"); member(choice, "type") {
	case "any":
		return guard.Choice{Mode: guard.ChooseRequired}
	case "none":
		return guard.Choice{Mode: guard.ChooseNone}
	case "tool":
		if name != "" {
			return guard.Choice{Mode: guard.ChooseNamed, Tool: name}
		}
	}
	return guard.Choice{}
}

// rewrite keeps the client's messages byte for byte and adds those that follow:
// what has been sent before may lie in the provider's cache.
func (anthropic) rewrite(r *Request, request guard.Request) ([]byte, error) {
	messages, choice := request.Messages, request.Choice
	if r.messages.kind() != '[' {
		return nil, errors.New("the request has no messages, so there is no place for others")
	}
	var edits []edit
	if begins(messages, r.Messages) {
		more := encodeTurns(messages[len(r.Messages):])
		edits = append(edits, r.addTurns(more))
	} else {
		edits = append(edits, edit{r.messages.from, r.messages.to, marshalList(encodeTurns(messages))})
	}
	if request.Report {
		edits = append(edits, without(r.body, "output_format")...)
		edits = append(edits, without(r.config, "format")...)
	}
	return r.edited(edits, choice, "tool_choice", r.encodeMessagesChoice(choice)), nil
}

// begins reports whether a conversation begins with another one.
func begins(messages, with []guard.Message) bool {
	if len(messages) < len(with) {
		return false
	}
	for i, message := range with {
		said := messages[i]
		same := said.Role == message.Role && said.Text == message.Text && said.CallID == message.CallID
		if !same || string(said.Raw) != string(message.Raw) {
			return false
		}
	}
	return true
}

// addTurns puts messages at the end of the client's list.
func (r *Request) addTurns(more []json.RawMessage) edit {
	end := r.messages.to - 1
	list := marshalList(more)
	list = list[1 : len(list)-1]
	if len(list) > 0 && !emptyList(r.messages) {
		list = append([]byte{','}, list...)
	}
	return edit{end, end, list}
}

// encodeMessagesChoice keeps the client's word on calls in parallel.
func (r *Request) encodeMessagesChoice(choice guard.Choice) json.RawMessage {
	var name any
	if choice.Mode == guard.ChooseNamed {
		name = choice.Tool
	}
	var parallel json.RawMessage
	if at := r.choice.at("disable_parallel_tool_use"); choice.Mode != guard.ChooseNone && !at.absent() {
		parallel = at.bytes()
	}
	return object("type", messagesChoices[choice.Mode], "name", name, "disable_parallel_tool_use", parallel)
}

var messagesChoices = map[guard.ChoiceMode]string{
	guard.ChooseAuto: "auto", guard.ChooseRequired: "any", guard.ChooseNamed: "tool", guard.ChooseNone: "none",
}
