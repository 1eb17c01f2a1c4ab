package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/examples/internal/byset"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// An answerer answers one line. A nil answer is a line that gets none, such as
// a definition that later lines refer to.
type answerer func(line []byte) (answer any, err error)

// answerLines feeds each line to answer. Its error is one of reading or writing; a faulty line is answered as such.
func answerLines(in io.Reader, out io.Writer, answer answerer) error {
	writer := bufio.NewWriter(out)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	var broken error
	err := logfile.ReadLines(bufio.NewReaderSize(in, 1<<20), 0, func(line logfile.Piece) bool {
		said, fault := any(nil), line.Fault
		if fault == nil {
			said, fault = guarded(line.Data, answer)
		}
		if fault != nil {
			said = failure{ID: idOf(line.Data), Error: fault.Error()}
		}
		if said != nil {
			broken = encoder.Encode(said)
		}
		return broken == nil
	})
	return errors.Join(err, broken, writer.Flush())
}

// failure is the answer to a line that could not be answered.
type failure struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

// guarded turns a panic into an error of its line, so that one bad case does not lose the thousands after it.
func guarded(line []byte, answer answerer) (said any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			said, err = nil, fmt.Errorf("panic: %v", fault)
		}
	}()
	return answer(line)
}

// idOf finds the id of a line that may be damaged after it, a string or a number; null if it cannot.
func idOf(line []byte) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(line))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return json.RawMessage("null")
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			break
		}
		if key == "id" {
			return value
		}
	}
	return json.RawMessage("null")
}

// decode reads a case; unknown fields are ignored. The error names what is wrong, without the whole line.
func decode[T any](line []byte) (T, error) {
	var value T
	if err := json.Unmarshal(line, &value); err != nil {
		return value, fmt.Errorf("the line is not a case of this subcommand: %w", err)
	}
	return value, nil
}

// guardsFor makes a guard for each set of tools once. Arguments are not judged here, so broken schemas do not matter.
func guardsFor(options *guard.Options) *byset.Cache[*guard.Guard] {
	build := func(_ byset.Key, tools []tooltrack.Tool) (*guard.Guard, error) {
		if len(tools) == 0 { // a log may hold none, and the text is judged all the same
			tools = []tooltrack.Tool{{Name: "none", Effect: tooltrack.Reads}}
		}
		return guard.New(tools, options)
	}
	return &byset.Cache[*guard.Guard]{Most: math.MaxInt, Make: build}
}

// byGuard answers each case by the guard of its tools.
func byGuard[T interface{ offered() []tooltrack.Tool }](
	options *guard.Options, answer func(T, *guard.Guard) (any, error),
) answerer {
	guards := guardsFor(options)
	return func(line []byte) (any, error) {
		asked, err := decode[T](line)
		if err != nil {
			return nil, err
		}
		g, err := guards.Of(asked.offered())
		if err != nil {
			return nil, err
		}
		return answer(asked, g)
	}
}

// wireText is a text of a case as the bytes that a provider sent. A case can spell half of a surrogate pair,
// for which encoding/json would put a replacement character, and so another text. So it is read as the guard
// reads what is said: half a pair becomes the three bytes that a careless encoder sends, which are no UTF-8.
type wireText []byte

func (w *wireText) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil || text == "" {
		*w = nil
		return err
	}
	quoted := string([]rune(string(data))) // with a replacement character for each byte that is none, as json has it
	said := []byte(`{"messages":[{"role":"user","content":` + quoted + "}]}")
	request, err := chatwire.ChatCompletions.ParseRequest(said)
	if err == nil {
		*w = wireText(request.Messages[0].Text)
	}
	return err
}
