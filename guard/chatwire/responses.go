package chatwire

import (
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// responses is the Responses format. A conversation is a list of items: messages, calls, results,
// thoughts, and calls that the provider ran by itself. Part of it may lie with the provider, known
// by the id of an earlier response. Errors look as in chat completions.
type responses struct{ chat }

func (responses) capabilities(*Request) guard.Capabilities { return guard.Capabilities{} }

func (responses) stream() streaming {
	return &responsesAssembler{items: map[int]json.RawMessage{}, args: map[int]*strings.Builder{}}
}

// readResponse reads a whole answer.
func readResponse(body []byte) (reading, error) {
	g := gathering{whole: true, begun: true}
	_, _ = g.add(body, g.takeResponse) // the error stays
	read, err := g.over((*reading).replayItems)
	read.response.Raw = body
	return read, err
}

var responsesCounts = map[string]count{
	"input_tokens": {input: true}, "output_tokens": {output: true}, "total_tokens": {input: true, output: true},
}

func (g *gathering) takeResponse(top span) {
	found := top.members("the body", "error", "status", "incomplete_details", "output", "usage", "id")
	providerFault(found[0])
	g.response.Stop = readStatus(found[1], found[2])
	if found[3].absent() {
		top.failf("it has no output")
	}
	g.lists = g.at(found[3])
	g.id = found[5].said()
	g.countAt(found[4], responsesCounts)
	found[3].each("output", g.takeItem)
}

// readStatus tells whether an answer is whole. One that is still to come is no answer.
func readStatus(status, details span) guard.Stop {
	switch said := status.text("status"); said {
	case "completed", "complete", "":
		return guard.StopEnd
	case "incomplete", "cancelled":
		if stop, _ := stopOf(details.member("reason")); stop != guard.StopEnd {
			return stop
		}
	default:
		status.failf("its status is %q", clipped(said))
	}
	return guard.StopCut
}

// takeItem reads one item of the output. What a provider ran by itself passes by;
// a call of a kind that was not offered is refused.
func (g *gathering) takeItem(element span) {
	kind, found := element.typed("the item", "role", "content", "call_id", "name", "arguments", "status")
	item := block{kind: kind, raw: element.bytes(), at: element}
	switch kind {
	case "message":
		checkRole(found[1], "assistant", "the message")
		g.addContent(readContent(found[2]))
	case "function_call":
		d := draftOf(found[3], found[4])
		if found[6].is(`"incomplete"`) {
			d.refuse("the call was cut off")
		}
		d.addArguments(found[5], 0)
		g.addCall(item, d)
		return
	case "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call":
		if !g.seen.seeItem(kind, element) {
			d := draft{id: element.member("call_id"), name: element.member("name")}
			d.refuse("the call is of the kind " + kind + ", which was not offered")
			g.addCall(item, d)
			return
		}
		item.kind = "provider_call" // nobody else runs it
	default:
		g.seen.seeItem(kind, element)
		g.extras.see(kind)
	}
	g.blocks = append(g.blocks, item)
}

// replayItems is the answer as it is sent back: its items as one JSON list.
func (r *reading) replayItems() json.RawMessage {
	if items := r.asCame(itemOf); len(items) > 0 {
		return marshalList(items)
	}
	return nil
}
