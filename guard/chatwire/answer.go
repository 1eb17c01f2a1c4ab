package chatwire

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// reading is an answer together with the places of its parts, so that it can be
// handed on with other arguments or without its calls.
type reading struct {
	response guard.Response
	drafts   []draft // one for each call of the response
	lists    []place // where calls are listed
	texts    []place // where the text stands
	media    []place // where else an answer stands: images, sound, the probabilities of its words
	stops    []stopPlace
	counts   []count
	others   map[string]int // what the other answers to the request used
	drops    []place        // what nobody asked for and nobody judges
	spare    *place         // where a text can be added if it stands nowhere
	dropped  bool           // a call was sent twice and is read once
	seen     seenCalls      // what the provider ran by itself
	blocks   []block        // what the answer is made of, in the newer formats
	id       string         // by which a later request may go on
	final    []byte         // the whole answer, where a stream ends with it
}

// place is where a value stands: in which chunk of a stream, and there between which bytes.
type place struct {
	chunk    int
	from, to int
}

// stopPlace is where a finish reason stands.
type stopPlace struct {
	place
	reason string
}

// maxStream bounds the memory that one streamed answer may take.
const maxStream = 16 << 20

// gathering is an answer in any format while it arrives: what is read so far, and an error
// that stays. A stream that broke stays broken.
type gathering struct {
	reading
	text, refusal strings.Builder
	extras        extras
	growing       tooltrack.Call // the call that the last event was a piece of, as far as it has arrived
	whole         bool           // it arrives in one piece
	begun         bool
	finished      bool // the provider said that it is over
	chunks        int
	size          int
	err           error
}

func (g *gathering) base() *gathering { return g }

// add reads the next event, or the whole answer, and returns the text that it adds.
func (g *gathering) add(data []byte, take func(event span)) (text string, err error) {
	if g.err != nil {
		return "", g.err
	}
	if g.size += len(data); g.size > maxStream && !g.whole {
		g.err = badBody(errors.New("the stream is longer than 16 MiB"))
		return "", g.err
	}
	before := g.text.Len()
	g.growing = tooltrack.Call{}
	event, err := whole(data)
	if err == nil {
		take(event)
		err = event.fault.err
	}
	if g.err = badBody(err); g.err != nil {
		return "", g.err
	}
	g.chunks++
	return g.text.String()[before:], nil
}

// readWhole reads an answer that arrived in one piece.
func readWhole(d dialect, body []byte) (reading, error) {
	s := d.stream()
	s.base().whole = true
	if _, err := s.base().add(body, s.take); err != nil {
		return reading{}, err
	}
	read, err := s.finish()
	read.response.Raw = body
	return read, err
}

// at is where values of the piece that is being read stand; absent ones stand nowhere.
func (g *gathering) at(values ...span) []place { return placesOf(g.chunks, values...) }

// stopAt takes note of a finish reason, and of the provider's own one where a gateway has
// translated it. The first that says that an answer is not whole counts.
func (g *gathering) stopAt(reason span, native ...span) {
	stop := readStop(append([]span{reason}, native...)...)
	if text := reason.said(); text != "" {
		g.finished = true
		g.stops = append(g.stops, stopPlace{g.at(reason)[0], text})
	}
	if g.response.Stop == guard.StopEnd {
		g.response.Stop = stop
	}
}

// addContent adds what a message, or a piece of one, holds.
func (g *gathering) addContent(said *contents) {
	g.text.WriteString(said.text.String())
	g.refusal.WriteString(said.refusal.String())
	g.extras.join(said.extras)
}

// countAt takes note of a usage. Later counts hold those before.
func (g *gathering) countAt(usage span, known map[string]count) {
	if !usage.absent() {
		g.counts = countsIn(g.chunks, usage, known)
		g.response.Usage = usageOf(g.counts)
	}
}

// over is the answer with what follows from what arrived. The message is sent back as it
// came, or as it is replayed where its calls have changed.
func (g *gathering) over(replay func(*reading) json.RawMessage) (reading, error) {
	switch {
	case g.err != nil:
		return reading{}, g.err
	case !g.begun:
		return reading{}, badBody(errors.New("it holds no answer"))
	}
	r := g.reading
	r.media = append(slices.Clip(r.media), g.extras.places...)
	response := &r.response
	response.Message.Role, response.Message.Text = guard.RoleAssistant, g.text.String()
	response.Message.Seen = r.seen
	response.Refusal = strings.TrimSpace(g.refusal.String())
	switch {
	case response.Stop != guard.StopEnd:
	case !g.finished && !g.whole:
		response.Stop = guard.StopCut
	case response.Refusal != "":
		response.Stop = guard.StopRefused
	}
	var changed bool
	r.drafts, response.Message.Calls, response.Faults, changed = finish(slices.Clone(r.drafts))
	r.dropped = len(r.drafts) < len(g.drafts)
	r.assign()
	if changed || response.Message.Raw == nil { // the provider's own would no longer fit the results
		response.Message.Raw = replay(&r)
	}
	r.describeEmpty(g.extras)
	return r, nil
}

// block is one block of an answer.
type block struct {
	kind string
	raw  json.RawMessage // the whole of it
	call int             // which draft it is, for a call; noIndex for a copy
	// In a stream: what it began with, its index or, of Gemini, its chunk, and the chunks of its
	// pieces.
	at     span
	index  int
	chunks []int
}

func (b *block) isCall() bool { return slices.Contains(words("calls"), b.kind) }

// A call of Gemini's whose arguments come in pieces, and one of these pieces.
const callBegun, callPiece = "functionBegun", "functionPiece"

// isText reports a block that people read.
func (b *block) isText() bool { return b.kind == "text" || b.kind == "message" }

// addCall adds a block that is a call.
func (r *reading) addCall(b block, d draft) {
	b.call, d.index = len(r.drafts), len(r.blocks)
	r.drafts, r.blocks = append(r.drafts, d), append(r.blocks, b)
}

// assign finds the draft of each call again: dropping one that was sent twice
// moves the others, and a second copy has none.
func (r *reading) assign() {
	next := 0
	for i := range r.blocks {
		if !r.blocks[i].isCall() {
			continue
		}
		r.blocks[i].call = noIndex
		if next < len(r.drafts) && r.drafts[next].index == i {
			r.blocks[i].call = next
			next++
		}
	}
}

// asCame are the blocks as they came, without a second copy of a call; those of calls whose
// id is a local one are made.
func (r *reading) asCame(call func(tooltrack.Call) json.RawMessage) []json.RawMessage {
	var blocks []json.RawMessage
	for i := range r.blocks {
		b := &r.blocks[i]
		switch {
		case b.isCall() && b.call == noIndex:
		case b.isCall() && isLocalID(r.drafts[b.call].id):
			blocks = append(blocks, call(callFrom(&r.drafts[b.call])))
		default:
			blocks = append(blocks, b.raw)
		}
	}
	return blocks
}

// keptBlock is a block of the answer that is handed out: one that arrived, or one that was
// made, in its place or, with noIndex, as a new one.
type keptBlock struct {
	block int
	raw   json.RawMessage
	made  bool
}

// maker is a format whose answers are made of blocks.
type maker interface {
	// sayBlock is a block that says a text. Where it takes the place of a block that was
	// there, that is given; nil means that nothing of it has to stay.
	sayBlock(b *block, text string) json.RawMessage
	// callBlock is a call with other arguments.
	callBlock(b *block, call tooltrack.Call) json.RawMessage
}

// keep says which blocks stay. Thoughts and the provider's own blocks always do;
// another text takes the place of all texts there were.
func (r *reading) keep(answer guard.Response, in maker) []keptBlock {
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
				kept = append(kept, keptBlock{i, in.callBlock(b, call), true})
				continue
			}
		case b.kind == callPiece && !asCame:
			continue
		case b.isText() && another:
			if made := in.sayBlock(b, text); made != nil {
				kept = append(kept, keptBlock{i, made, true})
			}
			text = ""
			continue
		}
		kept = append(kept, keptBlock{i, b.raw, false})
	}
	if another && text != "" {
		kept = append(kept, keptBlock{noIndex, in.sayBlock(nil, text), true})
	}
	return kept
}

// keepRaw are the blocks that stay, as bytes.
func (r *reading) keepRaw(answer guard.Response, in maker) []json.RawMessage {
	return madeOf(r.keep(answer, in), func(kept keptBlock) json.RawMessage { return kept.raw })
}
