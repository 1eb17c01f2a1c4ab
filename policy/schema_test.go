package policy

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
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
		{"anyOf", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `"x"`, ""},
		{"no anyOf", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `true`, "a fits none of the forms that are allowed: a is true; it must be a string; or a is true; it must be a whole number"},
		{"multipleOf", `{"multipleOf":5}`, `7`, "a is 7; it must be a multiple of 5"},
		{"reference", `{"$ref":"#/$defs/s"}`, `5`, "a is 5; it must be a string"},
		{"null and alternatives", `{"anyOf":[{"type":"string"}]}`, `null`, ""},
		{"null or an object", `{"anyOf":[{"properties":{"k":{"type":"integer"}},"type":"object"},{"type":"null"}]}`, `{"k":"x"}`, "a.k is a string; it must be a whole number"},
		{"exactly one", `{"oneOf":[{"minimum":1},{"maximum":5}]}`, `3`, "a fits more than one of the forms that are allowed; it must fit exactly one"},
		{"condition", `{"if":{"required":["k"]},"then":{"required":["l"]},"else":{"maxProperties":0}}`, `{"k":1}`, "a.l is missing; send it"},
		{"otherwise", `{"if":{"required":["k"]},"then":{"required":["l"]},"else":{"maxProperties":0}}`, `{"m":1}`, "a has 1 property; at most 0 are allowed"},
		{"dependency", `{"dependencies":{"k":["l"]}}`, `{"k":1}`, "a.l is missing; send it"},
		{"pattern of names", `{"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, `{"x-k":1,"y":2}`, `a.x-k is 1; it must be a string; "y" is not allowed in a`},
		{"names", `{"propertyNames":{"maxLength":1}}`, `{"kk":1}`, "a.kk has 2 characters; at most 1 are allowed"},
		{"tuple", `{"items":[{"type":"string"}],"additionalItems":{"type":"integer"}}`, `["x","y"]`, "a[1] is a string; it must be a whole number"},
		{"contains", `{"contains":{"type":"integer"}}`, `["x"]`, "a has 0 elements of the kind that its schema asks for; that is too few or too many"},
		{"flag of draft 4", `{"minimum":0,"exclusiveMinimum":true}`, `-1`, "a is -1; at least 0 is needed"},
		{"bound beyond floats", `{"maximum":9223372036854775806}`, `9223372036854775807`, "a is 9223372036854775807; at most 9223372036854775806 is allowed"},
		{"unknown keywords say nothing", `{"type":"any","x-order":1,"$schema":"http://json-schema.org/draft-07/schema#","deprecated":true}`, `1`, ""},
		{"half a character in a description", `{"description":"\ud83d","type":"string"}`, `1`, "a is 1; it must be a string"},
		{"not", `{"not":{"const":1}}`, `1`, "a is 1, which is not allowed"},
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
	for name, extra := range map[string]string{"one by one": "", "as a whole": `,"minProperties":0`} {
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

// All faults are told, in the order of the schema.
func TestFaultsHaveAnOrder(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{toolWith("t", `{"type":"object","properties":{"c":{"multipleOf":5},"b":{"type":"string"},"a":{"items":{"multipleOf":2}}},"required":["z"]}`)}, nil)
	want := "c is 3; it must be a multiple of 5; b is 1; it must be a string; a[0] is 1; it must be a multiple of 2; a[2] is 3; it must be a multiple of 2; z is missing; send it"
	for range 3 {
		if d := reviewOf(t, set, "t", `{"c":3,"b":1,"a":[1,2,3]}`); d.Reason != want {
			t.Fatalf("got  %s\nwant %s", d.Reason, want)
		}
	}
}

// A schema that leads back to itself, or multiplies, ends in a denial and not in a hang.
func TestSchemasWithoutEnd(t *testing.T) {
	double := `"x0":{}`
	for i := range 40 {
		double += fmt.Sprintf(`,"x%d":{"allOf":[{"$ref":"#/$defs/x%d"},{"$ref":"#/$defs/x%d"}]}`, i+1, i, i)
	}
	for _, schema := range []string{
		`{"$ref":"#"}`, `{"properties":{"a":{"$ref":"#/properties/a"}}}`, `{"not":{"$ref":"#"}}`, `{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`,
		`{"$defs":{` + double + `},"$ref":"#/$defs/x40"}`,
	} {
		d := reviewOf(t, mustSet(t, []tooltrack.Tool{toolWith("t", schema)}, nil), "t", `{"a":1}`)
		require.Equal(t, Deny, d.Kind, schema)
		require.Contains(t, d.Reason, "cannot be checked")
	}
	set := mustSet(t, []tooltrack.Tool{toolWith("t", `{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`)}, nil)
	require.Equal(t, Approve, reviewOf(t, set, "t", `{"a":{"a":{"a":{}}}}`).Kind)
	require.Equal(t, Deny, reviewOf(t, set, "t", `{"a":{"a":{"b":{}}}}`).Kind)
}

// What keeps our reading honest: for every schema, it and the library say the same.
func TestSchemasAgreeWithTheLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	verdicts := map[bool]int{}
	for range 10_000 / sampling.Every(10) {
		schema := randomSchema(random, 3)
		schema = `{"$defs":{"a":` + randomSchema(random, 0) + `,"b":{"items":{"$ref":"#/$defs/b"},"type":["array","integer"]}},` + schema[1:]
		schema = strings.Replace(schema, ",}", "}", 1)
		ours, err := compileSchema([]byte(schema))
		require.NoError(t, err, schema)
		theirs := compileLibrary(t, schema)
		for range 5 {
			raw := randomValue(random, 3)
			instance, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
			require.NoError(t, err)
			isValid := theirs.Validate(instance) == nil
			require.Equal(t, isValid, new(examination).accepts(ours, valueOf([]byte(raw))), "schema %s, value %s", schema, raw)
			verdicts[isValid]++
		}
	}
	require.Greater(t, min(verdicts[true], verdicts[false]), 1000, "both verdicts are tried: %v", verdicts)
}

func compileLibrary(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	require.NoError(t, err, schema)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("schema", document))
	compiled, err := compiler.Compile("schema")
	require.NoError(t, err, schema)
	return compiled
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
	add(`"%s":%s`, pick("minimum", "exclusiveMinimum"), pick("-1", "0", "1", "0.5", "9007199254740993", "1e-7"))
	add(`"%s":%s`, pick("maximum", "exclusiveMaximum"), pick("1", "2", "2.5", "20", "9223372036854775807", "9007199254740992.5"))
	add(`"multipleOf":%s`, pick("1", "2", "0.5", "0.1", "1e2", "3"))
	add(`"uniqueItems":%s`, pick("true", "false"))
	add(`"pattern":%s`, pick(`"^a"`, `"b"`, `"."`))
	add(`"minItems":%d`, r.IntN(2))
	add(`"maxItems":%d`, r.IntN(3))
	if depth > 0 {
		one := func() string { return randomSchema(r, depth-1) }
		if r.IntN(3) == 0 {
			add(`"anyOf":[%s,%s]`, one(), one())
			add(`"oneOf":[%s,%s,%s]`, one(), one(), one())
			add(`"allOf":[%s,%s]`, one(), one())
			add(`"not":%s`, one())
			add(`"$ref":"#/$defs/%s"`, pick("a", "b"))
			add(`"if":%s,"then":%s`, one(), one())
			add(`"else":%s`, one())
			add(`"contains":%s,"%s":%d`, one(), pick("minContains", "maxContains"), r.IntN(3))
			add(`"prefixItems":[%s,%s]`, one(), one())
			add(`"patternProperties":{"%s":%s}`, pick("a", "^b", "."), one())
			add(`"propertyNames":%s`, one())
			add(`"%s":{"a":["%s"]}`, "dependentRequired", pick("b", "c"))
			add(`"dependentSchemas":{"b":%s}`, one())
			add(`"minProperties":%d`, r.IntN(3))
			add(`"maxProperties":%d`, r.IntN(3))
		}
		add(`"items":%s`, randomSchema(r, depth-1))
		add(`"properties":{"a":%s,"b":%s}`, randomSchema(r, depth-1), randomSchema(r, depth-1))
		add(`"required":%s`, pick(`["a"]`, `["a","c"]`))
		add(`"additionalProperties":%s`, pick("true", "false", one()))
	}
	return "{" + strings.Join(keywords, ",") + "}"
}

// randomValue makes no nulls: there we differ on purpose.
func randomValue(r *rand.Rand, depth int) string {
	scalars := []string{`"a"`, `"bb"`, `"é"`, `""`, `"a\u0062"`, `0`, `1`, `2.0`, `2.5`, `-1`, `1e1`, `true`, `false`, `1e300`,
		`9007199254740992`, `9007199254740993`, `9223372036854775807`, `9223372036854775808`, `0.3`, `1e-7`}
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
