//go:build !race

package policy

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A call that passes costs no memory. The race detector makes pools forget on
// purpose, so this is not for it.
func TestApprovalAllocatesNothing(t *testing.T) {
	set := sampleSet(t, nil)
	request := Proposal{Owner: "ada", Now: clockAt("2026-03-01"), Call: tooltrack.Call{Tool: "web_search", Args: json.RawMessage(plainArgs)}}
	args, err := Decode([]byte(plainArgs))
	if err != nil {
		t.Fatal(err)
	}
	decoded := request
	decoded.Args = args
	for name, review := range map[string]func() (Decision, error){
		"raw":     func() (Decision, error) { return set.Review(context.Background(), request) },
		"decoded": func() (Decision, error) { return set.Review(context.Background(), decoded) },
	} {
		allocations := testing.AllocsPerRun(200, func() {
			if d, err := review(); err != nil || d.Kind != Approve {
				t.Fatal(d, err)
			}
		})
		if allocations >= 1 { // the pool may be emptied by the garbage collector
			t.Errorf("%s: %v allocations", name, allocations)
		}
	}
}
