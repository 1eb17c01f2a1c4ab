package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServerRun(t *testing.T) {
	address := os.Getenv("BONAFIDE_TEST_TEMPORAL")
	if address == "" {
		t.Skip("BONAFIDE_TEST_TEMPORAL is not set; set it to the address of a Temporal server, as `temporal server start-dev` gives one, to run this test")
	}
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, address))
	require.Equal(t, `ann: pay invoice A-17
waits for a person: pay invoice: {"id":"A-17"}; 0 calls were made
carol approves
agent: I have paid invoice A-17.; 1 call was made
`, out.String())
}

// Without a server it says how to start one.
func TestNoServer(t *testing.T) {
	err := run(t.Context(), &strings.Builder{}, "127.0.0.1:1")
	require.ErrorIs(t, err, errNoServer)
}
