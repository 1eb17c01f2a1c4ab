package policy

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A number that no float64 holds is no whole number, whatever mathematics says:
// a tool would read infinity, or nothing.
func TestEndlessNumbersAreRefusedAsIntegers(t *testing.T) {
	rules := Rules{Tools: map[string][]Argument{"rules": {Arg("n", Cap(20))}, "range": {Arg("n", Range(1, 20))}, "type": {Arg("n", Type(Integer))}}}
	set, err := New([]tooltrack.Tool{
		{Name: "rules"}, {Name: "range"}, {Name: "type"},
		{Name: "schema", Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)},
		{Name: "whole", Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"minProperties":0}`)},
	}, &Options{Rules: rules})
	require.NoError(t, err)
	for _, tool := range []string{"rules", "range", "type", "schema", "whole"} {
		for number, refused := range map[string]bool{
			"1e400": true, "1e999": true, "-1e400": true, "1.5e999": true, "1e99999999999999999999": true, "1e1000000000": true,
			"7": false, "7.0": false, "0e999": false,
		} {
			d, err := set.Review(context.Background(), Proposal{Call: tooltrack.Call{Tool: tool, Args: json.RawMessage(`{"n":` + number + `}`)}})
			require.NoError(t, err, "%s %s", tool, number)
			if tool == "range" && number == "0e999" {
				refused = true // by its range
			}
			require.Equal(t, refused, d.Kind == Deny, "%s %s: %s %s", tool, number, d.Kind, d.Reason)
		}
	}
	d, err := set.Review(context.Background(), Proposal{Call: tooltrack.Call{Tool: "rules", Args: json.RawMessage(`{"n":1e30}`)}})
	require.NoError(t, err)
	require.Equal(t, `{"n":20}`, string(d.Args), "a large number is lowered")
}

// A required argument may be null where its schema says so, in whatever way.
func TestRequiredButNullable(t *testing.T) {
	for schema, allowed := range map[string]bool{
		`{"type":["string","null"]}`:                               true,
		`{"anyOf":[{"type":"string"},{"type":"null"}]}`:            true,
		`{"oneOf":[{"type":"string"},{"type":"null"}]}`:            true,
		`{"enum":["a",null]}`:                                      true,
		`{"const":null}`:                                           true,
		`{"anyOf":[{"$ref":"#/$defs/x"},{"const":null}]}`:          true,
		`{"$ref":"#/$defs/x"}`:                                     true,
		`{"anyOf":[{"type":"string"},{"type":"integer"}]}`:         false,
		`{"allOf":[{"type":["string","null"]},{"type":"string"}]}`: false,
		`{"type":"string"}`:                                        false,
		`{"description":"anything"}`:                               false,
	} {
		for _, closed := range []string{"", `,"additionalProperties":false`} {
			parameters := `{"type":"object","properties":{"x":` + schema + `},"required":["x"],"$defs":{"x":{"type":["integer","null"]}}` + closed + `}`
			set, err := New([]tooltrack.Tool{{Name: "t", Parameters: json.RawMessage(parameters)}}, &Options{Strict: true})
			require.NoError(t, err, schema)
			review := func(args string) DecisionKind {
				d, err := set.Review(context.Background(), Proposal{Call: tooltrack.Call{Tool: "t", Args: json.RawMessage(args)}})
				require.NoError(t, err)
				return d.Kind
			}
			require.Equal(t, allowed, review(`{"x":null}`) == Approve, schema)
			require.Equal(t, Deny, review(`{}`), "%s: it must be there", schema)
		}
	}
}
