package chatwire

import (
	"encoding/json"
	"strconv"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func callFrom(d *draft) tooltrack.Call { return tooltrack.Call{ID: d.id, Tool: d.name, Args: d.args} }

// render writes the list of blocks anew, from the bytes of those that stay.
func (anthropic) render(r *reading, chunks [][]byte, answer guard.Response) ([][]byte, error) {
	if len(r.lists) == 0 {
		return r.renderEvents(chunks, answer), nil
	}
	blocks := []json.RawMessage{}
	for _, kept := range r.keep(answer, messagesMaker{}) {
		if kept.made != nil {
			blocks = append(blocks, kept.made)
		} else {
			blocks = append(blocks, r.blocks[kept.block].raw)
		}
	}
	e := editor{make([][]edit, len(chunks))}
	e.put(r.lists[0], marshalList(blocks))
	r.putEnd(&e, answer)
	return spliceAll(chunks, e.edits), nil
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

// keptBlock is a block of the answer that is handed out: one that arrived, or
// one that was made in its place.
type keptBlock struct {
	block int // which one arrived; noIndex for one that is new
	made  json.RawMessage
}

// maker makes blocks in the place of others.
type maker interface {
	// say is a block that says a text. Where it takes the place of a block that was
	// there, that is given; nil means that nothing of it has to stay.
	say(b *block, text string) json.RawMessage
	// call is a call with other arguments.
	call(b *block, call tooltrack.Call) json.RawMessage
}

type messagesMaker struct{}

func (messagesMaker) say(_ *block, text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return textOf(text)
}

func (messagesMaker) call(_ *block, call tooltrack.Call) json.RawMessage { return callOf(call) }

// keep says which blocks stay. Thoughts and the provider's own blocks always do;
// another text takes the place of all texts there were.
func (r *reading) keep(answer guard.Response, make maker) []keptBlock {
	another := answer.Message.Text != r.response.Message.Text
	text := answer.Message.Text // still to be said
	asCame := false             // the last call is kept as it came
	var kept []keptBlock
	for i := range r.blocks {
		b := &r.blocks[i]
		switch {
		case b.isCall():
			if asCame = false; b.call == noIndex || b.call >= len(answer.Message.Calls) {
				continue
			}
			call := answer.Message.Calls[b.call]
			if asCame = string(call.Args) == string(r.drafts[b.call].args); !asCame {
				kept = append(kept, keptBlock{i, make.call(b, call)})
				continue
			}
		case b.kind == callPiece && !asCame:
			continue
		case b.isText() && another:
			if made := make.say(b, text); made != nil {
				kept = append(kept, keptBlock{i, made})
			}
			text = ""
			continue
		}
		kept = append(kept, keptBlock{block: i})
	}
	if another && text != "" {
		kept = append(kept, keptBlock{noIndex, make.say(nil, text)})
	}
	return kept
}

// renderEvents writes the events anew: those of the message as they came, those
// of its blocks in their order and with their new numbers.
func (r *reading) renderEvents(chunks [][]byte, answer guard.Response) [][]byte {
	e := editor{make([][]edit, len(chunks))}
	r.putEnd(&e, answer)
	edited := spliceAll(chunks, e.edits)
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
	for number, kept := range r.keep(answer, messagesMaker{}) {
		out = append(out, r.eventsOf(kept, number, chunks)...)
	}
	return append(out, after...)
}

// endsMessage reports an event that comes after all blocks.
func endsMessage(chunk []byte) bool {
	top, err := whole(chunk)
	if err != nil || top.kind() != '{' {
		return false
	}
	found, err := top.members("the event", "type")
	kind := string(found[0].bytes())
	return err == nil && (kind == `"message_delta"` || kind == `"message_stop"`)
}

// eventsOf are the events of one block under its new number.
func (r *reading) eventsOf(kept keptBlock, number int, chunks [][]byte) [][]byte {
	if kept.made != nil {
		return blockEvents(number, kept.made)
	}
	b := &r.blocks[kept.block]
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

type blockEvent struct {
	Type  string          `json:"type"`
	Index int             `json:"index"`
	Block json.RawMessage `json:"content_block,omitempty"`
	Delta any             `json:"delta,omitempty"`
}

// blockEvents are the events that say what a block says.
func blockEvents(index int, made json.RawMessage) [][]byte {
	var said struct {
		Type, ID, Name, Text, Thinking, Signature string
		Input                                     json.RawMessage
	}
	_ = json.Unmarshal(made, &said) // it was written, or read, as an object with these members
	event := func(kind string, begin json.RawMessage, delta any) []byte {
		return rawBlock(blockEvent{kind, index, begin, delta})
	}
	var begin json.RawMessage
	var pieces []any
	switch said.Type {
	case "text":
		begin, pieces = textOf(""), []any{map[string]string{"type": "text_delta", "text": said.Text}}
	case "tool_use":
		begin = callOf(tooltrack.Call{ID: said.ID, Tool: said.Name})
		pieces = []any{map[string]string{"type": "input_json_delta", "partial_json": string(said.Input)}}
	case "thinking":
		begin = json.RawMessage(`{"type":"thinking","thinking":"","signature":""}`)
		pieces = []any{
			map[string]string{"type": "thinking_delta", "thinking": said.Thinking},
			map[string]string{"type": "signature_delta", "signature": said.Signature},
		}
	default:
		begin = made
	}
	events := [][]byte{event("content_block_start", begin, nil)}
	for _, piece := range pieces {
		events = append(events, event("content_block_delta", nil, piece))
	}
	return append(events, event("content_block_stop", nil, nil))
}

// events turns a whole message into the events that say all of it.
func (anthropic) events(body []byte) [][]byte {
	read, err := readMessagesBody(body)
	if err != nil {
		return [][]byte{body}
	}
	top, err := whole(body)
	if err != nil { // cannot happen: it has been read
		return [][]byte{body}
	}
	found, err := top.members("the body", "content", "stop_reason", "stop_sequence", "usage")
	if err != nil { // cannot happen either
		return [][]byte{body}
	}
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
