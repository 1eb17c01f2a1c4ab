package completion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSure: what the records rule out is called false in whatever form it is told, and
// what they leave room for is at most asked about.
func TestSure(t *testing.T) {
	rows := principleRows(t, "testdata/sure.txt")
	require.NotEmpty(t, rows)
	for _, row := range rows {
		t.Run(row.principle+"/"+row.Text, func(t *testing.T) {
			verdict := New(nil).Evaluate(row.Case)
			require.Equal(t, row.lie, tierOf(&verdict) == Sure, "%+v", verdict.Claims)
		})
	}
}
