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
	found, err := part.spelled("the part", [2]string{"executableCode", "executable_code"},
		[2]string{"codeExecutionResult", "code_execution_result"}, [2]string{"toolCall", "tool_call"},
		[2]string{"toolResponse", "tool_response"})
	if err != nil {
		return
	}
	switch {
	case !found[0].absent():
		s.call(member(found[0], "id"), "code_execution", found[0].bytes())
	case !found[1].absent():
		s.result(member(found[1], "id"), member(found[1], "output"), member(found[1], "outcome") != "OUTCOME_OK")
	case !found[2].absent():
		tool := strings.ToLower(member(found[2], "toolType") + member(found[2], "tool_type"))
		s.call(member(found[2], "id"), tool, argumentsOf(found[2].at("args")))
	case !found[3].absent():
		response := found[3].at("response")
		s.result(member(found[3], "id"), plainOf("", response), response.has("error"))
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
