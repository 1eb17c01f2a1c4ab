package chatwire

import (
	"cmp"
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
	e := r.editor([][]byte{body}, answer, nil) // its status says how it ended
	e.put(marshalList(r.keepRaw(answer, responses{})), r.lists[0])
	if top, _ := whole(body); answer.Stop == guard.StopEnd && top.member("status") == "incomplete" {
		e.put([]byte(`"completed"`), placesOf(0, top.only("status"))...)
		e.put(null, placesOf(0, top.only("incomplete_details"))...)
	}
	return e.apply([][]byte{body})[0]
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
	top, _ := whole(body)
	told := top.only("error")
	message, code := cmp.Or(told.member("message"), err.Error()), told.only("code").bytes()
	if len(code) == 0 {
		code = null
	}
	return object("code", code, "message", message, "param", null, "sequence_number", 0, "type", "error")
}

// itemEvents numbers events as they are added.
type itemEvents struct {
	events [][]byte
}

func (e *itemEvents) add(kind string, pairs ...any) {
	e.events = append(e.events, object(append(pairs, "sequence_number", len(e.events), "type", kind)...))
}

func responseEvents(body []byte) [][]byte {
	top, _ := whole(body) // it has been read
	found := top.members("the answer", "output", "status", "usage")
	began := []edit{{found[0].from, found[0].to, []byte("[]")}}
	if !found[1].absent() {
		began = append(began, edit{found[1].from, found[1].to, []byte(`"in_progress"`)})
	}
	var e itemEvents
	e.add("response.created", "response", top.edited(began...))
	for at, item := range found[0].elements() {
		e.item(at, item)
	}
	last := "response.completed"
	if found[1].is(`"incomplete"`) {
		last = "response.incomplete"
	}
	e.add(last, "response", top.bytes())
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
	e.add("response.output_item.added", "item", emptied(item, begin), "output_index", at)
	if said.Type == "function_call" {
		e.add("response.function_call_arguments.delta", "delta", said.Arguments, "item_id", said.ID, "output_index", at)
		e.add("response.function_call_arguments.done", "arguments", said.Arguments, "item_id", said.ID, "output_index", at)
	}
	for n, raw := range said.Content {
		add := func(kind, name string, value any) {
			e.add(kind, "content_index", n, name, value, "item_id", said.ID, "output_index", at)
		}
		var part struct{ Type, Text string }
		_ = json.Unmarshal(raw, &part)
		if part.Type == "output_text" {
			add("response.content_part.added", "part", outputText(""))
			add("response.output_text.delta", "delta", part.Text)
			add("response.output_text.done", "text", part.Text)
		} else {
			add("response.content_part.added", "part", raw)
		}
		add("response.content_part.done", "part", raw)
	}
	e.add("response.output_item.done", "item", item.bytes(), "output_index", at)
}

// emptied is an item before its contents came.
func emptied(item span, member string) json.RawMessage {
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
