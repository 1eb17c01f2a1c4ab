package tooltrack_test

import (
	"context"
	"slices"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Going back and forth between two states is work each time; asking twice for
// the same state is not.
func TestOccurrencesOfAChange(t *testing.T) {
	cases := []struct {
		name  string
		calls []string
		want  []int // the occurrence that runs; 0: answered from an earlier record
	}{
		{"back and forth, but not for ever", []string{"done", "open", "done", "open", "done", "open", "done", "open"}, []int{1, 1, 2, 2, 3, 3, 0, 0}},
		{"each twice", []string{"done", "done", "open", "open", "done", "done"}, []int{1, 0, 1, 0, 2, 0}},
		{"a repeat does not renew the other call", []string{"done", "open", "open", "done", "open", "open"}, []int{1, 1, 0, 2, 2, 0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			turn := open(t, tooltrack.NewLedger(nil, nil), "turn")
			var got []int
			for _, state := range c.calls {
				ran := false
				done, err := turn.Do(t.Context(), setStatus, call(setStatus, `{"id":1,"to":"`+state+`"}`), nil,
					func(context.Context, tooltrack.Call) ([]byte, error) {
						ran = true
						return nil, nil
					})
				if err != nil {
					t.Fatal(err)
				}
				if !ran {
					got = append(got, 0)
				} else {
					got = append(got, done.Record.Occurrence)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v ran as %v, want %v", c.calls, got, c.want)
			}
		})
	}
}
