package chatwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// messagesAssembler puts an answer of the Messages format together. Blocks are joined by
// their index, which every piece has to name.
type messagesAssembler struct {
	gathering
	open []*streamBlock
}

// streamBlock is a block that is being put together.
type streamBlock struct {
	block
	draft     draft
	pieces    bool            // some of it came after its beginning
	text      strings.Builder // of a text or a thought
	signature strings.Builder
	json      bytes.Buffer // the input of a call
	citations []json.RawMessage
}

func (anthropic) stream() streaming { return &messagesAssembler{} }

var messagesCounts = map[string]count{
	"input_tokens": {input: true}, "output_tokens": {output: true},
	"cache_read_input_tokens": {beside: true}, "cache_creation_input_tokens": {beside: true},
}

func (a *messagesAssembler) take(event span) error {
	kind, found, err := event.typed("the event", "index", "message", "content_block", "delta", "usage", "error")
	if err != nil {
		return err
	}
	if err := providerFault(found[6]); err != nil {
		return err
	}
	switch {
	case a.whole && kind != "message" && kind != "":
		return fmt.Errorf("it is of the type %q, not a message", clipped(kind))
	case a.whole:
		return a.begin(event)
	case kind == "message_start":
		return a.begin(found[2])
	case kind == "content_block_start":
		return a.beginBlock(found[1], found[3])
	case kind == "content_block_delta":
		return a.addPiece(found[1], found[4])
	case kind == "content_block_stop":
		_, err := a.find(found[1])
		return err
	case kind == "message_delta":
		return a.end(found[4], found[5])
	case kind == "message_stop":
		a.finished = true
	}
	return nil // pings, and what is not known yet
}

// begin takes a message that arrived whole, or the beginning of a stream, which may hold
// blocks, too: calls that a program made, whose run the provider keeps, are told so.
func (a *messagesAssembler) begin(message span) error {
	if a.begun {
		return errors.New("the stream holds two messages")
	}
	a.begun = true
	if message.kind() != '{' {
		return errors.New("the stream begins without a message")
	}
	found, err := message.members("the message", "role", "usage", "content", "stop_reason")
	if err != nil {
		return err
	}
	if role, err := found[0].text("role"); err != nil || role != "assistant" && role != "" {
		return errors.New("the message is not the assistant's")
	}
	a.countAt(found[1], messagesCounts)
	if a.whole && found[2].kind() != '[' {
		return errors.New("content is not a list of blocks")
	}
	a.lists = a.at(found[2])
	err = found[2].eachIn("content", func(content span) error { return a.addBlock(len(a.open), content) })
	if err != nil {
		return err
	}
	return a.stopAt(found[3])
}

// find returns the block that an event is about.
func (a *messagesAssembler) find(index span) (*streamBlock, error) {
	number, err := strconv.Atoi(string(index.bytes()))
	if err != nil {
		return nil, errors.New("an event names no block")
	}
	for _, b := range a.open {
		if b.index == number {
			b.chunks = append(b.chunks, a.chunks)
			b.places[a.chunks] = place{a.chunks, index.from, index.to}
			return b, nil
		}
	}
	return nil, fmt.Errorf("a piece belongs to the block %d, which did not begin", number)
}

func (a *messagesAssembler) beginBlock(index, content span) error {
	number, err := strconv.Atoi(string(index.bytes()))
	if err != nil || number < 0 {
		return errors.New("a block begins without an index from 0")
	}
	if slices.ContainsFunc(a.open, func(b *streamBlock) bool { return b.index == number }) {
		return fmt.Errorf("the block %d begins twice", number)
	}
	if len(a.open) >= 16*MaxCalls {
		return fmt.Errorf("the stream holds more than %d blocks", 16*MaxCalls)
	}
	if err := a.addBlock(number, content); err != nil {
		return err
	}
	_, err = a.find(index)
	return err
}

func (a *messagesAssembler) addBlock(number int, content span) error {
	kind, found, err := content.typed("the block", "text", "id", "name", "input", "thinking", "signature")
	if err != nil {
		return err
	}
	b := &streamBlock{block: block{kind: kind, at: content, index: number, places: map[int]place{}}}
	switch b.kind {
	case "text":
		err = a.say(b, found[1])
	case "thinking":
		err = errors.Join(put(&b.text, found[5], "thinking"), put(&b.signature, found[6], "signature"))
	case "tool_use":
		b.draft = readInputCall(found[2], found[3], found[4])
	}
	a.open = append(a.open, b)
	return err
}

// put adds a piece of a text.
func put(text io.StringWriter, piece span, what string) error {
	said, err := piece.text(what)
	_, _ = text.WriteString(said) // neither a builder nor a buffer fails
	return err
}

func (a *messagesAssembler) say(b *streamBlock, piece span) error {
	return errors.Join(put(&b.text, piece, "the text of a block"), put(&a.text, piece, "the text of a block"))
}

func (a *messagesAssembler) addPiece(index, delta span) error {
	b, err := a.find(index)
	if err != nil {
		return err
	}
	b.pieces = true
	kind, found, err := delta.typed("the delta", "text", "thinking", "signature", "partial_json", "citation")
	switch {
	case err != nil:
		return err
	case kind == "text_delta" && b.kind == "text":
		return a.say(b, found[1])
	case kind == "thinking_delta" && b.kind == "thinking":
		return put(&b.text, found[2], "thinking")
	case kind == "signature_delta" && b.kind == "thinking":
		return put(&b.signature, found[3], "signature")
	case kind == "citations_delta" && b.kind == "text":
		b.citations = append(b.citations, found[5].bytes())
	case kind == "input_json_delta":
		err = put(&b.json, found[4], "partial_json")
		a.growing = callFrom(&draft{name: b.draft.name, args: b.json.Bytes()})
		return err
	case b.isCall():
		b.draft.refuse("the call has a piece of an unknown kind")
	}
	return nil // what is not known yet
}

// end takes the end of a stream. Its counts hold those of the beginning, or only what came
// out since.
func (a *messagesAssembler) end(delta, usage span) error {
	if counts := countsIn(a.chunks, usage, messagesCounts); usageOf(counts) != (guard.Usage{}) {
		counted := usageOf(counts)
		a.counts = append(a.counts, counts...)
		a.response.Usage = guard.Usage{Input: max(a.response.Usage.Input, counted.Input), Output: counted.Output}
	}
	if delta.kind() != '{' {
		return nil
	}
	found, err := delta.members("the delta", "stop_reason")
	if err != nil {
		return err
	}
	return a.stopAt(found[0])
}

func (a *messagesAssembler) finish() (reading, error) {
	a.blocks, a.drafts, a.seen = nil, nil, nil
	for _, b := range a.open {
		made := b.block
		if made.raw = b.wholeBlock(); b.isCall() {
			d := b.draft
			b.takeInput(&d)
			if b.pieces {
				made.raw = callOf(callFrom(&d))
			}
			a.addCall(made, d)
			continue
		}
		if said, err := whole(made.raw); err == nil {
			a.seen.seeBlock(b.kind, said)
			a.seen.cite(listOf(said.at("citations")))
		}
		a.beside.see(b.kind)
		a.blocks = append(a.blocks, made)
	}
	return a.over((*reading).replayBlocks)
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
	if d.args = bytes.Clone(b.json.Bytes()); !isObject(d.args) {
		d.refuse("the input is not an object")
	}
}

// wholeBlock is the block as a whole answer would hold it. A thought keeps its
// signature; a block of a kind that is not put together here keeps what it began
// with.
func (b *streamBlock) wholeBlock() []byte {
	switch {
	case !b.pieces:
	case b.kind == "text":
		return object("type", "text", "text", b.text.String(), "citations", listOrNone(b.citations))
	case b.kind == "thinking":
		return object("type", "thinking", "thinking", b.text.String(), "signature", b.signature.String())
	case b.kind == "server_tool_use", b.kind == "mcp_tool_use": // with the input that followed it
		input := b.at.at("input")
		if written := b.json.Bytes(); input.kind() == '{' && isObject(written) {
			return splice(b.at.bytes(), []edit{{input.from - b.at.from, input.to - b.at.from, written}})
		}
	}
	return b.at.bytes()
}

// replayBlocks is the message as it is sent back to the provider. The format knows no empty
// text, and no message that ends with a thought.
func (r *reading) replayBlocks() json.RawMessage {
	blocks := slices.DeleteFunc(r.asCame(callOf), func(raw json.RawMessage) bool {
		said, err := whole(raw)
		return err == nil && member(said, "type") == "text" && strings.TrimSpace(member(said, "text")) == ""
	})
	for len(blocks) > 0 && isThought(blocks[len(blocks)-1]) {
		blocks = blocks[:len(blocks)-1]
	}
	if len(blocks) == 0 {
		return nil
	}
	return object("role", "assistant", "content", blocks)
}

func isThought(raw json.RawMessage) bool {
	said, err := whole(raw)
	return err == nil && (member(said, "type") == "thinking" || member(said, "type") == "redacted_thinking")
}
