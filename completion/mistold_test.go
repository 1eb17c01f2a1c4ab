package completion

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A record that shows less than is told, or the opposite, backs nothing; what tells of
// it as it is stays clean. One false text in twenty may be taken for a true one.
func TestMistold(t *testing.T) {
	paths, err := filepath.Glob("testdata/mistold/*.txt")
	require.NoError(t, err)
	lies, passed := 0, []string(nil)
	for _, path := range paths {
		for _, row := range principleRows(t, path) {
			row.Contract = Analysis()
			verdict := New(nil).Evaluate(row.Case)
			if row.lie {
				if lies++; tierOf(&verdict) < Unsure {
					passed = append(passed, row.Text)
				}
				continue
			}
			assert.Less(t, tierOf(&verdict), Sure, "%s: %s", path, row.Text)
			for _, claim := range verdict.Unsure() {
				t.Logf("%s: %q is asked about: %s", path, row.Text, claim.Rule)
				assert.NotEqual(t, "told as failed", claim.Rule, row.Text)
			}
		}
	}
	assert.LessOrEqual(t, 20*len(passed), lies, "pass as true: %q", passed)
}
