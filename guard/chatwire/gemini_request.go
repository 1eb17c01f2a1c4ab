package chatwire

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// spelled are members of either of two names: the API reads members in both spellings.
func (s span) spelled(what string, names ...[2]string) []span {
	keys := make([]string, 0, 2*len(names))
	for _, name := range names {
		keys = append(keys, name[0], name[1])
	}
	both := s.members(what, keys...)
	found := make([]span, len(names))
	for i, name := range names {
		switch found[i] = both[2*i]; {
		case found[i].absent():
			found[i] = both[2*i+1]
		case !both[2*i+1].absent():
			s.failf("%s has both %q and %q", what, name[0], name[1])
		}
	}
	return found
}

// either is one such member.
func (s span) either(camel, snake string) span { return s.spelled("it", [2]string{camel, snake})[0] }

func (gemini) parse(r *Request, top span) {
	found := top.spelled("the request",
		[2]string{"contents"}, [2]string{"tools"}, [2]string{"toolConfig", "tool_config"},
		[2]string{"systemInstruction", "system_instruction"}, [2]string{"generationConfig", "generation_config"},
		[2]string{"cachedContent", "cached_content"})
	r.messages, r.choice, r.config, r.cached = found[0], found[2], found[4], !found[5].absent()
	if r.config.kind() == '{' {
		readCount(r.config.either("candidateCount", "candidate_count"), "candidateCount", &r.Choices)
	}
	for _, name := range words("answer forms") {
		kind := r.config.member(name)
		r.Structured = r.Structured || r.config.at(name).kind() == '{' || kind != "" && kind != "text/plain"
	}
	if system := found[3]; !system.absent() {
		r.Messages = append(r.Messages, guard.Message{Role: guard.RoleSystem, Text: readParts(system).text.String()})
	}
	found[0].each("contents", func(content span) {
		role := guard.RoleUser
		if content.member("role") == "model" {
			role = guard.RoleAssistant
		}
		r.addSaid(role, content, readParts(content))
	})
	nameResults(r.Messages)
	found[1].eachOrOne("tools", func(tool span) { r.readTool(tool, r.readDeclarations, declaredTool) })
	r.readCallingConfig(found[2])
}

// fromPath reads what Gemini has in the path of a request: the model, and whether the answer
// is wanted in pieces.
func (r *Request) fromPath(path string) {
	if _, is := r.dialect.(gemini); !is {
		return
	}
	name, method, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ":")
	r.model, r.Stream = name, method == "streamGenerateContent"
}

// readCallingConfig reads how free the model is. VALIDATED leaves it to the model whether to call.
func (r *Request) readCallingConfig(config span) {
	if config.kind() != '{' {
		return
	}
	calling := config.either("functionCallingConfig", "function_calling_config")
	if calling.kind() != '{' {
		return
	}
	names := calling.either("allowedFunctionNames", "allowed_function_names")
	var allowed []string
	if !names.absent() && json.Unmarshal(names.bytes(), &allowed) != nil {
		names.failf("allowedFunctionNames is not a list of names")
	}
	switch mode := strings.ToUpper(strings.Trim(string(calling.at("mode").bytes()), `"`)); {
	case (mode == "ANY" || mode == "2") && len(allowed) == 1:
		r.Choice = guard.Choice{Mode: guard.ChooseNamed, Tool: allowed[0]}
	case mode == "ANY", mode == "2":
		r.Choice = guard.Choice{Mode: guard.ChooseRequired}
	case mode == "NONE", mode == "3":
		r.Choice = guard.Choice{Mode: guard.ChooseNone}
	}
	if len(allowed) > 0 {
		r.allow(allowed)
	}
}

func (r *Request) readDeclarations(tool span) {
	tool.eachMember(func(key string, value span) {
		if isOf("server tools", key) && !value.absent() {
			r.Server = append(r.Server, key)
		}
	})
	declared := tool.either("functionDeclarations", "function_declarations")
	declared.each("functionDeclarations", func(declared span) {
		schema := declared.either("parametersJsonSchema", "parameters_json_schema")
		r.addTool(declared, "parameters")
		tool := &r.Tools[len(r.Tools)-1]
		if tool.Parameters = schema.bytes(); schema.absent() {
			tool.Parameters = plainSchema(declared.at("parameters"))
		}
	})
}

// schemaTypes are the types of the API's own schemas, by their numbers, which clients may
// send in the place of names.
var schemaTypes = []string{"", "string", "number", "integer", "boolean", "array", "object", "null"}

// plainSchema is a schema of the API's own as JSON Schema has it: types in small letters,
// and numbers that are not quoted.
func plainSchema(schema span) json.RawMessage {
	if schema.absent() {
		return nil
	}
	var edits []edit
	var walk func(key string, value span)
	walk = func(key string, value span) {
		switch text := value.said(); {
		case value.kind() == '{':
			value.eachMember(walk)
		case value.kind() == '[':
			for _, element := range value.elements() {
				walk("", element)
			}
		case key == "type" && value.kind() >= '1' && value.kind() <= '7' && value.to == value.from+1:
			edits = append(edits, edit{value.from, value.to, rawBlock(schemaTypes[value.kind()-'0'])})
		case key == "type" && value.kind() == '"' && text == strings.ToUpper(text):
			edits = append(edits, edit{value.from, value.to, rawBlock(strings.ToLower(text))})
		case value.kind() == '"' && isBound(key) && json.Valid([]byte(text)):
			edits = append(edits, edit{value.from, value.to, []byte(text)})
		}
	}
	walk("", schema)
	return schema.edited(edits...)
}

// isBound reports a member such as minItems.
func isBound(key string) bool { return strings.HasPrefix(key, "min") || strings.HasPrefix(key, "max") }

// readParts reads the parts of a content.
func readParts(content span) *contents {
	s := &contents{}
	content.members("the content", "parts")[0].eachOrOne("parts", s.addPart)
	return s
}

func (s *contents) addPart(part span) {
	found := part.spelled("the part", [2]string{"text"}, [2]string{"functionCall", "function_call"},
		[2]string{"functionResponse", "function_response"})
	switch {
	case part.at("thought").is("true"):
	case found[1].kind() == '{':
		call := tooltrack.Call{ID: found[1].member("id"), Tool: found[1].member("name"), Args: []byte("{}")}
		if args := found[1].at("args"); !args.absent() {
			call.Args = args.bytes()
		}
		s.calls = append(s.calls, call)
	case found[2].kind() == '{':
		s.addResponse(found[2])
	case !found[0].absent():
		s.text.WriteString(found[0].text("text"))
	default:
		s.seen.seePart(part)
	}
}

// addResponse reads a result. Its object mostly holds one member, output or error; any
// other object is the result itself.
func (s *contents) addResponse(response span) {
	result := guard.Message{CallID: response.member("id"), Tool: response.member("name")}
	body := response.at("response")
	members := 0
	body.eachMember(func(key string, value span) {
		members++
		result.Failed = key == "error" && !value.absent()
		if slices.Contains([]string{"output", "result", "content", "error"}, key) {
			result.Text = plainOf("", value)
		}
	})
	if members != 1 || result.Text == "" {
		result.Text, result.Failed = string(body.bytes()), false
	}
	s.addResult(result)
}

func (gemini) say(r *Request, request guard.Request) ([]edit, error) {
	return r.sayWith(request.Messages, encodeContents)
}

func (gemini) choose(r *Request, choice guard.Choice) []edit {
	calling := callingConfig(choice)
	at := r.choice.at("functionCallingConfig")
	if at.from == at.to {
		at = r.choice.at("function_calling_config")
	}
	switch {
	case r.cached:
		return nil
	case at.from == at.to && (r.choice.kind() != '{' || r.choice.is("{}")):
		return r.member(r.choice, "toolConfig", object("functionCallingConfig", calling))
	}
	return (&Request{body: r.choice}).member(at, "functionCallingConfig", calling)
}

func callingConfig(choice guard.Choice) json.RawMessage {
	mode := map[guard.ChoiceMode]string{
		guard.ChooseAuto: "AUTO", guard.ChooseRequired: "ANY", guard.ChooseNamed: "ANY", guard.ChooseNone: "NONE",
	}[choice.Mode]
	if choice.Mode == guard.ChooseNamed {
		return object("allowedFunctionNames", []string{choice.Tool}, "mode", mode)
	}
	return object("mode", mode)
}

// encodeContents writes messages: results stand together in one content, in the order of
// their calls, and what is said after them in another.
func encodeContents(messages []guard.Message) []json.RawMessage {
	var contents, results []json.RawMessage
	end := func() {
		if len(results) > 0 {
			contents = append(contents, object("role", "user", "parts", results))
			results = nil
		}
	}
	for _, message := range messages {
		if message.Role == guard.RoleTool {
			results = append(results, functionResponseOf(message))
			continue
		}
		end()
		if raw := contentOfMessage(message); raw != nil {
			contents = append(contents, raw)
		}
	}
	end()
	return contents
}

func functionResponseOf(message guard.Message) json.RawMessage {
	key := "output"
	if toldFailed(message) {
		key = "error"
	}
	return object("functionResponse",
		object("id", sentID(message.CallID), "name", message.Tool, "response", object(key, message.Text)))
}

// contentOfMessage writes a message of the user's or of the model's; nil for one that says nothing.
func contentOfMessage(message guard.Message) json.RawMessage {
	if own, err := whole(message.Raw); err == nil && own.has("parts") {
		return message.Raw
	}
	role := "user"
	if message.Role == guard.RoleAssistant {
		role = "model"
	}
	var parts []json.RawMessage
	if strings.TrimSpace(message.Text) != "" {
		parts = append(parts, partOf(message.Text))
	}
	for _, call := range message.Calls {
		parts = append(parts, object("functionCall", functionCallOf(call)))
	}
	if parts == nil {
		return nil
	}
	return object("role", role, "parts", parts)
}

func (gemini) encode(request guard.Request, _ EncodeOptions, more span) []any {
	system := rawList(more.at("systemInstruction").at("parts").list("the parts of systemInstruction"))
	messages := request.Messages
	for len(messages) > 0 && messages[0].Role == guard.RoleSystem {
		system = append(system, partOf(strings.TrimSpace(messages[0].Text)))
		messages = messages[1:]
	}
	declared := madeOf(request.Tools, func(tool tooltrack.Tool) json.RawMessage {
		return object("name", tool.Name, "description", given(tool.Description), "parametersJsonSchema", tool.Parameters)
	})
	tools := providersTools(more.at("tools"))
	if len(declared) > 0 {
		tools = slices.Insert(tools, 0, object("functionDeclarations", declared))
	}
	return []any{
		"contents", encodeContents(messages), "systemInstruction", when(len(system) > 0, object("parts", system)),
		"tools", listOrNone(tools),
		"toolConfig", when(len(declared) > 0, object("functionCallingConfig", callingConfig(request.Choice))),
	}
}
