package chatwire

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Some providers run tools by themselves and put the calls and their results into the
// answer: searches, code, servers of the MCP. They are evidence of what the text tells,
// of a grade of its own.

// seenCalls are the calls that a provider ran, in the order in which they came.
type seenCalls []*tooltrack.Record

// maxSeen bounds the calls of one answer that are kept, and maxSeenText what is kept of one result.
const maxSeen, maxSeenText = 256, 64 << 10

// call takes note of a call whose result may follow. Until then its fate is unknown.
func (s *seenCalls) call(id, tool string, args []byte) {
	if tool == "" || len(*s) >= maxSeen {
		return
	}
	record := &tooltrack.Record{
		Call: tooltrack.Call{ID: id, Tool: tool, Args: slices.Clone(args)}, Occurrence: 1, Attempt: 1,
		Result: tooltrack.Result{Grade: tooltrack.Seen},
	}
	if record.Args == nil {
		record.Args = []byte("{}")
	}
	if isOf("read-only", tool) {
		record.Effect = tooltrack.Reads
	}
	*s = append(*s, record)
}

// result takes note of what came of a call: the one with this id, or the last one where there is
// none. Of what a provider looked up, words such as "error" say nothing about the call.
func (s *seenCalls) result(id, text string, failed bool) {
	for _, record := range slices.Backward(*s) {
		if record.Result.Status != tooltrack.Unknown || id != "" && record.ID != id {
			continue
		}
		if len(text) > maxSeenText {
			text = strings.ToValidUTF8(text[:maxSeenText], "")
		}
		tool := tooltrack.Tool{Name: record.Tool, Effect: record.Effect}
		record.Result = tooltrack.ParseCall(&tool, record.Call, text, nil)
		switch {
		case failed:
			record.Result = tooltrack.FailedResult(clipped(text))
		case record.Effect == tooltrack.Reads:
			record.Result.Status, record.Result.Error = tooltrack.Succeeded, ""
		}
		record.Result.Grade = tooltrack.Seen
		return
	}
}

// cite adds what a text quotes from a look-up to the result of the last one. Providers
// encrypt the pages that they found, and show of them only this.
func (s *seenCalls) cite(citations []span) {
	for _, citation := range citations {
		quoted := citation.member("cited_text")
		for _, record := range slices.Backward(*s) {
			if quoted == "" || record.Effect != tooltrack.Reads || record.Result.Status != tooltrack.Succeeded {
				continue
			}
			if text := record.Result.Text() + "\n" + quoted; len(text) <= maxSeenText {
				record.Result.Data = rawBlock(text)
			}
			break
		}
	}
}

// seeItem takes note of an item of the Responses format by which the provider tells of a
// call that it ran: "web_search_call", "mcp_call". It returns false for any other.
func (s *seenCalls) seeItem(kind string, item span) bool {
	tool, isCall := strings.CutSuffix(kind, "_call")
	switch {
	case kind == "shell_call_output":
		failed := exitCode.Match(item.at("output").bytes())
		s.result(item.member("call_id"), plainOf("", item.at("output")), failed)
		return true
	case kind == "custom_tool_call":
		tool = item.member("name")
		isCall = isOf("custom", tool)
	case kind == "shell_call":
		isCall = inContainer(item)
	case slices.Contains(words("calls"), kind):
		return false
	}
	if !isCall {
		return false
	}
	if tool == "mcp" {
		tool = item.member("name")
	}
	var args, result span
	fault := false
	item.eachMember(func(key string, value span) {
		switch {
		case value.absent():
		case slices.Contains(words("arguments"), key):
			args = value
		case key == "error", key == "status" && string(value.bytes()) == `"failed"`:
			fault = true
			fallthrough
		case slices.Contains(words("results"), key) && result.absent():
			result = value
		}
	})
	id := cmp.Or(item.member("call_id"), item.member("id"))
	s.call(id, tool, argumentsOf(args))
	if kind != "shell_call" { // its output is an item of its own
		s.result(id, plainOf(tool, result), fault)
	}
	return true
}

// exitCode is one by which a program says that it failed.
var exitCode = regexp.MustCompile(`"exit_code"\s*:\s*-?[1-9]`)

// inContainer reports a shell, or a call of it, that runs at the provider.
func inContainer(shell span) bool {
	return strings.HasPrefix(shell.at("environment").member("type"), "container")
}

// argumentsOf are the arguments of a call as one object.
func argumentsOf(value span) []byte {
	if text := value.said(); isObject([]byte(text)) {
		return []byte(text)
	}
	if value.absent() || value.kind() == '{' {
		return value.bytes()
	}
	return slices.Concat([]byte(`{"input":`), value.bytes(), []byte("}"))
}

// plainOf is a result as it is told: a text as it is, anything else as JSON. What was
// drawn is an image, and not the letters that it is sent as.
func plainOf(tool string, value span) string {
	switch {
	case value.absent():
		return "ok"
	case strings.Contains(tool, "image_generation"):
		return "an image"
	case value.kind() == '"':
		return value.said()
	}
	return string(value.bytes())
}

// seeBlock takes note of a block of the Messages format by which the provider tells of a
// call that it ran, or of its result. It returns false for any other.
func (s *seenCalls) seeBlock(kind string, block span) bool {
	switch {
	case kind == "server_tool_use" || kind == "mcp_tool_use":
		s.call(block.member("id"), block.member("name"), argumentsOf(block.only("input")))
	case kind != "tool_result" && strings.HasSuffix(kind, "_tool_result"):
		content := block.only("content")
		code := content.only("return_code")
		failed := strings.HasSuffix(content.member("type"), "_error") || block.only("is_error").is("true") ||
			!code.absent() && !code.is("0")
		s.result(block.member("tool_use_id"), plainOf("", content), failed)
	default:
		return false
	}
	return true
}

// seeMessage takes note of what a message of the chat-completions format tells of calls
// that the provider ran: Groq lists them, and a search leaves citations. Sources: the API
// references of Groq (executed_tools), OpenAI and OpenRouter (annotations).
func (s *seenCalls) seeMessage(message span) {
	for _, executed := range message.only("executed_tools").objects() {
		tool := executed.member("type")
		s.call("", tool, argumentsOf(executed.only("arguments")))
		s.result("", plainOf(tool, executed.only("output")), false)
	}
	annotations := message.only("annotations")
	cited := func(annotation span) bool { return annotation.member("type") == "url_citation" }
	told := len(*s) > 0 && (*s)[len(*s)-1].Tool == "web_search" // a stream cites piece by piece
	if !told && slices.ContainsFunc(annotations.objects(), cited) {
		s.call("", "web_search", nil)
		s.result("", plainOf("", annotations), false)
	}
}
