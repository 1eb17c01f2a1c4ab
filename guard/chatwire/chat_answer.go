package chatwire

import (
	"encoding/json"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// chatAssembler puts an answer of the chat-completions format together. Pieces of a call
// are joined by their index, then by their id.
type chatAssembler struct {
	gathering
	joining    []draft // calls that are being put together
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

func (a *chatAssembler) take(top span) {
	found := top.members("the answer", "error", "choices", "usage", "x_groq")
	providerFault(found[0])
	a.countAt(found[2], chatCounts)
	a.countAt(found[3].at("usage"), chatCounts) // Groq's streams have it there
	choices := found[1].list("choices")         // absent in keep-alives and annotations of the server's own
	kept := noIndex
	if a.whole {
		kept = firstOf(found[1], choices, "choices")
	}
	for i, choice := range choices {
		index := choice.at("index")
		if a.whole && i != kept || !a.whole && !index.absent() && !index.is("0") {
			continue // another choice: its pieces must not mix with these
		}
		a.takeChoice(choice)
		kept = i
	}
	a.drops = append(a.drops, othersIn(a.chunks, choices, kept)...)
}

// firstOf is the place of the element with the index 0, or the first if none says so. One
// answer is asked for, so only one is judged and handed on.
func firstOf(list span, elements []span, name string) int {
	switch {
	case list.absent():
		list.failf("it has no %s", name)
	case len(elements) == 0:
		list.failf("%s is empty", name)
	}
	return max(0, slices.IndexFunc(elements, func(element span) bool { return element.only("index").is("0") }))
}

// othersIn is where the elements of a list stand, with the commas around them, but for one;
// none is kept if its number is noIndex.
func othersIn(chunk int, elements []span, keep int) []place {
	if len(elements) == 0 {
		return nil
	}
	all := place{chunk, elements[0].from, elements[len(elements)-1].to}
	if keep == noIndex {
		return []place{all}
	}
	around := []place{{chunk, all.from, elements[keep].from}, {chunk, elements[keep].to, all.to}}
	return slices.DeleteFunc(around, func(at place) bool { return at.from == at.to })
}

func (a *chatAssembler) takeChoice(choice span) {
	found := choice.members("the choice", "error", "delta", "message", "finish_reason", "native_finish_reason",
		"logprobs", "content_filter_results", "index")
	providerFault(found[0])
	a.begun = true
	a.media = append(a.media, a.at(found[5])...)
	message := found[1]
	if a.whole || message.absent() && a.text.Len() == 0 && len(a.joining) == 0 {
		message = found[2] // the whole message at once
	}
	if !message.absent() {
		a.takeMessage(message)
	}
	a.stopAt(found[3], found[4])
	switch { // Azure sends no message when its filter took it away
	case !a.whole || !message.absent():
	case filtered(found[6]):
		a.response.Stop = guard.StopFiltered
	case a.response.Stop != guard.StopFiltered:
		choice.failf("the choice has no message")
	}
}

// filtered reports a category of content_filter_results that says so.
func filtered(results span) bool {
	found := false
	results.eachMember(func(_ string, category span) { found = found || category.only("filtered").is("true") })
	return found
}

// readStop takes the worse of the two reasons: gateways translate the
// provider's own one, not always faithfully.
func readStop(reasons ...span) guard.Stop {
	worst := guard.StopEnd
	for _, reason := range reasons {
		text := reason.text("finish_reason")
		stop, answered := stopOf(text)
		if !answered {
			reason.fail(&BodyError{Reason: "finish_reason is " + clipped(text)})
		}
		if worst == guard.StopEnd {
			worst = stop
		}
	}
	return worst
}

// takeMessage reads a message, or a piece of one.
func (a *chatAssembler) takeMessage(message span) {
	found := message.members("the message", "content", "refusal", "tool_calls", "function_call", "role")
	a.refusal.WriteString(found[1].text("refusal"))
	a.extras.join(readExtras(message, a.chunks))
	a.addContent(readContent(found[0]))
	a.seen.seeMessage(message)
	a.lists = append(a.lists, a.at(found[2], found[3])...)
	if found[0].from != found[0].to { // null counts, too: a text can be put there
		a.texts = append(a.texts, place{a.chunks, found[0].from, found[0].to})
	}
	if a.spare == nil {
		a.spare = sparePlace(a.chunks, message)
	}
	switch {
	case a.whole:
		checkRole(found[4], "assistant", "the message")
		a.response.Message.Raw = message.bytes()
		fallthrough
	case a.wholeCalls:
		a.joining = append(a.joining, readCalls(found[2], found[3], a.chunks)...)
	default:
		a.joinCalls(found[2], found[3])
	}
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

// readCalls reads tool_calls and the older function_call. A message that uses
// both for different calls contradicts itself.
func readCalls(list, legacy span, chunk int) []draft {
	var drafts []draft
	for _, call := range list.list("tool_calls") {
		drafts = append(drafts, readPiece(call, false).draft(chunk))
	}
	if noCall(legacy) {
		return drafts
	}
	d := legacyPiece(legacy).draft(chunk)
	switch {
	case len(drafts) == 0:
		return []draft{d}
	case len(drafts) > 1 || drafts[0].name != d.name || string(drafts[0].args) != string(d.args):
		legacy.failf("tool_calls and function_call disagree")
	}
	return drafts
}

// noCall reports a function_call that is none: missing, null, or empty in all
// its parts, as some servers fill the member beside a text.
func noCall(legacy span) bool {
	if legacy.kind() != '{' {
		return legacy.absent()
	}
	found, err := legacy.look("function_call", "name", "arguments")
	return err == nil && blank(found[0]) && blank(found[1])
}

func blank(value span) bool { return value.absent() || value.is(`""`) }
