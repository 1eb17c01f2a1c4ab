package golden

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// witness notes whether a check failed instead of failing itself.
type witness struct {
	testing.TB
	failed bool
}

func (w *witness) Helper()               {}
func (w *witness) Errorf(string, ...any) { w.failed = true }

func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	*update = true
	Check(t, filepath.Join("deep", "text.txt"), "as it was")
	*update = false
	kept, err := os.ReadFile(filepath.Join("testdata", "deep", "text.txt"))
	require.NoError(t, err)
	require.Equal(t, "as it was", string(kept))

	for text, differs := range map[string]bool{"as it was": false, "as it was\n": true, "": true} {
		w := &witness{TB: t}
		Check(w, filepath.Join("deep", "text.txt"), text)
		require.Equal(t, differs, w.failed, text)
	}
}
