package chatwire

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
)

// How Gemini streams, and what it tells of calls that it ran.
var (
	// Google's client for Go takes a comment for a fault, so that empty events are sent.
	emptyEventFraming = &framing{"text/event-stream", Events, "\n\n"}
	// A list of JSON values is Gemini's other way.
	listFraming = &framing{"application/json", listValues, " "}
)

// listValues reads the elements of a list as they arrive, or values without one.
func listValues(reader io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		decoder := json.NewDecoder(io.LimitReader(reader, maxBody))
		token, err := decoder.Token()
		if err != nil || token != json.Delim('[') {
			yield(nil, badBody(errors.New("the stream is not a list of JSON values")))
			return
		}
		for decoder.More() {
			var value json.RawMessage
			if err := decoder.Decode(&value); err != nil {
				yield(nil, badBody(err))
				return
			}
			if !yield(value, nil) {
				return
			}
		}
	}
}

// seePart takes note of a part of Gemini's by which the provider tells of a call that it ran,
// or of its result.
func (s *seenCalls) seePart(part span) {
	found, err := part.look("the part", "executableCode", "codeExecutionResult", "toolCall", "toolResponse",
		"executable_code", "code_execution_result", "tool_call", "tool_response")
	if err != nil {
		return
	}
	for i := range 4 {
		if found[i].absent() {
			found[i] = found[i+4]
		}
	}
	switch {
	case !found[0].absent():
		s.call(found[0].member("id"), "code_execution", found[0].bytes())
	case !found[1].absent():
		s.result(found[1].member("id"), found[1].member("output"), found[1].member("outcome") != "OUTCOME_OK")
	case !found[2].absent():
		tool := strings.ToLower(found[2].member("toolType") + found[2].member("tool_type"))
		s.call(found[2].member("id"), tool, argumentsOf(found[2].at("args")))
	case !found[3].absent():
		response := found[3].at("response")
		s.result(found[3].member("id"), plainOf("", response), response.has("error"))
	}
}

// seeGrounding takes note of the searches that an answer rests on.
func (s *seenCalls) seeGrounding(grounding, urls span) {
	if queries := grounding.at("webSearchQueries"); len(queries.bytes()) > 0 && !emptyList(queries) {
		s.call("", "google_search", argumentsOf(queries))
		s.result("", plainOf("", grounding.at("groundingChunks")), false)
	}
	if visited := urls.at("urlMetadata"); visited.kind() == '[' && !emptyList(visited) {
		s.call("", "url_context", nil)
		s.result("", plainOf("", visited), false)
	}
}
