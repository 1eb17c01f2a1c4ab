package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// An undeclared argument is judged by one rule, whatever it is called and
// whatever it holds: a schema that is open lets it pass as sent, one that is
// closed refuses it, and one that says what others must be like is obeyed.
func TestUndeclaredArguments(t *testing.T) {
	const declared = `"type":"object","properties":{"query":{"type":"string"},"max":{"type":"integer","maximum":20}},"required":["query"]`
	nested := func(rest string) string {
		return `{"type":"object","properties":{"query":{"type":"string"},"inner":{"type":"object","properties":{"a":{"type":"string"}}` + rest + `}}}`
	}
	for _, c := range []struct {
		name, schema, args string
		refuses            func(value string) bool
	}{
		{"open", `{` + declared + `}`, `{"query":"x",%s}`, func(string) bool { return false }},
		{"closed", `{` + declared + `,"additionalProperties":false}`, `{"query":"x",%s}`, func(string) bool { return true }},
		{"open, as a whole", `{` + declared + `,"minProperties":0}`, `{"query":"x",%s}`, func(string) bool { return false }},
		{"closed, as a whole", `{` + declared + `,"additionalProperties":false,"minProperties":0}`, `{"query":"x",%s}`, func(string) bool { return true }},
		{"described", `{` + declared + `,"additionalProperties":{"type":"string"}}`, `{"query":"x",%s}`, func(value string) bool { return value[0] != '"' }},
		{"nested, open", nested(""), `{"query":"x","inner":{%s}}`, func(string) bool { return false }},
		{"nested, closed", nested(`,"additionalProperties":false`), `{"query":"x","inner":{%s}}`, func(string) bool { return true }},
		{"nested, described", nested(`,"additionalProperties":{"type":"string"}`), `{"query":"x","inner":{%s}}`, func(value string) bool { return value[0] != '"' }},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, err := New([]tooltrack.Tool{{Name: "t", Parameters: json.RawMessage(c.schema)}}, nil)
			require.NoError(t, err)
			for _, key := range []string{"foo", "__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "", "$ref", `__prot\u006f__`} {
				for _, value := range []string{`1`, `"x"`, `true`, `{}`, `{"a":1}`, `[{"a":1}]`, `{"__proto__":{"admin":true}}`} {
					args := fmt.Sprintf(c.args, fmt.Sprintf(`"%s":%s`, key, value))
					d, err := set.Review(context.Background(), Proposal{Owner: "ada", Call: tooltrack.Call{Tool: "t", Args: json.RawMessage(args)}})
					require.NoError(t, err)
					want := Approve
					if c.refuses(value) {
						want = Deny
					}
					require.Equal(t, want, d.Kind, "%s: %s", args, d.Reason)
					if want == Approve {
						require.Equal(t, args, string(d.Args))
					}
				}
			}
		})
	}
}
