package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Leak is a tool call that a model wrote as text instead of making it. The
// zero value is none.
type Leak struct {
	// Tool is the tool's name, where one can be read.
	Tool string
	// Rule names the pattern that found it.
	Rule string
}

// Found reports whether there is a leak.
func (l Leak) Found() bool { return l.Rule != "" }

// FindLeak looks for a tool call in a text: fenced or bare JSON, tags and
// special tokens of the common chat templates, tool_code blocks, lines that
// are a call of one of the tools. A text that speaks about calls, or shows one
// inside a sentence, is none.
func FindLeak(text string, tools []tooltrack.Tool) Leak {
	if strings.IndexByte(text, '{') < 0 && strings.IndexByte(text, '<') < 0 && strings.IndexByte(text, '(') < 0 &&
		strings.IndexByte(text, '[') < 0 && !strings.Contains(text, "Action") {
		return Leak{}
	}
	s := leakScan{text: text, tools: tools}
	return s.run()
}

type leakScan struct {
	text  string
	tools []tooltrack.Tool
	last  string // the line before, blank ones and fenced blocks left out
	shown bool   // whether it announced an example
	asked bool   // whether that was found out
	fence string
	depth int // of objects within objects
	skip  int // where an object that is no call ends
}

// run looks at the text line by line: a call that is meant to run stands at
// the beginning of one.
func (s *leakScan) run() Leak {
	for at := 0; at < len(s.text); {
		end := at + strings.IndexByte(s.text[at:], '\n')
		if end < at {
			end = len(s.text)
		}
		line := strings.TrimSpace(s.text[at:end])
		start := at + strings.Index(s.text[at:end], line)
		if leak := s.line(line, start); leak.Found() && !s.example() {
			return leak
		}
		if line != "" && s.fence == "" && !strings.HasPrefix(line, "```") {
			s.last, s.asked = line, false
		}
		at = end + 1
	}
	return Leak{}
}

// example reports whether the line before announced what follows as an example.
// It is asked only where a call was found, and once for all calls behind a line.
func (s *leakScan) example() bool {
	if !s.asked {
		s.asked, s.shown = true, exampleWords(s.last)
	}
	return s.shown
}

// exampleWords: "The request looks like this:" shows what follows, and does
// not mean it.
func exampleWords(line string) bool {
	if !strings.HasSuffix(line, ":") {
		return false
	}
	for _, word := range [...]string{
		"example", "e.g.", "looks like", "look like", "schema", "documentation", "format", "would be",
	} {
		if containsFold(line, word) {
			return true
		}
	}
	return false
}

func (s *leakScan) line(line string, start int) Leak {
	if line == "" || start < s.skip {
		return Leak{}
	}
	if strings.HasPrefix(line, "```") {
		return s.fenceLine(line)
	}
	line = strings.TrimLeft(line, "*>- ")
	switch {
	case line == "":
		return Leak{}
	case line[0] == '<' || line[0] == '[':
		if leak := s.tag(line, start); leak.Found() {
			return leak
		}
	case strings.HasPrefix(line, "Action:"):
		tool := s.known(strings.TrimSpace(line[len("Action:"):]))
		if tool != "" && strings.Contains(s.text[start:], "Action Input:") {
			return Leak{tool, "react"}
		}
	}
	if leak := s.insideTag(line); leak.Found() {
		return leak
	}
	if line[0] == '{' || line[0] == '[' {
		if leak := s.object(s.text[start:]); leak.Found() {
			return leak
		}
	}
	if leak := s.bareCall(line, start); leak.Found() {
		return leak
	}
	return s.pseudoCall(strings.Trim(line, "[]"))
}

// maxTag bounds how far the end of a tag, or the beginning of an object, is
// looked for, so that a text of nothing but brackets is read in linear time.
const maxTag = 200

// insideTag recognises a call in tags that do not begin the line, such as
// "Sure! <tool_call>{…}</tool_call>", and tags that a tool's name or a foreign
// word stands in. A tag that a sentence only speaks about has no call behind it.
func (s *leakScan) insideTag(line string) Leak {
	for at := strings.IndexByte(line, '<'); at >= 0 && at < len(line); {
		tag := line[at:]
		name, _, closed := strings.Cut(tag[1:min(len(tag), maxTag)], ">")
		inner := strings.TrimLeft(tag[min(len(name)+2, len(tag)):], " ")
		quoted := at > 0 && strings.IndexByte("`\"'", line[at-1]) >= 0
		if closed && !quoted && inner != "" {
			if tool := s.known(name); tool != "" && strings.Contains(inner[:min(len(inner), 10*maxTag)], "</"+name+">") {
				return Leak{tool, "tag"}
			}
			if leak := s.tag(tag, len(s.text)); leak.Found() && strings.IndexByte("{[<", inner[0]) >= 0 {
				return Leak{s.mentioned(inner), "tag"}
			}
			if leak := s.taggedObject(inner); at == 0 && leak.Found() {
				return leak
			}
		}
		next := strings.IndexByte(tag[1:], '<')
		if next < 0 {
			return Leak{}
		}
		at += 1 + next
	}
	return Leak{}
}

// taggedObject is an object of the shape of a call behind a tag that begins its
// line, whatever the tag is called.
func (s *leakScan) taggedObject(inner string) Leak {
	if inner[0] != '{' && inner[0] != '[' {
		return Leak{}
	}
	skip := s.skip
	leak := s.object(inner)
	s.skip = skip
	return leak
}

// bareCall recognises a tool's name with its arguments right behind it, on the
// same line or the next, and the recipient of a call in the harmony format.
func (s *leakScan) bareCall(line string, start int) Leak {
	if at := strings.Index(line, "to=functions."); at >= 0 {
		name, _, _ := strings.Cut(line[at+len("to="):], " ")
		if tool := s.known(name); tool != "" {
			return Leak{tool, "recipient"}
		}
	}
	name, rest, braced := strings.Cut(line, "{")
	if !braced {
		rest = strings.TrimLeft(s.text[min(start+len(line), len(s.text)):], " \t\r\n")
		braced = strings.HasPrefix(rest, "{")
	}
	if !braced {
		return Leak{}
	}
	if tool := s.known(strings.TrimPrefix(name, "call:")); tool != "" && strings.IndexByte(rest, '}') >= 0 {
		return Leak{tool, "bare call"}
	}
	return Leak{}
}

// fenceLine opens or closes a fenced block.
func (s *leakScan) fenceLine(line string) Leak {
	if s.fence != "" {
		s.fence = ""
		return Leak{}
	}
	s.fence = strings.ToLower(strings.Trim(line, "` "))
	switch s.fence {
	case "tool_code", "tool_call", "tool_calls", "tool", "function_call", "tool_use":
		return Leak{"", "fence"}
	case "":
		s.fence = "plain"
	}
	return Leak{}
}

// tagNames begin the tags and tokens of the common chat templates. A prefix
// such as "xai:" may stand before them.
var tagNames = [...]string{
	"tool_call", "tool_calls", "function_call", "function_calls", "function=", "invoke", "tool_use", "toolcall",
	"tool▁call", "|tool_call", "start_function_call", "|python_tag|", "|tool▁call", "｜tool▁call",
	"|start|>assistant", "|channel|", "|action_start|",
}

// tag recognises "<tool_call>", "<invoke name=…>", "[TOOL_CALLS]" and the like.
func (s *leakScan) tag(line string, start int) Leak {
	rest := line[1:]
	if prefix, after, found := strings.Cut(rest[:min(len(rest), 24)], ":"); found && line[0] == '<' && plainName(prefix) {
		rest = rest[len(rest[:min(len(rest), 24)])-len(after):]
	}
	for _, name := range tagNames {
		if len(rest) < len(name) || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		if line[0] == '[' && !strings.HasPrefix(rest[len(name):], "]") {
			continue
		}
		return Leak{s.mentioned(s.text[start:]), "tag"}
	}
	return Leak{}
}

// mentioned is the first known tool in the beginning of a text.
func (s *leakScan) mentioned(text string) string {
	text = text[:min(len(text), 400)]
	for i := range s.tools {
		if s.tools[i].Name != "" && strings.Contains(text, s.tools[i].Name) {
			return s.tools[i].Name
		}
	}
	return ""
}

// known is the tool that a name means, with or without a namespace.
func (s *leakScan) known(name string) string {
	name = strings.Trim(name, "`\"' ")
	for i := range s.tools {
		tool := s.tools[i].Name
		if tool != "" && (name == tool || inNamespace(name, tool)) {
			return tool
		}
	}
	return ""
}

// inNamespace reports whether a name is that of a tool after a namespace, as in
// "functions.delete_note".
func inNamespace(name, tool string) bool {
	space, found := strings.CutSuffix(name, tool)
	return found && space != "" && strings.IndexByte(".:/", space[len(space)-1]) >= 0
}

// pseudoCall is a line that is nothing but a call of a tool: name(…).
func (s *leakScan) pseudoCall(line string) Leak {
	line = strings.Trim(line, "`; ")
	name, rest, found := strings.Cut(line, "(")
	if !found || !strings.HasSuffix(rest, ")") {
		return Leak{}
	}
	name = strings.TrimPrefix(name, "await ")
	if name == "print" {
		return s.pseudoCall(strings.TrimSuffix(rest, ")"))
	}
	if tool := s.known(name); tool != "" {
		return Leak{tool, "pseudo call"}
	}
	return Leak{}
}

// Keys under which calls are written.
var (
	nameKeys = [...]string{
		"name", "tool", "tool_name", "function", "function_name", "action", "recipient_name", "toolname",
	}
	argsKeys = [...]string{
		"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs",
	}
	wrapperKeys = [...]string{
		"function_call", "tool_call", "tool_calls", "tool_use", "functioncall", "toolcalls", "function_calls",
	}
)

// object recognises a JSON object, or a list of them, that has the shape of a
// call. It is read leniently: models leave comments in such JSON.
func (s *leakScan) object(text string) Leak {
	const maxDepth = 4
	head := text[:min(len(text), maxTag)]
	text = text[len(head)-len(strings.TrimLeft(head, "[ \t\r\n")):]
	if text == "" || text[0] != '{' || s.depth >= maxDepth {
		return Leak{}
	}
	s.depth++
	defer func() { s.depth-- }()
	var name string
	named, args, wrapped := false, false, false
	end := eachKey(text, func(key, value string) {
		switch {
		case among(key, wrapperKeys[:]) && (strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[")):
			wrapped = true
			if inner := s.object(value); inner.Tool != "" {
				name = inner.Tool
			}
		case among(key, nameKeys[:]):
			if strings.HasPrefix(value, `"`) {
				name, named = stringValue(value), true
			} else if inner := s.object(value); inner.Found() { // "function": {"name": …}
				name, wrapped = inner.Tool, true
			}
		case among(key, argsKeys[:]):
			args = true
		}
	})
	if s.depth == 1 {
		s.skip = len(s.text) - len(text) + end
	}
	tool := s.known(name)
	switch {
	case wrapped:
		return Leak{tool, "JSON call"}
	case named && tool != "", named && args && plainName(name):
		return Leak{tool, "JSON call"}
	}
	return Leak{}
}

// plainName reports whether a name could be a tool's: one word.
func plainName(name string) bool {
	if name == "" || len(name) > tooltrack.MaxToolName {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !idByte(c) && c != '-' && c != '.' && c != ':' {
			return false
		}
	}
	return true
}

func among(key string, keys []string) bool {
	for _, known := range keys {
		if strings.EqualFold(key, known) {
			return true
		}
	}
	return false
}

// stringValue is a JSON string without its quotes, escapes left as they are.
func stringValue(value string) string {
	if end := strings.IndexByte(value[1:], '"'); end >= 0 {
		return value[1 : 1+end]
	}
	return value[1:]
}

// eachKey visits the keys of an object and the text of their values, which is
// not cut off at their end. Nested keys are skipped. It returns where the
// object ends.
func eachKey(object string, visit func(key, value string)) int {
	depth := 0
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i
			}
		case '"':
			end := stringEnd(object, i)
			after := strings.TrimLeft(object[min(end+1, len(object)):], " \t\r\n")
			if depth == 1 && strings.HasPrefix(after, ":") && end > i {
				visit(object[i+1:end], strings.TrimLeft(after[1:], " \t\r\n"))
			}
			i = end
		}
	}
	return len(object)
}

// stringEnd is the place of the quote that ends the string beginning at i.
func stringEnd[S ~string | ~[]byte](text S, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

func idByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
}

// containsFold is strings.Contains without regard to the case of ASCII letters.
func containsFold(s, substr string) bool {
	for i := 0; i+len(substr) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(substr)], substr) {
			return true
		}
	}
	return false
}
