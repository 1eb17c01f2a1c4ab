package chatwire

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// responsesAssembler puts a streamed answer in the Responses format together. The
// last event holds the whole answer; what came before has to agree with it, since
// clients act on either.
type responsesAssembler struct {
	gathering
	items map[int]string           // items that are done, by their place
	args  map[int]*strings.Builder // arguments in pieces
}

func (a *responsesAssembler) take(event span) error {
	if a.whole {
		a.final = event.body
		return nil
	}
	kind, found, err := event.typed("the event", "response", "delta", "output_index", "item")
	if err != nil {
		return err
	}
	switch kind {
	case "error":
		if inner := event.at("error"); inner.kind() == '{' {
			return providerFault(inner)
		}
		return providerFault(event)
	case "response.created":
		a.begun = true
	case "response.output_text.delta":
		piece, err := found[2].text("delta")
		a.text.WriteString(piece)
		return err
	case "response.function_call_arguments.delta":
		return a.addArguments(found[3], found[2])
	case "response.output_item.done":
		return a.addItem(found[3], found[4])
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		return a.end(found[1])
	}
	a.begun = true
	return nil // all else says the same again, or is not known yet
}

func placeOf(index span) (int, error) {
	number, err := strconv.Atoi(string(index.bytes()))
	if err != nil || number < 0 || number >= 16*MaxCalls {
		return 0, fmt.Errorf("an item has no place from 0 to %d", 16*MaxCalls-1)
	}
	return number, nil
}

func (a *responsesAssembler) addArguments(index, delta span) error {
	at, err := placeOf(index)
	if err != nil {
		return err
	}
	piece, err := delta.text("delta")
	if a.args == nil {
		a.args = map[int]*strings.Builder{}
	}
	if a.args[at] == nil {
		a.args[at] = &strings.Builder{}
	}
	_, _ = a.args[at].WriteString(piece) // a builder never fails
	return err
}

func (a *responsesAssembler) addItem(index, item span) error {
	at, err := placeOf(index)
	if err != nil {
		return err
	}
	if item.kind() != '{' {
		return errors.New("an item is not an object")
	}
	if _, twice := a.items[at]; twice {
		return fmt.Errorf("the item %d is done twice", at)
	}
	if a.items == nil {
		a.items = map[int]string{}
	}
	a.items[at], a.begun = string(item.bytes()), true
	return nil
}

// end takes the whole answer. Some servers leave its output empty: then the items
// before are the output.
func (a *responsesAssembler) end(response span) error {
	if response.kind() != '{' {
		return errors.New("the last event holds no answer")
	}
	if a.final != nil {
		return errors.New("the stream ends twice")
	}
	found, err := response.members("the answer", "output")
	if err != nil {
		return err
	}
	a.final, a.begun = slices.Clone(response.bytes()), true
	if at := found[0]; emptyList(at) && len(a.items) > 0 {
		a.final = splice(a.final, []edit{{at.from - response.from, at.to - response.from, a.output()}})
	}
	return nil
}

// output are the items that are done, in their order.
func (a *responsesAssembler) output() []byte {
	list := []byte{'['}
	for n, at := range slices.Sorted(maps.Keys(a.items)) {
		if n > 0 {
			list = append(list, ',')
		}
		list = append(list, a.items[at]...)
	}
	return append(list, ']')
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
	const begun = `{"object":"response","status":"incomplete",` +
		`"incomplete_details":{"reason":"max_output_tokens"},"output":`
	final := append(append([]byte(begun), output...), '}')
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
		if pieces := a.args[last.block]; pieces != nil && pieces.String() != string(last.args) {
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
		if found, err := read.blocks[i].at.members("the item", "content"); err == nil {
			said, _ := readContent(found[0])
			text.WriteString(said.text)
		}
	}
	return text.String()
}
