package policy

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// values are probes for every kind of rule, at and around their edges.
var values = []string{
	`""`, `" "`, `"a"`, `"ab"`, `"abc"`, `"abcd"`, `"\u0061b"`, `"日本"`, `"日本語x"`, `" a "`, `"\u200b\u200b"`, `"low"`, `"LOW"`, `"a b"`, `"123"`, `"12a"`,
	`"https://example.com/"`, `"http://127.0.0.1/"`, `0`, `-0`, `1`, `2.0`, `3`, `4`, `2.5`, `-1`, `1e1`, `1e400`, `-1e400`, `9223372036854775808`, `true`, `null`, `[]`, `[1]`, `{}`, `{"a":1}`,
}

func builtinChecks() map[string]Check {
	return map[string]Check{
		"required": Required(), "type": Type(String, Array), "number": Type(Number), "length": Length(2, 3), "at least": AtLeast(2), "not blank": NotBlank(), "truncate": Truncate(3),
		"bytes": Bytes(2, 6), "range": Range(1, 3), "cap": Cap(3), "between": Between(0, 2.5), "one of": OneOf("low", "a"), "charset": Charset("a-c"), "pattern": Pattern("[0-9]+"),
		"url": PublicURL(nil), "schema": Schema(json.RawMessage(`{"type":"string","maxLength":2}`)), "date": Date(DateWindow{}),
	}
}

// Whatever is sent, under any rule and schema, the decision is whole.
func TestEveryDecisionIsWhole(t *testing.T) {
	for name, check := range builtinChecks() {
		for _, schema := range []string{"", `{"properties":{"a":{"type":["string","number"]}},"required":["a"]}`, `{"properties":{"a":{"enum":["ab",1,[]]}},"additionalProperties":false}`} {
			set := mustSet(t, []tooltrack.Tool{toolWith("t", schema)}, &Options{Rules: ruleFor("t", Arg("a", check))})
			for _, value := range values {
				for _, raw := range []string{`{"a":%s}`, `{"a":%s,"b":1}`, `{"a":%s,"A_":1}`, `{"b":1,"user_id":%s}`, `{"A":%s}`, `{"\u0061":%s}`, `{"\u212a":%s}`} {
					raw = fmt.Sprintf(raw, value)
					checkDecision(t, set, "t", raw, reviewOf(t, set, "t", raw))
					if t.Failed() {
						t.Fatalf("rule %s, schema %s, call %s", name, schema, raw)
					}
				}
			}
		}
	}
}
