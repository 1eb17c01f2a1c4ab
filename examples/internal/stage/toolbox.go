package stage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Toolbox runs tools by their names.
type Toolbox map[string]func(ctx context.Context, args json.RawMessage) ([]byte, error)

var _ guard.Executor = Toolbox(nil)

// Execute implements [guard.Executor].
func (b Toolbox) Execute(ctx context.Context, call tooltrack.Call) ([]byte, error) {
	run, known := b[call.Tool]
	if !known {
		return nil, fmt.Errorf("the tool %s is described but not built", call.Tool)
	}
	return run(ctx, call.Args)
}

// Tool makes a function with typed arguments one for a [Toolbox]. What it
// returns is sent as a JSON object, so that the content of a file can never be
// taken for the status of the call.
func Tool[Args, Result any](
	run func(ctx context.Context, args Args) (Result, error),
) func(context.Context, json.RawMessage) ([]byte, error) {
	return func(ctx context.Context, raw json.RawMessage) ([]byte, error) {
		var args Args
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &args); err != nil {
				return nil, fmt.Errorf("reading the arguments: %w", err)
			}
		}
		result, err := run(ctx, args)
		if err != nil {
			return nil, err
		}
		return encode(result)
	}
}

// Tools reads the descriptions of an example's tools. It panics for what cannot be read: they are part of their program.
func Tools(text []byte) (tools []tooltrack.Tool) {
	if err := json.Unmarshal(text, &tools); err != nil {
		panic(err)
	}
	return tools
}

// encode writes JSON that a model can read: code keeps its "<" and "&".
func encode(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(text.Bytes()), nil
}
