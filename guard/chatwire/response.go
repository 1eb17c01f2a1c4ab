package chatwire

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// ParseResponse reads a whole chat-completions answer. Of several choices the
// one with the index 0 is read. The error is a [*BodyError].
func ParseResponse(body []byte) (guard.Response, error) {
	read, err := readBody(body)
	return read.response, err
}

// ParseChoice reads one element of choices.
func ParseChoice(body []byte) (guard.Response, error) {
	choice, err := whole(body)
	if err != nil {
		return guard.Response{}, badBody(err)
	}
	read, err := readChoice(choice)
	return read.response, err
}

func readBody(body []byte) (reading, error) {
	found, err := openBody(body, "choices", "usage")
	if err != nil {
		return reading{}, err
	}
	choice, others, err := firstOf(found[1], "choices")
	if err != nil {
		return reading{}, badBody(err)
	}
	read, err := readChoice(choice)
	read.response.Usage = usageOf(countPlaces(0, found[2]))
	read.counts = countPlaces(0, found[2])
	read.drops = others
	read.response.Raw = body
	return read, err
}

// openBody finds members of a whole answer; the first of what is found is its
// error. The error is a [*BodyError], and so is one that the provider told.
func openBody(body []byte, keys ...string) ([]span, error) {
	top, err := whole(body)
	if err != nil {
		return nil, badBody(err)
	}
	found, err := top.members("the body", append([]string{"error"}, keys...)...)
	if err != nil {
		return nil, badBody(err)
	}
	return found, providerFault(found[0])
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

func readChoice(choice span) (reading, error) {
	found, err := choice.members("the choice",
		"error", "message", "finish_reason", "native_finish_reason", "content_filter_results", "logprobs")
	if err != nil {
		return reading{}, badBody(err)
	}
	if err := providerFault(found[0]); err != nil {
		return reading{}, err
	}
	stop, err := readStop(found[2], found[3])
	if err != nil {
		return reading{}, err
	}
	if found[1].absent() {
		return readFiltered(stop, found[4])
	}
	read, err := readMessage(found[1], stop)
	if err != nil {
		return reading{}, badBody(err)
	}
	read.stops = stopPlaces(0, found[2])
	read.media = append(read.media, placesOf(0, found[5])...)
	return read, nil
}

// readFiltered reads a choice without a message, as Azure sends it when its
// filter took the message away.
func readFiltered(stop guard.Stop, results span) (reading, error) {
	if stop != guard.StopFiltered && !filtered(results) {
		return reading{}, badBody(errors.New("the choice has no message"))
	}
	read := reading{response: guard.Response{Message: guard.Message{Role: guard.RoleAssistant}, Stop: guard.StopFiltered}}
	read.response.Message.Raw = encodeMessage(read.response.Message)
	return read, nil
}

// filtered reports a category of content_filter_results that says so.
func filtered(results span) bool {
	found := false
	if results.kind() == '{' {
		results.eachMember(func(_ string, category span) {
			if category.kind() == '{' {
				members, err := category.members("a category", "filtered")
				found = found || err == nil && string(members[0].bytes()) == "true"
			}
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

func readMessage(message span, stop guard.Stop) (reading, error) {
	found, err := message.members("the message", "role", "content", "refusal", "tool_calls", "function_call")
	if err != nil {
		return reading{}, err
	}
	if role, err := found[0].text("role"); err != nil || role != "" && role != "assistant" {
		return reading{}, errors.New("the message is not the assistant's")
	}
	said, err := readContent(found[1])
	if err != nil {
		return reading{}, err
	}
	refusal, err := found[2].text("refusal")
	if err != nil {
		return reading{}, err
	}
	drafts, err := readCalls(found[3], found[4])
	if err != nil {
		return reading{}, err
	}
	beside := readBeside(message, 0)
	beside.join(said.beside)
	read := reading{
		drafts: drafts, lists: placesOf(0, found[3], found[4]), texts: textPlaces(0, found[1]),
		media: beside.places, spare: sparePlace(0, message),
	}
	read.response = guard.Response{
		Message: guard.Message{Role: guard.RoleAssistant, Text: said.text, Raw: json.RawMessage(message.bytes())},
		Stop:    stop, Refusal: strings.TrimSpace(refusal + said.refusal),
	}
	read.seen.seeMessage(message)
	read.complete(encodeMessage)
	read.stand(beside)
	return read, nil
}

// complete fills in what follows from the calls and the refusal.
func (r *reading) complete(encode func(guard.Message) json.RawMessage) {
	response := &r.response
	response.Message.Seen = r.seen
	var changed bool
	sent := len(r.drafts)
	r.drafts, response.Message.Calls, response.Faults, changed = finish(r.drafts)
	r.dropped = len(r.drafts) < sent
	if changed { // the provider's own message would no longer fit the results
		response.Message.Raw = encode(response.Message)
	}
	if response.Refusal != "" && response.Stop == guard.StopEnd {
		response.Stop = guard.StopRefused
	}
}

// stopPlaces is where a finish reason stands, if one does.
func stopPlaces(chunk int, reason span) []stopPlace {
	text, err := reason.text("finish_reason")
	if err != nil || text == "" {
		return nil
	}
	return []stopPlace{{place{chunk, reason.from, reason.to}, text}}
}

// sparePlace is where a member can be added to an object that has others.
func sparePlace(chunk int, object span) *place {
	if object.kind() != '{' || object.body[jsonspan.SkipSpace(object.body, object.from+1)] == '}' {
		return nil
	}
	return &place{chunk, object.from + 1, object.from + 1}
}

// textPlaces counts null, too: a text can be put there.
func textPlaces(chunk int, value span) []place {
	if value.from == value.to {
		return nil
	}
	return []place{{chunk, value.from, value.to}}
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
	parts, err := value.elements("content")
	if err != nil {
		return c, err
	}
	var said, refused strings.Builder
	for _, part := range parts {
		found, err := part.members("a part of content", "type", "text", "refusal")
		if err != nil {
			return c, err
		}
		text, err := found[1].text("the text of a part")
		if err != nil {
			return c, err
		}
		refusal, err := found[2].text("the refusal of a part")
		if err != nil {
			return c, err
		}
		if kind, _ := found[0].text("type"); text == "" && refusal == "" {
			c.beside.see(kind)
		}
		said.WriteString(text)
		refused.WriteString(refusal)
	}
	c.text, c.refusal = said.String(), refused.String()
	return c, nil
}

// readCalls reads tool_calls and the older function_call. A message that uses
// both for different calls contradicts itself.
func readCalls(list, legacy span) ([]draft, error) {
	var drafts []draft
	if !list.absent() {
		calls, err := list.elements("tool_calls")
		if err != nil {
			return nil, err
		}
		for _, call := range calls {
			drafts = append(drafts, readCall(call, 0))
		}
	}
	if noCall(legacy) {
		return drafts, nil
	}
	var d draft
	d.readFunction(legacy, 0)
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
