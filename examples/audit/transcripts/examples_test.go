package transcripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
)

// depot writes a log of conversations in words of the house: to "park" is to
// relocate.
func depot(t *testing.T) string {
	var log strings.Builder
	for i := range 15 {
		fmt.Fprintf(&log, `{"tools":[{"type":"function","function":{"name":"relocate_pallet","description":"Moves a pallet to another bay."}},`+
			`{"type":"function","function":{"name":"list_pallets","description":"Lists the pallets of a bay."}}],`+
			`"messages":[{"role":"user","content":"park %d in bay %d"},`+
			`{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"relocate_pallet","arguments":"{}"}}]},`+
			`{"role":"tool","tool_call_id":"c1","content":"{\"ok\":true}"},{"role":"assistant","content":"It stands in bay %d now."},`+
			`{"role":"user","content":"what a day %d"},{"role":"assistant","content":"Indeed."}]}`+"\n", 100+i, i, i, i)
	}
	path := filepath.Join(t.TempDir(), "log.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(log.String()), 0o600))
	return path
}

func TestExamplesFromALog(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, exitFine, ran(Examples, []string{depot(t)}, nil, &out, &errs), errs.String())
	parked := 0
	for line := range strings.Lines(out.String()) {
		var p intent.Proposal
		require.NoError(t, json.Unmarshal([]byte(line), &p))
		if strings.HasPrefix(p.User, "park") && p.Doubt == "" {
			require.Equal(t, []string{"relocate_pallet"}, p.Expected)
			parked++
		}
	}
	require.Equal(t, 15, parked)
	require.Contains(t, errs.String(), "exact without")
}

func TestExamplesIntoAFile(t *testing.T) {
	to := filepath.Join(t.TempDir(), "examples.jsonl")
	var out, errs bytes.Buffer
	require.Equal(t, exitFine, ran(Examples, []string{"-o", to, depot(t)}, nil, &out, &errs), errs.String())
	written, err := os.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, 30, bytes.Count(written, []byte("\n")))
	require.Contains(t, out.String(), "proposed")
}

func TestExamplesCalledWrongly(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want int
	}{
		{nil, exitUsage}, {[]string{"-nonsense"}, exitUsage}, {[]string{"-effects", "missing.json", "x"}, exitUsage},
		{[]string{"missing.jsonl"}, exitBroken}, {[]string{"-h"}, exitFine},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, tc.want, ran(Examples, tc.args, nil, &out, &errs), "%q: %s", tc.args, errs.String())
		require.NotEmpty(t, errs.String())
	}
}

// TestExamplesOfSeveralAgents: the table names the sets of tools, and the lines say which
// set they are for.
func TestExamplesOfSeveralAgents(t *testing.T) {
	to := filepath.Join(t.TempDir(), "examples.jsonl")
	var out, errs bytes.Buffer
	require.Equal(t, exitFine, ran(Examples, []string{"-o", to, depot(t), "testdata/formats"}, nil, &out, &errs), errs.String())
	row, _, named := strings.Cut(out.String(), "  relocate_pallet, list_pallets ")
	require.True(t, named, out.String())
	set := strings.TrimSpace(row[strings.LastIndexByte(row, '\n')+1:])
	written, err := os.ReadFile(to)
	require.NoError(t, err)
	_, err = intent.ReadExamples(bytes.NewReader(written), "")
	require.Error(t, err, "lines for several sets cannot be told apart")
	examples, err := intent.ReadExamples(bytes.NewReader(written), set)
	require.NoError(t, err)
	require.Greater(t, len(examples), 15)
	for _, example := range examples {
		for _, name := range example.Expected {
			require.Equal(t, "relocate_pallet", name)
		}
	}
}
