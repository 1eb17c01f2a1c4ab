package chatwire

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// spelled are members of either of two names: the API reads members in both spellings.
func (s span) spelled(what string, names ...[2]string) ([]span, error) {
	keys := make([]string, 0, 2*len(names))
	for _, name := range names {
		keys = append(keys, name[0], name[1])
	}
	both, err := s.members(what, keys...)
	if err != nil {
		return nil, err
	}
	found := make([]span, len(names))
	for i, name := range names {
		switch found[i] = both[2*i]; {
		case found[i].absent():
			found[i] = both[2*i+1]
		case !both[2*i+1].absent():
			return nil, fmt.Errorf("%s has both %q and %q", what, name[0], name[1])
		}
	}
	return found, nil
}

// either is one such member.
func (s span) either(camel, snake string) (span, error) {
	found, err := s.spelled("it", [2]string{camel, snake})
	if err != nil {
		return span{}, err
	}
	return found[0], nil
}

func (gemini) parse(r *Request, top span) error {
	found, err := top.spelled("the request",
		[2]string{"contents"}, [2]string{"tools"}, [2]string{"toolConfig", "tool_config"},
		[2]string{"systemInstruction", "system_instruction"}, [2]string{"generationConfig", "generation_config"},
		[2]string{"cachedContent", "cached_content"})
	if err != nil {
		return err
	}
	r.messages, r.choice, r.config, r.cached = found[0], found[2], found[4], !found[5].absent()
	if err := r.readGeminiConfig(); err != nil {
		return err
	}
	if !found[3].absent() {
		said, err := readParts(found[3])
		if err != nil {
			return fmt.Errorf("systemInstruction: %w", err)
		}
		r.Messages = append(r.Messages, guard.Message{Role: guard.RoleSystem, Text: said.text})
	}
	contents := found[0]
	if contents.kind() == '{' { // one content stands for a list
		return errors.New("contents is not a JSON array")
	}
	err = contents.eachIn("contents", func(content span) error {
		messages, err := readContentMessage(content)
		r.Messages = append(r.Messages, messages...)
		return err
	})
	if err != nil {
		return err
	}
	nameResults(r.Messages)
	if err := found[1].eachOrOne("tools", func(tool span) error {
		return r.readTool(tool, r.readDeclarations, declaredTool)
	}); err != nil {
		return err
	}
	return r.readCallingConfig(found[2])
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

// readGeminiConfig reads how many answers are wanted, and in which form.
func (r *Request) readGeminiConfig() error {
	if r.config.kind() != '{' {
		return nil
	}
	count, err := r.config.either("candidateCount", "candidate_count")
	if err != nil {
		return err
	}
	if !count.absent() && json.Unmarshal(count.bytes(), &r.Choices) != nil {
		return errors.New("candidateCount is not a number")
	}
	for _, name := range geminiForms {
		kind := member(r.config, name)
		r.Structured = r.Structured || r.config.at(name).kind() == '{' || kind != "" && kind != "text/plain"
	}
	return nil
}

// geminiForms are the members that say in which form an answer is wanted.
var geminiForms = []string{
	"responseMimeType", "response_mime_type", "responseSchema", "response_schema",
	"responseJsonSchema", "response_json_schema",
}

// readCallingConfig reads how free the model is. VALIDATED leaves it to the model whether
// to call.
func (r *Request) readCallingConfig(config span) error {
	if config.kind() != '{' {
		return nil
	}
	calling, err := config.either("functionCallingConfig", "function_calling_config")
	if err != nil || calling.kind() != '{' {
		return err
	}
	names, err := calling.either("allowedFunctionNames", "allowed_function_names")
	if err != nil {
		return err
	}
	var allowed []string
	if !names.absent() && json.Unmarshal(names.bytes(), &allowed) != nil {
		return errors.New("allowedFunctionNames is not a list of names")
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
	return nil
}

func (r *Request) readDeclarations(tool span) error {
	list, err := tool.either("functionDeclarations", "function_declarations")
	if err != nil {
		return err
	}
	tool.eachMember(func(key string, value span) {
		if isServerTool(key) && !value.absent() {
			r.Server = append(r.Server, key)
		}
	})
	return list.eachIn("functionDeclarations", func(declared span) error {
		found, err := declared.spelled("the declaration", [2]string{"name"}, [2]string{"description"},
			[2]string{"parameters"}, [2]string{"parametersJsonSchema", "parameters_json_schema"})
		if err != nil {
			return err
		}
		tool := tooltrack.Tool{Parameters: json.RawMessage(found[3].bytes())}
		if found[3].absent() {
			tool.Parameters = plainSchema(found[2])
		}
		if tool.Name, err = found[0].text("name"); err != nil {
			return err
		}
		tool.Description, err = found[1].text("description")
		r.Tools = append(r.Tools, tool)
		return err
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
		switch text, _ := value.text(key); {
		case value.kind() == '{':
			value.eachMember(walk)
		case value.kind() == '[':
			elements, _ := value.elements("the schema")
			for _, element := range elements {
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
	return splice(schema.body[:schema.to], edits)[schema.from:]
}

// isBound reports a member such as minItems.
func isBound(key string) bool { return strings.HasPrefix(key, "min") || strings.HasPrefix(key, "max") }

// readContentMessage reads one content: the results that it holds, each as a message, and
// then what it says.
func readContentMessage(content span) ([]guard.Message, error) {
	role := member(content, "role")
	said, err := readParts(content)
	if err != nil {
		return nil, err
	}
	message := guard.Message{Role: guard.RoleUser, Text: said.text, Calls: said.calls, Seen: said.seen}
	if role == "model" {
		message.Role = guard.RoleAssistant
	}
	if len(said.results) == 0 {
		message.Raw = json.RawMessage(content.bytes())
		return []guard.Message{message}, nil
	}
	if message.Internal, message.Beside = true, true; message.Text == "" {
		return said.results, nil
	}
	return append(said.results, message), nil
}

// readParts reads the parts of a content.
func readParts(content span) (saidBlocks, error) {
	var said saidBlocks
	var text strings.Builder
	found, err := content.members("the content", "parts")
	if err != nil {
		return said, err
	}
	err = found[0].eachOrOne("parts", func(part span) error { return said.addPart(part, &text) })
	said.text = text.String()
	return said, err
}

func (s *saidBlocks) addPart(part span, text *strings.Builder) error {
	found, err := part.spelled("the part", [2]string{"text"}, [2]string{"functionCall", "function_call"},
		[2]string{"functionResponse", "function_response"})
	if err != nil {
		return err
	}
	switch {
	case string(part.at("thought").bytes()) == "true":
	case found[1].kind() == '{':
		call := tooltrack.Call{ID: member(found[1], "id"), Tool: member(found[1], "name"), Args: []byte("{}")}
		if args := found[1].at("args"); !args.absent() {
			call.Args = args.bytes()
		}
		s.calls = append(s.calls, call)
	case found[2].kind() == '{':
		s.addResponse(found[2])
	case !found[0].absent():
		said, err := found[0].text("text")
		text.WriteString(said)
		return err
	default:
		s.seen.seePart(part)
	}
	return nil
}

// addResponse reads a result. Its object mostly holds one member, output or error; any
// other object is the result itself.
func (s *saidBlocks) addResponse(response span) {
	result := guard.Message{Role: guard.RoleTool, CallID: member(response, "id"), Tool: member(response, "name")}
	body := response.at("response")
	members := 0
	if body.kind() == '{' {
		body.eachMember(func(key string, value span) {
			members++
			result.Failed = key == "error" && !value.absent()
			if slices.Contains([]string{"output", "result", "content", "error"}, key) {
				result.Text = plainOf("", value)
			}
		})
	}
	if members != 1 || result.Text == "" {
		result.Text, result.Failed = string(body.bytes()), false
	}
	if result.Failed && !strings.HasPrefix(strings.ToLower(result.Text), "error") {
		result.Text = "Error: " + result.Text
	}
	s.results = append(s.results, result)
}

// rewrite keeps the client's contents byte for byte and adds those that follow.
func (gemini) rewrite(r *Request, request guard.Request) ([]byte, error) {
	if r.messages.kind() != '[' {
		return nil, errors.New("the request has no contents, so there is no place for others")
	}
	var edits []edit
	if begins(request.Messages, r.Messages) {
		edits = append(edits, r.addTurns(encodeContents(request.Messages[len(r.Messages):])))
	} else {
		edits = append(edits, edit{r.messages.from, r.messages.to, marshalList(encodeContents(request.Messages))})
	}
	if request.Report {
		for _, form := range geminiForms {
			edits = append(edits, without(r.config, form)...)
		}
	}
	if request.Choice == r.Choice || r.cached {
		return splice(r.body.body, edits), nil
	}
	calling := callingConfig(request.Choice)
	if r.choice.kind() != '{' {
		config := object("functionCallingConfig", calling)
		return splice(r.body.body, append(edits, r.member(r.choice, "toolConfig", config))), nil
	}
	at, err := r.choice.either("functionCallingConfig", "function_calling_config")
	if err != nil { // cannot happen: it has been read
		return nil, err
	}
	inner := Request{body: r.choice}
	return splice(r.body.body, append(edits, inner.member(at, "functionCallingConfig", calling))), nil
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
	id := message.CallID
	if isLocalID(id) {
		id = ""
	}
	return object("functionResponse",
		object("id", given(id), "name", message.Tool, "response", object(key, message.Text)))
}

// contentOfMessage writes a message of the user's or of the model's; nil for one that says
// nothing.
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
		parts = append(parts, geminiMaker{}.say(nil, message.Text))
	}
	for _, call := range message.Calls {
		parts = append(parts, object("functionCall", functionCallOf(call)))
	}
	if parts == nil {
		return nil
	}
	return object("role", role, "parts", parts)
}

func (gemini) members() []string {
	return []string{"contents", "systemInstruction", "tools", "toolConfig"}
}

func (gemini) encode(w *writer, request guard.Request, _ EncodeOptions, more []span) error {
	var system []json.RawMessage
	err := more[1].at("parts").eachIn("parts", func(part span) error {
		system = append(system, part.bytes())
		return nil
	})
	if err != nil {
		return fmt.Errorf("systemInstruction: %w", err)
	}
	messages := request.Messages
	for len(messages) > 0 && messages[0].Role == guard.RoleSystem {
		system = append(system, geminiMaker{}.say(nil, strings.TrimSpace(messages[0].Text)))
		messages = messages[1:]
	}
	w.add("contents", marshalList(encodeContents(messages)))
	if system != nil {
		w.add("systemInstruction", object("parts", system))
	}
	tools, err := declarationsOf(request.Tools, more[2])
	if len(tools) > 0 {
		w.add("tools", marshalList(tools))
	}
	if len(request.Tools) > 0 {
		w.add("toolConfig", object("functionCallingConfig", callingConfig(request.Choice)))
	}
	return err
}

func declarationsOf(tools []tooltrack.Tool, more span) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if len(tools) > 0 {
		list = append(list, object("functionDeclarations", encodeEach(tools, func(tool tooltrack.Tool) json.RawMessage {
			return object("name", tool.Name, "description", given(tool.Description), "parametersJsonSchema", tool.Parameters)
		})))
	}
	own, err := providersTools(more)
	return append(list, own...), err
}
