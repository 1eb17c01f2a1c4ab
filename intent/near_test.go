package intent

import (
	"encoding/base64"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// vectorText is a vector that points one way, as data/vectors.txt has it.
func vectorText(axis int, length int8) string {
	var bytes [vector.Size]byte
	bytes[axis] = byte(length)
	return base64.RawStdEncoding.EncodeToString(bytes[:])
}

// A tool is the nearer the more the words point its way: each counts once, a pair and
// the text before count, too, and thanks, quotations and the words of a title do not.
func TestHead(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	v, err := vector.Parse(lexicon.English(), "act delete "+vectorText(0, 40)+"\nact answers "+vectorText(1, 40)+
		"\nword bin "+vectorText(0, 40)+"\nword thank "+vectorText(0, 40)+"\nword gym "+vectorText(0, 40)+"\nword xyzzy "+vectorText(1, 40)+
		"\npair bin xyzzy "+vectorText(2, 40)+"\nprevious gone "+vectorText(0, 40)+"\n")
	require.NoError(t, err)
	c.vectors = v
	r := newProfiler(lexicon.English(), v)
	for i, p := range c.profiles {
		r.read(&profile{}, taskTools[i])
		p.toward = v.Toward(r.bearings)
	}
	near := func(message, previous string) []float32 {
		s := c.newScratch()
		c.before(s, previous)
		c.read(s, message)
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
