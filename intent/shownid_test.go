package intent

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestShownIDsSpeakForTheirTool: an id that is written like the one that a schema shows is
// one of that kind, whatever the argument is called.
func TestShownIDsSpeakForTheirTool(t *testing.T) {
	for _, shown := range []string{
		`"example":"HB1043"`, `"examples":["HB1043","HB7"]`, `"pattern":"^HB\\d{4}$"`, `"pattern":"HB[0-9]+"`,
		`"description":"The reference, such as HB1043."`,
	} {
		schema := func(shown string) json.RawMessage {
			return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"ref":{"type":"string",%s}}}`, shown))
		}
		tools := []tooltrack.Tool{
			{Name: "cancel_table", Description: "Cancels a table.", Parameters: schema(shown)},
			{Name: "cancel_delivery", Description: "Cancels a delivery.", Parameters: schema(`"example":"QX88"`)},
			{Name: "show_table", Description: "Shows a table.", Parameters: schema(shown)},
			{Name: "show_delivery", Description: "Shows a delivery.", Parameters: schema(`"example":"QX88"`)},
		}
		c := classifierFor(t, tools, nil)
		for user, want := range map[string]string{
			"cancel HB2201 please": "cancel_table", "cancel QX12": "cancel_delivery", "please cancel hb3310 for tonight": "cancel_table",
			"show me QX45": "show_delivery", "show HB9120": "show_table", "Could you cancel QX70?": "cancel_delivery",
		} {
			in := c.read(Utterance{User: user}).intent()
			require.Len(t, in.Expect, 1, "%s %q: %+v", shown, user, in)
			require.Equal(t, want, in.Expect[0].Tool, "%s %q", shown, user)
		}
		for _, user := range []string{"cancel ZR2201", "thanks for HB2201"} { // of no kind that is known, and no request
			in := c.read(Utterance{User: user}).intent()
			require.False(t, insists(in, "cancel_table") || insists(in, "cancel_delivery"), user)
		}
	}
}
