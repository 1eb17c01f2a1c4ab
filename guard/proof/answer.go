package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Basis is what a model says that a letter rests on. The zero value says nothing.
type Basis struct {
	// Records are the numbers of the calls that show it.
	Records []int
	// NoCall says that it needs none, NotDone that it is not so, or was not done.
	NoCall, NotDone bool
}

// isGiven reports whether the model has said anything of the letter.
func (b *Basis) isGiven() bool { return len(b.Records) > 0 || b.NoCall || b.NotDone }

// Answer is what a model says that its text rests on.
type Answer struct {
	// Message is the corrected text for the user; nil keeps the draft.
	Message *string
	// Letters are what it says of each.
	Letters map[string]Basis
	// Deeds are what it says was done beside them, as older forms of an answer do.
	Deeds []Shown
	// Undone are what it says was not done beside them, in the same way.
	Undone []string
}

// maxAnswer is the length in bytes from which on an answer is not read.
const maxAnswer = 1 << 20

// ErrNoAnswer is what a text is that answers no request: a text like any other.
var ErrNoAnswer = errors.New("there is no answer to the letters; answer with one JSON object")

// Read reads the answer to a request for proof: a JSON object by letters. What stands around
// it is not for the user, so it may be there: a fence, a word of explanation, the model's
// thoughts. Lists and prose that cite calls are understood, too, and so are the items of
// older versions.
func Read(answer string, letters []Letter, list List) (Answer, error) {
	text := strings.TrimSpace(unthought(strings.TrimPrefix(strings.TrimSpace(answer), "\ufeff")))
	switch {
	case text == "":
		return Answer{}, fmt.Errorf("the answer is empty: %w", ErrNoAnswer)
	case len(text) > maxAnswer:
		return Answer{}, fmt.Errorf("the answer has %d bytes; at most %d are read", len(text), maxAnswer)
	}
	r := reader{letters: letters, list: list, read: Answer{Letters: map[string]Basis{}}}
	if at := strings.IndexAny(text, "{["); at >= 0 && isJSONAt(text, at) {
		r.values(text[at:])
	} else {
		r.prose(text)
	}
	return r.answer()
}

// isJSONAt reports whether what begins at a place may be JSON: a citation in brackets is not.
func isJSONAt(text string, at int) bool {
	if text[at] == '{' {
		return true
	}
	rest := strings.TrimLeft(text[at+1:], " \t\r\n")
	return rest != "" && strings.IndexByte(`{["`, rest[0]) >= 0
}

// unthought takes away what a model thought before it answered, where its provider leaves
// that in the text.
func unthought(text string) string {
	const opens, closes = "<think>", "</think>"
	if !strings.HasPrefix(text, opens) {
		return text
	}
	if end := strings.LastIndex(text, closes); end >= 0 {
		return text[end+len(closes):]
	}
	return text
}

// reader is an answer as it is understood so far.
type reader struct {
	letters  []Letter
	list     List
	read     Answer
	items    []item
	itemized bool   // it is a list of items, if only an empty one
	object   string // the one that held the answer: there are no two
	fault    error
}

func (r *reader) fail(format string, args ...any) {
	if r.fault == nil {
		r.fault = fmt.Errorf(format, args...)
	}
}

// answer is what was understood in the end.
func (r *reader) answer() (Answer, error) {
	if r.fault != nil {
		return Answer{}, r.fault
	}
	if len(r.read.Letters) == 0 && (len(r.items) > 0 || r.itemized) {
		if len(r.items) > maxItems {
			return Answer{}, fmt.Errorf("there are %d items; at most %d are read", len(r.items), maxItems)
		}
		r.read.Letters = lettersOf(r.items, r.letters)
		r.read.Deeds, r.read.Undone = deedsOf(r.items)
		return r.read, nil
	}
	if len(r.read.Letters) == 0 && r.read.Message == nil && r.object == "" {
		return Answer{}, ErrNoAnswer
	}
	return r.read, nil
}

// values reads the JSON values that a text begins with.
func (r *reader) values(text string) {
	text = jsonspan.WithoutLastCommas(text)
	for strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		var value any
		decoder := json.NewDecoder(strings.NewReader(text))
		if err := decoder.Decode(&value); err != nil {
			printed, whole := jsonspan.FromPrinted(text) // as Python prints it
			if !whole || json.Unmarshal(printed, &value) != nil {
				r.fail("the answer is no JSON object of the given shape: %w", err)
				return
			}
			r.value(value, 0)
			return
		}
		r.value(value, 0)
		rest := text[decoder.InputOffset():]
		next := strings.IndexByte(rest, '{')
		if next < 0 {
			return
		}
		text = rest[next:]
	}
}

// maxNesting is how deep an answer may lie inside of other values.
const maxNesting = 4

func (r *reader) value(value any, depth int) {
	switch v := value.(type) {
	case string:
		r.sentences(v)
	case []any:
		for _, element := range v {
			r.value(element, depth)
		}
	case map[string]any:
		r.members(v, depth)
	}
}

// members reads an object: letters, items, one item, or something around them.
func (r *reader) members(object map[string]any, depth int) {
	parts := map[string]any{}
	found := false
	for name, member := range object {
		if letter := named(r.letters, name); letter != nil {
			r.read.Letters[letter.Name] = r.basis(member)
			found = true
			continue
		}
		if ours := nameOf(name); ours != "" && parts[ours] == nil {
			parts[ours] = member
		}
	}
	items, many := parts["items"].([]any)
	_, what := parts["what"].(string)
	switch _, told := parts["message"]; {
	case found, many, told && depth == 0:
		if !found && !many { // it may lie further inside
			r.inside(object, depth)
			r.message(parts["message"])
			if r.object == "" {
				r.object = "{}"
			}
			return
		}
		r.take(object, parts["message"])
		r.itemized = r.itemized || many
		r.value(items, depth+1)
	case what && (parts["status"] != nil || parts["records"] != nil):
		r.items = append(r.items, itemOf(r, parts))
	case depth < maxNesting:
		r.inside(object, depth)
	}
}

// inside reads the members of an object that is something around an answer.
func (r *reader) inside(object map[string]any, depth int) {
	for _, member := range object {
		if _, isText := member.(string); !isText {
			r.value(member, depth+1)
		}
	}
}

// take notes the object that is the answer, and the message in it. Two that differ are none.
func (r *reader) take(object map[string]any, message any) {
	written, _ := json.Marshal(object)
	if r.object != "" && r.object != string(written) {
		r.fail("the answer holds several JSON objects; answer with one")
	}
	r.object = string(written)
	r.message(message)
}

// message notes what the user is to read instead of the draft.
func (r *reader) message(message any) {
	if text, isText := message.(string); isText && strings.TrimSpace(text) != "" && strings.TrimSpace(text) != "null" {
		r.read.Message = &text
	}
}

// basis is what a value says of a letter.
func (r *reader) basis(value any) (basis Basis) {
	switch v := value.(type) {
	case bool:
		basis.NotDone = !v
	case string:
		return basisIn(v)
	case []any:
		for _, element := range v {
			one := r.basis(element)
			basis.Records = append(basis.Records, one.Records...)
			basis.NoCall, basis.NotDone = basis.NoCall || one.NoCall, basis.NotDone || one.NotDone
		}
		basis.NoCall = basis.NoCall || len(v) == 0
	case map[string]any:
		for _, member := range v {
			one := r.basis(member)
			basis.Records = append(basis.Records, one.Records...)
			basis.NoCall, basis.NotDone = basis.NoCall || one.NoCall, basis.NotDone || one.NotDone
		}
	default:
		basis.Records = r.numbers(v)
	}
	return basis
}

var (
	noCall  = whenUsed(`(?i)\bno[ _-]?(?:call|tool|record|evidence)|\bnone\b|\bn/a\b|\bgeneral\b|not needed|needs none`)
	notDone = whenUsed(`(?i)\bnot[ _-]?(?:done|true|so|shown|made|sent|correct)|\bfalse\b|\bundone\b`)
)

// whenUsed compiles a pattern when it is first used: most programs end without a question.
func whenUsed(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// basisIn is what words say of a letter.
func basisIn(text string) Basis {
	switch {
	case notDone().MatchString(text):
		return Basis{NotDone: true}
	case noCall().MatchString(text):
		return Basis{NoCall: true}
	}
	return Basis{Records: numbersIn(text)}
}

// numbers are those of records, however they are written: 3, "#3", "#3 and #4", {"id": 3}.
func (r *reader) numbers(value any) (numbers []int) {
	switch v := value.(type) {
	case float64:
		if v != float64(int(v)) {
			r.fail("%v is no number of a call; use those of the list", v)
			return nil
		}
		return []int{int(v)}
	case string:
		return numbersIn(v)
	case []any:
		for _, element := range v {
			numbers = append(numbers, r.numbers(element)...)
		}
	case map[string]any:
		for _, member := range v {
			numbers = append(numbers, r.numbers(member)...)
		}
	}
	return numbers
}

var (
	marked   = regexp.MustCompile(`#([0-9]{1,3})\b`)
	unmarked = regexp.MustCompile(`\b([0-9]{1,3})\b`)
)

// numbersIn are those in a text: the ones with a mark, or else all.
func numbersIn(text string) (numbers []int) {
	found := marked.FindAllStringSubmatch(text, -1)
	if found == nil {
		found = unmarked.FindAllStringSubmatch(text, -1)
	}
	for _, one := range found {
		number, _ := strconv.Atoi(one[1])
		numbers = append(numbers, number)
	}
	return numbers
}

// IsAnswer reports whether a text is an answer to a request for proof, whichever letters it
// had, and what it says to the user. No such text is ever shown. An answer for a program may
// have members of its own, and is none.
func IsAnswer(text string) (message string, is bool) {
	text = strings.TrimSpace(unthought(strings.TrimSpace(text)))
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return "", from >= 0 && breaksOff(text[from:])
	}
	var object map[string]any
	if json.Unmarshal([]byte(jsonspan.WithoutLastCommas(text[from:to+1])), &object) != nil {
		return "", breaksOff(text[from:])
	}
	_, told := object["message"]
	letters := 0
	for name, member := range object {
		switch one := strings.ToLower(name); {
		case one == "message":
			message, _ = member.(string)
		case one == "items" || one == "claims":
			if !areItems(member, told && object["message"] == nil) {
				return "", false
			}
			letters++
		case len(one) == 1 && one[0] >= 'a' && one[0] < 'a'+MaxLetters:
			letters++
		default:
			return "", false
		}
	}
	return message, letters > 0 && (told || letters == len(object)) || told && object["message"] == nil
}

// areItems reports whether a value is a list of items, or an empty one. Beside no message they
// may be mere words.
func areItems(value any, words bool) bool {
	list, isList := value.([]any)
	for _, element := range list {
		if _, isText := element.(string); isText && words {
			continue
		}
		object, isObject := element.(map[string]any)
		if !isObject || object["what"] == nil || object["status"] == nil {
			return false
		}
	}
	return isList || value == nil
}

// breaksOff reports whether a text begins like an answer and ends before its end, or cannot
// be read.
func breaksOff(text string) bool {
	items := strings.Contains(text, `"items"`) && (strings.Contains(text, `"what"`) || strings.Contains(text, `"message"`))
	lettered := regexp.MustCompile(`^\{\s*"[a-h]"\s*:`).MatchString(text)
	return items || lettered
}
