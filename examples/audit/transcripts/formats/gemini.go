package formats

import (
	"cmp"
	"encoding/json"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// gemini reads the contents of Google's Gemini: requests, requests with their responses, or
// contents one by one. The Python client writes the same members with underscores.
//
// Shape: https://ai.google.dev/api/caching#Content (contents with role and parts:
// text, functionCall, functionResponse; tools with functionDeclarations; a
// response with candidates).
type gemini struct{}

func (gemini) Name() string { return "Gemini contents" }

func (gemini) Take(v *Value) ([]Part, bool) {
	e := exchangeOf(v.Members())
	asked, answered := e.request["contents"], len(list(e.response["candidates"])) > 0
	if isArray(unquoted(asked)) || text(asked) != "" && answered {
		return alone(v), true
	}
	if !isArray(v.Members()["parts"]) {
		return nil, false
	}
	switch v.text("role") {
	case "user", "model", "function":
		return loose(v), true
	}
	return nil, false
}

func (f gemini) Read(parts []Part) ([]*Conversation, error) {
	t, e, err := begin(parts, "contents", geminiContent)
	if said := text(unquoted(e.request["contents"])); said != "" { // the clients take a text for a list
		t.say(guard.RoleUser, said)
	}
	if candidates := list(e.response["candidates"]); len(candidates) > 0 && err == nil {
		e.answered = true
		if answer := object(candidates[0])["content"]; !isNull(answer) {
			err = geminiContent(t, answer)
		}
	}
	if err != nil {
		return nil, err
	}
	t.Model = cmp.Or(t.Model, text(e.response["modelVersion"]), text(e.response["model_version"]))
	t.Tools, t.LastTurn = tools(declarations(e)...), e.answered
	return one(t.done(f, parts[0].Line))
}

// declarations are the lists of functions among the tools.
func declarations(e exchange) []json.RawMessage {
	listed := e.member("tools")
	if isNull(listed) {
		listed = present(object(e.member("config"))["tools"], object(e.member("generationConfig"))["tools"])
	}
	var found []json.RawMessage
	elements := list(listed)
	for _, raw := range elements {
		members := object(raw)
		found = append(found, present(members["functionDeclarations"], members["function_declarations"]))
	}
	if elements != nil && found == nil {
		found = []json.RawMessage{json.RawMessage("[]")}
	}
	return found
}

// present is the first of two members that is there.
func present(a, b json.RawMessage) json.RawMessage {
	if !isNull(a) {
		return a
	}
	return b
}

func geminiContent(t *transcript, raw json.RawMessage) error {
	if said := text(raw); said != "" {
		t.say(guard.RoleUser, said)
		return nil
	}
	return t.read(chatwire.Gemini, `{"contents":[`, raw)
}
