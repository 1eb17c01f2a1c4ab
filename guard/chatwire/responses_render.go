package chatwire

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// render writes the list of items anew, from the bytes of those that stay. A
// stream is told again from the answer that it comes to.
func (responses) render(r *reading, chunks [][]byte, answer guard.Response) ([][]byte, error) {
	body := chunks[0]
	if r.final != nil {
		body = r.final
	}
	changed := r.renderItems(body, answer)
	if r.final == nil {
		return [][]byte{changed}, nil
	}
	return responseEvents(changed), nil
}

func (r *reading) renderItems(body []byte, answer guard.Response) []byte {
	e := editor{make([][]edit, 1)}
	e.put(r.lists[0], marshalList(r.keepRaw(answer, responses{})))
	r.putCounts(&e, answer.Usage)
	if top, err := whole(body); err == nil && answer.Stop == guard.StopEnd {
		found, err := top.look("the answer", "status", "incomplete_details")
		if err == nil && found[0].is(`"incomplete"`) {
			e.put(place{0, found[0].from, found[0].to}, []byte(`"completed"`))
			if !found[1].absent() {
				e.put(place{0, found[1].from, found[1].to}, []byte("null"))
			}
		}
	}
	return spliceAll([][]byte{body}, e.edits)[0]
}

// messageItem is a message that says a text.
func messageItem(text string) json.RawMessage {
	return object("type", "message", "id", "msg_guarded", "status", "completed", "role", "assistant",
		"content", []json.RawMessage{outputText(text)})
}

func outputText(text string) json.RawMessage {
	return object("type", "output_text", "text", text, "annotations", []json.RawMessage{})
}

func (responses) sayBlock(_ *block, text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return messageItem(text)
}

// callBlock leaves everything but the arguments as it came.
func (responses) callBlock(b *block, call tooltrack.Call) json.RawMessage {
	at := b.at.at("arguments")
	if at.from == at.to {
		return itemOf(call)
	}
	return b.at.with("arguments", rawBlock(string(call.Args)))
}

// events turns a whole answer into the events that say all of it, and an error
// into the event that tells it.
func (responses) events(body []byte) [][]byte {
	if _, err := readWhole(responses{}, body); err != nil {
		return [][]byte{errorEvent(body, err)}
	}
	return responseEvents(body)
}

func errorEvent(body []byte, err error) []byte {
	var told struct {
		Error struct {
			Code    any    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &told) != nil || told.Error.Message == "" {
		told.Error.Message = err.Error()
	}
	return rawBlock(map[string]any{
		"type": "error", "code": told.Error.Code, "message": told.Error.Message, "param": nil, "sequence_number": 0,
	})
}

// itemEvents numbers events as they are added.
type itemEvents struct {
	events [][]byte
}

func (e *itemEvents) add(kind string, members map[string]any) {
	members["type"], members["sequence_number"] = kind, len(e.events)
	e.events = append(e.events, rawBlock(members))
}

func responseEvents(body []byte) [][]byte {
	top, err := whole(body)
	if err != nil { // cannot happen: it has been read
		return [][]byte{body}
	}
	found := top.members("the answer", "output", "status", "usage")
	edits := []edit{{found[0].from - top.from, found[0].to - top.from, []byte("[]")}}
	if !found[1].absent() {
		edits = append(edits, edit{found[1].from - top.from, found[1].to - top.from, []byte(`"in_progress"`)})
	}
	began := json.RawMessage(splice(top.bytes(), edits))
	var e itemEvents
	e.add("response.created", map[string]any{"response": began})
	for at, item := range found[0].elements() {
		e.item(at, item)
	}
	last := "response.completed"
	if found[1].is(`"incomplete"`) {
		last = "response.incomplete"
	}
	e.add(last, map[string]any{"response": json.RawMessage(top.bytes())})
	return e.events
}

// item tells one item: that it begins, its text or arguments, that it is done.
func (e *itemEvents) item(at int, item span) {
	var said struct {
		Type, ID, Arguments string
		Content             []json.RawMessage
	}
	_ = json.Unmarshal(item.bytes(), &said) // members of other kinds are of no use here
	begin := map[string]string{"message": "content", "function_call": "arguments"}[said.Type]
	e.add("response.output_item.added", map[string]any{"output_index": at, "item": json.RawMessage(emptied(item, begin))})
	where := func(more map[string]any) map[string]any {
		more["item_id"], more["output_index"] = said.ID, at
		return more
	}
	if said.Type == "function_call" {
		e.add("response.function_call_arguments.delta", where(map[string]any{"delta": said.Arguments}))
		e.add("response.function_call_arguments.done", where(map[string]any{"arguments": said.Arguments}))
	}
	for n, raw := range said.Content {
		var part struct{ Type, Text string }
		_ = json.Unmarshal(raw, &part)
		e.add("response.content_part.added", where(map[string]any{"content_index": n, "part": begunPart(raw, part.Type)}))
		if part.Type == "output_text" {
			e.add("response.output_text.delta", where(map[string]any{"content_index": n, "delta": part.Text}))
			e.add("response.output_text.done", where(map[string]any{"content_index": n, "text": part.Text}))
		}
		e.add("response.content_part.done", where(map[string]any{"content_index": n, "part": raw}))
	}
	e.add("response.output_item.done", map[string]any{"output_index": at, "item": json.RawMessage(item.bytes())})
}

func begunPart(raw json.RawMessage, kind string) json.RawMessage {
	if kind == "output_text" {
		return outputText("")
	}
	return raw
}

// emptied is an item before its contents came.
func emptied(item span, member string) []byte {
	value := item.at(member)
	if member == "" || value.absent() {
		return item.bytes()
	}
	nothing := []byte("[]")
	if value.kind() == '"' {
		nothing = []byte(`""`)
	}
	return item.with(member, nothing)
}
