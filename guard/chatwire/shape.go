package chatwire

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// What a request is follows from the shape of its body. A path says little:
// gateways and hosting platforms serve the formats under paths of their own.

// mayOffer reports whether a request can offer tools at all.
func mayOffer(request *http.Request) bool {
	if request.Body == nil || request.Body == http.NoBody || request.Method == http.MethodGet {
		return false
	}
	path := strings.TrimRight(request.URL.Path, "/")
	if slices.ContainsFunc(words("counting paths"), func(end string) bool { return strings.HasSuffix(path, end) }) {
		return false
	}
	kind := strings.ToLower(strings.TrimSpace(request.Header.Get("Content-Type")))
	passes := func(prefix string) bool { return strings.HasPrefix(kind, prefix) }
	return !slices.ContainsFunc(words("passing types"), passes)
}

// toolForm is how a tool is offered.
type toolForm uint8

const (
	nestedTool     toolForm = iota // {"type":"function","function":{…}}: chat completions
	inputTool                      // {"name":…,"input_schema":{…}}: Messages
	builtinTool                    // {"type":"bash_20250124","name":"bash"}: Messages, run by the client
	flatTool                       // {"type":"function","name":…}: Responses
	declaredTool                   // {"functionDeclarations":[…]}: Gemini
	specifiedTool                  // {"toolSpec":{…}}: Bedrock
	listedFunction                 // in the older list of functions: chat completions
	groupTool                      // {"type":"namespace","tools":[…]}: Responses, a list of its own
	serverTool                     // run by the provider itself
	unknownTool                    // of a kind that is not known, with no function for the client to run
	strangeTool                    // anything else
)

// offeredTool is a tool with its type and the names of its members that are not null.
type offeredTool struct {
	span
	kind    string
	members []string
}

func (t *offeredTool) has(member string) bool { return slices.Contains(t.members, member) }

// toolForms tell forms apart, by the type of a tool and its members. The first row that
// fits counts.
var toolForms = []struct {
	form toolForm
	fits func(t *offeredTool) bool
}{
	{nestedTool, func(t *offeredTool) bool {
		return (t.kind == "function" || t.kind == "") && t.at("function").kind() == '{'
	}},
	{declaredTool, func(t *offeredTool) bool {
		return t.has("functionDeclarations") || t.has("function_declarations")
	}},
	{specifiedTool, func(t *offeredTool) bool { return t.has("toolSpec") }},
	{groupTool, func(t *offeredTool) bool { return t.kind == "namespace" }},
	{serverTool, func(t *offeredTool) bool {
		named := isOf("server tools", t.kind) || t.kind == "" && onlyServerMembers(t.span)
		return named || t.kind == "shell" && inContainer(t.span)
	}},
	{inputTool, func(t *offeredTool) bool { return t.has("input_schema") }},
	{builtinTool, func(t *offeredTool) bool { return isOf("built-in tools", t.kind) && t.has("name") }},
	{flatTool, func(t *offeredTool) bool {
		described := t.has("parameters") || t.has("parameter_definitions")
		return t.kind == "function" || t.kind == "" && t.has("name") && described
	}},
	{unknownTool, func(t *offeredTool) bool { return !hasFunction(t.span) && !isOf("client tools", t.kind) }},
}

// formOf tells how one element of a list of tools is offered, and what to call it in a message.
func formOf(tool span) (toolForm, string) {
	if tool.kind() != '{' {
		return strangeTool, "a value that is no object"
	}
	found, err := tool.look("the tool", "type", "function", "name", "input_schema")
	switch kind := found[0].kind(); {
	case err != nil:
		return strangeTool, err.Error()
	case !found[0].absent() && kind != '"':
		return strangeTool, "type is not a string"
	}
	kind := found[0].said()
	read := offeredTool{span: tool, kind: kind}
	first := ""
	tool.eachMember(func(key string, value span) {
		if first = cmp.Or(first, key); !value.absent() {
			read.members = append(read.members, key)
		}
	})
	for _, row := range toolForms {
		if row.fits(&read) {
			return row.form, cmp.Or(kind, first)
		}
	}
	return strangeTool, kind
}

// onlyServerMembers reports a tool that is named by its members, as in {"googleSearch":{}}.
func onlyServerMembers(tool span) bool {
	all, members := true, 0
	tool.eachMember(func(key string, _ span) {
		members++
		all = all && isOf("server tools", key)
	})
	return all && members > 0
}

// hasFunction reports a tool that is named by members for the client to run, or that has
// any member by which formats describe a function. One without members says nothing.
func hasFunction(tool span) bool {
	found, typed := sparePlace(0, tool) == nil, tool.has("type")
	tool.eachMember(func(key string, value span) {
		key = strings.ToLower(key)
		described := strings.Contains(key, "function") || strings.Contains(key, "schema") || strings.Contains(key, "param")
		found = found || described || key == "tools" || !typed && (value.kind() != '{' || isOf("client tools", key))
	})
	return found
}

// offer is what a body offers to call.
type offer struct {
	forms   map[toolForm]bool
	wrapped bool     // not at the top of the body but inside of it
	remote  bool     // servers of the MCP, which the provider asks by itself
	unknown []string // kinds that are not known
}

// clientRun reports whether the client is to run anything. A list of things that
// are no tools anybody knows counts only in a body that speaks to a model.
func (o *offer) clientRun(speaks bool) bool {
	if o.wrapped {
		return true
	}
	for form := range o.forms {
		switch form {
		case serverTool, unknownTool, groupTool: // what is in a group counts by itself
		case strangeTool:
			if speaks {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// speaks reports a body that says something to a model.
func speaks(top span) bool {
	return slices.ContainsFunc([]string{"messages", "input", "contents", "prompt"}, top.has)
}

// maxWrapping is how deep a request may lie inside of another body: a batch holds
// a list of objects that hold requests.
const maxWrapping = 3

// offerOf looks for tools at the top of a body and inside of it: some formats put requests into an
// envelope. Names are compared without regard to case, as servers written in Go read them.
func offerOf(top span) offer {
	o := offer{forms: map[toolForm]bool{}}
	o.look(top)
	inner := offer{forms: map[toolForm]bool{}}
	inner.lookInside(top, maxWrapping)
	o.wrapped = inner.clientRun(false)
	return o
}

func (o *offer) lookInside(value span, depth int) {
	visit := func(key string, inner span) {
		if depth > 0 && !slices.Contains(words("said"), strings.ToLower(key)) {
			o.look(inner)
			o.lookInside(inner, depth-1)
		}
	}
	value.eachMember(visit)
	for _, element := range value.elements() {
		visit("", element)
	}
}

func (o *offer) look(object span) {
	object.eachMember(func(key string, value span) {
		switch {
		case strings.EqualFold(key, "mcp_servers"):
			o.remote = o.remote || len(value.objects()) > 0
		case strings.EqualFold(key, "tools"):
			for _, tool := range value.objects() {
				form, kind := formOf(tool)
				o.forms[form] = true
				switch form {
				case groupTool:
					o.look(tool)
				case unknownTool:
					o.unknown = append(o.unknown, clipped(kind))
				case serverTool:
					o.remote = o.remote || strings.HasPrefix(kind, "mcp")
				}
			}
		case strings.EqualFold(key, "functions"):
			if slices.ContainsFunc(value.objects(), func(f span) bool { return f.has("name") }) {
				o.forms[listedFunction] = true
			}
		}
	})
}

// lookalike is the error for formats that ask like chat completions and answer otherwise,
// so that the path has to tell; nil for any other.
func lookalike(path string, top span) error {
	switch {
	case strings.HasSuffix(path, "/api/generate"):
		return foreign("Ollama's way to complete a text", "use /api/chat of the same server")
	case strings.HasSuffix(path, "/invoke-with-response-stream"):
		return foreign("Bedrock's event stream", "use InvokeModel, which answers whole, or a server that speaks Messages")
	case strings.HasSuffix(path, "/v2/chat"), top.has("message") && !top.has("messages"):
		return foreign("Cohere's own chat format", "use its endpoint /compatibility/v1/chat/completions")
	}
	return nil
}

const useOurs = "use chat completions, Responses, Messages, Gemini's generateContent or Ollama's /api/chat"

// foreign is the error for a format that offers tools and is not guarded.
func foreign(name, hint string) error {
	return fmt.Errorf("%w: it offers tools in %s; %s, or set AllowUnguarded", ErrUnguarded, name, hint)
}

// shape is what a body turned out to be.
type shape struct {
	dialect dialect  // nil if nothing is to be judged
	held    holding  // the tools lie with the provider
	unknown []string // kinds of tools that are not known, and pass
}

// shapeOf finds the format of a body. Without one nothing is to be judged: the body
// offers nothing that the client would run. An error is an [ErrUnguarded].
func shapeOf(path string, body []byte) (shape, error) {
	path = strings.TrimRight(path, "/")
	if len(body) > quickLook && !mayMention(body) {
		return shape{}, nil
	}
	top, err := whole(body)
	if err != nil {
		if strings.HasSuffix(path, "/chat/completions") || offersTools.Match(body) {
			return shape{}, fmt.Errorf("%w: reading the request: %w", ErrUnguarded, err)
		}
		return shape{}, nil
	}
	o := offerOf(top)
	if !o.clientRun(speaks(top)) {
		held, how, err := holder(path, top, &o)
		return shape{held, how, o.unknown}, err
	}
	if err := lookalike(path, top); err != nil {
		return shape{}, err
	}
	for _, row := range offers {
		fits := func(form toolForm) bool { return o.forms[form] && (!o.forms[listedFunction] || row.functions) }
		if !o.wrapped && strings.HasSuffix(path, row.path) && top.has(row.says) && slices.ContainsFunc(row.forms, fits) {
			return shape{row.dialect, notHeld, o.unknown}, nil
		}
	}
	if o.forms[specifiedTool] || top.has("toolConfig") {
		return shape{}, foreign("Bedrock's Converse", useOurs)
	}
	return shape{}, foreign("a way that is not known", useOurs)
}

// offers are the ways in which the formats offer tools. The first row that fits counts.
var offers = []struct {
	dialect   dialect
	path      string // ends so
	says      string // the member that holds what is said
	forms     []toolForm
	functions bool // the older list of functions may stand beside them
}{
	{ollama{}, "/api/chat", "messages", []toolForm{nestedTool}, true},
	{chat{}, "", "messages", []toolForm{nestedTool, listedFunction}, true},
	{anthropic{}, "", "messages", []toolForm{inputTool, builtinTool}, false},
	{responses{}, "", "input", []toolForm{flatTool}, false},
	{gemini{}, "", "contents", []toolForm{declaredTool}, false},
}

// holding is how tools lie with the provider.
type holding uint8

const (
	notHeld       holding = iota
	heldByID              // which tools they are nobody here can see; the client runs them
	runByProvider         // what they do nobody here can see before it is done
)

// holder is the format of a request that offers nothing for the client to run, and whose
// tools lie with the provider: under the id of a stored prompt, a cached prefix or an agent,
// or with servers that the provider asks by itself. All that the guard knows may be among
// them. Runs of an assistant are answered elsewhere.
func holder(path string, top span, o *offer) (dialect, holding, error) {
	switch {
	case top.at("prompt").member("id") != "":
		return responses{}, heldByID, nil
	case top.has("contents") && (top.has("cachedContent") || top.has("cached_content")):
		return gemini{}, heldByID, nil
	case top.has("messages") && top.has("agent_id"):
		return chat{}, heldByID, nil
	case top.has("assistant_id"):
		return nil, notHeld, fmt.Errorf("%w: the tools of an assistant are kept by the provider, and its runs are answered "+
			"elsewhere; %s, or set AllowUnguarded", ErrUnguarded, useOurs)
	}
	if d := speaking(path, top); o.remote && d != nil {
		return d, runByProvider, nil
	}
	return nil, notHeld, nil
}

// speaking is the format of a body that offers nothing for the client to run, by what it
// holds; nil if it says nothing.
func speaking(path string, top span) dialect {
	messages := top.at("messages")
	switch {
	case top.has("contents"):
		return gemini{}
	case messages.absent() && top.has("input"):
		return responses{}
	case messages.absent():
		return nil
	case strings.HasSuffix(path, "/api/chat"):
		return ollama{}
	case strings.HasSuffix(path, "/messages"), top.has("mcp_servers"),
		bytes.Contains(messages.bytes(), []byte(`"tool_result"`)):
		return anthropic{}
	}
	return chat{}
}

// quickLook is the length from which on a body is looked through before it is read:
// images make bodies long, and hardly any of these offer tools.
const quickLook = 64 << 10

// mayMention reports whether a body may offer tools, hold results of calls or name tools
// that lie with the provider. It looks at what stands after quotes only, since the letters
// of an image have none.
func mayMention(body []byte) bool {
	if bytes.Contains(body, []byte(`\u00`)) { // an escape may spell any word
		return true
	}
	for at := 0; ; at++ {
		next := bytes.IndexByte(body[at:], '"')
		if next < 0 {
			return false
		}
		at += next
		rest := body[at+1 : min(len(body), at+1+longestMention)]
		if slices.ContainsFunc(words("mentions"), func(word string) bool {
			return len(rest) >= len(word) && bytes.EqualFold(rest[:len(word)], []byte(word))
		}) {
			return true
		}
	}
}

const longestMention = 16

// isJSON reports a body that begins like an object or a list.
func isJSON(body []byte) bool {
	body = bytes.TrimLeft(bytes.TrimPrefix(body, byteOrderMark), " \t\r\n")
	return len(body) == 0 || body[0] == '{' || body[0] == '['
}

// offersTools finds what a more forgiving server may read as an offer of tools in a body that
// cannot be read here.
var offersTools = regexp.MustCompile(`(?i)"(?:tools|functions)"|\\u00`) // an escape may spell either of them
