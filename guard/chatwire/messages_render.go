package chatwire

import (
	"encoding/json"
	"strconv"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// render writes the list of blocks anew, from the bytes of those that stay.
func (anthropic) render(r *reading, chunks [][]byte, answer guard.Response) ([][]byte, error) {
	if top, err := whole(chunks[0]); err != nil || top.member("type") != "message" && !top.has("content") {
		return r.renderEvents(chunks, answer), nil
	}
	e := editor{make([][]edit, len(chunks))}
	e.put(r.lists[0], marshalList(r.keepRaw(answer, anthropic{})))
	r.putEnd(&e, answer)
	return e.apply(chunks), nil
}

// messagesStops are the stop reasons of an answer without calls.
var messagesStops = map[guard.Stop]string{
	guard.StopEnd: "end_turn", guard.StopRefused: "refusal", guard.StopPaused: "pause_turn",
	guard.StopCut: "max_tokens", guard.StopFiltered: "refusal",
}

// putEnd makes what stands around the blocks fit them.
func (r *reading) putEnd(e *editor, answer guard.Response) {
	if len(answer.Message.Calls) == 0 {
		r.putStops(e, answer.Stop, messagesStops)
	}
	r.putCounts(e, answer.Usage)
}

func (anthropic) sayBlock(_ *block, text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return textOf(text)
}

func (anthropic) callBlock(_ *block, call tooltrack.Call) json.RawMessage { return callOf(call) }

// renderEvents writes the events anew: those of the message as they came, those
// of its blocks in their order and with their new numbers.
func (r *reading) renderEvents(chunks [][]byte, answer guard.Response) [][]byte {
	e := editor{make([][]edit, len(chunks))}
	for _, list := range r.lists { // blocks that the beginning holds follow as events
		e.put(list, []byte("[]"))
	}
	r.putEnd(&e, answer)
	edited := e.apply(chunks)
	owner := make([]int, len(chunks))
	for i := range owner {
		owner[i] = noIndex
	}
	for i := range r.blocks {
		for _, chunk := range r.blocks[i].chunks {
			owner[chunk] = i
		}
	}
	var out, after [][]byte
	inBlocks := false
	for i, chunk := range edited {
		switch {
		case owner[i] != noIndex:
			inBlocks = true
		case inBlocks || endsMessage(chunk):
			inBlocks = true
			after = append(after, chunk)
		default:
			out = append(out, chunk)
		}
	}
	for number, kept := range r.keep(answer, anthropic{}) {
		out = append(out, r.eventsOf(kept, number, chunks)...)
	}
	return append(out, after...)
}

// endsMessage reports an event that comes after all blocks.
func endsMessage(chunk []byte) bool {
	top, err := whole(chunk)
	kind := top.member("type")
	return err == nil && (kind == "message_delta" || kind == "message_stop")
}

// eventsOf are the events of one block under its new number.
func (r *reading) eventsOf(kept keptBlock, number int, chunks [][]byte) [][]byte {
	if kept.made != nil {
		return blockEvents(number, kept.made)
	}
	b := &r.blocks[kept.block]
	if len(b.chunks) == 0 {
		return blockEvents(number, b.raw)
	}
	events := make([][]byte, 0, len(b.chunks))
	for _, at := range b.chunks {
		chunk := chunks[at]
		if index := b.places[at]; b.index != number {
			chunk = splice(chunk, []edit{{index.from, index.to, []byte(strconv.Itoa(number))}})
		}
		events = append(events, chunk)
	}
	return events
}

// blockEvents are the events that say what a block says.
func blockEvents(index int, made json.RawMessage) [][]byte {
	var said struct {
		Type, ID, Name, Text, Thinking, Signature string
		Input                                     json.RawMessage
	}
	_ = json.Unmarshal(made, &said) // it was written, or read, as an object with these members
	var begin json.RawMessage
	var pieces []json.RawMessage
	switch said.Type {
	case "text":
		begin, pieces = textOf(""), []json.RawMessage{object("text", said.Text, "type", "text_delta")}
	case "tool_use":
		begin = callOf(tooltrack.Call{ID: said.ID, Tool: said.Name})
		pieces = []json.RawMessage{object("partial_json", string(said.Input), "type", "input_json_delta")}
	case "thinking":
		begin = json.RawMessage(`{"type":"thinking","thinking":"","signature":""}`)
		pieces = []json.RawMessage{
			object("thinking", said.Thinking, "type", "thinking_delta"),
			object("signature", said.Signature, "type", "signature_delta"),
		}
	default:
		begin = made
	}
	events := [][]byte{object("type", "content_block_start", "index", index, "content_block", begin)}
	for _, piece := range pieces {
		events = append(events, object("type", "content_block_delta", "index", index, "delta", piece))
	}
	return append(events, object("type", "content_block_stop", "index", index))
}

// events turns a whole message into the events that say all of it.
func (anthropic) events(body []byte) [][]byte {
	read, err := readWhole(anthropic{}, body)
	top, unread := whole(body)
	if err != nil || unread != nil {
		return [][]byte{body}
	}
	found := top.members("the body", "content", "stop_reason", "stop_sequence", "usage")
	edits := []edit{{found[0].from, found[0].to, []byte("[]")}}
	delta := map[string]json.RawMessage{}
	for i, name := range []string{"stop_reason", "stop_sequence"} {
		if at := found[i+1]; at.from != at.to {
			delta[name] = at.bytes()
			edits = append(edits, edit{at.from, at.to, []byte("null")})
		}
	}
	began := splice(body[:top.to], edits)[top.from:]
	events := [][]byte{rawBlock(map[string]any{"type": "message_start", "message": json.RawMessage(began)})}
	for i := range read.blocks {
		events = append(events, blockEvents(i, read.blocks[i].raw)...)
	}
	ended := map[string]any{"type": "message_delta", "delta": delta}
	if !found[3].absent() {
		ended["usage"] = json.RawMessage(found[3].bytes())
	}
	return append(events, rawBlock(ended), []byte(`{"type":"message_stop"}`))
}
