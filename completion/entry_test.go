package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// What a clause or a line tells of an entry is held against that entry, not against all that the
// records hold.
func TestEntries(t *testing.T) {
	deals := `list_deals {} => [{"id":"D-1","name":"Ruhrgas","amount":84000,"close":"2026-05-16"},` +
		`{"id":"D-3","name":"Albis","amount":39900,"close":"2026-05-28"}]`
	pens := `list_pens {} => "pen  ewes  next visit\nP-1  14    2026-05-24\nP-3  21    2026-05-21\n"`
	tools := toolsOf("reads list_deals list_pens; changes pay")
	for _, row := range []struct {
		name, user, calls, text     string
		agreed, alike, words, count int // the most of any clause, and entries
	}{
		{"as listed", "my deals", deals, "- Ruhrgas, €84,000, on the 16th\n- Albis, €39,900, on the 28th", 2, 0, 0, 2},
		{"a digit is wrong", "my deals", deals, "- Ruhrgas, €84,000, on the 16th\n- Albis, €59,900, on the 28th", 2, 1, 0, 2},
		{"rounded", "my deals", deals, "Albis is worth about 40k.", 0, 0, 0, 2},
		{"a sum", "my deals", deals, "Albis and the other one come to 123,900.", 0, 0, 0, 2},
		{"a difference", "my deals", deals, "Albis is 44,100 below Ruhrgas.", 0, 0, 0, 2},
		{"lines of a text", "when are the vets due?", pens, "- P-1: 24 May\n- P-3: 27 May", 2, 1, 0, 3},
		{"a call is an entry", "pay Ann 50", `pay {"to":"Annika","amount":50}`, "Annika got 60.", 0, 1, 0, 1},
		{"a row of a table", "my deals", deals, "| Deal | Value |\n|---|---|\n| Ruhrgas | 84,000 |\n| Albis | 38,900 |", 1, 1, 0, 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := newConversation()
			c.read(&Case{User: row.user, Text: row.text, Tools: tools, Records: []*tooltrack.Record{callOf(row.calls, tools)}})
			var most unit
			for i := range c.assertions {
				u := &c.assertions[i].unit
				most.agreed, most.alike = max(most.agreed, u.agreed), max(most.alike, u.alike)
				most.words = max(most.words, u.words)
			}
			require.Equal(t, row.count, len(c.entries.all))
			require.Equal(t, row.agreed, most.agreed, "agreed")
			require.Equal(t, row.alike, most.alike, "alike")
			require.Equal(t, row.words, most.words, "words")
		})
	}
}
