package chatwire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

func readMessagesBody(body []byte) (reading, error) {
	found, err := openBody(body, "type", "role", "content", "stop_reason", "usage")
	if err != nil {
		return reading{}, err
	}
	if kind, err := found[1].text("type"); err != nil || kind != "message" && kind != "" {
		return reading{}, badBody(fmt.Errorf("it is of the type %q, not a message", clipped(kind)))
	}
	if role, err := found[2].text("role"); err != nil || role != "assistant" && role != "" {
		return reading{}, badBody(errors.New("the message is not the assistant's"))
	}
	stop, err := readStop(found[4])
	if err != nil {
		return reading{}, err
	}
	read, err := readMessagesContent(found[3], stop)
	if err != nil {
		return reading{}, badBody(err)
	}
	read.response.Usage = usageOf(messagesCounts(0, found[5]))
	read.response.Raw = body
	read.lists = []place{{0, found[3].from, found[3].to}}
	read.stops, read.counts = stopPlaces(0, found[4]), messagesCounts(0, found[5])
	return read, nil
}

// readMessagesContent reads the blocks of an answer.
func readMessagesContent(content span, stop guard.Stop) (reading, error) {
	if content.kind() != '[' {
		return reading{}, errors.New("content is not a list of blocks")
	}
	var read reading
	var text strings.Builder
	var b beside
	err := content.eachIn("content", func(element span) error { return read.addBlock(element, &text, &b) })
	if err != nil {
		return read, err
	}
	read.response = guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: text.String()}, Stop: stop}
	read.settle(b)
	return read, nil
}

func (r *reading) addBlock(element span, text *strings.Builder, b *beside) error {
	kind, found, err := element.typed("the block", "text", "id", "name", "input")
	if err != nil {
		return err
	}
	piece := block{kind: kind, raw: element.bytes()}
	switch piece.kind {
	case "text":
		said, err := found[1].text("text")
		if err != nil {
			return err
		}
		text.WriteString(said)
		r.seen.cite(listOf(element.at("citations")))
	case "tool_use":
		d := readInputCall(found[2], found[3], found[4])
		piece.call, d.block = len(r.drafts), len(r.blocks)
		r.drafts = append(r.drafts, d)
	default:
		r.seen.seeBlock(piece.kind, element)
		b.see(piece.kind)
	}
	r.blocks = append(r.blocks, piece)
	return nil
}

// settle fills in what follows from the blocks.
func (r *reading) settle(b beside) {
	r.complete(func(guard.Message) json.RawMessage { return nil })
	r.assign()
	r.response.Message.Raw = r.replay()
	r.stand(b)
}

// assign finds the draft of each call again: dropping one that was sent twice
// moves the others, and a second copy has none.
func (r *reading) assign() {
	next := 0
	for i := range r.blocks {
		if !r.blocks[i].isCall() {
			continue
		}
		r.blocks[i].call = noIndex
		if next < len(r.drafts) && r.drafts[next].block == i {
			r.blocks[i].call = next
			next++
		}
	}
}

// replay is the message as it is sent back to the provider: the blocks as they
// came, but for calls whose id is a local one. The format knows no empty text.
func (r *reading) replay() json.RawMessage {
	message := messagesMessage{Role: "assistant"}
	for i := range r.blocks {
		b := &r.blocks[i]
		switch {
		case b.isCall() && b.call == noIndex, b.kind == "text" && isBlankText(b.raw):
			continue
		case b.isCall() && isLocalID(r.drafts[b.call].id):
			message.Content = append(message.Content, callOf(callFrom(&r.drafts[b.call])))
		default:
			message.Content = append(message.Content, b.raw)
		}
	}
	for n := len(message.Content); n > 0 && isThought(message.Content[n-1]); n-- {
		message.Content = message.Content[:n-1] // a message must not end with a thought
	}
	if len(message.Content) == 0 {
		return nil
	}
	return append(append([]byte(`{"role":"assistant","content":`), marshalList(message.Content)...), '}')
}

func isThought(raw json.RawMessage) bool {
	var said struct{ Type string }
	return json.Unmarshal(raw, &said) == nil && (said.Type == "thinking" || said.Type == "redacted_thinking")
}

func isBlankText(raw json.RawMessage) bool {
	var said struct{ Text string }
	return json.Unmarshal(raw, &said) == nil && strings.TrimSpace(said.Text) == ""
}

// draftOf is a call by its id and the name of its tool.
func draftOf(id, name span) draft {
	var d draft
	var err error
	if d.id, err = id.text("the id of the call"); err != nil {
		d.refuse(err.Error())
	}
	if d.name, err = name.text("the name of the tool"); err != nil || d.name == "" {
		d.refuse("the call names no tool")
	}
	return d
}

func readInputCall(id, name, input span) draft {
	d := draftOf(id, name)
	switch {
	case input.kind() == '{':
		d.args = append([]byte(nil), input.bytes()...)
	case !input.absent():
		d.refuse("the input is not an object")
	}
	return d
}
