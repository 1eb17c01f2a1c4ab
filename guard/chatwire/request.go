package chatwire

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Request is a request as a client sent it, with what the guard needs to know of
// it. Everything else in the body stays as it is.
type Request struct {
	// Request holds the messages, tools and tool choice. Each message keeps the
	// client's own bytes.
	guard.Request
	// Stream is true when the client wants the answer in pieces.
	Stream bool
	// Structured is true when the client asks for an answer in a schema of its
	// own.
	Structured bool
	// Choices is how many answers are asked for.
	Choices int
	// Foreign names tools that are not functions and that the client would run;
	// their calls cannot be judged.
	Foreign []string
	// Server names tools that the provider runs by itself, and those of kinds that are
	// not known here and have no function for the client to run. What came of their
	// calls is read from the answer.
	Server []string

	dialect  dialect
	model    string // as the body names it
	legacy   bool   // tools are offered as functions, and chosen by function_call
	body     span
	messages span
	choice   span
	config   span   // where the newer formats say in which form the answer is wanted
	unstored bool   // the provider keeps nothing of the answer
	trouble  string // why the request cannot be judged
	cached   bool   // a prefix of the conversation lies with the provider
	held     holding
	toolless bool // no tools are offered, and the last messages are results of calls
	thinking bool // the model thinks first, and then no choice may be forced
	stateful *stateful
}

func (chat) parse(r *Request, top span) error {
	found, err := top.members("the request",
		"messages", "tools", "tool_choice", "stream", "response_format", "n", "functions", "function_call")
	if err != nil {
		return err
	}
	r.messages, r.choice = found[0], found[2]
	r.Stream, r.Structured = string(found[3].bytes()) == "true", structured(found[4])
	if !found[5].absent() && json.Unmarshal(found[5].bytes(), &r.Choices) != nil {
		return errors.New("n is not a number")
	}
	err = found[0].eachIn("messages", func(element span) error {
		message, err := readRequestMessage(element)
		r.Messages = append(r.Messages, message)
		return err
	})
	if err != nil {
		return err
	}
	err = r.readTools(found[1], func(element span) error {
		function, err := element.members("the tool", "function")
		if err != nil {
			return err
		}
		return r.addTool(function[0], "parameters")
	}, nestedTool)
	if err != nil {
		return err
	}
	if err := r.readFunctions(found[6]); err != nil {
		return err
	}
	if r.legacy {
		r.choice = found[7]
	}
	r.chooses(r.choice)
	return nil
}

// structured reports a response_format other than text.
func structured(format span) bool {
	kind := member(format, "type")
	return kind != "" && kind != "text"
}

func readRequestMessage(element span) (guard.Message, error) {
	found, err := element.members("the message",
		"role", "content", "tool_calls", "function_call", "tool_call_id", "name", "tool_name")
	if err != nil {
		return guard.Message{}, err
	}
	said, err := readContent(found[1])
	if err != nil {
		return guard.Message{}, err
	}
	var w words
	message := guard.Message{
		Role: roleOf(w.of(found[0], "role")), Text: said.text, CallID: w.of(found[4], "tool_call_id"),
		Raw: json.RawMessage(element.bytes()),
	}
	if message.Role == guard.RoleTool {
		message.Tool = cmp.Or(w.of(found[5], "name"), w.of(found[6], "tool_name"))
	}
	if w.err != nil || message.Role == guard.RoleTool {
		return message, w.err
	}
	var seen seenCalls
	seen.seeMessage(element)
	message.Seen = seen
	drafts, err := readCalls(found[2], found[3], 0)
	for i := range drafts {
		message.Calls = append(message.Calls, callFrom(&drafts[i]))
	}
	return message, err
}

func roleOf(role string) guard.Role {
	switch role {
	case "developer":
		return guard.RoleSystem
	case "function":
		return guard.RoleTool
	}
	return guard.Role(role)
}

// readTools reads the tools of a request: those in one of the format's own forms,
// those that the provider runs by itself, and all others, which cannot be judged.
func (r *Request) readTools(list span, read func(element span) error, own ...toolForm) error {
	return list.eachIn("tools", func(tool span) error { return r.readTool(tool, read, own...) })
}

func (r *Request) readTool(tool span, read func(element span) error, own ...toolForm) error {
	found, err := tool.members("the tool", "type", "tools")
	if err != nil {
		return err
	}
	switch form, kind := formOf(tool); {
	case slices.Contains(own, form):
		return read(tool)
	case form == serverTool, form == unknownTool:
		r.Server = append(r.Server, kind)
	case form == groupTool:
		return r.readTools(found[1], read, own...)
	default:
		kind, _ := found[0].text("type")
		r.Foreign = append(r.Foreign, kind)
	}
	return nil
}

// addTool reads the description of a tool.
func (r *Request) addTool(described span, schema string) error {
	found, err := described.members("the tool", "name", "description", schema)
	if err != nil {
		return err
	}
	var w words
	tool := tooltrack.Tool{Name: w.of(found[0], "name"), Description: w.of(found[1], "description")}
	if !found[2].absent() {
		tool.Parameters = found[2].bytes()
	}
	r.Tools = append(r.Tools, tool)
	return w.err
}

// readFunctions reads the older way to offer tools. A request that uses both
// ways leaves open which choice counts, so its functions are not judged.
func (r *Request) readFunctions(list span) error {
	if list.absent() {
		return nil
	}
	elements, err := list.elements("functions")
	if err != nil {
		return err
	}
	if len(elements) > 0 && len(r.Tools) > 0 {
		r.Foreign = append(r.Foreign, "functions beside tools")
		return nil
	}
	err = list.eachIn("functions", func(element span) error {
		if element.kind() != '{' {
			return errors.New("it is not a JSON object")
		}
		return r.addTool(element, "parameters")
	})
	if err != nil {
		return err
	}
	r.legacy = len(elements) > 0
	return nil
}

// chooses takes the client's choice. Tools that it does not allow are not offered.
func (r *Request) chooses(choice span) {
	allowed := choice
	if choice.kind() == '{' {
		if found, err := choice.members("tool_choice", "allowed_tools"); err == nil && !found[0].absent() {
			allowed = found[0]
		}
	}
	if member(choice, "type") != "allowed_tools" || allowed.kind() != '{' {
		r.Choice = readToolChoice(choice)
		return
	}
	if member(allowed, "mode") == "required" {
		r.Choice = guard.Choice{Mode: guard.ChooseRequired}
	}
	found, err := allowed.members("tool_choice", "tools")
	if err != nil {
		return
	}
	var names []string
	for _, tool := range listOf(found[0]) {
		names = append(names, readToolChoice(tool).Tool)
	}
	r.allow(names)
}

// allow leaves only tools of these names.
func (r *Request) allow(names []string) {
	r.Tools = slices.DeleteFunc(r.Tools, func(tool tooltrack.Tool) bool { return !slices.Contains(names, tool.Name) })
}

// readToolChoice reads tool_choice and the older function_call, which gives the
// name without an envelope.
func readToolChoice(choice span) guard.Choice {
	switch string(choice.bytes()) {
	case `"required"`, `"any"`:
		return guard.Choice{Mode: guard.ChooseRequired}
	case `"none"`:
		return guard.Choice{Mode: guard.ChooseNone}
	}
	if name := cmp.Or(member(choice.at("function"), "name"), member(choice, "name")); name != "" {
		return guard.Choice{Mode: guard.ChooseNamed, Tool: name}
	}
	return guard.Choice{}
}

// With is the client's own body with the messages and the tool choice of another
// request. Nothing else in it changes, but that a report is asked for without the
// form that the client wants its answers in. Messages with bytes of their own are
// copied.
func (r *Request) With(request guard.Request) ([]byte, error) {
	if r.dialect == nil {
		return nil, errors.New("the request was not read from a body")
	}
	return r.dialect.rewrite(r, request)
}

func (chat) rewrite(r *Request, request guard.Request) ([]byte, error) {
	if r.messages.from == r.messages.to {
		return nil, errors.New("the request has no messages, so there is no place for others")
	}
	edits := []edit{{r.messages.from, r.messages.to, marshalList(encodeEach(request.Messages, r.encode))}}
	if request.Report {
		edits = append(edits, without(r.body, "response_format")...)
	}
	if r.legacy {
		return r.edited(edits, request.Choice, "function_call", encodeLegacyChoice(request.Choice)), nil
	}
	return r.edited(edits, request.Choice, "tool_choice", encodeChoice(request.Choice)), nil
}

// edited is the body with edits, and with another choice unless it is the
// client's own.
func (r *Request) edited(edits []edit, choice guard.Choice, name string, wanted json.RawMessage) []byte {
	if choice != r.Choice {
		edits = append(edits, r.member(r.choice, name, wanted))
	}
	return splice(r.body.body, edits)
}

// member gives a member of the body another value, or adds it at the front.
func (r *Request) member(at span, name string, value []byte) edit {
	if at.from != at.to {
		return edit{at.from, at.to, value}
	}
	front := r.body.from + 1
	return edit{front, front, append([]byte(`"`+name+`":`), append(value, ',')...)}
}

// without takes a member out of an object, together with a comma beside it.
func without(object span, key string) []edit {
	var edits []edit
	if object.kind() != '{' {
		return nil
	}
	before := object.from + 1 // the end of the member before
	object.eachMember(func(name string, value span) {
		if name == key {
			edits = append(edits, cutMember(object, before, value))
		}
		before = value.to
	})
	return edits
}

func cutMember(object span, before int, value span) edit {
	if before > object.from+1 { // the comma before goes with it
		return edit{before, value.to, nil}
	}
	end := jsonspan.SkipSpace(object.body, value.to)
	if object.body[end] == ',' {
		end++
	}
	return edit{before, end, nil}
}

// encode writes a message in the way that the request offers its tools.
func (r *Request) encode(message guard.Message) json.RawMessage {
	named := len(message.Calls) > 0 && isLocalID(message.Calls[0].ID)
	if r.legacy && (named || message.Role == guard.RoleTool && len(message.Raw) == 0) {
		return encodeLegacy(message)
	}
	return rawMessage(message)
}
