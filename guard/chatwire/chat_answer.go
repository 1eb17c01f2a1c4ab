package chatwire

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// chatAssembler puts an answer of the chat-completions format together. Pieces of a call
// are joined by their index, then by their id.
type chatAssembler struct {
	gathering
	slots      []slot
	tooMany    bool
	wholeCalls bool // calls do not come in pieces
}

func (chat) stream() streaming { return &chatAssembler{} }

func (a *chatAssembler) finish() (reading, error) {
	a.drafts = a.joined()
	return a.over(func(r *reading) json.RawMessage { return encodeMessage(r.response.Message) })
}

var chatCounts = map[string]count{
	"prompt_tokens": {input: true}, "completion_tokens": {output: true}, "total_tokens": {input: true, output: true},
}

func (a *chatAssembler) take(top span) error {
	found, err := top.members("the answer", "error", "choices", "usage", "x_groq")
	if err != nil {
		return err
	}
	if err := providerFault(found[0]); err != nil {
		return err
	}
	a.countAt(found[2], chatCounts)
	a.countAt(found[3].at("usage"), chatCounts) // Groq's streams have it there
	if a.whole {
		first, others, err := firstOf(found[1], "choices")
		if a.drops = others; err != nil {
			return err
		}
		return a.takeChoice(first)
	}
	if found[1].absent() {
		return nil // keep-alives and annotations of the server's own
	}
	choices, err := found[1].elements("choices")
	if err != nil {
		return err
	}
	kept := noIndex
	for i, choice := range choices {
		if index := choice.at("index"); !index.absent() && string(index.bytes()) != "0" {
			continue // another choice: its pieces must not mix with these
		}
		if err := a.takeChoice(choice); err != nil {
			return err
		}
		kept = i
	}
	a.drops = append(a.drops, besides(a.chunks, choices, kept)...)
	return nil
}

// firstOf is the element of a list with the index 0, or the first if none says so, and
// where the others stand. One answer is asked for, so only one is judged and handed on.
func firstOf(list span, name string) (first span, others []place, err error) {
	if list.absent() {
		return first, nil, errors.New("it has no " + name)
	}
	elements, err := list.elements(name)
	if err != nil {
		return first, nil, err
	}
	if len(elements) == 0 {
		return first, nil, errors.New(name + " is empty")
	}
	at := max(0, slices.IndexFunc(elements, func(element span) bool {
		found, err := element.members("an element", "index")
		return err == nil && string(found[0].bytes()) == "0"
	}))
	return elements[at], besides(0, elements, at), nil
}

// besides is where the elements of a list stand, with the commas around them, but for one;
// none is kept if its number is noIndex.
func besides(chunk int, elements []span, keep int) []place {
	last := len(elements) - 1
	switch {
	case last < 0 || last == 0 && keep == 0:
		return nil
	case keep == noIndex:
		return []place{{chunk, elements[0].from, elements[last].to}}
	}
	var others []place
	if keep > 0 {
		others = append(others, place{chunk, elements[0].from, elements[keep].from})
	}
	if keep < last {
		others = append(others, place{chunk, elements[keep].to, elements[last].to})
	}
	return others
}

func (a *chatAssembler) takeChoice(choice span) error {
	found, err := choice.members("the choice", "error", "delta", "message", "finish_reason", "native_finish_reason",
		"logprobs", "content_filter_results", "index")
	if err != nil {
		return err
	}
	if err := providerFault(found[0]); err != nil {
		return err
	}
	a.begun = true
	a.media = append(a.media, a.at(found[5])...)
	message := found[1]
	if a.whole || message.absent() && a.text.Len() == 0 && len(a.slots) == 0 {
		message = found[2] // the whole message at once
	}
	if !message.absent() {
		err = a.takeMessage(message)
	} else if a.whole && !filtered(found[6]) {
		// Azure sends no message when its filter took it away.
		if stop, _ := readStop(found[3], found[4]); stop != guard.StopFiltered {
			return errors.New("the choice has no message")
		}
	} else if a.whole {
		a.response.Stop = guard.StopFiltered
	}
	if err != nil {
		return err
	}
	return a.stopAt(found[3], found[4])
}

// filtered reports a category of content_filter_results that says so.
func filtered(results span) bool {
	found := false
	if results.kind() == '{' {
		results.eachMember(func(_ string, category span) {
			members, err := category.members("a category", "filtered")
			found = found || err == nil && string(members[0].bytes()) == "true"
		})
	}
	return found
}

// readStop takes the worse of the two reasons: gateways translate the
// provider's own one, not always faithfully.
func readStop(reasons ...span) (guard.Stop, error) {
	worst := guard.StopEnd
	for _, reason := range reasons {
		text, err := reason.text("finish_reason")
		if err != nil {
			return worst, badBody(err)
		}
		stop, answered := stopOf(text)
		if !answered {
			return worst, &BodyError{Reason: "finish_reason is " + clipped(text)}
		}
		if worst == guard.StopEnd {
			worst = stop
		}
	}
	return worst, nil
}

// takeMessage reads a message, or a piece of one.
func (a *chatAssembler) takeMessage(message span) error {
	found, err := message.members("the message", "content", "refusal", "tool_calls", "function_call", "role")
	if err != nil {
		return err
	}
	said, err := readContent(found[0])
	if err != nil {
		return err
	}
	refusal, err := found[1].text("refusal")
	if err != nil {
		return err
	}
	a.text.WriteString(said.text)
	a.refusal.WriteString(refusal + said.refusal)
	a.beside.join(readBeside(message, a.chunks))
	a.beside.join(said.beside)
	a.seen.seeMessage(message)
	a.lists = append(a.lists, a.at(found[2], found[3])...)
	if found[0].from != found[0].to { // null counts, too: a text can be put there
		a.texts = append(a.texts, place{a.chunks, found[0].from, found[0].to})
	}
	if a.spare == nil {
		a.spare = sparePlace(a.chunks, message)
	}
	if !a.whole {
		return a.joinCalls(found[2], found[3])
	}
	if role, err := found[4].text("role"); err != nil || role != "" && role != "assistant" {
		return errors.New("the message is not the assistant's")
	}
	a.response.Message.Raw = message.bytes()
	return a.takeCalls(found[2], found[3])
}

// takeCalls reads calls that are whole.
func (a *chatAssembler) takeCalls(list, legacy span) error {
	drafts, err := readCalls(list, legacy, a.chunks)
	for _, d := range drafts {
		a.slots = append(a.slots, slot{d, noIndex})
	}
	return err
}

// sparePlace is where a member can be added to an object that has others.
func sparePlace(chunk int, object span) *place {
	if object.kind() != '{' || object.body[jsonspan.SkipSpace(object.body, object.from+1)] == '}' {
		return nil
	}
	return &place{chunk, object.from + 1, object.from + 1}
}

func placesOf(chunk int, values ...span) []place {
	var places []place
	for _, value := range values {
		if !value.absent() {
			places = append(places, place{chunk, value.from, value.to})
		}
	}
	return places
}

// content is what the content of a message holds.
type content struct {
	text, refusal string
	beside        beside
}

// readContent reads a string or a list of parts.
func readContent(value span) (content, error) {
	var c content
	if value.kind() != '[' {
		text, err := value.text("content")
		return content{text: text}, err
	}
	var said, refused strings.Builder
	err := value.eachIn("content", func(part span) error {
		kind, found, err := part.typed("a part of content", "text", "refusal")
		if err != nil {
			return err
		}
		var w words
		text, refusal := w.of(found[1], "the text of a part"), w.of(found[2], "the refusal of a part")
		if text == "" && refusal == "" {
			c.beside.see(kind)
		}
		said.WriteString(text)
		refused.WriteString(refusal)
		return w.err
	})
	c.text, c.refusal = said.String(), refused.String()
	return c, err
}

// readCalls reads tool_calls and the older function_call. A message that uses
// both for different calls contradicts itself.
func readCalls(list, legacy span, chunk int) ([]draft, error) {
	var drafts []draft
	if !list.absent() {
		calls, err := list.elements("tool_calls")
		if err != nil {
			return nil, err
		}
		for _, call := range calls {
			drafts = append(drafts, readCall(call, chunk))
		}
	}
	if noCall(legacy) {
		return drafts, nil
	}
	var p piece
	p.readFunction(legacy)
	d := p.draft(chunk)
	switch {
	case len(drafts) == 0:
		return []draft{d}, nil
	case len(drafts) == 1 && drafts[0].name == d.name && string(drafts[0].args) == string(d.args):
		return drafts, nil
	}
	return nil, errors.New("tool_calls and function_call disagree")
}

// noCall reports a function_call that is none: missing, null, or empty in all
// its parts, as some servers fill the member beside a text.
func noCall(legacy span) bool {
	if legacy.kind() != '{' {
		return legacy.absent()
	}
	found, err := legacy.members("function_call", "name", "arguments")
	return err == nil && blank(found[0]) && blank(found[1])
}

func blank(value span) bool { return value.absent() || string(value.bytes()) == `""` }
