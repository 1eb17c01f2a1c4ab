package main

import (
	"errors"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
)

// simulatedModel starts the simulated model and returns it as a source, with
// what ends it.
func simulatedModel(options *simmodel.Options) (modelSource, func() error, error) {
	return startModel(simulate, options)
}

// startModel is simulatedModel with a behaviour of one's own.
func startModel(behaviour simmodel.Behaviour, options *simmodel.Options) (modelSource, func() error, error) {
	if behaviour == nil {
		behaviour = simulate
	}
	server, err := simmodel.Start(behaviour, options)
	if err != nil {
		return nil, nil, err
	}
	client := openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
	source := func(message string, faults simmodel.Faults) guard.Streamer {
		return openaiguard.NewModel(client, "sim", &openaiguard.Options{Request: simmodel.Turn(message, faults)})
	}
	return source, server.Close, nil
}

// realModel is a model behind any server that speaks the format. The client
// reads OPENAI_API_KEY and OPENAI_BASE_URL itself.
func realModel(name string) (modelSource, error) {
	if os.Getenv("OPENAI_API_KEY") == "" && os.Getenv("OPENAI_BASE_URL") == "" {
		return nil, errors.New("set OPENAI_API_KEY, and OPENAI_BASE_URL for a server other than OpenAI's, or use -model sim")
	}
	model := openaiguard.NewModel(openai.NewClient(), name, nil)
	return func(string, simmodel.Faults) guard.Streamer { return model }, nil
}
