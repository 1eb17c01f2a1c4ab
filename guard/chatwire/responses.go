package chatwire

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
)

// responses is the Responses format. A conversation is a list of items: messages,
// calls, results, thoughts, and calls that the provider ran by itself. Part of it
// may lie with the provider, known by the id of an earlier response. Errors look as in chat
// completions.
type responses struct{ chat }

func (responses) fits(_ string, top span, o *offer) bool {
	return !o.wrapped && !o.legacy && o.forms[flatTool] && top.has("input")
}

func (responses) capabilities(*Request) guard.Capabilities { return guard.Capabilities{} }

func (responses) stream() streaming { return &responsesAssembler{} }

// readResponse reads a whole answer.
func readResponse(body []byte) (reading, error) {
	top, err := whole(body)
	if err != nil {
		return reading{}, badBody(err)
	}
	a := responsesReader{gathering{whole: true, begun: true}}
	if a.err = a.takeAnswer(top); a.err != nil {
		if _, known := a.err.(*BodyError); !known {
			a.err = badBody(a.err)
		}
	}
	read, err := a.over((*reading).replayItems)
	read.response.Raw = body
	return read, err
}

// responsesReader reads the items of an answer.
type responsesReader struct{ gathering }

var responsesCounts = map[string]count{
	"input_tokens": {input: true}, "output_tokens": {output: true}, "total_tokens": {input: true, output: true},
}

func (a *responsesReader) takeAnswer(top span) error {
	found, err := top.members("the body", "error", "status", "incomplete_details", "output", "usage", "id")
	if err != nil {
		return err
	}
	if err := providerFault(found[0]); err != nil {
		return err
	}
	if a.response.Stop, err = readStatus(found[1], found[2]); err != nil {
		return err
	}
	if found[3].absent() {
		return errors.New("it has no output")
	}
	a.lists = a.at(found[3])
	a.id, _ = found[5].text("id")
	a.countAt(found[4], responsesCounts)
	return found[3].eachIn("output", a.takeItem)
}

// readStatus tells whether an answer is whole. One that is still to come is no
// answer.
func readStatus(status, details span) (guard.Stop, error) {
	said, err := status.text("status")
	if err != nil {
		return guard.StopCut, err
	}
	switch said {
	case "completed", "complete", "":
		return guard.StopEnd, nil
	case "incomplete", "cancelled":
		if stop, _ := stopOf(member(details, "reason")); stop != guard.StopEnd {
			return stop, nil
		}
		return guard.StopCut, nil
	}
	return guard.StopCut, fmt.Errorf("its status is %q", clipped(said))
}

// takeItem reads one item of the output. What a provider ran by itself passes by;
// a call of a kind that was not offered is refused.
func (a *responsesReader) takeItem(element span) error {
	kind, found, err := element.typed("the item", "role", "content", "call_id", "name", "arguments", "status")
	if err != nil {
		return err
	}
	item := block{kind: kind, raw: element.bytes(), at: element}
	switch kind {
	case "message":
		if role, err := found[1].text("role"); err != nil || role != "assistant" && role != "" {
			return errors.New("the message is not the assistant's")
		}
		said, err := readContent(found[2])
		a.text.WriteString(said.text)
		a.refusal.WriteString(said.refusal)
		a.beside.join(said.beside)
		a.blocks = append(a.blocks, item)
		return err
	case "function_call":
		a.addCall(item, readItemCall(found[3], found[4], found[5], found[6]))
		return nil
	case "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call":
		if a.seen.seeItem(kind, element) {
			item.kind = "provider_call" // nobody else runs it
			break
		}
		d := draft{id: member(element, "call_id"), name: member(element, "name")}
		d.refuse("the call is of the kind " + kind + ", which was not offered")
		a.addCall(item, d)
		return nil
	default:
		a.seen.seeItem(kind, element)
		a.beside.see(kind)
	}
	a.blocks = append(a.blocks, item)
	return nil
}

func readItemCall(id, name, arguments, status span) draft {
	d := draftOf(id, name)
	if string(status.bytes()) == `"incomplete"` {
		d.refuse("the call was cut off")
	}
	d.addArguments(arguments, 0)
	return d
}

// replayItems is the answer as it is sent back: its items as one JSON list.
func (r *reading) replayItems() json.RawMessage {
	items := r.asCame(itemOf)
	if len(items) == 0 {
		return nil
	}
	return marshalList(items)
}
