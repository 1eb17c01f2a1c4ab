package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestSchemaKeywords(t *testing.T) {
	cases := []struct{ name, schema, raw, reason string }{
		{"type", `{"type":"string"}`, `"x"`, ""},
		{"wrong type", `{"type":"string"}`, `5`, "a is 5; it must be a string"},
		{"types", `{"type":["string","null"]}`, `"x"`, ""},
		{"null by type", `{"type":["string","null"]}`, `null`, ""},
		{"optional null", `{"type":"string"}`, `null`, ""},
		{"whole number", `{"type":"integer"}`, `5.0`, ""},
		{"no whole number", `{"type":"integer"}`, `5.5`, "a is 5.5; it must be a whole number"},
		{"enum", `{"enum":["x",5,null,{"k":[1]}]}`, `{"k":[1.0]}`, ""},
		{"not in enum", `{"enum":["x",5]}`, `"y"`, `a is "y"; use one of x, 5`},
		{"enum with escapes", `{"enum":["\u00e9\n"]}`, `"é\u000a"`, ""},
		{"const", `{"const":5}`, `5.0`, ""},
		{"not the constant", `{"const":5}`, `6`, "a is 6; use one of 5"},
		{"length", `{"minLength":2,"maxLength":3}`, `"日本"`, ""},
		{"too short", `{"minLength":2}`, `"日"`, "a has 1 character; at least 2 are needed"},
		{"too long", `{"maxLength":2}`, `"\u65e5\ud83d\ude00x"`, "a has 3 characters; at most 2 are allowed"},
		{"length says nothing about numbers", `{"maxLength":2}`, `12345`, ""},
		{"maximum", `{"maximum":20}`, `20`, ""},
		{"above the maximum", `{"maximum":20}`, `20.5`, "a is 20.5; at most 20 is allowed"},
		{"far above the maximum", `{"maximum":20}`, `1e400`, "a is 1e400; at most 20 is allowed"},
		{"below the minimum", `{"minimum":1}`, `0`, "a is 0; at least 1 is needed"},
		{"far below the minimum", `{"minimum":1}`, `-1e400`, "a is -1e400; at least 1 is needed"},
		{"exclusive maximum", `{"exclusiveMaximum":20}`, `20`, "a is 20; less than 20 is needed"},
		{"exclusive minimum", `{"exclusiveMinimum":0}`, `0.0`, "a is 0.0; more than 0 is needed"},
		{"pattern anywhere", `{"pattern":"b"}`, `"abc"`, ""},
		{"pattern", `{"pattern":"^b$"}`, `"abc"`, `a is "abc"; it must match ^b$`},
		{"items", `{"items":{"type":"integer"}}`, `[1,2]`, ""},
		{"each wrong item", `{"items":{"type":"integer"}}`, `[1,"x",3,true]`, "a[1] is a string; it must be a whole number; a[3] is true; it must be a whole number"},
		{"too many items", `{"maxItems":1}`, `[1,2]`, "a has 2 elements; at most 1 are allowed"},
		{"too few items", `{"minItems":1}`, `[]`, "a has 0 elements; at least 1 are needed"},
		{"nested", `{"type":"object","properties":{"b":{"properties":{"c":{"type":"string"}},"required":["c","d"]}}}`, `{"b":{"c":1}}`, "a.b.c is 1; it must be a string; a.b.d is missing; send it"},
		{"nested null is absent", `{"properties":{"b":{"type":"string"}}}`, `{"b":null}`, ""},
		{"closed", `{"properties":{"b":{}},"additionalProperties":false}`, `{"b":1,"c":2}`, `"c" is not allowed in a`},
		{"false", `false`, `1`, "a is not allowed; leave it out"},
		{"true", `true`, `1`, ""},
		{"annotations", `{"title":"x","description":"y","default":1,"format":"email"}`, `"no mail"`, ""},
		// the library
		{"anyOf", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `"x"`, ""},
		{"no anyOf", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `true`, "a: got boolean, want integer; a: got boolean, want string"},
		{"multipleOf", `{"multipleOf":5}`, `7`, "a: multipleOf: got 7, want 5"},
		{"reference", `{"$ref":"#/$defs/s"}`, `5`, "a: got number, want string"},
		{"null for the library", `{"anyOf":[{"type":"string"}]}`, `null`, ""},
		{"not", `{"not":{"const":1}}`, `1`, "a: 'not' failed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			schema := `{"type":"object","properties":{"a":` + c.schema + `}}`
			if strings.Contains(c.schema, "$defs") {
				schema = `{"type":"object","properties":{"a":` + c.schema + `},"$defs":{"s":{"type":"string"}}}`
			}
			set := mustSet(t, []tooltrack.Tool{toolWith("t", schema)}, nil)
			d := reviewOf(t, set, "t", `{"a":`+c.raw+`}`)
			if d.Reason != c.reason {
				t.Errorf("got  %s\nwant %s", d.Reason, c.reason)
			}
		})
	}
}

func TestRequiredAndNullable(t *testing.T) {
	for name, extra := range map[string]string{"own rules": "", "library": `,"minProperties":0`} {
		set := mustSet(t, []tooltrack.Tool{toolWith("t", `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":"string"}},"required":["a","b"]`+extra+`}`)}, nil)
		for raw, want := range map[string]string{
			`{"a":"x","b":"y"}`: "", `{"a":null,"b":"y"}`: "", `{"b":"y"}`: "a", `{"a":"x","b":null}`: "b", `{"a":"x"}`: "b", ``: "",
		} {
			d := reviewOf(t, set, "t", raw)
			if want == "" && d.Kind != Approve && raw != "" || want != "" && (d.Kind != Deny || len(d.Faults) == 0 || d.Faults[0].Arg != want) || raw == "" && d.Kind != Deny {
				t.Errorf("%s: %s: %s %+v", name, raw, d.Kind, d.Faults)
			}
		}
	}
}

// All faults of the library, too, are told in a stable order.
func TestLibraryFaultsAreSorted(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{toolWith("t", `{"type":"object","properties":{"c":{"multipleOf":5},"b":{"type":"string"},"a":{"items":{"multipleOf":2}}},"required":["z"]}`)}, nil)
	want := "z is missing; send it; a[0]: multipleOf: got 1, want 2; a[2]: multipleOf: got 3, want 2; b: got number, want string; c: multipleOf: got 3, want 5"
	for range 20 {
		if d := reviewOf(t, set, "t", `{"c":3,"b":1,"a":[1,2,3]}`); d.Reason != want {
			t.Fatalf("got  %s\nwant %s", d.Reason, want)
		}
	}
}

// The property that keeps the fast path honest: for every schema of common
// keywords, our rules and the library say the same.
func TestCommonSchemasAgreeWithLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1500 {
		schema := randomSchema(random, 3)
		common, err := compileSchema([]byte(schema), 0)
		if err != nil {
			t.Fatalf("%s is not read as common: %v", schema, err)
		}
		full, err := compileLibrary([]byte(schema))
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		for range 5 {
			raw := randomValue(random, 3)
			r := newReview(t.Context(), &Proposal{})
			common.check(r, &place{name: "a"}, valueOf([]byte(raw)))
			ours := len(r.faults) == 0
			r.release()
			if !ours && common.isSurelyValid(valueOf([]byte(raw))) {
				t.Fatalf("schema %s, value %s: passed quickly, but not in full", schema, raw)
			}
			instance, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(raw)))
			if err != nil {
				t.Fatal(err)
			}
			if theirs := full.Validate(instance) == nil; ours != theirs {
				t.Fatalf("schema %s, value %s: we say %v, the library %v", schema, raw, ours, theirs)
			}
		}
	}
}

func randomSchema(r *rand.Rand, depth int) string {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	var keywords []string
	add := func(format string, args ...any) {
		if r.IntN(3) == 0 {
			keywords = append(keywords, fmt.Sprintf(format, args...))
		}
	}
	add(`"type":%s`, pick(`"string"`, `"integer"`, `"number"`, `"boolean"`, `"array"`, `"object"`, `["string","integer"]`, `["object","array"]`))
	add(`"enum":%s`, pick(`["a","bb"]`, `[1,2,"a"]`, `[true,[],{}]`, `["é"]`))
	add(`"minLength":%d`, r.IntN(3))
	add(`"maxLength":%d`, 1+r.IntN(3))
	add(`"%s":%s`, pick("minimum", "exclusiveMinimum"), pick("-1", "0", "1", "0.5"))
	add(`"%s":%s`, pick("maximum", "exclusiveMaximum"), pick("1", "2", "2.5", "20"))
	add(`"pattern":%s`, pick(`"^a"`, `"b"`, `"."`))
	add(`"minItems":%d`, r.IntN(2))
	add(`"maxItems":%d`, r.IntN(3))
	if depth > 0 {
		add(`"items":%s`, randomSchema(r, depth-1))
		add(`"properties":{"a":%s,"b":%s}`, randomSchema(r, depth-1), randomSchema(r, depth-1))
		add(`"required":%s`, pick(`["a"]`, `["a","c"]`))
		add(`"additionalProperties":%s`, pick("true", "false"))
	}
	return "{" + strings.Join(keywords, ",") + "}"
}

// randomValue makes no nulls: there we differ on purpose.
func randomValue(r *rand.Rand, depth int) string {
	scalars := []string{`"a"`, `"bb"`, `"é"`, `""`, `"a\u0062"`, `0`, `1`, `2.0`, `2.5`, `-1`, `1e1`, `true`, `false`, `1e300`}
	kind := r.IntN(5)
	if depth == 0 || kind < 2 {
		return scalars[r.IntN(len(scalars))]
	}
	if kind == 2 {
		elements := make([]string, r.IntN(4))
		for i := range elements {
			elements[i] = randomValue(r, depth-1)
		}
		return "[" + strings.Join(elements, " , ") + "]"
	}
	var members []string
	for _, key := range []string{"a", "b", "c"} {
		if r.IntN(2) == 0 {
			members = append(members, fmt.Sprintf(`"%s" : %s`, key, randomValue(r, depth-1)))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func FuzzSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"enum":[1]}},"required":["a"]}`), []byte(`{"a":1}`))
	f.Add([]byte(`{"$ref":"#"}`), []byte(`{}`))
	f.Add([]byte(`{"items":{"pattern":"("}}`), []byte(`{"a":[[]]}`))
	f.Fuzz(func(t *testing.T, schema, raw []byte) {
		set, err := New([]tooltrack.Tool{{Name: "t", Parameters: json.RawMessage(schema)}}, nil)
		if err != nil {
			return
		}
		d := reviewOf(t, set, "t", string(raw))
		checkDecision(t, set, "t", string(raw), d)
	})
}
