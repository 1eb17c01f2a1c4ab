package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// postgres is the URL of a schema of the test's own; empty without a server.
func postgres(t *testing.T) string {
	t.Helper()
	server := os.Getenv("BONAFIDE_TEST_POSTGRES")
	if server == "" {
		t.Log("BONAFIDE_TEST_POSTGRES is not set")
		return ""
	}
	db, err := sql.Open("pgx", server)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	schema := fmt.Sprintf("proxy_%d", os.Getpid())
	_, err = db.ExecContext(t.Context(), "CREATE SCHEMA "+schema)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := db.ExecContext(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		require.NoError(t, err)
	})
	parsed, err := url.Parse(server)
	require.NoError(t, err)
	query := parsed.Query()
	query.Set("search_path", schema)
	parsed.RawQuery = query.Encode()
	return parsed.String()
}

// prover says the truth, and proves it when it is asked.
func prover(_ context.Context, request simmodel.Request) simmodel.Answer {
	if last := request.Messages[len(request.Messages)-1]; last.Role == "user" &&
		strings.HasPrefix(last.Content, "Check your answer before") {
		return simmodel.Say(`{"a":[1],"message":null}`)
	}
	return simmodel.Say(lie)
}
