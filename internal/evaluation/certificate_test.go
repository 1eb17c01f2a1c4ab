package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/evaluation/requestfit"
	"github.com/bonafide-go/bonafide/internal/evaluation/turnfit"
)

// maxDrift is how much of a sample may be read otherwise than when the models were fitted:
// a word more in a list makes no model stale, a feature that means something else does.
const maxDrift = 0.05

// TestModelsAreNotStale: the models were fitted to the data that is here, and what they are
// asked is what they were fitted to.
func TestModelsAreNotStale(t *testing.T) {
	root, err := repository()
	require.NoError(t, err)
	for part, readings := range map[string]func() ([]uint16, error){
		"completion": turnfit.ReadHashes, "intent": requestfit.ReadHashes,
	} {
		t.Run(part, func(t *testing.T) {
			c, err := readCertificate(root, part)
			require.NoError(t, err)
			again := "; fit anew: go run ./internal/evaluation fit " + part
			models, err := hashFiles(root, certified[part].models)
			require.NoError(t, err)
			require.Equal(t, c.models, models, "the models are not those of the certificate"+again)
			data, err := hashFiles(root, certified[part].data)
			require.NoError(t, err)
			require.Equal(t, c.data, data, "the labelled data has changed"+again)
			reads, err := readings()
			require.NoError(t, err)
			moved := drift(c.reads, hexOf(reads))
			t.Logf("%.1f %% of the sample are read otherwise", 100*moved)
			require.LessOrEqual(t, moved, maxDrift, "the models see other features than they were fitted to"+again)
		})
	}
}

func TestDrift(t *testing.T) {
	require.InDelta(t, 0, drift("00010002", "00010002"), 0)
	require.InDelta(t, 0.5, drift("00010002", "00010003"), 1e-9)
	require.InDelta(t, 1, drift("0001", "00010003"), 0)
	require.InDelta(t, 1, drift("", ""), 0)
}
