package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestAFailureSaysWhatItReturned: a linter that finds something ends with 1, and what it found is
// what the answer is about.
func TestAFailureSaysWhatItReturned(t *testing.T) {
	record := &tooltrack.Record{
		Call:   tooltrack.Call{Tool: "shell", Args: []byte(`{"command":"ruff check"}`)},
		Result: tooltrack.ResultOf([]byte(`{"exit_code":1,"stdout":"23 F401 unused-import"}`), nil),
	}
	require.Equal(t, tooltrack.Failed, record.Result.Status)
	request := proof.Ask(proof.NewList(nil, []*tooltrack.Record{record}), nil, proof.CallsBarred)
	require.Contains(t, request, "→ failed exit_code=1 stdout=\"23 F401 unused-import\"")
}
