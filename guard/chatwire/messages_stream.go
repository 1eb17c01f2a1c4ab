package chatwire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// MessagesAssembler puts a streamed answer in the Messages format together.
// Blocks are joined by their index, which every piece has to name. The zero value
// is ready to use.
type MessagesAssembler struct {
	gathering
	blocks   []*streamBlock
	stop     guard.Stop
	stops    []stopPlace
	counts   []count
	usage    guard.Usage
	begun    bool // the message began
	finished bool // a stop reason was seen
	ended    bool // the end was seen
}

// streamBlock is a block that is being put together.
type streamBlock struct {
	block
	draft     draft
	text      strings.Builder // of a text or a thought
	signature strings.Builder
	json      strings.Builder // the input of a call, in pieces
	citations []json.RawMessage
}

// Add takes the data of the next event. Its text, if any, is returned. An error
// ends the stream; Response then returns it, too.
func (a *MessagesAssembler) Add(event []byte) (text string, err error) {
	return a.add(event, a.readEvent)
}

// End takes note of an end marker, which some gateways add.
func (a *MessagesAssembler) End() { a.ended = true }

// ReadStream puts a whole stream together and tells each piece of text as it
// arrives; say may be nil.
func (a *MessagesAssembler) ReadStream(reader io.Reader, say func(text string) bool) error {
	return a.readStream(a, reader, say)
}

// Response is the answer so far. Before the end of the stream it is cut.
func (a *MessagesAssembler) Response() (guard.Response, error) {
	read, err := a.reading()
	return read.response, err
}

func (a *MessagesAssembler) readEvent(event span) error {
	kind, found, err := event.typed("the event", "index", "message", "content_block", "delta", "usage", "error")
	if err != nil {
		return err
	}
	if err := providerFault(found[6]); err != nil {
		return err
	}
	switch kind {
	case "message_start":
		return a.begin(found[2])
	case "content_block_start":
		return a.beginBlock(found[1], found[3])
	case "content_block_delta":
		return a.addPiece(found[1], found[4])
	case "content_block_stop":
		_, err := a.find(found[1])
		return err
	case "message_delta":
		return a.finish(found[4], found[5])
	case "message_stop":
		a.ended = true
	}
	return nil // pings, and what is not known yet
}

func (a *MessagesAssembler) begin(message span) error {
	if a.begun {
		return errors.New("the stream holds two messages")
	}
	a.begun = true
	if message.kind() != '{' {
		return errors.New("the stream begins without a message")
	}
	found, err := message.members("the message", "role", "usage")
	if err != nil {
		return err
	}
	if role, err := found[0].text("role"); err != nil || role != "assistant" && role != "" {
		return errors.New("the message is not the assistant's")
	}
	a.usage = usageOf(messagesCounts(0, found[1]))
	a.counts = messagesCounts(a.chunks, found[1])
	return nil
}

// find returns the block that an event is about.
func (a *MessagesAssembler) find(index span) (*streamBlock, error) {
	number, err := strconv.Atoi(string(index.bytes()))
	if err != nil {
		return nil, errors.New("an event names no block")
	}
	for _, b := range a.blocks {
		if b.index == number {
			b.chunks = append(b.chunks, a.chunks)
			b.places[a.chunks] = place{a.chunks, index.from, index.to}
			return b, nil
		}
	}
	return nil, fmt.Errorf("a piece belongs to the block %d, which did not begin", number)
}

func (a *MessagesAssembler) beginBlock(index, content span) error {
	number, err := strconv.Atoi(string(index.bytes()))
	if err != nil || number < 0 {
		return errors.New("a block begins without an index from 0")
	}
	if slices.ContainsFunc(a.blocks, func(b *streamBlock) bool { return b.index == number }) {
		return fmt.Errorf("the block %d begins twice", number)
	}
	if len(a.blocks) >= 16*MaxCalls {
		return fmt.Errorf("the stream holds more than %d blocks", 16*MaxCalls)
	}
	kind, found, err := content.typed("the block", "text", "id", "name", "input", "thinking", "signature")
	if err != nil {
		return err
	}
	b := &streamBlock{block: block{kind: kind, at: content, index: number, places: map[int]place{}}}
	switch b.kind {
	case "text":
		err = a.say(b, found[1])
	case "thinking":
		if err = b.think(found[5]); err == nil {
			err = b.sign(found[6])
		}
	case "tool_use":
		b.draft = readInputCall(found[2], found[3], found[4])
	}
	a.blocks = append(a.blocks, b)
	if err == nil {
		_, err = a.find(index)
	}
	return err
}

func (a *MessagesAssembler) say(b *streamBlock, piece span) error {
	text, err := piece.text("the text of a block")
	b.text.WriteString(text)
	a.text.WriteString(text)
	return err
}

func (b *streamBlock) think(piece span) error {
	text, err := piece.text("thinking")
	b.text.WriteString(text)
	return err
}

func (b *streamBlock) sign(piece span) error {
	text, err := piece.text("signature")
	b.signature.WriteString(text)
	return err
}

func (a *MessagesAssembler) addPiece(index, delta span) error {
	b, err := a.find(index)
	if err != nil {
		return err
	}
	kind, found, err := delta.typed("the delta", "text", "thinking", "signature", "partial_json", "citation")
	switch {
	case err != nil:
		return err
	case kind == "text_delta" && b.kind == "text":
		return a.say(b, found[1])
	case kind == "thinking_delta" && b.kind == "thinking":
		return b.think(found[2])
	case kind == "signature_delta" && b.kind == "thinking":
		return b.sign(found[3])
	case kind == "citations_delta" && b.kind == "text":
		b.citations = append(b.citations, found[5].bytes())
	case kind == "input_json_delta":
		return b.takeJSON(found[4])
	case b.isCall():
		b.draft.refuse("the call has a piece of an unknown kind")
	}
	return nil // what is not known yet
}

func (b *streamBlock) takeJSON(piece span) error {
	text, err := piece.text("partial_json")
	b.json.WriteString(text)
	return err
}

func (a *MessagesAssembler) finish(delta, usage span) error {
	if delta.kind() == '{' {
		found, err := delta.members("the delta", "stop_reason")
		if err != nil {
			return err
		}
		stop, err := readStop(found[0])
		if err != nil {
			return err
		}
		if !found[0].absent() {
			a.finished = true
		}
		if a.stop == guard.StopEnd {
			a.stop = stop
		}
		a.stops = append(a.stops, stopPlaces(a.chunks, found[0])...)
	}
	if counted := usageOf(messagesCounts(0, usage)); counted != (guard.Usage{}) {
		a.counts = append(a.counts, messagesCounts(a.chunks, usage)...)
		a.usage = guard.Usage{Input: max(a.usage.Input, counted.Input), Output: counted.Output}
	}
	return nil
}

func (a *MessagesAssembler) reading() (reading, error) {
	switch {
	case a.err != nil:
		return reading{}, a.err
	case !a.begun:
		return reading{}, badBody(errors.New("the stream held no message"))
	}
	var read reading
	var b beside
	for _, s := range a.blocks {
		made := s.block
		made.raw = s.whole()
		switch {
		case s.isCall():
			d := s.draft
			s.takeInput(&d)
			d.args = slices.Clone(d.args)
			made.call, d.block = len(read.drafts), len(read.blocks)
			made.raw = callOf(callFrom(&d))
			read.drafts = append(read.drafts, d)
		default:
			if block, err := whole(made.raw); err == nil {
				read.seen.seeBlock(s.kind, block)
				read.seen.cite(listOf(block.at("citations")))
			}
			b.see(s.kind)
		}
		read.blocks = append(read.blocks, made)
	}
	read.response = guard.Response{
		Message: guard.Message{Role: guard.RoleAssistant, Text: a.text.String()}, Stop: a.stop, Usage: a.usage,
	}
	if !a.finished && !a.ended && a.stop == guard.StopEnd {
		read.response.Stop = guard.StopCut
	}
	read.stops, read.counts = a.stops, a.counts
	read.settle(b)
	return read, nil
}

// takeInput gives a call the input that arrived in pieces. Some servers send the
// whole input when the block begins; both would be two inputs.
func (b *streamBlock) takeInput(d *draft) {
	if b.json.Len() == 0 {
		return
	}
	if len(d.args) > 0 && string(d.args) != "{}" {
		d.refuse("the input is sent both in pieces and as an object")
		return
	}
	if d.args = []byte(b.json.String()); !isObject(d.args) {
		d.refuse("the input is not an object")
	}
}

// whole is the block as a whole answer would hold it. A thought keeps its
// signature; a block of a kind that is not put together here keeps what it began
// with.
func (b *streamBlock) whole() []byte {
	switch b.kind {
	case "text":
		return rawBlock(textBlock{"text", b.text.String(), b.citations})
	case "thinking":
		return rawBlock(struct {
			Type      string `json:"type"`
			Thinking  string `json:"thinking"`
			Signature string `json:"signature"`
		}{"thinking", b.text.String(), b.signature.String()})
	case "server_tool_use", "mcp_tool_use":
		return b.withInput()
	}
	return b.at.bytes()
}

// withInput is a call of the server's own, with the input that followed it.
func (b *streamBlock) withInput() []byte {
	found, err := b.at.members("the block", "input")
	if err != nil || b.json.Len() == 0 || found[0].kind() != '{' || !isObject([]byte(b.json.String())) {
		return b.at.bytes()
	}
	return splice(b.at.bytes(), []edit{{found[0].from - b.at.from, found[0].to - b.at.from, []byte(b.json.String())}})
}
