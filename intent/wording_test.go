package intent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestParseWording(t *testing.T) {
	w, err := parseWording("# head\n0.5 please\n-1 <begin> thanks\n")
	require.NoError(t, err)
	require.Equal(t, float32(0.5), w.Find(lexicon.Hash("please")))
	require.Equal(t, float32(-1), w.Find(neighbours(lexicon.Hash("<begin>"), lexicon.Hash("thanks"))))
	for _, text := range []string{"please\n", "x please\n", "1 a b c\n", "1\n"} {
		_, err := parseWording(text)
		require.Error(t, err, text)
	}
}

// The wording is how a message is put: politeness and what is forbidden beside a
// command are no part of it, and the tools' own words stand for one another.
func TestWording(t *testing.T) {
	tasks, lamps := classifierFor(t, taskTools, nil), classifierFor(t, []tooltrack.Tool{
		{Name: "switch_lamp", Description: "Switches a lamp on or off."},
	}, nil)
	wording := func(c *Classifier, message string) float32 {
		s := c.newScratch()
		c.before(s, "")
		c.read(s, message)
		return s.message[eWording]
	}
	for _, same := range [][2]string{
		{"delete my task", "Please delete my task, thank you!"},
		{"mark it as done", "don't delete it, mark it as done"},
	} {
		require.InDelta(t, wording(tasks, same[0]), wording(tasks, same[1]), 1e-6, same[1])
	}
	require.InDelta(t, wording(tasks, "delete my task"), wording(lamps, "switch my lamp"), 1e-6)
	for _, apart := range [][2]string{
		{"delete my task", "I already deleted my task"},
		{"delete the task", "what does a task mean?"},
		{"can you delete it", "ok thanks"},
	} {
		require.Greater(t, wording(tasks, apart[0]), wording(tasks, apart[1]), apart[1])
	}
}

func TestModelsAreReadStrictly(t *testing.T) {
	for _, text := range []string{"", "forest rank", "forest rank\nfeatures a\nbias 0\ntree =1", "tree =1"} {
		_, err := parseModels(text, "")
		require.Error(t, err, text)
	}
}
