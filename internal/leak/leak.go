// Package leak finds tool calls that were written as text instead of being made.
package leak

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// Leak is a call in a text: the tool's name, where one can be read, and the pattern that
// found it. The zero value is none.
type Leak struct{ Tool, Rule string }

// Found reports whether there is a leak.
func (l Leak) Found() bool { return l.Rule != "" }

// May reports whether a text has any of the signs that a call begins with.
func May(text string) bool {
	begins := func(sign string) bool { return strings.Contains(text, sign) }
	return slices.ContainsFunc([]string{"{", "<", "(", "[", "Action"}, begins)
}

// Find looks for a call in a text, given the names of the tools: fenced or bare JSON, tags
// and special tokens of the common chat templates, tool_code blocks, lines that are a call
// of one of the tools.
func Find(text string, tools []string) Leak {
	s, at := leakScan{text: text, tools: tools}, 0
	for whole := range strings.Lines(text) {
		line := strings.TrimSpace(whole)
		if leak := s.line(line, at+strings.Index(whole, line)); leak.Found() && !s.shown {
			return leak
		}
		if line != "" && !s.fenced && !strings.HasPrefix(line, "```") {
			s.shown = isExampleAnnounced(line)
		}
		at += len(whole)
	}
	return Leak{}
}

type leakScan struct {
	text   string
	tools  []string
	shown  bool // the line before, blank ones and fenced blocks left out, announced an example
	fenced bool
	skip   int // where an object that is no call ends
}

// announcesExample: "The request looks like this:" shows what follows, and does not mean it.
func isExampleAnnounced(line string) bool {
	if !strings.HasSuffix(line, ":") {
		return false
	}
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{
		"example", "e.g.", "looks like", "look like", "schema", "documentation", "format", "would be",
	}, func(word string) bool { return strings.Contains(line, word) })
}

func (s *leakScan) line(line string, start int) Leak {
	if start < s.skip {
		return Leak{}
	}
	if strings.HasPrefix(line, "```") {
		language := strings.ToLower(strings.Trim(line, "` "))
		if s.fenced = !s.fenced; s.fenced && (language == "tool" || slices.Contains(callWords, language)) {
			return Leak{"", "fence"}
		}
		return Leak{}
	}
	end := start + len(line)
	if line = strings.TrimLeft(line, "*>- "); line == "" {
		return Leak{}
	}
	if isTag(line) {
		return Leak{s.mentioned(s.text[start:]), "tag"}
	}
	if action, found := strings.CutPrefix(line, "Action:"); found && strings.Contains(s.text[end:], "Action Input:") {
		if tool := s.known(action); tool != "" {
			return Leak{tool, "react"}
		}
	}
	if leak := s.insideTag(line); leak.Found() {
		return leak
	}
	if line[0] == '{' || line[0] == '[' {
		leak, length := s.object(s.text[end-len(line):], 0)
		if leak.Found() {
			return leak
		}
		s.skip = end - len(line) + length
	}
	return s.call(line, s.text[end:])
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

// call recognises a line that is nothing but a tool's name with its arguments, name(…) or name{…},
// which may stand on the next line, and the recipient of a call in the harmony format.
func (s *leakScan) call(line, after string) Leak {
	if _, to, found := strings.Cut(line, "to=functions."); found {
		name, _, _ := strings.Cut(to, " ")
		if tool := s.known(name); tool != "" {
			return Leak{tool, "recipient"}
		}
	}
	line = strings.Trim(line, "[]`; ")
	for _, opening := range [...]string{"print(", "await ", "call:"} {
		line = strings.TrimPrefix(line, opening)
	}
	args := strings.TrimLeft(after, " \t\r\n")
	if at := strings.IndexAny(line, "({"); at >= 0 {
		line, args = line[:at], line[at:]
	}
	tool := s.known(line)
	switch {
	case tool == "" || args == "":
	case args[0] == '(' && strings.HasSuffix(args, ")"):
		return Leak{tool, "pseudo call"}
	case args[0] == '{' && strings.IndexByte(args, '}') >= 0:
		return Leak{tool, "bare call"}
	}
	return Leak{}
}

// callWords name calls in the common chat templates: as tags, as the languages of
// fenced blocks and as keys around a call. tagNames begin the other tags and tokens.
var (
	callWords = []string{
		"tool_call", "tool_calls", "toolcall", "toolcalls", "tool_use", "tool_code",
		"function_call", "function_calls", "functioncall",
	}
	tagNames = append([]string{
		"function=", "invoke", "start_function_call", "tool▁call", "|tool▁call", "｜tool▁call", "|tool_call",
		"|python_tag|", "|start|>assistant", "|channel|", "|action_start|",
	}, callWords...)
)

// isTag recognises "<tool_call>", "<invoke name=…>", "[TOOL_CALLS]" and the like
// at the beginning of a text. A prefix such as "xai:" may stand before the name.
func isTag(text string) bool {
	if text[0] != '<' && text[0] != '[' {
		return false
	}
	rest := text[1:]
	if prefix, _, found := strings.Cut(rest[:min(len(rest), 24)], ":"); found && text[0] == '<' && isPlainName(prefix) {
		rest = rest[len(prefix)+1:]
	}
	return slices.ContainsFunc(tagNames, func(name string) bool {
		begins := len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name)
		return begins && (text[0] == '<' || strings.HasPrefix(rest[len(name):], "]"))
	})
}

// mentioned is the first known tool in the beginning of a text.
func (s *leakScan) mentioned(text string) string {
	text = text[:min(len(text), 400)]
	for _, tool := range s.tools {
		if tool != "" && strings.Contains(text, tool) {
			return tool
		}
	}
	return ""
}

// known is the tool that a name means, with or without a namespace before it, as in
// "functions.delete_note".
func (s *leakScan) known(name string) string {
	name = strings.Trim(name, "`\"' ")
	for _, tool := range s.tools {
		space, found := strings.CutSuffix(name, tool)
		if found && tool != "" && (space == "" || strings.IndexByte(".:/", space[len(space)-1]) >= 0) {
			return tool
		}
	}
	return ""
}

// Keys under which the name and the arguments of a call are written.
var (
	nameKeys = []string{
		"name", "tool", "tool_name", "function", "function_name", "action", "recipient_name", "toolname",
	}
	argsKeys = []string{
		"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs",
	}
)

// object recognises a JSON object, or a list of them, that has the shape of a call, and says where
// it ends. It is read leniently: models leave comments in such JSON.
func (s *leakScan) object(text string, depth int) (leak Leak, end int) {
	const maxDepth = 4
	head := text[:min(len(text), maxTag)]
	from := len(head) - len(strings.TrimLeft(head, "[ \t\r\n"))
	if depth == maxDepth || from == len(text) || text[from] != '{' {
		return Leak{}, 0
	}
	name, args, wrapped := "", false, false
	end = from + eachKey(text[from:], func(key, value string) {
		key = strings.ToLower(key)
		names, wraps := slices.Contains(nameKeys, key), slices.Contains(callWords, key)
		switch {
		case names && strings.HasPrefix(value, `"`):
			name = value[1:max(1, reading.StringEnd(value, 0))]
		case names || wraps: // "function": {"name": …}
			inner, _ := s.object(value, depth+1)
			name = cmp.Or(inner.Tool, name)
			wrapped = wrapped || inner.Found() || wraps && strings.IndexAny(value, "{[") == 0
		}
		args = args || slices.Contains(argsKeys, key)
	})
	tool := s.known(name)
	if wrapped || tool != "" || args && isPlainName(name) {
		return Leak{tool, "JSON call"}, end
	}
	return Leak{}, end
}

// isPlainName reports whether a name could be a tool's: one word.
func isPlainName(name string) bool {
	return name != "" && len(name) <= longestName && strings.Trim(name, alphanumeric+"_-.:") == ""
}

// longestName is the length of the longest name that a tool may have.
const longestName = 128

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// eachKey visits the keys of an object and the text of their values, which is not cut off at their
// end. Nested keys are skipped. It returns where the object ends.
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
			end := reading.StringEnd(object, i)
			after := strings.TrimLeft(object[min(end+1, len(object)):], " \t\r\n")
			if depth == 1 && strings.HasPrefix(after, ":") && end > i {
				visit(object[i+1:end], strings.TrimLeft(after[1:], " \t\r\n"))
			}
			i = end
		}
	}
	return len(object)
}
