package chatwire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// responses is the Responses format. A conversation is a list of items: messages,
// calls, results, thoughts, and calls that the provider ran by itself. Part of it
// may lie with the provider, known by the id of an earlier response.
type responses struct{}

func (responses) fits(_ string, top span, o *offer) bool {
	return !o.wrapped && !o.legacy && o.forms[flatTool] && top.has("input")
}

func (responses) parse(body []byte) (*Request, error) { return ParseResponsesRequest(body) }

func (responses) capabilities(*Request) guard.Capabilities { return guard.Capabilities{} }

func (responses) read(body []byte) (reading, error) { return readResponsesBody(body) }

func (responses) stream() streaming { return &ResponsesAssembler{} }

func (responses) frame(chunks [][]byte) []byte { return frameNamed(chunks) }

func (responses) fault(err *BodyError) []byte { return chat{}.fault(err) }

func (responses) refusal(told refusalError) ([]byte, error) { return chat{}.refusal(told) }

// ParseResponsesResponse reads a whole answer in the Responses format. The error
// is a [*BodyError].
func ParseResponsesResponse(body []byte) (guard.Response, error) {
	read, err := readResponsesBody(body)
	return read.response, err
}

func readResponsesBody(body []byte) (reading, error) {
	found, err := openBody(body, "status", "incomplete_details", "output", "usage", "id", "object")
	if err != nil {
		return reading{}, err
	}
	stop, err := readStatus(found[1], found[2])
	if err != nil {
		return reading{}, badBody(err)
	}
	read, err := readItems(found[3], stop)
	if err != nil {
		return reading{}, badBody(err)
	}
	read.id, _ = found[5].text("id")
	read.response.Usage = usageOf(messagesCounts(0, found[4]))
	read.response.Raw = body
	read.counts = countsIn(0, found[4], map[string]count{
		"input_tokens": {input: true}, "output_tokens": {output: true}, "total_tokens": {input: true, output: true},
	})
	return read, nil
}

// readStatus tells whether an answer is whole. One that is still to come is no
// answer.
func readStatus(status, details span) (guard.Stop, error) {
	said, err := status.text("status")
	if err != nil {
		return guard.StopCut, err
	}
	switch said {
	case "completed", "":
		return guard.StopEnd, nil
	case "incomplete", "cancelled":
		if details.kind() == '{' {
			if found, err := details.members("incomplete_details", "reason"); err == nil {
				reason, _ := found[0].text("reason")
				if stop, _ := stopOf(reason); stop != guard.StopEnd {
					return stop, nil
				}
			}
		}
		return guard.StopCut, nil
	}
	return guard.StopCut, fmt.Errorf("its status is %q", clipped(said))
}

func readItems(output span, stop guard.Stop) (reading, error) {
	var read reading
	if output.absent() {
		return read, errors.New("it has no output")
	}
	var text, refusal strings.Builder
	var b beside
	err := output.eachIn("output", func(element span) error {
		item := block{raw: element.bytes(), at: element}
		err := read.addItem(&item, &text, &refusal, &b)
		read.blocks = append(read.blocks, item)
		return err
	})
	if err != nil {
		return read, err
	}
	read.lists = []place{{0, output.from, output.to}}
	read.response = guard.Response{
		Message: guard.Message{Role: guard.RoleAssistant, Text: text.String()},
		Stop:    stop, Refusal: strings.TrimSpace(refusal.String()),
	}
	read.complete(func(guard.Message) json.RawMessage { return nil })
	read.assign()
	read.response.Message.Raw = read.replayItems()
	read.stand(b)
	return read, nil
}

// addItem reads one item of the output. What a provider ran by itself passes by;
// a call of a kind that was not offered is refused.
func (r *reading) addItem(item *block, text, refusal *strings.Builder, b *beside) error {
	kind, found, err := item.at.typed("the item", "role", "content", "call_id", "name", "arguments", "status")
	if err != nil {
		return err
	}
	item.kind = kind
	switch item.kind {
	case "message":
		if role, err := found[1].text("role"); err != nil || role != "assistant" && role != "" {
			return fmt.Errorf("the message is not the assistant's")
		}
		said, err := readContent(found[2])
		text.WriteString(said.text)
		refusal.WriteString(said.refusal)
		b.join(said.beside)
		return err
	case "function_call":
		d := readItemCall(found[3], found[4], found[5], found[6])
		item.call, d.block = len(r.drafts), len(r.blocks)
		r.drafts = append(r.drafts, d)
	case "custom_tool_call":
		if r.seen.seeItem(item.kind, item.at) {
			item.kind = "provider_call" // nobody else runs it
			return nil
		}
		fallthrough
	case "local_shell_call", "shell_call", "apply_patch_call", "computer_call":
		d := draft{block: len(r.blocks)}
		d.id, _ = found[3].text("call_id")
		d.name, _ = found[4].text("name")
		d.refuse("the call is of the kind " + item.kind + ", which was not offered")
		item.call = len(r.drafts)
		r.drafts = append(r.drafts, d)
	default:
		r.seen.seeItem(item.kind, item.at)
		b.see(item.kind)
	}
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

// replayItems is the answer as it is sent back: its items as they came, without
// a second copy of a call, as one JSON list.
func (r *reading) replayItems() json.RawMessage {
	var items []json.RawMessage
	for i := range r.blocks {
		b := &r.blocks[i]
		switch {
		case b.isCall() && b.call == noIndex:
		case b.isCall() && isLocalID(r.drafts[b.call].id):
			items = append(items, itemOf(callFrom(&r.drafts[b.call])))
		default:
			items = append(items, b.raw)
		}
	}
	if len(items) == 0 {
		return nil
	}
	return marshalList(items)
}
