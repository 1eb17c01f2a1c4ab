package chatwire

import (
	"bytes"
	"encoding/json"
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
	"cache_read_input_tokens": {apart: true}, "cache_creation_input_tokens": {apart: true},
}

func (a *messagesAssembler) take(event span) {
	kind, found := event.typed("the event", "index", "message", "content_block", "delta", "usage", "error")
	providerFault(found[6])
	switch {
	case a.whole && kind != "message" && kind != "":
		event.failf("it is of the type %q, not a message", clipped(kind))
	case a.whole:
		a.begin(event)
	case kind == "message_start":
		a.begin(found[2])
	case kind == "content_block_start":
		a.beginBlock(found[1], found[3])
	case kind == "content_block_delta":
		a.addPiece(a.find(found[1]), found[4])
	case kind == "content_block_stop":
		a.find(found[1])
	case kind == "message_delta":
		a.end(found[4], found[5])
	case kind == "message_stop":
		a.finished = true
	} // pings, and what is not known yet
}

// begin takes a message that arrived whole, or the beginning of a stream, which may hold
// blocks, too: calls that a program made, whose run the provider keeps, are told so.
func (a *messagesAssembler) begin(message span) {
	if a.begun {
		message.failf("the stream holds two messages")
	}
	a.begun = true
	if message.kind() != '{' {
		message.failf("the stream begins without a message")
	}
	found := message.members("the message", "role", "usage", "content", "stop_reason")
	checkRole(found[0], "assistant", "the message")
	a.countAt(found[1], messagesCounts)
	if a.whole && found[2].kind() != '[' {
		message.failf("content is not a list of blocks")
	}
	a.lists = a.at(found[2])
	found[2].each("content", func(content span) { a.addBlock(len(a.open), content) })
	a.stopAt(found[3])
}

// find returns the block that an event is about.
func (a *messagesAssembler) find(index span) *streamBlock {
	number, err := strconv.Atoi(string(index.bytes()))
	for _, b := range a.open {
		if b.index == number && err == nil {
			b.chunks = append(b.chunks, a.chunks)
			return b
		}
	}
	if err != nil {
		index.failf("an event names no block")
	}
	index.failf("a piece belongs to the block %d, which did not begin", number)
	return &streamBlock{}
}

func (a *messagesAssembler) beginBlock(index, content span) {
	number, err := strconv.Atoi(string(index.bytes()))
	switch {
	case err != nil || number < 0:
		index.failf("a block begins without an index from 0")
	case slices.ContainsFunc(a.open, func(b *streamBlock) bool { return b.index == number }):
		index.failf("the block %d begins twice", number)
	case len(a.open) >= 16*MaxCalls:
		index.failf("the stream holds more than %d blocks", 16*MaxCalls)
	}
	a.addBlock(number, content)
	a.find(index)
}

func (a *messagesAssembler) addBlock(number int, content span) {
	kind, found := content.typed("the block", "text", "id", "name", "input", "thinking", "signature")
	b := &streamBlock{block: block{kind: kind, at: content, index: number}}
	switch b.kind {
	case "text":
		a.say(b, found[1])
	case "thinking":
		b.text.WriteString(found[5].text("thinking"))
		b.signature.WriteString(found[6].text("signature"))
	case "tool_use":
		b.draft = readInputCall(found[2], found[3], found[4])
	}
	a.open = append(a.open, b)
}

func (a *messagesAssembler) say(b *streamBlock, piece span) {
	text := piece.text("the text of a block")
	b.text.WriteString(text)
	a.text.WriteString(text)
}

func (a *messagesAssembler) addPiece(b *streamBlock, delta span) {
	b.pieces = true
	kind, found := delta.typed("the delta", "text", "thinking", "signature", "partial_json", "citation")
	switch {
	case kind == "text_delta" && b.kind == "text":
		a.say(b, found[1])
	case kind == "thinking_delta" && b.kind == "thinking":
		b.text.WriteString(found[2].text("thinking"))
	case kind == "signature_delta" && b.kind == "thinking":
		b.signature.WriteString(found[3].text("signature"))
	case kind == "citations_delta" && b.kind == "text":
		b.citations = append(b.citations, found[5].bytes())
	case kind == "input_json_delta":
		b.json.WriteString(found[4].text("partial_json"))
		a.growing = callFrom(&draft{name: b.draft.name, args: b.json.Bytes()})
	case b.isCall():
		b.draft.refuse("the call has a piece of an unknown kind")
	} // what is not known yet
}

// end takes the end of a stream. Its counts hold those of the beginning, or only what came
// out since.
func (a *messagesAssembler) end(delta, usage span) {
	if counts := countsIn(a.chunks, usage, messagesCounts); usageOf(counts) != (guard.Usage{}) {
		counted := usageOf(counts)
		a.counts = append(a.counts, counts...)
		a.response.Usage = guard.Usage{Input: max(a.response.Usage.Input, counted.Input), Output: counted.Output}
	}
	if delta.kind() == '{' {
		a.stopAt(delta.members("the delta", "stop_reason")[0])
	}
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
			a.seen.cite(said.at("citations").objects())
		}
		a.extras.see(b.kind)
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

// wholeBlock is the block as a whole answer would hold it. A thought keeps its signature; a block
// of a kind that is not put together here keeps what it began with.
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
			return b.at.with("input", written)
		}
	}
	return b.at.bytes()
}

// replayBlocks is the message as it is sent back to the provider. The format knows no empty
// text, and no message that ends with a thought.
func (r *reading) replayBlocks() json.RawMessage {
	blocks := slices.DeleteFunc(r.asCame(callOf), func(raw json.RawMessage) bool {
		said, err := whole(raw)
		return err == nil && said.member("type") == "text" && strings.TrimSpace(said.member("text")) == ""
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
	return err == nil && (said.member("type") == "thinking" || said.member("type") == "redacted_thinking")
}
