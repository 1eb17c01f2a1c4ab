package proof_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestPartsCiteTheirCalls: a part of a report names its calls by tool and number.
func TestPartsCiteTheirCalls(t *testing.T) {
	call := func(tool string) *tooltrack.Record { return &tooltrack.Record{Call: tooltrack.Call{Tool: tool}} }
	list := proof.NewList([]*tooltrack.Record{call("refund")}, []*tooltrack.Record{call("find"), call("refund"), call("refund")})
	for calls, want := range map[string]proof.Basis{
		`["find"]`:                        {Records: []int{2}},
		`["refund 2", "find"]`:            {Records: []int{4, 2}},
		`[{"tool":"refund","n":1}]`:       {Records: []int{3}},
		`"refund #2"`:                     {Records: []int{4}},
		`"no call"`:                       {NoCall: true},
		`["not done"]`:                    {NotDone: true},
		`[]`:                              {NoCall: true},
		`[{"tool":"refund"}, "not_done"]`: {Records: []int{3}, NotDone: true},
	} {
		parts, err := proof.ReadReport([]byte(`{"parts":[{"calls":` + calls + `,"text":"It is done."}]}`))
		require.NoError(t, err, calls)
		basis, err := parts[0].Basis(list)
		require.NoError(t, err, calls)
		require.Equal(t, want, basis, calls)
	}
	parts, err := proof.ReadReport([]byte(`{"parts":[{"calls":["refund 3"],"text":"It is done."}]}`))
	require.NoError(t, err)
	_, err = parts[0].Basis(list)
	require.ErrorContains(t, err, "there is no call 3 of refund")
}

// FuzzReadReport: whatever a report holds, it is read or refused, and its text is no more than
// what its parts say.
func FuzzReadReport(f *testing.F) {
	f.Add([]byte(`{"parts":[{"calls":["find"],"text":"- one"},{"calls":"no call","text":"- two"}]}`))
	f.Add([]byte(`{"message":"Done.","items":[{"calls":[{"tool":"find"}]}]}`))
	f.Fuzz(func(t *testing.T, args []byte) {
		parts, err := proof.ReadReport(args)
		text := proof.TextOf(parts)
		if err == nil && text == "" {
			t.Fatalf("%q has no text, and is accepted", args)
		}
		list := proof.NewList(nil, nil)
		for i := range parts {
			if said := strings.TrimSpace(parts[i].Text); !strings.Contains(text, said) {
				t.Fatalf("%q lacks %q", text, said)
			}
			_, _ = parts[i].Basis(list)
		}
	})
}
