package guard

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What a tool answers is written for programs: an object, a state, names of other tools.
// People are told what it says, in words.

// plainWords is a text without what only programs read: of JSON the message is left, and
// of the names of tools their words.
func plainWords(text string, tools []tooltrack.Tool) string {
	text = withoutJSON(text)
	for i := range tools {
		if name := tools[i].Name; strings.Contains(text, name) && inWords(name) != name {
			whole := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`) // and no piece of another one
			text = whole.ReplaceAllLiteralString(text, inWords(name))
		}
	}
	return text
}

// withoutJSON is a text without the objects and lists of JSON in it, of which only what
// they say to people is left.
func withoutJSON(text string) string {
	if !strings.ContainsAny(text, "{[") {
		return text
	}
	var told strings.Builder
	for {
		at := strings.IndexAny(text, "{[")
		if at < 0 {
			break
		}
		told.WriteString(text[:at])
		end := jsonspan.SkipValue([]byte(text), at)
		piece := []byte(text[at:end])
		switch whole := json.Valid(piece); {
		case whole && jsonspan.KindOf(piece) == jsonspan.Array && !strings.ContainsAny(text[at:end], `{"`): // "[3]" may be said to people
			told.Write(piece)
		case whole:
			told.WriteString(messageIn(piece, 3))
		case strings.HasPrefix(strings.TrimLeft(text[at+1:], " \n"), `"`): // one that was cut off
			end = len(text)
		default:
			end = at + 1
			told.WriteByte(text[at])
		}
		text = text[end:]
	}
	told.WriteString(text)
	return strings.TrimRight(strings.TrimSpace(told.String()), ":,;( \t")
}

// messageIn is what a piece of JSON says to people: its message, or that of what it holds;
// empty if it says nothing.
func messageIn(data []byte, depth int) string {
	said := map[string]string{}
	for key, value := range jsonspan.Members(data) {
		name := strings.ToLower(string(jsonspan.Key(key)))
		text, isText := jsonspan.Text(value)
		if !isText && depth > 0 {
			text = messageIn(value, depth-1)
		}
		if _, again := said[name]; !again {
			said[name] = withoutJSON(strings.TrimSpace(text))
		}
	}
	if told := cmp.Or(said["message"], said["detail"], said["error"], said["reason"], said["msg"]); told != "" {
		return told
	}
	for element := range jsonspan.Elements(data) {
		if depth > 0 {
			return messageIn(element, depth-1)
		}
	}
	return cmp.Or(said["errors"], stateWords(said["status"]), stateWords(said["state"]))
}

// stateWords is a state as people read it: "awaiting approval".
func stateWords(state string) string {
	return strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(state))
}

// inWords are names of tools as people read them: "delete task".
func inWords(tools ...string) string {
	words := make([]string, len(tools))
	for i, tool := range tools {
		words[i] = toolname.InWords(tool)
	}
	return strings.Join(words, ", ")
}
