package intent

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// along is a vector of one unit along an axis, and what it is of.
func along(axis int, of vector.Bearer, words ...string) vector.Fitted {
	f := vector.Fitted{Of: of, Words: words}
	f.Vector[axis] = 1
	return f
}

// A tool is the nearer the more the words point its way: each counts once, a pair and
// the text before count, too, and thanks, quotations and the words of a title do not.
func TestHead(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	v, err := vector.Decode(lexicon.English(), vector.Encode([]vector.Fitted{
		along(0, vector.Act, "delete"), along(1, vector.Act, "answers"), along(0, vector.Word, "bin"),
		along(0, vector.Word, "thank"), along(0, vector.Word, "gym"), along(1, vector.Word, "xyzzy"),
		along(2, vector.Pair, "bin", "xyzzy"), along(0, vector.Previous, "gone"),
	}))
	require.NoError(t, err)
	c.vectors = v
	r := newProfiler(lexicon.English(), v)
	for i, p := range c.profiles {
		r.read(&profile{}, taskTools[i])
		p.toward = v.Toward(r.bearings)
	}
	near := func(message, previous string) []float32 {
		s := c.read(Utterance{User: message, Previous: previous})
		near := make([]float32, len(c.profiles))
		for tool, p := range c.profiles {
			near[tool] = s.point.Times(&p.toward)
		}
		return near
	}
	// create_task, list_tasks, update_task, complete_task, delete_task
	length := func(vectors float64) float64 { return math.Sqrt(vectors + 0.5) }
	want := func(list, remove float64) []float32 { return []float32{0, float32(list), 0, 0, float32(remove)} }
	alone := vector.Scale / length(1) / length(1)
	require.InDeltaSlice(t, want(0, alone), near("bin it, bin it now, thank you", ""), 1e-5)
	require.InDeltaSlice(t, want(alone, 0), near("xyzzy", ""), 1e-5)
	require.InDeltaSlice(t, want(0, 0), near(`call it "xyzzy"`, ""), 1e-5)
	require.InDeltaSlice(t, want(0, 0), near("remind me to cancel the gym", ""), 1e-5)
	require.InDeltaSlice(t, want(0, alone), near("the gym", ""), 1e-5)
	three := vector.Scale / length(1) / length(3)
	require.InDeltaSlice(t, want(three, three), near("bin xyzzy", ""), 1e-5)
	require.InDeltaSlice(t, want(0, 2*vector.Scale/length(1)/length(2)), near("bin", "It is gone."), 1e-5)
}
