package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/benchbound"
)

func nested(depth int) string {
	return `{"a":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`
}

func TestDecode(t *testing.T) {
	cases := []struct {
		name, in string
		rule     string // empty is accepted
	}{
		{"empty object", `{}`, ""},
		{"white space around", " \t\r\n{ } \n", ""},
		{"every kind", `{"a":null,"b":true,"c":false,"d":-0.5e+3,"e":"x","f":[1,[]],"g":{"h":{}}}`, ""},
		{"escapes", `{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}`, ""},
		{"raw multi-byte", `{"ключ":"日本語 😀"}`, ""},
		{"DEL is allowed", "{\"a\":\"\x7f\"}", ""},
		{"U+FFFD itself", `{"a":"�"}`, ""},
		{"deepest allowed", nested(MaxDepth), ""},
		{"same key in two objects", `{"a":{"x":1},"b":{"x":2}}`, ""},
		{"numbers", `{"a":0,"b":-0,"c":1E400,"d":0.10,"e":123456789012345678901234567890}`, ""},

		{"nothing", ``, "json"},
		{"blank", "  \n", "json"},
		{"null", `null`, "json"},
		{"array", `[]`, "json"},
		{"number", `1`, "json"},
		{"two objects", `{}{}`, "json"},
		{"object and text", `{} x`, "json"},
		{"object and NUL", "{}\x00", "json"},
		{"byte order mark", "\ufeff{}", "json"},
		{"no-break space around", "\u00a0{}", "json"},
		{"form feed", "\f{}", "json"},
		{"code fence", "```json\n{}\n```", "json"},
		{"cut", `{"a":1`, "json"},
		{"cut in a string", `{"a":"x`, "json"},
		{"cut in an escape", `{"a":"\u00`, "json"},
		{"cut after a backslash", `{"a":"\`, "json"},
		{"trailing comma", `{"a":1,}`, "json"},
		{"leading comma", `{,"a":1}`, "json"},
		{"trailing comma in an array", `{"a":[1,]}`, "json"},
		{"missing comma", `{"a":1 "b":2}`, "json"},
		{"missing colon", `{"a" 1}`, "json"},
		{"missing value", `{"a":}`, "json"},
		{"single quotes", `{'a':1}`, "json"},
		{"bare key", `{a:1}`, "json"},
		{"number key", `{1:1}`, "json"},
		{"comment", `{"a":1/*x*/}`, "json"},
		{"line comment", "{\"a\":1}//x", "json"},
		{"NaN", `{"a":NaN}`, "json"},
		{"Infinity", `{"a":Infinity}`, "json"},
		{"Python literals", `{"a":True}`, "json"},
		{"undefined", `{"a":undefined}`, "json"},
		{"leading zero", `{"a":01}`, "json"},
		{"plus sign", `{"a":+1}`, "json"},
		{"no digit before the point", `{"a":.5}`, "json"},
		{"no digit behind the point", `{"a":5.}`, "json"},
		{"no exponent", `{"a":5e}`, "json"},
		{"hexadecimal", `{"a":0x10}`, "json"},
		{"digit separator", `{"a":1_000}`, "json"},
		{"minus alone", `{"a":-}`, "json"},
		{"line feed in a string", "{\"a\":\"x\ny\"}", "json"},
		{"tab in a string", "{\"a\":\"x\ty\"}", "json"},
		{"raw NUL in a string", "{\"a\":\"x\x00y\"}", "json"},
		{"unknown escape", `{"a":"\x41"}`, "json"},
		{"bad hexadecimal escape", `{"a":"\u00g1"}`, "json"},
		{"brackets crossed", `{"a":[}]`, "json"},

		{"escaped NUL", `{"a":"x\u0000y"}`, "nul"},
		{"escaped NUL in a key", `{"a\u0000":1}`, "nul"},
		{"escaped NUL deep inside", `{"a":[{"b":["\u0000"]}]}`, "nul"},
		{"lone high surrogate", `{"a":"\ud800"}`, "utf8"},
		{"lone low surrogate", `{"a":"\udc00"}`, "utf8"},
		{"surrogates the wrong way round", `{"a":"\ude00\ud83d"}`, "utf8"},
		{"high surrogate and text", `{"a":"\ud83dxxxxxx"}`, "utf8"},
		{"two high surrogates", `{"a":"\ud83d\ud83d"}`, "utf8"},
		{"lone surrogate in a key", `{"\ud800":1}`, "utf8"},
		{"invalid byte", "{\"a\":\"\xff\"}", "utf8"},
		{"invalid byte in a key", "{\"\xff\":1}", "utf8"},
		{"overlong slash", "{\"a\":\"\xc0\xaf\"}", "utf8"},
		{"encoded surrogate", "{\"a\":\"\xed\xa0\x80\"}", "utf8"},
		{"cut character", "{\"a\":\"\xe6\x97\"}", "utf8"},
		{"beyond Unicode", "{\"a\":\"\xf4\x90\x80\x80\"}", "utf8"},

		{"same key", `{"a":1,"a":1}`, "duplicate_key"},
		{"same key, escaped", `{"query":1,"qu\u0065ry":2}`, "duplicate_key"},
		{"case", `{"query":1,"Query":2}`, "duplicate_key"},
		{"long s", `{"status":1,"ſtatus":2}`, "duplicate_key"},
		{"Kelvin sign", `{"top_k":1,"top_K":2}`, "duplicate_key"},
		{"Kelvin sign, escaped", `{"top_k":1,"top_\u212a":2}`, "duplicate_key"},
		{"full width", `{"url":1,"ｕrl":2}`, "duplicate_key"},
		{"invisible character", `{"url":1,"u\u200brl":2}`, "duplicate_key"},
		{"sharp s", `{"straße":1,"STRASSE":2}`, "duplicate_key"},
		{"duplicate inside", `{"a":{"b":1,"b":2}}`, "duplicate_key"},
		{"duplicate inside an array", `{"a":[{"b":1,"B":2}]}`, "duplicate_key"},
		{"empty key twice", `{"":1,"":2}`, "duplicate_key"},

		{"too deep", nested(MaxDepth + 1), "depth"},
		{"far too deep", `{"a":` + strings.Repeat("[", 200_000), "depth"},
		{"objects too deep", strings.Repeat(`{"a":`, 200_000), "depth"},
		{"too long", `{"a":"` + strings.Repeat("x", MaxArgsBytes) + `"}`, "size"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode([]byte(c.in))
			var fault *DecodeError
			switch {
			case c.rule == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.rule != "" && !errors.As(err, &fault):
				t.Errorf("accepted, want a fault of %s", c.rule)
			case c.rule != "" && fault.Rule != c.rule:
				t.Errorf("rule %s (%v), want %s", fault.Rule, err, c.rule)
			case fault != nil && len(err.Error()) > 300:
				t.Errorf("the message has %d bytes: %.80s…", len(err.Error()), err)
			}
		})
	}
}

// manyKeys is an object of many keys without its last brace.
func manyKeys(size int) string {
	var text strings.Builder
	text.WriteString(`{"k0":0`)
	for i := 1; text.Len() < size; i++ {
		fmt.Fprintf(&text, `,"k%d":%d`, i, i)
	}
	return text.String()
}

// Every pair of keys among many must be compared.
func TestDecodeManyKeys(t *testing.T) {
	keys := manyKeys(MaxArgsBytes - 100)
	if _, err := Decode([]byte(keys + `}`)); err != nil {
		t.Errorf("distinct keys are refused: %v", err)
	}
	if _, err := Decode([]byte(keys + `,"K7":1}`)); err == nil {
		t.Error("a duplicate among many keys is accepted")
	}
}

// BenchmarkGrowthOfKeys: four times as many keys take about four times as long.
func BenchmarkGrowthOfKeys(b *testing.B) {
	decode := func(size int) func() {
		args := []byte(manyKeys(size) + `}`)
		return func() { _, _ = Decode(args) }
	}
	benchbound.Ratio(b, 10, decode(MaxArgsBytes-100), decode(MaxArgsBytes/4))
}

func TestArgs(t *testing.T) {
	args, err := Decode([]byte(` {"qu\u0065ry": "a\nb", "n": 5.0, "big": 9007199254740993, "f": 0.5} `))
	if err != nil {
		t.Fatal(err)
	}
	if got := args.Value("query").Text(); got != "a\nb" {
		t.Errorf("query is %q", got)
	}
	if n, ok := args.Value("n").Int(); !ok || n != 5 {
		t.Errorf("n is %d, %v", n, ok)
	}
	if n, ok := args.Value("big").Int(); !ok || n != 9007199254740993 {
		t.Errorf("big is %d, %v", n, ok)
	}
	if _, ok := args.Value("f").Int(); ok {
		t.Error("0.5 is taken for a whole number")
	}
	if f, ok := args.Value("f").Float(); !ok || f != 0.5 {
		t.Errorf("f is %v, %v", f, ok)
	}
	if kind := args.Value("other").Kind(); kind != Missing {
		t.Errorf("an absent argument is %s", kind)
	}
	if args.Len() != 4 || args.Name(0) != "query" {
		t.Errorf("%d arguments, the first %q", args.Len(), args.Name(0))
	}
	var number json.Number
	if err := args.Value("big").Decode(&number); err != nil || number != "9007199254740993" {
		t.Errorf("decoded %s, %v", number, err)
	}
}

func TestParseInteger(t *testing.T) {
	cases := []struct {
		in   string
		want integer
	}{
		{"0", integer{value: 0, whole: true, huge: false}},
		{"-0", integer{value: 0, whole: true, huge: false}},
		{"20", integer{value: 20, whole: true, huge: false}},
		{"20.0", integer{value: 20, whole: true, huge: false}},
		{"20.00", integer{value: 20, whole: true, huge: false}},
		{"2e1", integer{value: 20, whole: true, huge: false}},
		{"2E+1", integer{value: 20, whole: true, huge: false}},
		{"0.2e2", integer{value: 20, whole: true, huge: false}},
		{"200e-1", integer{value: 20, whole: true, huge: false}},
		{"20.5", integer{}},
		{"2e-1", integer{}},
		{"1e-999999999999999999999", integer{}},
		{"0e999999999999999999999", integer{value: 0, whole: true, huge: false}},
		{"9223372036854775807", integer{value: 1<<63 - 1, whole: true, huge: false}},
		{"9223372036854775808", integer{value: 1<<63 - 1, whole: true, huge: true}},
		{"-9223372036854775808", integer{value: -1 << 63, whole: true, huge: false}},
		{"-9223372036854775809", integer{value: -1 << 63, whole: true, huge: true}},
		{"1e400", integer{value: 1<<63 - 1, whole: true, huge: true, endless: true}},
		{"-1e400", integer{value: -1 << 63, whole: true, huge: true, endless: true}},
		{"1e999999999999999999999", integer{value: 1<<63 - 1, whole: true, huge: true, endless: true}},
		{"1e308", integer{value: 1<<63 - 1, whole: true, huge: true}},
		{"1.7976931348623157e308", integer{value: 1<<63 - 1, whole: true, huge: true}},
		{"1.8e308", integer{value: 1<<63 - 1, whole: true, huge: true, endless: true}},
		{"123456789012345678", integer{value: 123456789012345678, whole: true, huge: false}},
		{"1.23456789012345678901e20", integer{value: 1<<63 - 1, whole: true, huge: true}},
		{"0.000000000000000000000000000001e30", integer{value: 1, whole: true, huge: false}},
	}
	for _, c := range cases {
		if got := parseInteger([]byte(c.in)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.in, got, c.want)
		}
	}
}

// canonicalForm is the canonical form of arguments that may not be valid.
func canonicalForm(data []byte) ([]byte, error) {
	args, err := Decode(data)
	if err != nil {
		return nil, err
	}
	return canonicalOf(nil, args.raw), nil
}

func TestCanonical(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"white space", " { \"a\" : [ 1 , 2 ] } ", `{"a":[1,2]}`},
		{"key order", `{"b":1,"a":{"d":1,"c":2}}`, `{"a":{"c":2,"d":1},"b":1}`},
		{"escapes", `{"a":"\u0041\/\u00e9\n\u0001\"\ud83d\ude00"}`, `{"a":"A/é\n\u0001\"😀"}`},
		{"short escapes", `{"a":"\b\f\r\t\\\/"}`, `{"a":"\u0008\u000c\r\t\\/"}`},
		{"escaped keys", `{"\u0061\"":1}`, `{"a\"":1}`},
		{"many keys", `{"t":1,"s":1,"r":1,"q":1,"p":1,"o":1,"n":1,"m":1,"l":1,"k":1,"j":1,"i":1,"h":1,"g":1,"f":1,"e":1,"d":1,"ab":1,"aa":1,"":1}`,
			`{"":1,"aa":1,"ab":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1,"o":1,"p":1,"q":1,"r":1,"s":1,"t":1}`},
		{"keys that begin alike", `{"ab":1,"aa":1,"":1,"a":1}`, `{"":1,"a":1,"aa":1,"ab":1}`},
		{"whole numbers", `{"a":20.0,"b":2e1,"c":-0,"d":-5}`, `{"a":20,"b":20,"c":0,"d":-5}`},
		{"other numbers are exact", `{"a":0.10,"b":10e399,"c":123456789012345678901234567890}`, `{"a":0.1,"b":1e400,"c":123456789012345678901234567890}`},
		{"literals", `{"a":null,"b":true,"c":false}`, `{"a":null,"b":true,"c":false}`},
		{"empty", `{"a":{},"b":[],"c":""}`, `{"a":{},"b":[],"c":""}`},
		{"line separators stay", "{\"a\":\"\u2028<>&\"}", "{\"a\":\"\u2028<>&\"}"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := canonicalForm([]byte(c.in))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
		})
	}
}
