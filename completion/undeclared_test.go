package completion

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestUndeclaredLooks: on the wire no tool says whether it changes something. One whose words
// say that it looks something up answers a question, and proves no change.
func TestUndeclaredLooks(t *testing.T) {
	for _, row := range []struct {
		tool, args, result, user, text string
		noticed                        bool
	}{
		{"get_weather", `{"city":"Berlin"}`, "15°C, wind 10 km/h", "What's the weather in Berlin?",
			"The current weather in Berlin is 15°C with winds at 10 km/h.", false},
		{"file_search", `{"query":"leases"}`, "[1] lease_north.txt: The rent is 1,200 a month. [2] lease_south.txt: The rent is 900 a month.", "Show me the leases",
			"Here are the leases I found:\n\n1. lease_north.txt: the rent is 1,200 a month.\n2. lease_south.txt: the rent is 900 a month.", false},
		{"lookup_price", `{"symbol":"QXY"}`, `{"price":97.2}`, "How much is QXY?", "QXY trades at $97.20.", false},
		{"get_weather", `{"city":"Berlin"}`, "15°C, wind 10 km/h", "Book a table at Lupo in Berlin for eight",
			"I've booked your table at Lupo for eight.", true},
		{"find_contact", `{"name":"Ann"}`, `{"mail":"ann@example.com"}`, "Mail Ann that I am late", "I've sent Ann a mail that you are late.", true},
	} {
		implied := tooltrack.Implied(toolname.Imply(lexicon.English(), toolname.Tool{Name: row.tool}))
		tools := []tooltrack.Tool{{Name: row.tool, Implied: &implied}}
		record := &tooltrack.Record{Implied: &implied, Result: tooltrack.Result{Status: tooltrack.Succeeded, Data: json.RawMessage(row.result)}}
		record.Tool, record.Args = row.tool, json.RawMessage(row.args)
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: tools, Records: []*tooltrack.Record{record}, Contract: Analysis()})
		assert.Equal(t, row.noticed, tierOf(&verdict) > Clean, "%s: %+v", row.text, verdict.Claims)
	}
}
