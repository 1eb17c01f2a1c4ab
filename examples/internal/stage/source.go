package stage

import (
	"cmp"
	"errors"
	"os"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
)

// Source is where the model of a run comes from.
type Source struct {
	address, key, name string
	server             *simmodel.Server // nil for a real model
	// Capabilities are what the model cannot do. Default: it can do everything.
	Capabilities guard.Capabilities
}

// Open returns the real model of that name, or the simulated one for an empty
// name, with options that may be nil. A real one is found by OPENAI_BASE_URL and
// OPENAI_API_KEY, as OpenAI's own clients do.
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

// Model is the model for a turn that answers the message. The simulated one
// plays the parts; a real one is as it is.
func (s *Source) Model(message string, parts ...string) guard.Model {
	m := &Model{address: s.address, key: s.key, name: s.name, capabilities: s.Capabilities}
	m.capabilities.Name = cmp.Or(m.capabilities.Name, s.name)
	if s.server != nil {
		m.header = simmodel.Turn(message, parts)
	}
	return m
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
	return errors.Is(err, guard.ErrInsufficientProgress) || errors.Is(err, guard.ErrToolNotTriggered) ||
		errors.Is(err, guard.ErrStopped)
}
