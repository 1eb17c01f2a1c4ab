// Package stage is where the example agents perform: the model that a run asks, and the account of what happened.
//
// [Open] gives a [Source] of models: the simulated one of package simmodel, or a real one behind
// OPENAI_API_KEY and OPENAI_BASE_URL. A [Toolbox] runs tools by name, and a [Printer] shows each message
// as it passes between person, model, guard and tools:
//
//	source, err := stage.Open(*model, behaviour, nil)
//	…
//	defer source.Close()
//	printer := stage.NewPrinter(os.Stdout)
//	reply, err := printer.Run(ctx, g, source.Model(message, "lazy"), toolbox, input)
//
// Nothing in here decides anything: the guard does, and the examples check what
// it decided. A Source and a Toolbox are safe for concurrent use, a Printer is not.
package stage

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Source is where the model of a run comes from.
type Source struct {
	address, key, name string
	server             *simmodel.Server // nil for a real model
	// Capabilities are what the model cannot do. Default: it can do everything.
	Capabilities guard.Capabilities
}

// Open returns the real model of that name, or the simulated one for an empty name, with options that
// may be nil. A real one is found by OPENAI_BASE_URL and OPENAI_API_KEY, as OpenAI's own clients do.
func Open(name string, behaviour simmodel.Behaviour, options *simmodel.Options) (*Source, error) {
	if name != "" {
		address, key := os.Getenv("OPENAI_BASE_URL"), os.Getenv("OPENAI_API_KEY")
		if address == "" && key == "" {
			return nil, errors.New("set OPENAI_API_KEY, and OPENAI_BASE_URL for a server other than OpenAI's, or leave " +
				"-model out for the simulated one")
		}
		return &Source{address: cmp.Or(address, "https://api.openai.com/v1"), key: key, name: name}, nil
	}
	server, err := simmodel.Start(behaviour, options)
	if err != nil {
		return nil, err
	}
	return &Source{address: server.URL, name: "sim", server: server}, nil
}

// Simulated reports whether the model plays the parts that it is asked to.
func (s *Source) Simulated() bool { return s.server != nil }

// Model is the model for a turn that answers the message. The simulated one plays the parts; a real one is as it is.
func (s *Source) Model(message string, parts ...string) guard.Model {
	var header http.Header
	if s.server != nil {
		header = simmodel.Turn(message, parts)
	}
	return &chatwire.Model{
		Format: chatwire.ChatCompletions, Name: s.name, Limits: s.Capabilities,
		Send: func(ctx context.Context, body []byte) (io.ReadCloser, error) { return s.send(ctx, header, body) },
	}
}

// Close ends the simulated model.
func (s *Source) Close() error {
	if s.server == nil {
		return nil
	}
	return s.server.Close()
}

// Told reports whether a turn that did not pass ended in an error of the guard's own, not in one of the provider.
func Told(err error) bool {
	return errors.Is(err, guard.ErrInsufficientProgress) || errors.Is(err, guard.ErrToolNotTriggered) ||
		errors.Is(err, guard.ErrStopped)
}

// Main is the main function of an example. It adds the flag -model to those that are declared, reads the
// command line, and plays until it is done or interrupted. An error ends the program with status 1.
func Main(play func(ctx context.Context, out io.Writer, model string) error) {
	model := flag.String("model", "",
		"a real model to use, with OPENAI_API_KEY and OPENAI_BASE_URL (default: a simulated one)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := play(ctx, screen.New(os.Stdout), *model)
	stop()
	if err != nil {
		fmt.Fprintf(screen.New(os.Stderr), "%s: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(1)
	}
}

// send asks the server for chat completions. A status other than 2xx is an error with the server's own words.
func (s *Source) send(ctx context.Context, header http.Header, body []byte) (io.ReadCloser, error) {
	address := strings.TrimRight(s.address, "/") + "/chat/completions"
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("OPENAI_BASE_URL: %w", err)
	}
	maps.Copy(sent.Header, header)
	sent.Header.Set("Content-Type", "application/json")
	if s.key != "" {
		sent.Header.Set("Authorization", "Bearer "+s.key)
	}
	answer, err := http.DefaultClient.Do(sent)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		told, _ := io.ReadAll(io.LimitReader(answer.Body, 1000)) // what can be read of it will do
		_ = answer.Body.Close()
		return nil, fmt.Errorf("%s answered %s: %s", address, answer.Status, bytes.TrimSpace(told))
	}
	return answer.Body, nil
}

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

// Tool makes a function with typed arguments one for a [Toolbox]. What it returns is sent as a JSON
// object, so that the content of a file can never be taken for the status of the call.
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

// Tools reads the descriptions of an example's tools. It panics for what cannot be read: they are
// part of their program.
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
