package intent

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// ownRequests are the labelled requests of testdata/requests, which we wrote for
// tools that we invented.
func ownRequests(t *testing.T, classifiers map[string]*Classifier) []*labelled {
	t.Helper()
	paths, err := filepath.Glob("testdata/requests/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no labelled requests in testdata/requests: %v", err)
	}
	var all []*labelled
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		eachLine(t, path, func(line []byte) {
			var set struct {
				Tools    []tooltrack.Tool
				Requests []Example
			}
			if err := json.Unmarshal(line, &set); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			for _, r := range set.Requests {
				l := &labelled{ID: fmt.Sprintf("%s/%d", name, len(all)), set: name, own: true, Tools: set.Tools, User: r.User, wanted: map[string]bool{}}
				for _, tool := range r.Expected {
					l.wanted[tool] = true
				}
				l.read(t, classifiers)
				all = append(all, l)
			}
		})
	}
	return all
}

// TestOwnRequests holds the classifier to what it reaches on our own requests. A
// change that costs more than a handful of them has to say why.
func TestOwnRequests(t *testing.T) {
	reached := map[string]struct{ exact, calls float64 }{
		"everyday":       {exact: 0.845, calls: 0.07},
		"technical":      {exact: 0.87, calls: 0.07},
		"hard-everyday":  {exact: 0.545, calls: 0.15},
		"hard-technical": {exact: 0.53, calls: 0.135},
	}
	got := figures{}
	for _, l := range ownRequests(t, map[string]*Classifier{}) {
		got.add(l)
	}
	for set, want := range reached {
		f := got[set]
		if f == nil || f.n < 800 {
			t.Fatalf("%s: the requests are missing: %v", set, f)
		}
		if f.exact() < want.exact || f.falseCalls() > want.calls {
			t.Errorf("%s: %v; it was exact ≥ %v, false calls ≤ %v", set, f, want.exact, want.calls)
		}
	}
}
