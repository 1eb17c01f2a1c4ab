package chatwire

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Some clients offer no tools any more once they want the answer of a turn. The calls and
// results among the messages show what it rests on, so it is judged by them. What cannot be
// judged passes, as it would without any calls: nothing is offered that could run.

// toolless is a request that offers no tools and ends in results of calls; nil if it is
// none, or none that can be judged.
func toolless(path string, body []byte) *Request {
	if len(body) > quickLook && !mayMention(body) {
		return nil
	}
	top, err := whole(body)
	if err != nil {
		return nil
	}
	d := answering(top)
	if _, is := d.(chat); is && strings.HasSuffix(strings.TrimRight(path, "/"), "/api/chat") {
		d = ollama{}
	}
	if d == nil || refused(lookalikes, strings.TrimRight(path, "/"), top, &offer{}) != nil {
		return nil
	}
	parsed, err := Format{d}.ParseRequest(body)
	if err != nil || parsed.trouble != "" || len(parsed.Foreign) > 0 || parsed.Choices > 1 {
		return nil
	}
	parsed.toolless = true
	parsed.fromPath(path)
	return parsed
}

// answering is the format in which a body ends in results of calls, whatever the user says
// after them; nil if it does not.
func answering(top span) dialect {
	for _, list := range []string{"messages", "input", "contents"} {
		found, err := top.members("the request", list)
		if err != nil || found[0].kind() != '[' {
			continue
		}
		elements, err := found[0].elements(list)
		if err != nil {
			return nil
		}
		for _, element := range slices.Backward(elements) {
			if d := answered(element); d != nil {
				return d
			}
			if member(element, "role") != string(guard.RoleUser) {
				break
			}
		}
	}
	return nil
}

// answered is the format in which a message or an item is the result of a call.
func answered(element span) dialect {
	switch {
	case member(element, "role") == string(guard.RoleTool), member(element, "role") == "function":
		return chat{}
	case member(element, "type") == "function_call_output":
		return responses{}
	}
	for _, part := range listOf(element.at("parts")) {
		if part.has("functionResponse") || part.has("function_response") {
			return gemini{}
		}
	}
	found, err := element.members("the message", "content")
	if err != nil || found[0].kind() != '[' {
		return nil
	}
	blocks, _ := found[0].elements("content")
	if slices.ContainsFunc(blocks, func(block span) bool { return member(block, "type") == "tool_result" }) {
		return anthropic{}
	}
	return nil
}

// member is a text of an object; empty if it has none of that name.
func member(object span, name string) string {
	if object.kind() != '{' {
		return ""
	}
	found, err := object.members("the object", name)
	if err != nil {
		return ""
	}
	text, _ := found[0].text(name)
	return text
}

// CalledTools are the tools of the calls among the messages, once each and by name alone,
// for those who choose a guard by a request that offers none. Where there are no calls,
// they are those that the provider runs.
func (r *Request) CalledTools() []tooltrack.Tool {
	var names []string
	for _, message := range r.Messages {
		for _, call := range message.Calls {
			names = append(names, call.Tool)
		}
	}
	if names == nil {
		names = r.Server
	}
	var called []tooltrack.Tool
	for i, name := range names {
		if !slices.Contains(names[:i], name) {
			called = append(called, tooltrack.Tool{Name: name})
		}
	}
	return called
}
