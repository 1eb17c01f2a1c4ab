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
	// Request holds the messages, tools and tool choice. Each message keeps the client's own bytes.
	guard.Request
	// Stream is true when the client wants the answer in pieces.
	Stream bool
	// Structured is true when the client asks for an answer in a schema of its own.
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

func (chat) parse(r *Request, top span) {
	found := top.members("the request",
		"messages", "tools", "tool_choice", "stream", "response_format", "n", "functions", "function_call")
	r.messages, r.choice = found[0], found[2]
	r.Stream, r.Structured = found[3].is("true"), structured(found[4])
	readCount(found[5], "n", &r.Choices)
	found[0].each("messages", r.readChatMessage)
	r.readTools(found[1], func(tool span) {
		r.addTool(tool.members("the tool", "function")[0], "parameters")
	}, nestedTool)
	r.readFunctions(found[6])
	if r.legacy {
		r.choice = found[7]
	}
	r.chooses(r.choice)
}

// readCount reads how many answers are wanted.
func readCount(number span, name string, choices *int) {
	if !number.absent() && json.Unmarshal(number.bytes(), choices) != nil {
		number.failf("%s is not a number", name)
	}
}

// structured reports a response_format other than text.
func structured(format span) bool {
	kind := format.member("type")
	return kind != "" && kind != "text"
}

func (r *Request) readChatMessage(element span) {
	found := element.members("the message",
		"role", "content", "tool_calls", "function_call", "tool_call_id", "name", "tool_name")
	message := guard.Message{
		Role: roleOf(found[0].text("role")), Text: readContent(found[1]).text.String(), CallID: found[4].text("tool_call_id"),
		Raw: element.bytes(),
	}
	if message.Role == guard.RoleTool {
		message.Tool = cmp.Or(found[5].text("name"), found[6].text("tool_name"))
	} else {
		var seen seenCalls
		seen.seeMessage(element)
		message.Seen = seen
		drafts := readCalls(found[2], found[3], 0)
		for i := range drafts {
			message.Calls = append(message.Calls, callFrom(&drafts[i]))
		}
	}
	r.Messages = append(r.Messages, message)
}

func roleOf(role string) guard.Role {
	known := map[string]guard.Role{"developer": guard.RoleSystem, "function": guard.RoleTool}
	return cmp.Or(known[role], guard.Role(role))
}

// readTools reads the tools of a request: those in one of the format's own forms,
// those that the provider runs by itself, and all others, which cannot be judged.
func (r *Request) readTools(list span, read func(tool span), own ...toolForm) {
	list.each("tools", func(tool span) { r.readTool(tool, read, own...) })
}

func (r *Request) readTool(tool span, read func(tool span), own ...toolForm) {
	found := tool.members("the tool", "type", "tools")
	switch form, kind := formOf(tool); {
	case slices.Contains(own, form):
		read(tool)
	case form == serverTool, form == unknownTool:
		r.Server = append(r.Server, kind)
	case form == groupTool:
		r.readTools(found[1], read, own...)
	default:
		r.Foreign = append(r.Foreign, found[0].said())
	}
}

// addTool reads the description of a tool.
func (r *Request) addTool(described span, schema string) {
	found := described.members("the tool", "name", "description", schema)
	tool := tooltrack.Tool{Name: found[0].text("name"), Description: found[1].text("description")}
	if !found[2].absent() {
		tool.Parameters = found[2].bytes()
	}
	r.Tools = append(r.Tools, tool)
}

// readFunctions reads the older way to offer tools. A request that uses both
// ways leaves open which choice counts, so its functions are not judged.
func (r *Request) readFunctions(list span) {
	if elements := list.list("functions"); len(elements) > 0 && len(r.Tools) > 0 {
		r.Foreign = append(r.Foreign, "functions beside tools")
		return
	}
	list.each("functions", func(function span) {
		r.legacy = true
		r.addTool(function, "parameters")
	})
}

// chooses takes the client's choice. Tools that it does not allow are not offered.
func (r *Request) chooses(choice span) {
	allowed := choice.only("allowed_tools")
	if allowed.absent() {
		allowed = choice
	}
	if choice.member("type") != "allowed_tools" || allowed.kind() != '{' {
		r.Choice = readToolChoice(choice)
		return
	}
	if allowed.member("mode") == "required" {
		r.Choice = guard.Choice{Mode: guard.ChooseRequired}
	}
	if tools := allowed.only("tools"); !tools.absent() {
		r.allow(madeOf(tools.objects(), func(tool span) string { return readToolChoice(tool).Tool }))
	}
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
	if name := cmp.Or(choice.at("function").member("name"), choice.member("name")); name != "" {
		return guard.Choice{Mode: guard.ChooseNamed, Tool: name}
	}
	return guard.Choice{}
}

// With is the client's own body with the messages and the tool choice of another request. Nothing
// else in it changes, but that a report is asked for without the form that the client wants its
// answers in. Messages with bytes of their own are copied.
func (r *Request) With(request guard.Request) ([]byte, error) {
	if r.dialect == nil {
		return nil, errors.New("the request was not read from a body")
	}
	edits, err := r.dialect.say(r, request)
	if err != nil {
		return nil, err
	}
	if request.Report {
		edits = append(edits, without(r.body, words("answer forms")...)...)
		edits = append(edits, without(r.config, words("answer forms")...)...)
	}
	if request.Choice != r.Choice {
		edits = append(edits, r.dialect.choose(r, request.Choice)...)
	}
	return splice(r.body.body, edits), nil
}

// sayWith keeps the client's messages byte for byte and adds those that follow: what has
// been sent before may lie in the provider's cache. Another conversation takes their place.
func (r *Request) sayWith(messages []guard.Message, encode func([]guard.Message) []json.RawMessage) ([]edit, error) {
	switch {
	case r.messages.kind() != '[':
		return nil, errors.New("the request has no list of messages, so there is no place for others")
	case begins(messages, r.Messages):
		return []edit{r.around(nil, encode(messages[len(r.Messages):]))}, nil
	}
	return []edit{{r.messages.from, r.messages.to, marshalList(encode(messages))}}, nil
}

// begins reports whether a conversation begins with another one.
func begins(messages, with []guard.Message) bool {
	return len(messages) >= len(with) && slices.EqualFunc(messages[:len(with)], with, func(a, b guard.Message) bool {
		return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && string(a.Raw) == string(b.Raw)
	})
}

// around is the client's list with others before and after it. A text stands for a message.
func (r *Request) around(before, after []json.RawMessage) edit {
	list, own := slices.Clone(before), r.messages
	switch {
	case own.kind() == '"':
		list = append(list, object("role", "user", "content", own.bytes()))
	case !emptyList(own):
		list = append(list, own.body[own.from+1:own.to-1])
	}
	return edit{own.from, own.to, marshalList(append(list, after...))}
}

// say are the edits that put the guard's messages into the client's body; its own stay as they are, byte for byte.
func (chat) say(r *Request, request guard.Request) ([]edit, error) {
	return r.sayWith(request.Messages, func(messages []guard.Message) []json.RawMessage {
		return madeOf(messages, r.encode)
	})
}

func (chat) choose(r *Request, choice guard.Choice) []edit {
	if r.legacy {
		return r.member(r.choice, "function_call", encodeChoice(choice, "name", choice.Tool))
	}
	return r.member(r.choice, "tool_choice", chat{}.choice(choice))
}

// member gives a member of the body another value, or adds it at the front.
func (r *Request) member(at span, name string, value []byte) []edit {
	if at.from != at.to {
		return []edit{{at.from, at.to, value}}
	}
	front := r.body.from + 1
	return []edit{{front, front, append([]byte(`"`+name+`":`), append(value, ',')...)}}
}

// without takes members out of an object, each together with a comma beside it.
func without(object span, keys ...string) []edit {
	var edits []edit
	from, first := object.from+1, true // where what stands before ends, and whether nothing does
	object.eachMember(func(name string, value span) {
		end := value.to
		switch {
		case !slices.Contains(keys, name):
			first = false
		case first:
			if end = jsonspan.SkipSpace(object.body, end); object.body[end] == ',' {
				end++
			}
			fallthrough
		default:
			edits = append(edits, edit{from, end, nil})
		}
		from = end
	})
	return edits
}

// encode writes a message in the way that the request offers its tools.
func (r *Request) encode(message guard.Message) json.RawMessage {
	named := len(message.Calls) > 0 && isLocalID(message.Calls[0].ID)
	if r.legacy && (named || message.Role == guard.RoleTool && len(message.Raw) == 0) {
		return encodeLegacy(message)
	}
	return rawMessage(message)
}
