package chatwire

import (
	"errors"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// Assembler puts a streamed answer together. How the bytes were cut into chunks
// on their way never changes the result.
//
// Pieces of a call are joined by their index, then by their id. A piece that
// could belong to several calls refuses them all: joined to the wrong one it
// would change what runs. The zero value is ready to use.
type Assembler struct {
	gathering
	refusal      strings.Builder
	slots        []slot
	lists, texts []place // where calls are listed, and where the text stands
	stops        []stopPlace
	drops        []place
	counts       []count
	spare        *place // where a text can be added
	beside       beside
	seen         seenCalls
	stop         guard.Stop
	usage        guard.Usage
	finished     bool // a finish reason was seen
	ended        bool // the end marker was seen
	choices      int  // how many choices were seen
	tooMany      bool
	wholeCalls   bool // calls do not come in pieces
}

// Add takes the next chunk: the JSON of one event. Its text, if any, is
// returned. An error ends the stream; Response then returns it, too.
func (a *Assembler) Add(chunk []byte) (text string, err error) {
	return a.add(chunk, a.readChunk)
}

// AddChoice takes the next element of choices, for those who have taken the
// chunks apart already.
func (a *Assembler) AddChoice(choice []byte) (text string, err error) {
	return a.add(choice, a.readChoice)
}

// End takes note of the stream's end marker. A stream without one and without a
// finish reason was cut off.
func (a *Assembler) End() { a.ended = true }

// Response is the answer so far. Before the end of the stream it is cut.
func (a *Assembler) Response() (guard.Response, error) {
	read, err := a.reading()
	return read.response, err
}

func (a *Assembler) reading() (reading, error) {
	if a.err != nil {
		return reading{}, a.err
	}
	if a.choices == 0 {
		return reading{}, badBody(errors.New("the stream held no choice"))
	}
	read := reading{
		drafts: a.drafts(), lists: a.lists, texts: a.texts, media: a.beside.places,
		stops: a.stops, counts: a.counts, spare: a.spare, seen: a.seen, drops: a.drops,
	}
	read.response = guard.Response{
		Message: guard.Message{Role: guard.RoleAssistant, Text: a.text.String()},
		Refusal: strings.TrimSpace(a.refusal.String()), Stop: a.stop, Usage: a.usage,
	}
	if !a.finished && !a.ended && a.stop == guard.StopEnd {
		read.response.Stop = guard.StopCut
	}
	read.complete(encodeMessage)
	read.response.Message.Raw = encodeMessage(read.response.Message)
	read.stand(a.beside)
	return read, nil
}

func (a *Assembler) readChunk(chunk span) error {
	found, err := chunk.members("the chunk", "error", "choices", "usage")
	if err != nil {
		return err
	}
	if err := providerFault(found[0]); err != nil {
		return err
	}
	if !found[2].absent() {
		a.usage = usageOf(countPlaces(0, found[2]))
		a.counts = countPlaces(a.chunks, found[2]) // later counts hold those before
	}
	if found[1].absent() {
		return nil // keep-alives and annotations of the server's own
	}
	choices, err := found[1].elements("choices")
	if err != nil {
		return err
	}
	kept := noIndex
	for i, choice := range choices {
		before := a.choices
		if err := a.readChoice(choice); err != nil {
			return err
		}
		if a.choices > before {
			kept = i
		}
	}
	a.drops = append(a.drops, besides(a.chunks, choices, kept)...)
	return nil
}

func (a *Assembler) readChoice(choice span) error {
	found, err := choice.members("the choice",
		"index", "error", "delta", "message", "finish_reason", "native_finish_reason", "logprobs")
	if err != nil {
		return err
	}
	if !found[0].absent() && string(found[0].bytes()) != "0" {
		return nil // another choice: its pieces must not mix with these
	}
	if err := providerFault(found[1]); err != nil {
		return err
	}
	a.choices++
	a.beside.places = append(a.beside.places, placesOf(a.chunks, found[6])...)
	switch {
	case !found[2].absent():
		err = a.readDelta(found[2])
	case !found[3].absent() && a.text.Len() == 0 && len(a.slots) == 0:
		err = a.readDelta(found[3]) // the whole message at once
	}
	if err != nil {
		return err
	}
	stop, err := readStop(found[4], found[5])
	if err != nil {
		return err
	}
	if reason, _ := found[4].text("finish_reason"); reason != "" {
		a.finished = true
		a.stops = append(a.stops, stopPlaces(a.chunks, found[4])...)
	}
	if a.stop == guard.StopEnd {
		a.stop = stop
	}
	return nil
}

func (a *Assembler) readDelta(delta span) error {
	found, err := delta.members("the delta", "content", "refusal", "tool_calls", "function_call")
	if err != nil {
		return err
	}
	said, err := readContent(found[0])
	if err != nil {
		return err
	}
	refusal, err := found[1].text("refusal")
	if err != nil {
		return err
	}
	a.text.WriteString(said.text)
	a.refusal.WriteString(refusal + said.refusal)
	a.beside.join(readBeside(delta, a.chunks))
	a.beside.join(said.beside)
	a.seen.seeMessage(delta)
	a.lists = append(a.lists, placesOf(a.chunks, found[2], found[3])...)
	a.texts = append(a.texts, textPlaces(a.chunks, found[0])...)
	if a.spare == nil {
		a.spare = sparePlace(a.chunks, delta)
	}
	return a.joinCalls(found[2], found[3])
}

func (a *Assembler) joinCalls(list, legacy span) error {
	if !list.absent() {
		pieces, err := list.elements("tool_calls")
		if err != nil {
			return err
		}
		for _, piece := range pieces {
			switch {
			case !a.wholeCalls:
				a.join(piece)
			case len(a.slots) >= 4*MaxCalls:
				a.tooMany = true
			default:
				a.slots = append(a.slots, slot{readCall(piece, a.chunks), noIndex})
			}
		}
	}
	if !noCall(legacy) {
		a.joinPiece(piece{index: legacyIndex, function: legacy})
	}
	return nil
}
