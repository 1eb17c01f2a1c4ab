package intent

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestParseWording(t *testing.T) {
	please, thanks := phraseKey(lexicon.Hash("please")), phraseKey(lexicon.Pair(signBegin, lexicon.Hash("thanks")))
	var file []byte
	for key, weight := range map[uint64]int16{please: 500, thanks: -1000} {
		file = append(binary.LittleEndian.AppendUint32(file, uint32(key)), byte(key>>32))
		file = binary.LittleEndian.AppendUint16(file, uint16(weight))
	}
	w, err := parseWording(file)
	require.NoError(t, err)
	require.Equal(t, float32(0.5), w.Find(please))
	require.Equal(t, float32(-1), w.Find(thanks))
	_, err = parseWording(file[1:])
	require.Error(t, err)
}

// The wording is how a message is put: politeness and what is forbidden beside a
// command are no part of it, and the tools' own words stand for one another.
func TestWording(t *testing.T) {
	tasks, lamps := classifierFor(t, taskTools, nil), classifierFor(t, []tooltrack.Tool{
		{Name: "switch_lamp", Description: "Switches a lamp on or off."},
	}, nil)
	wording := func(c *Classifier, message string) float32 {
		s := c.read(Utterance{User: message, Previous: ""})
		return s.all[eWording]
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
	_, err := parseModels(fittedModel, fittedWording)
	require.NoError(t, err)
	_, err = parseModels(fittedModel[:len(fittedModel)-1], fittedWording)
	require.Error(t, err)
	_, err = parseModels(fittedModel, fittedWording[1:])
	require.Error(t, err)
	require.Len(t, shippedModels().due.Features, numEvidence, "fit anew: go generate")
}
