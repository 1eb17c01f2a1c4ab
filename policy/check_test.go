package policy

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Each rule at its edge: the last value that passes and the first that does not.
func TestChecks(t *testing.T) {
	cases := []struct {
		name   string
		check  Check
		raw    string
		want   DecisionKind
		reason string
	}{
		{"length, one less", Length(2, 4), `"a"`, Deny, "a has 1 character; at least 2 are needed"},
		{"length, least", Length(2, 4), `"ab"`, Approve, ""},
		{"length, most", Length(2, 4), `"日本語é"`, Approve, ""},
		{"length, one more", Length(2, 4), `"日本語éx"`, Deny, "a has 5 characters; at most 4 are allowed"},
		{"length, escaped", Length(2, 4), `"\u65e5\ud83d\ude00\n\""`, Approve, ""},
		{"bytes, most", Bytes(1, 6), `"日本"`, Approve, ""},
		{"bytes, one more", Bytes(1, 6), `"日本x"`, Deny, "a has 7 bytes; at most 6 are allowed"},
		{"bytes, escaped", Bytes(1, 6), `"\u65e5\u672c"`, Approve, ""},
		{"bytes, too few", Bytes(2, 6), `"x"`, Deny, "a has 1 byte; at least 2 are needed"},
		{"range, one less", Range(-2, 3), `-3`, Deny, "a is -3; at least -2 is needed"},
		{"range, least", Range(-2, 3), `-2`, Approve, ""},
		{"range, most", Range(-2, 3), `3.0`, Approve, ""},
		{"range, one more", Range(-2, 3), `4`, Deny, "a is 4; at most 3 is allowed"},
		{"range, huge", Range(-2, 3), `1e99`, Deny, "a is 1e99; at most 3 is allowed"},
		{"range, hugely negative", Range(-2, 3), `-1e99`, Deny, "a is -1e99; at least -2 is needed"},
		{"range, up to the last integer", Range(0, 1<<63-1), `9223372036854775807`, Approve, ""},
		{"range, beyond the last integer", Range(0, 1<<63-1), `9223372036854775808`, Deny, "a is 9223372036854775808; at most 9223372036854775807 is allowed"},
		{"range, fraction", Range(-2, 3), `2.5`, Deny, "a is 2.5; it must be a whole number"},
		{"cap, most", Cap(20), `20`, Approve, ""},
		{"cap, one more", Cap(20), `21`, Rewrite, "a was 21 and was lowered to 20"},
		{"cap, below", Cap(20), `-5`, Approve, ""},
		{"between", Between(0, 1), `0.5`, Approve, ""},
		{"between, least", Between(0, 1), `0`, Approve, ""},
		{"between, most", Between(0, 1), `1.0`, Approve, ""},
		{"between, above", Between(0, 1), `1.0001`, Deny, "a is 1.0001; at most 1 is allowed"},
		{"between, below", Between(0, 1), `-0.1`, Deny, "a is -0.1; at least 0 is needed"},
		{"between, infinite", Between(0, 1), `1e999`, Deny, "a is 1e999; a number of ordinary size is needed"},
		{"truncate, most", Truncate(3), `"日本語"`, Approve, ""},
		{"truncate, one more", Truncate(3), `"日本語x"`, Rewrite, "a had 4 characters and was cut to 3"},
		{"one of", OneOf("low", "high"), `"high"`, Approve, ""},
		{"one of, escaped", OneOf("low", "high"), `"\u0068igh"`, Approve, ""},
		{"one of, other case", OneOf("low", "high"), `"High"`, Deny, `a is "High"; use one of low, high`},
		{"charset", Charset("a-c_-"), `"abc_-"`, Approve, ""},
		{"charset, outside", Charset("a-c_-"), `"abd"`, Deny, `a holds "d" (U+0064); only the characters a-c_- are allowed`},
		{"charset, not ASCII", Charset("a-c_-"), `"aé"`, Deny, `a holds "é" (U+00E9); only the characters a-c_- are allowed`},
		{"pattern", Pattern("[0-9]+"), `"123"`, Approve, ""},
		{"pattern, not the whole text", Pattern("[0-9]+"), `"123x"`, Deny, `a is "123x"; it must match [0-9]+`},
		{"pattern, line feed at the end", Pattern("[0-9]+"), `"123\n"`, Deny, `a is "123\n"; it must match [0-9]+`},
		{"pattern with alternatives", Pattern("a|b"), `"ab"`, Deny, `a is "ab"; it must match a|b`},
		{"not blank", NotBlank(), `"x"`, Approve, ""},
		{"blank", NotBlank(), `"\u200b \t"`, Deny, "a is blank; send a text"},
		{"type", Type(Object), `{}`, Approve, ""},
		{"another type", Type(Object, Array), `"x"`, Deny, "a is a string; it must be an array or an object"},
		{"number covers integers", Type(Number), `5`, Approve, ""},
		{"schema", Schema(json.RawMessage(`{"type":"array","items":{"type":"string"},"maxItems":2}`)), `["a","b"]`, Approve, ""},
		{"schema, element", Schema(json.RawMessage(`{"type":"array","items":{"type":"string"},"maxItems":2}`)), `["a",5]`, Deny, "a[1] is 5; it must be a string"},
		{"schema, element twice", Schema(json.RawMessage(`{"type":"array","uniqueItems":true}`)), `["a","a"]`, Deny, "a has the same element twice, at 0 and 1"},
		{"required", Required(), `null`, Deny, "a is missing; send it"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			set := mustSet(t, []tooltrack.Tool{{Name: "t"}}, &Options{Rules: ruleFor("t", Arg("a", c.check))})
			d := reviewOf(t, set, "t", `{"a":`+c.raw+`}`)
			if d.Kind != c.want || d.Reason != c.reason {
				t.Errorf("%s %q, want %s %q", d.Kind, d.Reason, c.want, c.reason)
			}
		})
	}
}

func TestEveryFaultOfAnArgumentIsTold(t *testing.T) {
	asked := false
	own := Func("own", func(context.Context, CheckInput) (CheckResult, error) { asked = true; return Pass(), nil })
	set := mustSet(t, []tooltrack.Tool{toolWith("t", `{"properties":{"a":{"type":"string","maxLength":3,"pattern":"^z"}}}`)},
		&Options{Rules: ruleFor("t", Arg("a", NotBlank(), Length(1, 3), Charset("a-z"), own))})
	for raw, want := range map[string]string{
		`{"a":"a b c"}`: `a has 5 characters; at most 3 are allowed; a holds " " (U+0020); only the characters a-z are allowed; a is "a b c"; it must match ^z`,
		`{"a":""}`:      `a is blank; send a text; a is ""; it must match ^z`,
		`{"a":5}`:       `a is 5; it must be a string`,
	} {
		if d := reviewOf(t, set, "t", raw); d.Reason != want {
			t.Errorf("%s: got  %s\nwant %s", raw, d.Reason, want)
		}
	}
	if asked {
		t.Error("a rule of the host's own saw what the others refuse")
	}
	if d := reviewOf(t, set, "t", `{"a":"zab"}`); d.Kind != Approve || !asked {
		t.Errorf("%s %s, asked %v", d.Kind, d.Reason, asked)
	}
}

func TestReasonsAreShortAndHideSecrets(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{{Name: "t"}}, &Options{Rules: ruleFor("t", Arg("api_key", OneOf("x")), Arg("a", OneOf("x")))})
	d := reviewOf(t, set, "t", obj("api_key", "hunter2", "a", strings.Repeat("\u202e日\n", 10_000)))
	if strings.Contains(d.Reason, "hunter2") || len(d.Reason) > 600 || strings.ContainsAny(d.Reason, "\n\u202e") {
		t.Errorf("reason: %s", d.Reason)
	}
}
