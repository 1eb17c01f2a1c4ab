package completion

import (
	"slices"
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
	if !strings.ContainsAny(text, "{<([") && !strings.Contains(text, "Action") {
		return Leak{}
	}
	s := leakScan{text: text, tools: tools}
	return s.run()
}

type leakScan struct {
	text   string
	tools  []tooltrack.Tool
	shown  bool // the line before, blank ones and fenced blocks left out, announced an example
	fenced bool
	skip   int // where an object that is no call ends
}

// run looks at the text line by line: a call that is meant to run stands at
// the beginning of one.
func (s *leakScan) run() Leak {
	at := 0
	for whole := range strings.Lines(s.text) {
		line := strings.TrimSpace(whole)
		if leak := s.line(line, at+strings.Index(whole, line)); leak.Found() && !s.shown {
			return leak
		}
		if line != "" && !s.fenced && !strings.HasPrefix(line, "```") {
			s.shown = announcesExample(line)
		}
		at += len(whole)
	}
	return Leak{}
}

// announcesExample: "The request looks like this:" shows what follows, and does
// not mean it.
func announcesExample(line string) bool {
	if !strings.HasSuffix(line, ":") {
		return false
	}
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{
		"example", "e.g.", "looks like", "look like", "schema", "documentation", "format", "would be",
	}, func(word string) bool { return strings.Contains(line, word) })
}

func (s *leakScan) line(line string, start int) Leak {
	if line == "" || start < s.skip {
		return Leak{}
	}
	if strings.HasPrefix(line, "```") {
		return s.fence(line)
	}
	line = strings.TrimLeft(line, "*>- ")
	switch {
	case line == "":
		return Leak{}
	case isTag(line):
		return Leak{s.mentioned(s.text[start:]), "tag"}
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
		leak, end := s.object(s.text[start:], 0)
		if leak.Found() {
			return leak
		}
		s.skip = start + end
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
	for at := range len(line) {
		if line[at] != '<' || at > 0 && strings.IndexByte("`\"'", line[at-1]) >= 0 {
			continue
		}
		name, _, closed := strings.Cut(line[at+1:min(len(line), at+maxTag)], ">")
		inner := strings.TrimLeft(line[min(at+len(name)+2, len(line)):], " ")
		if !closed || inner == "" {
			continue
		}
		if tool := s.known(name); tool != "" && strings.Contains(inner[:min(len(inner), 10*maxTag)], "</"+name+">") {
			return Leak{tool, "tag"}
		}
		if isTag(line[at:]) && strings.IndexByte("{[<", inner[0]) >= 0 {
			return Leak{s.mentioned(inner), "tag"}
		}
		if at > 0 {
			continue
		}
		if leak, _ := s.object(inner, 0); leak.Found() { // whatever the tag is called
			return leak
		}
	}
	return Leak{}
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
	tool := s.known(strings.TrimPrefix(name, "call:"))
	if braced && tool != "" && strings.IndexByte(rest, '}') >= 0 {
		return Leak{tool, "bare call"}
	}
	return Leak{}
}

// fence opens or closes a fenced block.
func (s *leakScan) fence(line string) Leak {
	if s.fenced = !s.fenced; s.fenced {
		switch strings.ToLower(strings.Trim(line, "` ")) {
		case "tool_code", "tool_call", "tool_calls", "tool", "function_call", "tool_use":
			return Leak{"", "fence"}
		}
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

// isTag recognises "<tool_call>", "<invoke name=…>", "[TOOL_CALLS]" and the like
// at the beginning of a text.
func isTag(text string) bool {
	if text[0] != '<' && text[0] != '[' {
		return false
	}
	rest := text[1:]
	if prefix, _, found := strings.Cut(rest[:min(len(rest), 24)], ":"); found && text[0] == '<' && plainName(prefix) {
		rest = rest[len(prefix)+1:]
	}
	return slices.ContainsFunc(tagNames[:], func(name string) bool {
		begins := len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name)
		return begins && (text[0] == '<' || strings.HasPrefix(rest[len(name):], "]"))
	})
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

// known is the tool that a name means, with or without a namespace before it, as in
// "functions.delete_note".
func (s *leakScan) known(name string) string {
	name = strings.Trim(name, "`\"' ")
	for i := range s.tools {
		tool := s.tools[i].Name
		space, found := strings.CutSuffix(name, tool)
		if found && tool != "" && (space == "" || strings.IndexByte(".:/", space[len(space)-1]) >= 0) {
			return tool
		}
	}
	return ""
}

// pseudoCall is a line that is nothing but a call of a tool: name(…).
func (s *leakScan) pseudoCall(line string) Leak {
	line = strings.TrimPrefix(strings.Trim(line, "`; "), "print(")
	name, rest, _ := strings.Cut(strings.TrimPrefix(line, "await "), "(")
	if tool := s.known(name); tool != "" && strings.HasSuffix(rest, ")") {
		return Leak{tool, "pseudo call"}
	}
	return Leak{}
}

// Keys under which calls are written.
var (
	nameKeys = []string{
		"name", "tool", "tool_name", "function", "function_name", "action", "recipient_name", "toolname",
	}
	argsKeys = []string{
		"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs",
	}
	wrapperKeys = []string{
		"function_call", "tool_call", "tool_calls", "tool_use", "functioncall", "toolcalls", "function_calls",
	}
)

// object recognises a JSON object, or a list of them, that has the shape of a
// call, and says where it ends. It is read leniently: models leave comments in
// such JSON.
func (s *leakScan) object(text string, depth int) (leak Leak, end int) {
	const maxDepth = 4
	head := text[:min(len(text), maxTag)]
	from := len(head) - len(strings.TrimLeft(head, "[ \t\r\n"))
	if depth == maxDepth || from == len(text) || text[from] != '{' {
		return Leak{}, 0
	}
	var name string
	named, args, wrapped := false, false, false
	end = from + eachKey(text[from:], func(key, value string) {
		switch key = strings.ToLower(key); {
		case slices.Contains(wrapperKeys, key) && (strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[")):
			wrapped = true
			if inner, _ := s.object(value, depth+1); inner.Tool != "" {
				name = inner.Tool
			}
		case slices.Contains(nameKeys, key) && strings.HasPrefix(value, `"`):
			name, named = value[1:max(1, stringEnd(value, 0))], true
		case slices.Contains(nameKeys, key):
			if inner, _ := s.object(value, depth+1); inner.Found() { // "function": {"name": …}
				name, wrapped = inner.Tool, true
			}
		case slices.Contains(argsKeys, key):
			args = true
		}
	})
	tool := s.known(name)
	if wrapped || named && (tool != "" || args && plainName(name)) {
		return Leak{tool, "JSON call"}, end
	}
	return Leak{}, end
}

// plainName reports whether a name could be a tool's: one word.
func plainName(name string) bool {
	return name != "" && len(name) <= tooltrack.MaxToolName && strings.Trim(name, alphanumeric+"_-.:") == ""
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

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
func stringEnd(text string, i int) int {
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
