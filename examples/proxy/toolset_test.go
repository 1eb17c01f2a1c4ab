package main

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func testSets(most int) (*toolsets, *int) {
	told := 0
	return newToolsets(&toolFile{}, most,
		func(tools []tooltrack.Tool) (*guard.Guard, error) { return guard.New(tools, nil) }, func(*toolset) { told++ }), &told
}

// TestGuardsAreMadeOnce for each set of tools, and the oldest give way, without
// their counts.
func TestGuardsAreMadeOnce(t *testing.T) {
	sets, told := testSets(3)
	named := func(n int) []tooltrack.Tool {
		return []tooltrack.Tool{{Name: fmt.Sprint("delete_", n), Description: "Delete it."}}
	}
	first, err := sets.Of(named(0))
	require.NoError(t, err)
	again, err := sets.Of(named(0))
	require.NoError(t, err)
	require.Same(t, first, again)
	_, err = first.guard.Run(
		t.Context(),
		guardtest.Script(guardtest.Say("Hello!")),
		guardtest.Tools(nil),
		guard.Input{User: "hello"},
	)
	require.NoError(t, err)
	for n := range 50 {
		_, err := sets.Of(named(n))
		require.NoError(t, err)
		require.LessOrEqual(t, len(sets.All()), 3)
	}
	require.Equal(t, 50, *told)
	require.EqualValues(t, 1, sets.counters().Turns, "a guard that is gone still counts")
	other := named(49)
	other[0].Description = "Another one."
	changed, err := sets.Of(other)
	require.NoError(t, err)
	last, err := sets.Of(named(49))
	require.NoError(t, err)
	require.NotSame(t, last, changed, "what a client says of its tools matters")
	_, err = sets.Of([]tooltrack.Tool{{Name: "a"}, {Name: "a"}})
	require.Error(t, err)
	_, err = sets.Of([]tooltrack.Tool{{Name: "a"}, {Name: "a"}})
	require.Error(t, err, "that there is no guard is remembered")
}

// TestNamesAreBounded: sums of counts do not grow with the tools that strangers
// name.
func TestNamesAreBounded(t *testing.T) {
	sum := guard.Counters{}
	for n := range 3 * maxNames {
		addCounters(&sum, guard.Counters{Turns: 1, Would: map[string]uint64{fmt.Sprint("re-ask ", n): 1}})
	}
	require.EqualValues(t, 3*maxNames, sum.Turns)
	require.Len(t, sum.Would, maxNames+1)
	require.EqualValues(t, 2*maxNames, sum.Would["other"])
}

// TestASchemaThatCannotBeApplied costs the check of arguments, not the tool.
func TestASchemaThatCannotBeApplied(t *testing.T) {
	tool, taken := (&toolFile{}).describe(tooltrack.Tool{
		Name: "delete_task", Parameters: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string","pattern":"(?<=a)b"}}}`),
	})
	require.Nil(t, tool.Parameters)
	require.Contains(t, taken.Note, "its arguments are not checked")
	require.Equal(t, tooltrack.Changes, tool.Effect)
	tool, taken = (&toolFile{}).describe(tooltrack.Tool{Name: "frobnicate"})
	require.Equal(t, tooltrack.UnknownEffect, tool.Effect)
	require.Equal(t, "nothing: it counts as a change", taken.From)
}
