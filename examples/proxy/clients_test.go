package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// TestClients lets clients of other languages run their tool loops through the
// proxy: what honest models say reaches them as it would without it, and a lie
// only where the proxy watches.
func TestClients(t *testing.T) {
	for _, client := range []string{"openai-chat", "openai-responses", "ai-chat", "ai-responses", "langchain", "anthropic", "gemini", "ollama"} {
		t.Run(client, func(t *testing.T) {
			tryClient(t, node(t), "clients.mjs", client)
		})
	}
	t.Run("python", func(t *testing.T) {
		python, err := exec.LookPath("python3")
		if err != nil {
			t.Skip("python3 is not installed")
		}
		tryClient(t, python, "client.py")
	})
}

// node is the program, if it and the packages are there.
func node(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the npm clients are not installed: there is no node")
	}
	if _, err := os.Stat(filepath.Join("testdata", "clients", "node_modules", ".package-lock.json")); err != nil {
		t.Skip("the npm clients are not installed: run npm ci in examples/proxy/testdata/clients")
	}
	return program
}

// said is what a client's loop came to.
type said struct {
	URL    string   `json:"url"`
	Stream bool     `json:"stream"`
	Ran    []string `json:"ran"`
	Text   string   `json:"text"`
	Error  string   `json:"error"`
}

func tryClient(t *testing.T, program string, args ...string) {
	t.Helper()
	var asked atomic.Int64
	counting := func(behaviour simmodel.Behaviour) simmodel.Behaviour {
		return func(ctx context.Context, request simmodel.Request) simmodel.Answer {
			asked.Add(1)
			return behaviour(ctx, request)
		}
	}
	truth := model(t, honest)
	cases := []struct {
		name string
		url  string
		want said
	}{
		{"honest, without the proxy", truth, said{Ran: []string{"Read book"}, Text: lie}},
		{"honest, watched", newWorld(t, truth).url, said{Ran: []string{"Read book"}, Text: lie}},
		{"honest, guarded", newWorld(t, truth, "-enforce").url, said{Ran: []string{"Read book"}, Text: lie}},
		{"lying, watched", newWorld(t, model(t, liar)).url, said{Ran: []string{}, Text: lie}},
		{
			"lying until it is told, guarded",
			newWorld(t, model(t, simulated), "-enforce").url,
			said{Ran: []string{"Read book"}, Text: lie},
		},
		{
			"lying, guarded",
			newWorld(t, model(t, counting(liar)), "-enforce").url,
			said{Ran: []string{}, Error: "Nothing was changed"},
		},
	}
	for _, c := range cases {
		args = append(args, c.url)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...) // #nosec G204 -- a test of ours
	command.Dir = filepath.Join("testdata", "clients")
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	require.NoError(t, command.Run(), errs.String())
	lines := json.NewDecoder(&out)
	for _, c := range cases {
		for _, stream := range []bool{false, true} {
			var got said
			require.NoError(t, lines.Decode(&got), errs.String())
			require.Equal(t, stream, got.Stream)
			if c.want.Error != "" {
				require.Contains(t, got.Error, c.want.Error, "%s, stream %v", c.name, stream)
				got.Error = c.want.Error
			}
			require.Equal(t, said{c.url, stream, c.want.Ran, c.want.Text, c.want.Error}, got, "%s, stream %v", c.name, stream)
		}
	}
	require.EqualValues(t, 2*3, asked.Load(), "a refusal is not tried again: each turn was asked once and corrected twice")
}
