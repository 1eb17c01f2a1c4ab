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
	path = strings.TrimRight(path, "/")
	d := speaking(path, top)
	if err != nil || d == nil || lookalike(path, top) != nil {
		return nil
	}
	parsed, err := Format{d}.ParseRequest(body)
	if err != nil || parsed.trouble != "" || len(parsed.Foreign) > 0 || parsed.Choices > 1 || !endsInResults(parsed) {
		return nil
	}
	parsed.toolless = true
	parsed.fromPath(path)
	return parsed
}

// endsInResults reports a conversation that ends in results of calls, whatever the user says
// after them.
func endsInResults(r *Request) bool {
	for _, message := range slices.Backward(r.Messages) {
		if message.Role != guard.RoleUser {
			return message.Role == guard.RoleTool
		}
	}
	return false
}

// CalledTools are the tools of the calls among the messages, once each and by name alone,
// for those who choose a guard by a request that offers none. Where there are no calls,
// they are those that the provider runs. What is no name of a tool is left out.
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
		if tool := (tooltrack.Tool{Name: name}); tool.Validate() == nil && !slices.Contains(names[:i], name) {
			called = append(called, tool)
		}
	}
	return called
}
