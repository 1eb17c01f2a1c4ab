package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestVerify(t *testing.T) {
	var file bytes.Buffer
	sum, err := tooltrack.WriteExport(&file, tooltrack.Scope{Owner: "ann"}, func(yield func(*tooltrack.Record, error) bool) {
		yield(&tooltrack.Record{Call: tooltrack.Call{Tool: "pay", Args: []byte(`{"amount":100}`)}}, nil)
	})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "export.jsonl")
	verify := func(text string, args ...string) (int, string) {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		var out, errs bytes.Buffer
		status := run(append(append([]string{"verify"}, args...), name), nil, &out, &errs)
		return status, out.String() + errs.String()
	}
	status, said := verify(file.String(), "-sum", sum)
	require.Zero(t, status, said)
	require.Equal(t, "1 records, as they were written; sum "+sum+"\n", said)
	status, said = verify(strings.Replace(file.String(), "100", "900", 1))
	require.Equal(t, 1, status)
	require.Contains(t, said, "line 2: it was changed")
	status, said = verify(file.String(), "-sum", "0000")
	require.Equal(t, 1, status)
	require.Contains(t, said, "and not 0000")
	require.Equal(t, 2, run([]string{"verify"}, nil, &bytes.Buffer{}, &bytes.Buffer{}))
	require.Equal(t, 2, run([]string{"verify", name + ".missing"}, nil, &bytes.Buffer{}, &bytes.Buffer{}))
}
