package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFleet builds the program as a fleet runs it, with tasks in PostgreSQL where there
// is one. The build for a first look has none of that, and says so.
func TestFleet(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "taskmanager")
	build := func(tags string) {
		out, err := exec.Command("go", "build", "-tags", tags, "-o", binary, ".").CombinedOutput()
		require.NoError(t, err, string(out))
	}
	build("fleet")
	databases := []string{":memory:"}
	if os.Getenv("BONAFIDE_TEST_POSTGRES") != "" {
		databases = append(databases, postgres(t))
	}
	for _, database := range databases {
		out, err := exec.Command(binary, "chat", "-db", database, "-faults", "ghost-success", "delete Read book").CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "Deleted: Read book")
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
