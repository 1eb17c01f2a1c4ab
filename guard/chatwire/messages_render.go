package chatwire

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// render writes the list of blocks anew, from the bytes of those that stay. A stream keeps the
// events of the message, and between them those of the blocks, with their new numbers.
func (anthropic) render(r *reading, chunks [][]byte, answer guard.Response) ([][]byte, error) {
	list, isWhole := []byte("[]"), r.response.Raw != nil
	if isWhole {
		list = marshalList(r.keepRaw(answer, anthropic{}))
	}
	e := r.editor(chunks, answer, messagesStops)
	e.put(list, r.lists...)
	edited := e.apply(chunks)
	if isWhole {
		return edited, nil
	}
	var events, after [][]byte
	for _, chunk := range edited {
		switch top, _ := whole(chunk); top.member("type") {
		case "content_block_start", "content_block_delta", "content_block_stop":
		case "message_delta", "message_stop":
			after = append(after, chunk)
		default:
			events = append(events, chunk)
		}
	}
	for number, kept := range r.keep(answer, anthropic{}) {
		if kept.made || r.blocks[kept.block].chunks == nil {
			events = append(events, blockEvents(number, kept.raw)...)
			continue
		}
		for _, at := range r.blocks[kept.block].chunks {
			event, _ := whole(chunks[at])
			events = append(events, event.with("index", rawBlock(number)))
		}
	}
	return append(events, after...), nil
}

// messagesStops are the stop reasons of an answer without calls.
var messagesStops = map[guard.Stop]string{
	guard.StopEnd: "end_turn", guard.StopRefused: "refusal", guard.StopPaused: "pause_turn",
	guard.StopCut: "max_tokens", guard.StopFiltered: "refusal",
}

func (anthropic) sayBlock(_ *block, text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return textOf(text)
}

func (anthropic) callBlock(_ *block, call tooltrack.Call) json.RawMessage { return callOf(call) }

// blockPieces are the members of blocks that follow their beginning, and what their pieces
// are called.
var blockPieces = map[string][]struct{ member, name, kind string }{
	"text":     {{"text", "text", "text_delta"}},
	"tool_use": {{"input", "partial_json", "input_json_delta"}},
	"thinking": {{"thinking", "thinking", "thinking_delta"}, {"signature", "signature", "signature_delta"}},
}

// blockEvents are the events that say what a block says.
func blockEvents(index int, made json.RawMessage) [][]byte {
	block, _ := whole(made) // it was written, or read, as an object
	var emptied []edit
	events := [][]byte{nil}
	for _, piece := range blockPieces[block.member("type")] {
		value, nothing := block.at(piece.member), `""`
		said := value.said()
		switch {
		case value.absent():
			continue
		case value.kind() == '{':
			said, nothing = string(value.bytes()), "{}"
		}
		emptied = append(emptied, edit{value.from, value.to, []byte(nothing)})
		delta := object(piece.name, said, "type", piece.kind)
		events = append(events, object("type", "content_block_delta", "index", index, "delta", delta))
	}
	events[0] = object("type", "content_block_start", "index", index, "content_block", splice(made, emptied))
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
	began := []edit{{found[0].from, found[0].to, []byte("[]")}}
	for _, stop := range found[1:3] {
		if stop.from != stop.to {
			began = append(began, edit{stop.from, stop.to, null})
		}
	}
	events := [][]byte{object("message", top.edited(began...), "type", "message_start")}
	for i := range read.blocks {
		events = append(events, blockEvents(i, read.blocks[i].raw)...)
	}
	delta := object("stop_reason", found[1].bytes(), "stop_sequence", found[2].bytes())
	usage := when(!found[3].absent(), found[3].bytes())
	return append(events, object("delta", delta, "type", "message_delta", "usage", usage), object("type", "message_stop"))
}
