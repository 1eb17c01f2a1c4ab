package forest

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProbability(t *testing.T) {
	f := &Forest{}
	require.InDelta(t, 0.5, f.Probability(nil), 1e-9)
	require.Greater(t, Probability(3), 0.95)
	require.Less(t, Probability(-3), 0.05)
}

// shipped is a file that a program carries.
func shipped(t testing.TB) []byte {
	t.Helper()
	file, err := os.ReadFile("../../intent/data/model.bin")
	require.NoError(t, err)
	return file
}

// TestDecodeRefuses: a file that was cut off anywhere, or lacks a forest, is no file.
func TestDecodeRefuses(t *testing.T) {
	file := shipped(t)
	forests, err := Decode(file, "early", "due")
	require.NoError(t, err)
	require.NotEmpty(t, forests[1].Trees)
	_, err = Decode(file, "early", "c")
	require.ErrorContains(t, err, `lack the forest "c"`)
	for n := 1; n < len(file); n += 1 + n/50 {
		_, err := Decode(file[:n])
		require.Error(t, err, n)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(shipped(f))
	f.Add([]byte{1, 1, 'a', 1, 0, 0, 0, 63, 1, 1, 'a', 0, 0, 0, 0, 0, 0, 0, 60, 6, 1, 1, 0, 0, 1, 0, 0, 2, 0})
	f.Fuzz(func(t *testing.T, file []byte) {
		forests, err := Decode(file, "a")
		if err != nil {
			forests, err = Decode(file, "due")
		}
		if err == nil {
			forests[0].Score(make([]float32, len(forests[0].Features))) // ends, and inside its bounds
		}
	})
}

func BenchmarkScore(b *testing.B) {
	forests, err := Decode(shipped(b), "due")
	require.NoError(b, err)
	random := rand.New(rand.NewPCG(3, 4))
	cases := make([][]float32, 64)
	for k := range cases {
		cases[k] = make([]float32, len(forests[0].Features))
		for i := range cases[k] {
			cases[k][i] = float32(random.IntN(11)-5) / 2
		}
	}
	for i := 0; b.Loop(); i++ {
		forests[0].Score(cases[i%len(cases)])
	}
}
