package chatwire

import (
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func resultOf(message guard.Message) json.RawMessage {
	return object("type", "tool_result", "tool_use_id", message.CallID,
		"content", contentOf(message, textOf, partBlock), "is_error", when(toldFailed(message), true))
}

// toldFailed reports a result that says that its call did not work.
func toldFailed(message guard.Message) bool {
	read := tooltrack.ParseResult(message.Text, nil).Status
	return message.Failed || read != tooltrack.Succeeded && read != tooltrack.Pending
}

func textOf(text string) json.RawMessage { return object("type", "text", "text", text) }

func callOf(call tooltrack.Call) json.RawMessage {
	return object("type", "tool_use", "id", call.ID, "name", call.Tool, "input", inputOf(call))
}

// inputOf are the arguments of a call as an object: one that is being refused has to be
// replayed all the same.
func inputOf(call tooltrack.Call) json.RawMessage {
	if !isObject(call.Args) {
		return json.RawMessage(`{}`)
	}
	return json.RawMessage(call.Args)
}

func isObject(data []byte) bool {
	value, err := whole(data)
	return err == nil && value.kind() == '{'
}

// encodeTurns writes messages in the order that the format asks for: results stand together in one
// message of the user's, before what the guard adds there, and nothing is empty. What the user says
// is a message of its own, since it begins a turn. The system prompt has its own place.
func encodeTurns(messages []guard.Message) []json.RawMessage {
	var turns []json.RawMessage
	var blocks []json.RawMessage // of a message of the user's that is still open
	end := func() {
		if len(blocks) > 0 {
			turns = append(turns, object("role", "user", "content", blocks))
			blocks = nil
		}
	}
	for i, message := range messages {
		switch {
		case message.Role == guard.RoleSystem && i == 0 && !message.Internal:
		case message.Role == guard.RoleTool:
			blocks = append(blocks, resultOf(message))
		case message.Role == guard.RoleAssistant:
			end()
			if raw := encodeAnthropic(message); raw != nil {
				turns = append(turns, raw)
			}
		case len(message.Raw) > 0:
			end()
			turns = append(turns, message.Raw)
		case strings.TrimSpace(message.Text) != "":
			if message.Role == guard.RoleUser && !message.Internal {
				end()
			}
			blocks = append(blocks, textOf(message.Text))
		}
	}
	end()
	return turns
}

// encodeAnthropic writes a message of the assistant's, or nil for one that says
// nothing: the format has no empty ones.
func encodeAnthropic(message guard.Message) json.RawMessage {
	return asItCame(message, blocksOf, func(own span) bool {
		return !own.has("tool_calls") && len(own.only("content").elements()) > 0
	})
}

func blocksOf(message guard.Message) json.RawMessage {
	var blocks []json.RawMessage
	if strings.TrimSpace(message.Text) != "" {
		blocks = append(blocks, textOf(message.Text))
	}
	if blocks = append(blocks, madeOf(message.Calls, callOf)...); len(blocks) == 0 {
		return nil
	}
	return object("role", "assistant", "content", blocks)
}

func (anthropic) encode(request guard.Request, options EncodeOptions, more span) []any {
	limit := json.RawMessage("4096") // the format insists on a number
	if given := more.at("max_tokens"); !given.absent() && !given.is("0") {
		limit = given.bytes()
	}
	system := readMoreSystem(more.at("system"))
	prompt, messages := leadingSystem(request.Messages)
	if prompt != "" {
		system = append(system, textOf(prompt))
	}
	choice := (&Request{choice: more.at("tool_choice")}).encodeMessagesChoice(request.Choice)
	return []any{
		"model", options.Model, "max_tokens", limit, "stream", when(options.Stream, true), "system", listOrNone(system),
		"tools", listOrNone(offered(request.Tools, encodeInputTool, more)),
		"tool_choice", when(len(request.Tools) > 0, choice), "messages", encodeTurns(messages),
	}
}

// leadingSystem are the system prompts before a conversation, as one, and what follows.
func leadingSystem(messages []guard.Message) (prompt string, rest []guard.Message) {
	var prompts []string
	for len(messages) > 0 && messages[0].Role == guard.RoleSystem {
		prompts = append(prompts, strings.TrimSpace(messages[0].Text))
		messages = messages[1:]
	}
	return strings.TrimSpace(strings.Join(prompts, "\n\n")), messages
}

func encodeInputTool(tool tooltrack.Tool) json.RawMessage {
	return object("name", tool.Name, "description", given(tool.Description), "input_schema", schemaOf(tool))
}

// readMoreSystem reads a system prompt as blocks.
func readMoreSystem(system span) []json.RawMessage {
	if system.kind() != '[' && strings.TrimSpace(system.text("system")) != "" {
		return []json.RawMessage{textOf(system.said())}
	}
	return rawList(system.elements())
}

// rawList are values as they came.
func rawList(values []span) []json.RawMessage {
	return madeOf(values, func(value span) json.RawMessage { return value.bytes() })
}
