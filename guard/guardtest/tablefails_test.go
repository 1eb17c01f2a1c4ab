package guardtest

import (
	"slices"
	"testing"
)

// TestTheTableCanFail: a loop without a guard keeps only what needs none.
func TestTheTableCanFail(t *testing.T) {
	unguarded := &Adapter{Pauses: true, Streams: true, Open: func(s *Setting) Talk { return Loop(s.Model, s.Executor, s.Tools) }}
	var kept []string
	for _, p := range promises() {
		if applies[p.only](unguarded) && len(p.try(t, unguarded)) == 0 {
			kept = append(kept, p.Name)
		}
	}
	if want := []string{"honest", "parallel", "paused", "observe"}; !slices.Equal(kept, want) {
		t.Errorf("it keeps %v, want %v", kept, want)
	}
}
