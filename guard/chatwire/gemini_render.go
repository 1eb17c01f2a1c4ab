package chatwire

import (
	"encoding/json"
	"errors"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// geminiStops are the finish reasons of an answer without calls.
var geminiStops = map[guard.Stop]string{
	guard.StopEnd: "STOP", guard.StopRefused: "STOP", guard.StopPaused: "CONTINUATION",
	guard.StopCut: "MAX_TOKENS", guard.StopFiltered: "SAFETY",
}

// render writes the lists of parts anew, each with the parts that stay. Signatures stay
// where they are, also on a part whose text is gone.
func (gemini) render(r *reading, chunks [][]byte, answer guard.Response) ([][]byte, error) {
	if len(r.lists) == 0 {
		return nil, errors.New("the provider's answer has no place for another one")
	}
	e := r.editor(chunks, answer, geminiStops)
	kept := map[int][]json.RawMessage{}
	for _, k := range r.keep(answer, gemini{}) {
		at := r.lists[0].chunk
		if k.block != noIndex {
			at = r.blocks[k.block].index
		}
		kept[at] = append(kept[at], k.raw)
	}
	for _, list := range r.lists {
		e.put(marshalList(kept[list.chunk]), list)
	}
	if answer.Message.Text != r.response.Message.Text {
		e.put(null, r.media...)
	}
	return e.apply(chunks), nil
}

// sayBlock is nil for a part that says nothing and carries nothing else.
func (gemini) sayBlock(b *block, text string) json.RawMessage {
	if b == nil {
		return partOf(text)
	}
	if text == "" && !b.at.has("thoughtSignature") && !b.at.has("thought_signature") {
		return nil
	}
	return b.at.with("text", rawBlock(text))
}

func partOf(text string) json.RawMessage { return object("text", text) }

// callBlock is the part of a call with other arguments, and the rest of it as it came.
func (gemini) callBlock(b *block, call tooltrack.Call) json.RawMessage {
	return b.at.with("functionCall", functionCallOf(call))
}

// functionCallOf writes a call from its parts.
func functionCallOf(call tooltrack.Call) json.RawMessage {
	return object("id", sentID(call.ID), "name", call.Tool, "args", inputOf(call))
}

// sentID is an id as a member: one that the provider did not send is not sent to it either.
func sentID(id string) any { return when(id != "" && !isLocalID(id), id) }
