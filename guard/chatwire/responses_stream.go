package chatwire

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// responsesAssembler puts a streamed answer in the Responses format together. The last event holds
// the whole answer; what came before has to agree with it, since clients act on either.
type responsesAssembler struct {
	gathering
	items map[int]json.RawMessage  // items that are done, by their place
	args  map[int]*strings.Builder // arguments in pieces
}

func (a *responsesAssembler) take(event span) {
	if a.whole {
		a.final = event.body
		return
	}
	kind, found := event.typed("the event", "response", "delta", "output_index", "item")
	switch kind {
	case "error":
		if inner := event.at("error"); inner.kind() == '{' {
			event = inner
		}
		providerFault(event)
	case "response.output_text.delta":
		a.text.WriteString(found[2].text("delta"))
		return
	case "response.function_call_arguments.delta":
		pieces := cmp.Or(a.args[placeOf(found[3])], &strings.Builder{})
		a.args[placeOf(found[3])] = pieces
		pieces.WriteString(found[2].text("delta"))
		return
	case "response.output_item.done":
		a.addItem(placeOf(found[3]), found[4])
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		a.end(found[1])
	} // all else says the same again, or is not known yet
	a.begun = true
}

func placeOf(index span) int {
	number, err := strconv.Atoi(string(index.bytes()))
	if err != nil || number < 0 || number >= 16*MaxCalls {
		index.failf("an item has no place from 0 to %d", 16*MaxCalls-1)
	}
	return number
}

func (a *responsesAssembler) addItem(at int, item span) {
	if item.kind() != '{' {
		item.failf("an item is not an object")
	}
	if _, twice := a.items[at]; twice {
		item.failf("the item %d is done twice", at)
	}
	a.items[at] = slices.Clone(item.bytes())
}

// end takes the whole answer. Some servers leave its output empty: then the items
// before are the output.
func (a *responsesAssembler) end(response span) {
	if response.kind() != '{' {
		response.failf("the last event holds no answer")
	}
	if a.final != nil {
		response.failf("the stream ends twice")
	}
	output := response.members("the answer", "output")[0]
	a.final = slices.Clone(response.bytes())
	if emptyList(output) && len(a.items) > 0 {
		a.final = response.with("output", a.output())
	}
}

// output are the items that are done, in their order.
func (a *responsesAssembler) output() []byte {
	var items []json.RawMessage
	for _, at := range slices.Sorted(maps.Keys(a.items)) {
		items = append(items, a.items[at])
	}
	return marshalList(items)
}

func (a *responsesAssembler) finish() (reading, error) {
	switch {
	case a.err != nil:
		return reading{}, a.err
	case a.whole:
		return readResponse(a.final)
	case !a.begun:
		return reading{}, badBody(errors.New("the stream held no answer"))
	case a.final == nil:
		return a.cut()
	}
	read, err := readResponse(a.final)
	if err != nil {
		return read, err
	}
	read.final = a.final
	if err := a.agrees(&read); err != nil {
		return reading{}, badBody(err)
	}
	return read, nil
}

// cut reads a stream that broke off: the items that were done, and the text that
// came, though its item was not done.
func (a *responsesAssembler) cut() (reading, error) {
	read, err := readCut(a.output())
	if err == nil && a.text.Len() > len(textOfMessages(&read)) {
		items := []json.RawMessage{messageItem(a.text.String())}
		for i := range read.blocks {
			if !read.blocks[i].isText() {
				items = append(items, read.blocks[i].raw)
			}
		}
		read, err = readCut(marshalList(items))
	}
	return read, err
}

func readCut(output []byte) (reading, error) {
	final := object("object", "response", "status", "incomplete",
		"incomplete_details", object("reason", "max_output_tokens"), "output", json.RawMessage(output))
	read, err := readResponse(final)
	read.final = final
	return read, err
}

// agrees compares the last event with those before it.
func (a *responsesAssembler) agrees(read *reading) error {
	if text := a.text.String(); text != "" && text != textOfMessages(read) {
		return errors.New("the stream said another text than its last event")
	}
	if len(a.items) == 0 {
		return nil
	}
	before, err := readResponse(append(append([]byte(`{"output":`), a.output()...), '}'))
	if err != nil {
		return err
	}
	if len(before.drafts) != len(read.drafts) {
		return errors.New("the stream held other calls than its last event")
	}
	for i := range read.drafts {
		last, first := &read.drafts[i], &before.drafts[i]
		if last.id != first.id || last.name != first.name || string(last.args) != string(first.args) {
			return errors.New("the stream held other calls than its last event")
		}
		if pieces := a.args[last.index]; pieces != nil && pieces.String() != string(last.args) {
			return errors.New("the arguments of a call in pieces are not those of its end")
		}
	}
	return nil
}

// textOfMessages is the text of the items, without what stands for one.
func textOfMessages(read *reading) string {
	var text strings.Builder
	for i := range read.blocks {
		if read.blocks[i].kind != "message" {
			continue
		}
		text.WriteString(readContent(read.blocks[i].at.at("content")).text.String())
	}
	return text.String()
}
