package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/evaluation/requestfit"
	"github.com/bonafide-go/bonafide/internal/evaluation/turnfit"
)

// TestModelsAreCertified: the models that ship are those that their certificate names. What
// has changed since they were fitted, in the labelled data and in what they are asked, is
// told and does not fail: a fit that is newer is taken only when it keeps the promises, too.
func TestModelsAreCertified(t *testing.T) {
	root, err := repository()
	require.NoError(t, err)
	for part, readings := range map[string]func() ([]uint16, error){
		"completion": turnfit.ReadHashes, "intent": requestfit.ReadHashes,
	} {
		t.Run(part, func(t *testing.T) {
			c, err := readCertificate(root, part)
			require.NoError(t, err)
			models, err := hashFiles(root, certified[part].models)
			require.NoError(t, err)
			require.Equal(t, c.models, models, "the models are not those of the certificate; fit anew")
			data, err := hashFiles(root, certified[part].data)
			require.NoError(t, err)
			reads, err := readings()
			require.NoError(t, err)
			t.Logf("same data: %t; %.1f %% of the sample are read otherwise", c.data == data, 100*drift(c.reads, hexOf(reads)))
		})
	}
}

func TestDrift(t *testing.T) {
	require.InDelta(t, 0, drift("00010002", "00010002"), 0)
	require.InDelta(t, 0.5, drift("00010002", "00010003"), 1e-9)
	require.InDelta(t, 1, drift("0001", "00010003"), 0)
	require.InDelta(t, 1, drift("", ""), 0)
}
