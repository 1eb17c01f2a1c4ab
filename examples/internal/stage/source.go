package stage

import (
	"errors"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
)

// Source is where the model of a run comes from.
type Source struct {
	client openai.Client
	name   string
	server *simmodel.Server // nil for a real model
	// Capabilities are what the model cannot do. Default: it can do everything.
	Capabilities guard.Capabilities
}

// Open returns the real model of that name, or the simulated one for an empty
// name, with options that may be nil. The client takes OPENAI_API_KEY and
// OPENAI_BASE_URL from the environment.
func Open(name string, behaviour simmodel.Behaviour, options *simmodel.Options) (*Source, error) {
	if name != "" {
		if os.Getenv("OPENAI_API_KEY") == "" && os.Getenv("OPENAI_BASE_URL") == "" {
			return nil, errors.New("set OPENAI_API_KEY, and OPENAI_BASE_URL for a server other than OpenAI's, or leave " +
				"-model out for the simulated one")
		}
		return &Source{client: openai.NewClient(), name: name}, nil
	}
	server, err := simmodel.Start(behaviour, options)
	if err != nil {
		return nil, err
	}
	client := openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
	return &Source{client: client, name: "sim", server: server}, nil
}

// Simulated reports whether the model plays the parts that it is asked to.
func (s *Source) Simulated() bool { return s.server != nil }

// Model is the model for a turn that answers the message. The simulated one
// plays the parts; a real one is as it is.
func (s *Source) Model(message string, parts ...string) *openaiguard.Model {
	options := &openaiguard.Options{Capabilities: s.Capabilities}
	if s.server != nil {
		options.Request = simmodel.Turn(message, parts)
	}
	return openaiguard.NewModel(s.client, s.name, options)
}

// Close ends the simulated model.
func (s *Source) Close() error {
	if s.server == nil {
		return nil
	}
	return s.server.Close()
}

// Told reports whether a turn that did not pass says so by an error of the
// guard's own: an explicit end, and not a model that could not be reached.
func Told(err error) bool {
	var stopped *guard.StoppedError
	return errors.Is(err, guard.ErrInsufficientProgress) || errors.Is(err, guard.ErrToolNotTriggered) ||
		errors.As(err, &stopped)
}
