// Package stagetest helps to test the example agents.
package stagetest

import (
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// Provider starts a server that stands in for a real provider of models, behind
// the variables that the flag -model reads.
func Provider(t testing.TB, behaviour simmodel.Behaviour) {
	t.Helper()
	server, err := simmodel.Start(behaviour, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	t.Setenv("OPENAI_BASE_URL", server.URL)
	t.Setenv("OPENAI_API_KEY", "none")
}
