package chatwire

import (
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// parse reads a request. Its results become messages of their own; a text that stands
// beside results is marked (Internal and Beside), since it mostly begins no turn.
func (anthropic) parse(r *Request, top span) {
	found := top.members("the request",
		"messages", "tools", "tool_choice", "stream", "system", "thinking", "output_format", "output_config",
		"mcp_servers")
	r.messages, r.choice = found[0], found[2]
	r.Stream = found[3].is("true")
	r.config = found[7]
	r.Structured = !found[6].absent() || found[7].has("format")
	if found[5].kind() == '{' {
		r.thinking = !found[5].members("thinking", "type")[0].is(`"disabled"`)
	}
	if system := found[4]; !system.absent() {
		said := readContents(system, "system", (*contents).addBlock).text.String()
		r.Messages = append(r.Messages, guard.Message{Role: guard.RoleSystem, Text: said})
	}
	found[0].each("messages", func(element span) {
		found := element.members("the message", "role", "content")
		r.addSaid(guard.Role(found[0].text("role")), element, readContents(found[1], "content", (*contents).addBlock))
	})
	if len(found[8].objects()) > 0 {
		r.Server = append(r.Server, "mcp_servers")
	}
	r.Choice = readMessagesChoice(found[2])
	r.readTools(found[1], func(tool span) { r.addTool(tool, "input_schema") }, inputTool, builtinTool)
}

// addSaid adds a message: the results that it holds, each as a message, and then what it
// says. A text that stands beside results is marked, since it mostly begins no turn.
func (r *Request) addSaid(role guard.Role, element span, said *contents) {
	message := guard.Message{Role: role, Text: said.text.String(), Calls: said.calls, Seen: said.seen}
	if len(said.results) == 0 {
		message.Raw = element.bytes()
	} else {
		message.Internal, message.Beside = true, true
	}
	r.Messages = append(r.Messages, said.results...)
	if len(said.results) == 0 || message.Text != "" {
		r.Messages = append(r.Messages, message)
	}
}

// contents are what a message holds: a text, or blocks or parts.
type contents struct {
	text    strings.Builder
	refusal strings.Builder
	extras  extras
	calls   []tooltrack.Call
	results []guard.Message
	seen    seenCalls
}

// readContents reads a text, or a list of blocks or parts.
func readContents(value span, what string, add func(*contents, span)) *contents {
	c := &contents{}
	if value.kind() == '[' {
		value.each(what, func(part span) { add(c, part) })
	} else {
		c.text.WriteString(value.text(what))
	}
	return c
}

// readContent reads what chat completions and Responses have.
func readContent(value span) *contents { return readContents(value, "content", (*contents).addText) }

func (s *contents) addText(part span) {
	kind, found := part.typed("a part of content", "text", "refusal")
	text, refusal := found[1].text("the text of a part"), found[2].text("the refusal of a part")
	if text == "" && refusal == "" {
		s.extras.see(kind)
	}
	s.text.WriteString(text)
	s.refusal.WriteString(refusal)
}

// addBlock reads a block of Messages. Blocks of kinds that say nothing to the guard stay
// where they are.
func (s *contents) addBlock(block span) {
	kind, found := block.typed("the block", "text", "id", "name", "input", "tool_use_id", "content", "is_error")
	switch kind {
	case "text":
		s.text.WriteString(found[1].text("text"))
	case "tool_use":
		call := tooltrack.Call{ID: found[2].text("id"), Tool: found[3].text("name"), Args: found[4].bytes()}
		s.calls = append(s.calls, call)
	case "tool_result":
		result := guard.Message{CallID: found[5].text("tool_use_id"), Failed: found[7].is("true")}
		result.Text = readContents(found[6], "content", (*contents).addBlock).text.String()
		s.addResult(result)
	default:
		s.seen.seeBlock(kind, block)
	}
}

// addResult adds a result. One that is marked as an error says so in its first word, so
// that it is read as what it is.
func (s *contents) addResult(result guard.Message) {
	if result.Role = guard.RoleTool; result.Failed && !strings.HasPrefix(strings.ToLower(result.Text), "error") {
		result.Text = strings.TrimSpace("Error: " + result.Text)
	}
	s.results = append(s.results, result)
}

func readMessagesChoice(choice span) guard.Choice {
	kind, name := choice.member("type"), choice.member("name")
	if kind == "tool" && name != "" {
		return guard.Choice{Mode: guard.ChooseNamed, Tool: name}
	}
	modes := map[string]guard.ChoiceMode{"any": guard.ChooseRequired, "none": guard.ChooseNone}
	return guard.Choice{Mode: modes[kind]}
}

func (anthropic) say(r *Request, request guard.Request) ([]edit, error) {
	return r.sayWith(request.Messages, encodeTurns)
}

func (anthropic) choose(r *Request, choice guard.Choice) []edit {
	return r.member(r.choice, "tool_choice", r.encodeMessagesChoice(choice))
}

// encodeMessagesChoice keeps the client's word on calls in parallel.
func (r *Request) encodeMessagesChoice(choice guard.Choice) json.RawMessage {
	parallel := r.choice.at("disable_parallel_tool_use")
	isKept := choice.Mode != guard.ChooseNone && !parallel.absent()
	return object("type", messagesChoices[choice.Mode], "name", when(choice.Mode == guard.ChooseNamed, choice.Tool),
		"disable_parallel_tool_use", when(isKept, parallel.bytes()))
}

var messagesChoices = map[guard.ChoiceMode]string{
	guard.ChooseAuto: "auto", guard.ChooseRequired: "any", guard.ChooseNamed: "tool", guard.ChooseNone: "none",
}
