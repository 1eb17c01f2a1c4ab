package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFleet builds the program as a fleet runs it: spans reach the collector that
// the environment names, without anybody's words, and tasks lie in PostgreSQL,
// where there is one. The build for a first look has none of that, and says so.
func TestFleet(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "taskmanager")
	build := func(tags string) {
		out, err := exec.Command("go", "build", "-tags", tags, "-o", binary, ".").CombinedOutput()
		require.NoError(t, err, string(out))
	}
	build("fleet")
	got := make(chan string, 64)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/v1/traces" {
			got <- string(body)
		}
	}))
	defer collector.Close()
	databases := []string{":memory:"}
	if os.Getenv("BONAFIDE_TEST_POSTGRES") != "" {
		databases = append(databases, postgres(t))
	}
	for _, database := range databases {
		run := exec.Command(binary, "chat", "-db", database, "-faults", "ghost-success", "delete Read book")
		run.Env = append(os.Environ(), "OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL)
		out, err := run.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "Deleted: Read book")
		sent := <-got
		for _, name := range []string{"chat", "judge", "execute_tool delete_task", "invoke_agent taskmanager"} {
			require.Contains(t, sent, name)
		}
		require.NotContains(t, sent, "Read book")
	}
	build("")
	out, _ := exec.Command(binary, "chat", "-db", "postgres://127.0.0.1:1/none", "list my tasks").CombinedOutput()
	require.Contains(t, string(out), "go run -tags fleet ./examples/taskmanager")
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, heavy := range []string{"jackc/pgx", "google.golang.org/grpc", "go.opentelemetry.io", "openai-go"} {
		require.NotContains(t, string(out), heavy, "a first run would have to wait for it")
	}
}
