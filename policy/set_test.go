package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func mustSet(t testing.TB, tools []tooltrack.Tool, options *Options) *Set {
	t.Helper()
	set, err := New(tools, options)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func toolWith(name, schema string) tooltrack.Tool {
	return tooltrack.Tool{Name: name, Parameters: json.RawMessage(schema)}
}

func ruleFor(tool string, arguments ...Argument) Rules {
	return Rules{Tools: map[string][]Argument{tool: arguments}}
}

func TestZeroValuesSayNo(t *testing.T) {
	var kind DecisionKind
	if kind != Deny || (Decision{}).Allowed() {
		t.Error("the zero decision allows a call")
	}
	if (CheckResult{}).kind != Deny {
		t.Error("the zero verdict passes")
	}
	if (Mode{}).Calls != 0 {
		t.Error("the zero mode allows calls")
	}
	if DecisionKind(9).String() != "decision(9)" || (Decision{Kind: 9}).Allowed() {
		t.Error("an unknown kind of decision allows a call")
	}
	if record := (Decision{}).Record(); !record.Denied {
		t.Error("the zero decision is recorded as allowed")
	}
}

func TestUnknownAndUncovered(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "bare"}, {Name: "considered"}, {Name: "ruled"},
		toolWith("declared", `{"type":"object","properties":{}}`),
		toolWith("vague", `{"type":"object"}`),
		toolWith("fancy", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]}}}`),
	}
	rules := ruleFor("ruled", Arg("a", Required()))
	rules.Tools["considered"], rules.Named = nil, []Argument{Arg("title", NotBlank())}
	lax := mustSet(t, tools, &Options{Rules: rules})
	strict := mustSet(t, tools, &Options{Rules: rules, Strict: true})
	if got := strict.Uncovered(); !slices.Equal(got, []string{"bare", "vague"}) {
		t.Errorf("uncovered: %v", got)
	}
	for _, c := range []struct {
		set  *Set
		tool string
		rule string
	}{
		{lax, "bare", ""}, {lax, "vague", ""}, {lax, "nobody", "unknown_tool"}, {lax, "Bare", "unknown_tool"},
		{strict, "bare", "uncovered"}, {strict, "considered", ""}, {strict, "declared", ""}, {strict, "fancy", ""}, {strict, "nobody", "unknown_tool"},
	} {
		d := reviewOf(t, c.set, c.tool, "{}")
		if d.Rule != c.rule {
			t.Errorf("%s, strict %v: rule %q (%s), want %q", c.tool, c.set.strict, d.Rule, d.Reason, c.rule)
		}
	}
	if d := reviewOf(t, strict, "nobody", "{}"); d.Reason != `there is no tool "nobody"; the tools are bare, considered, ruled, declared, vague, fancy` {
		t.Error(d.Reason)
	}
}

// All faults are told at once, and always in the same order.
func TestAllFaultsInStableOrder(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{toolWith("t", `{"type":"object","additionalProperties":false,"required":["z"],
		"properties":{"c":{"type":"integer","maximum":5},"a":{"type":"string"},"b":{"enum":["x","y"]},"z":{}}}`)},
		&Options{Rules: ruleFor("t", Arg("a", Length(1, 3)))})
	const raw = `{"extra":1,"user_id":"eve","b":"q","c":9,"a":"long","A_":2}`
	want := []string{
		`"user_id" may not be chosen by the caller; leave it out`,
		"a has 4 characters; at most 3 are allowed",
		"c is 9; at most 5 is allowed",
		`b is "q"; use one of x, y`,
		"z is missing; send it",
		`"extra" is not an argument of t; it takes a, c, b, z`,
		`"user_id" is not an argument of t; it takes a, c, b, z`,
		`"A_" is not an argument of t; it takes a, c, b, z`,
	}
	for range 20 {
		d := reviewOf(t, set, "t", raw)
		if d.Reason != strings.Join(want, "; ") {
			t.Fatalf("got  %s\nwant %s", d.Reason, strings.Join(want, "; "))
		}
		if d.Rule != "identity" || len(d.Faults) != len(want) {
			t.Fatalf("rule %s, %d faults", d.Rule, len(d.Faults))
		}
	}
}

func TestManyFaultsStayShort(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{toolWith("t", `{"type":"object","additionalProperties":false,"properties":{}}`)}, nil)
	var raw strings.Builder
	raw.WriteString(`{"k":0`)
	for i := range 5000 {
		fmt.Fprintf(&raw, `,"k%d":0`, i)
	}
	raw.WriteString("}")
	d := reviewOf(t, set, "t", raw.String())
	if d.Kind != Deny || len(d.Reason) > 4000 || len(d.Faults) != tooManyFaults || !strings.HasSuffix(d.Reason, "; and 80 more") {
		t.Errorf("%s, %d faults, %d bytes: %s", d.Kind, len(d.Faults), len(d.Reason), d.Reason)
	}
}

func TestIdentity(t *testing.T) {
	tools := []tooltrack.Tool{
		toolWith("declared", `{"type":"object","additionalProperties":false,"properties":{"user_id":{"type":"string"},"q":{"type":"string"}},"required":["user_id"]}`),
		{Name: "undeclared"},
	}
	refuse := mustSet(t, tools[1:], &Options{Identity: []Identity{{Arg: "user_id"}, {Arg: "tenant"}}})
	set := mustSet(t, tools, &Options{Identity: []Identity{{Arg: "user_id", Set: true}}})
	off := mustSet(t, tools, &Options{Identity: []Identity{}})
	byDefault := mustSet(t, append(tools,
		toolWith("query", `{"type":"object","properties":{"q":{"type":"string"}}}`),
		toolWith("repository", `{"type":"object","properties":{"owner":{"type":"string"},"tenantId":{"type":"string"}}}`),
		toolWith("as_a_whole", `{"type":"object","properties":{"q":{"type":"string"}},"minProperties":0}`),
		toolWith("in_parts", `{"properties":{"q":{}},"allOf":[{"properties":{"owner":{"type":"string"}}}]}`),
		toolWith("labels", `{"properties":{"q":{}},"additionalProperties":{"type":"string"}}`),
		toolWith("welcome", `{"properties":{"q":{}},"additionalProperties":true}`),
		toolWith("welcome_as_a_whole", `{"properties":{"q":{}},"additionalProperties":true,"minProperties":0}`),
		toolWith("anything", `{"type":"object"}`),
	), nil)
	cases := []struct {
		name      string
		set       *Set
		tool, raw string
		want      DecisionKind
		args      string
	}{
		{"refused", refuse, "undeclared", `{"user_id":"eve"}`, Deny, ""},
		{"refused even when right", refuse, "undeclared", `{"user_id":"ada"}`, Deny, ""},
		{"refused, camel case", refuse, "undeclared", `{"userId":"eve"}`, Deny, ""},
		{"refused, no separator", refuse, "undeclared", `{"USERID":"eve"}`, Deny, ""},
		{"refused, full width", refuse, "undeclared", `{"ｕser_id":"eve"}`, Deny, ""},
		{"second name refused", refuse, "undeclared", `{"Tenant":"eve"}`, Deny, ""},
		{"null is absent", refuse, "undeclared", `{"user_id":null}`, Approve, `{"user_id":null}`},
		{"other names pass", refuse, "undeclared", `{"user_ids":[1],"id":2,"user":"x"}`, Approve, `{"user_ids":[1],"id":2,"user":"x"}`},
		{"set where declared and absent", set, "declared", `{"q":"x"}`, Rewrite, `{"q":"x","user_id":"ada"}`},
		{"set where declared and null", set, "declared", `{"user_id":null}`, Rewrite, `{"user_id":"ada"}`},
		{"set over another", set, "declared", `{"user_id":"eve","q":"x"}`, Rewrite, `{"q":"x","user_id":"ada"}`},
		{"set over another kind", set, "declared", `{"user_id":{"$ne":1}}`, Rewrite, `{"user_id":"ada"}`},
		{"right already", set, "declared", `{"user_id":"ada"}`, Approve, `{"user_id":"ada"}`},
		{"set over another where not declared", set, "undeclared", `{"user_id":"eve"}`, Rewrite, `{"user_id":"ada"}`},
		{"not added where not declared", set, "undeclared", `{}`, Approve, `{}`},
		{"other spelling refused", set, "undeclared", `{"userId":"eve"}`, Deny, ""},
		{"as sent by default where declared", byDefault, "declared", `{"user_id":"eve"}`, Approve, `{"user_id":"eve"}`},
		{"another spelling of a declared one is no argument", byDefault, "declared", `{"user_id":"eve","userId":"ada"}`, Deny, ""},
		{"refused by default elsewhere", byDefault, "undeclared", `{"user_id":"eve"}`, Deny, ""},
		{"another name refused by default", byDefault, "query", `{"q":"x","owner_id":"eve"}`, Deny, ""},
		{"another name refused in other case", byDefault, "query", `{"q":"x","onBehalfOf":"eve"}`, Deny, ""},
		{"another name refused, escaped", byDefault, "query", `{"q":"x","t\u0065nant":"eve"}`, Deny, ""},
		{"another name refused with an invisible character", byDefault, "query", `{"q":"x","ow\u200bner":"eve"}`, Deny, ""},
		{"another name refused beside uncommon keywords", byDefault, "as_a_whole", `{"q":"x","account_id":"eve"}`, Deny, ""},
		{"another name, null", byDefault, "query", `{"owner":null}`, Approve, `{"owner":null}`},
		{"a name that only begins alike", byDefault, "query", `{"owners":"x","user_name_of":"y"}`, Approve, `{"owners":"x","user_name_of":"y"}`},
		{"another name in a text", byDefault, "query", `{"q":"owner_id: eve"}`, Approve, `{"q":"owner_id: eve"}`},
		{"another name that the tool declares", byDefault, "repository", `{"owner":"golang","tenantId":"x"}`, Approve, `{"owner":"golang","tenantId":"x"}`},
		{"another name beside a declared one", byDefault, "repository", `{"owner":"golang","user":"eve"}`, Deny, ""},
		{"another name declared in a part", byDefault, "in_parts", `{"owner":"golang"}`, Approve, `{"owner":"golang"}`},
		{"another name where others are described", byDefault, "labels", `{"owner":"golang"}`, Approve, `{"owner":"golang"}`},
		{"another name where others are welcome", byDefault, "welcome", `{"owner":"golang"}`, Approve, `{"owner":"golang"}`},
		{"another name where others are welcome, as a whole", byDefault, "welcome_as_a_whole", `{"owner":"golang"}`, Approve, `{"owner":"golang"}`},
		{"another name where no argument is declared", byDefault, "anything", `{"owner":"golang"}`, Approve, `{"owner":"golang"}`},
		{"another name without a schema", byDefault, "undeclared", `{"owner":"golang"}`, Approve, `{"owner":"golang"}`},
		{"turned off", off, "undeclared", `{"user_id":"eve"}`, Approve, `{"user_id":"eve"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := reviewOf(t, c.set, c.tool, c.raw)
			if d.Kind != c.want || string(d.Args) != c.args {
				t.Errorf("%s %s (%s), want %s %s", d.Kind, d.Args, d.Reason, c.want, c.args)
			}
		})
	}
	for _, nobody := range []Proposal{{}, {Owner: "local", Unnamed: true}} {
		nobody.Call = tooltrack.Call{Tool: "declared", Args: json.RawMessage(`{"user_id":"eve"}`)}
		if d, err := set.Review(context.Background(), nobody); err == nil || d.Allowed() {
			t.Errorf("an identity that is declared, and no owner: %s %s, %v", d.Kind, d.Args, err)
		}
		if d, err := byDefault.Review(context.Background(), nobody); err != nil || d.Kind != Approve || string(d.Args) != `{"user_id":"eve"}` {
			t.Errorf("without an owner and a declared identity: %s %s, %v", d.Kind, d.Args, err)
		}
	}
}

func TestSchemaBeatsNamedRules(t *testing.T) {
	rules := sampleRules(nil)
	set := mustSet(t, []tooltrack.Tool{
		toolWith("publish", `{"type":"object","properties":{"title":{"type":"string"},"status":{"enum":["draft","live"]},"priority":{"const":"p1"}}}`),
		toolWith("sealed", `{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false}`),
	}, &Options{Rules: rules})
	for _, c := range []struct {
		tool, raw string
		want      DecisionKind
	}{
		{"publish", `{"status":"draft","priority":"p1"}`, Approve},
		{"publish", `{"status":"pending"}`, Deny},
		{"publish", `{"title":" "}`, Deny},
		{"publish", `{"due_date":"1999-01-01"}`, Deny},
		{"sealed", `{"title":"x"}`, Deny},
		{"sealed", `{"q":"x"}`, Approve},
	} {
		if d := reviewOf(t, set, c.tool, c.raw); d.Kind != c.want {
			t.Errorf("%s(%s): %s (%s)", c.tool, c.raw, d.Kind, d.Reason)
		}
	}
}

// A cap and a schema with the same maximum work together: the schema sees what
// the cap has left.
func TestSchemaSeesRewrites(t *testing.T) {
	for name, schema := range map[string]string{
		"own rules":    `{"type":"object","properties":{"n":{"type":"integer","maximum":20}}}`,
		"alternatives": `{"type":"object","properties":{"n":{"type":"integer","maximum":20,"multipleOf":5}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			set := mustSet(t, []tooltrack.Tool{toolWith("t", schema)}, &Options{Rules: ruleFor("t", Arg("n", Cap(20)))})
			if d := reviewOf(t, set, "t", `{"n":50}`); d.Kind != Rewrite || string(d.Args) != `{"n":20}` {
				t.Errorf("%s %s: %s", d.Kind, d.Args, d.Reason)
			}
			narrow := mustSet(t, []tooltrack.Tool{toolWith("t", schema)}, &Options{Rules: ruleFor("t", Arg("n", Cap(30)))})
			if d := reviewOf(t, narrow, "t", `{"n":50}`); d.Kind != Deny {
				t.Errorf("a rewrite that the schema forbids: %s %s", d.Kind, d.Args)
			}
		})
	}
}

func TestFunc(t *testing.T) {
	judge := func(f func(context.Context, CheckInput) (CheckResult, error)) (Decision, error) {
		set := mustSet(t, []tooltrack.Tool{{Name: "t"}}, &Options{Rules: ruleFor("t", Arg("a", Type(String), Func("own", f)), Arg("b", Type(Integer)))})
		return set.Review(context.Background(), Proposal{Owner: "ada", Now: clockAt("2026-03-01"), Call: tooltrack.Call{Tool: "t", Args: json.RawMessage(`{"a":"x","b":2}`)}})
	}
	t.Run("sees the call", func(t *testing.T) {
		d, err := judge(func(_ context.Context, in CheckInput) (CheckResult, error) {
			other, _ := in.Args.Value("b").Int()
			if in.Owner != "ada" || in.Tool != "t" || in.Arg != "a" || in.Value.Text() != "x" || other != 2 || !in.Now.Equal(clockAt("2026-03-01")) {
				return Refuse("wrong input"), nil
			}
			return Pass(), nil
		})
		if err != nil || d.Kind != Approve {
			t.Errorf("%s %s, %v", d.Kind, d.Reason, err)
		}
	})
	t.Run("refuses", func(t *testing.T) {
		d, err := judge(func(context.Context, CheckInput) (CheckResult, error) { return Refuse("send y"), nil })
		if err != nil || d.Kind != Deny || d.Rule != "own" || d.Reason != "send y" {
			t.Errorf("%s %s %s, %v", d.Kind, d.Rule, d.Reason, err)
		}
	})
	t.Run("replaces", func(t *testing.T) {
		d, err := judge(func(_ context.Context, in CheckInput) (CheckResult, error) {
			if in.Value.Text() == "x" {
				return Replace("y", "x became y"), nil
			}
			return Pass(), nil
		})
		if err != nil || string(d.Args) != `{"a":"y","b":2}` || d.Reason != "x became y" {
			t.Errorf("%s %s %s, %v", d.Kind, d.Args, d.Reason, err)
		}
	})
	t.Run("replaces by another kind", func(t *testing.T) {
		d, err := judge(func(context.Context, CheckInput) (CheckResult, error) { return Replace(5, ""), nil })
		if err != nil || d.Kind != Deny {
			t.Errorf("%s %s, %v", d.Kind, d.Args, err)
		}
	})
	t.Run("replaces by another kind before a check", func(t *testing.T) {
		empty := Func("own", func(context.Context, CheckInput) (CheckResult, error) { return Replace("", ""), nil })
		set := mustSet(t, []tooltrack.Tool{{Name: "t"}}, &Options{Rules: ruleFor("t", Arg("n", empty, Range(1, 5)))})
		if d := reviewOf(t, set, "t", `{"n":3}`); d.Reason != "n became a string; it must be a whole number" {
			t.Errorf("%s %s", d.Kind, d.Reason)
		}
	})
	faults := map[string]func(context.Context, CheckInput) (CheckResult, error){
		"error":                func(context.Context, CheckInput) (CheckResult, error) { return Pass(), errors.New("down") },
		"panic":                func(context.Context, CheckInput) (CheckResult, error) { panic("boom") },
		"replacement not JSON": func(context.Context, CheckInput) (CheckResult, error) { return Replace(func() {}, ""), nil },
		"replaces without end": func(_ context.Context, in CheckInput) (CheckResult, error) {
			return Replace(in.Value.Text()+"x", ""), nil
		},
		"replacement holds NUL": func(_ context.Context, in CheckInput) (CheckResult, error) {
			if in.Value.Text() == "x" {
				return Replace("\x00", ""), nil
			}
			return Pass(), nil
		},
	}
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			d, err := judge(f)
			if d.Allowed() || err == nil && d.Reason == "" {
				t.Errorf("%s %s, %v", d.Kind, d.Args, err)
			}
		})
	}
}

func TestNewRefusesMistakes(t *testing.T) {
	tool := []tooltrack.Tool{{Name: "t"}}
	rules := func(checks ...Check) *Options { return &Options{Rules: ruleFor("t", Arg("a", checks...))} }
	cases := []struct {
		name    string
		tools   []tooltrack.Tool
		options *Options
		want    string
	}{
		{"tool twice", []tooltrack.Tool{{Name: "t"}, {Name: "t"}}, nil, "used twice"},
		{"argument without name", tool, &Options{Rules: ruleFor("t", Arg(""))}, "no name"},
		{"empty range", tool, rules(Range(5, 1)), "range 5 to 1"},
		{"empty length", tool, rules(Length(5, 1)), "length 5 to 1"},
		{"empty float range", tool, rules(Between(5, 1)), "range 5 to 1"},
		{"no values", tool, rules(OneOf()), "no values"},
		{"bad pattern", tool, rules(Pattern("(")), "missing closing"},
		{"bad charset", tool, rules(Charset("z-a")), "bad range"},
		{"empty charset", tool, rules(Charset("")), "empty"},
		{"no kinds", tool, rules(Type()), "no kinds"},
		{"kinds exclude one another", tool, rules(Type(Integer), NotBlank()), "exclude one another"},
		{"no function", tool, rules(Func("x", nil)), "needs a name and a function"},
		{"bad schema rule", tool, rules(Schema(json.RawMessage(`{"type":"nonsense"}`))), "schema"},
		{"bad window", tool, rules(Date(DateWindow{YearsBack: -1})), "date window"},
		{"identity both required and refused", []tooltrack.Tool{toolWith("t", `{"properties":{"user_id":{}},"required":["user_id"]}`)}, &Options{Identity: []Identity{{Arg: "user_id"}}}, "have it set"},
		{"identity without name", tool, &Options{Identity: []Identity{{}}}, "identity[0]"},
		{"unknown default mode", tool, &Options{DefaultMode: "x"}, "default mode"},
		{"mode twice", tool, &Options{Modes: []Mode{Research(), Research()}}, "given twice"},
		{"deeper mode unknown", tool, &Options{Modes: []Mode{QuickLookup()}}, "deeper mode"},
		{"mode prefers more than it allows", tool, &Options{Modes: []Mode{{Name: "m", Calls: 1, Preferred: 2}}}, "preferred is 2"},
		{"mode without name", tool, &Options{Modes: []Mode{{}}}, "no name"},
		{"mode with a negative limit", tool, &Options{Modes: []Mode{{Name: "m", Calls: -2}}}, "calls is -2"},
		{"mode with a negative limit of a tool", tool, &Options{Modes: []Mode{{Name: "m", PerTool: map[string]int{"t": -1}}}}, "limit of t is -1"},
		{"truncate to nothing", tool, rules(Truncate(0)), "truncate is 0"},
		{"empty checklist", tool, &Options{Checklist: &Checklist{}}, "no steps"},
		{"bad rate", tool, &Options{Rates: map[string]Rate{"t": {}}}, "rate of t"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := New(c.tools, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// TestABrokenSchemaConcernsItsToolAlone: hosts have schemas that nobody
// reads, and a set of fifty tools must not fall with one.
func TestABrokenSchemaConcernsItsToolAlone(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":5}`:                                "parameters",
		`{"type":"string"}`:                         "accepts no object",
		`false`:                                     "accepts no object",
		`{"$ref":"file:///etc/passwd"}`:             "only references inside",
		`{"$ref":"http://127.0.0.1/x"}`:             "only references inside",
		`{"$ref":"#/definitions/none"}`:             "not found",
		`{"properties":{"a":{"pattern":"^(?!x)"}}}`: "regex",
	} {
		set, err := New([]tooltrack.Tool{toolWith("broken", schema), {Name: "whole"}}, nil)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		if why := set.Unreadable()["broken"]; why == nil || !strings.Contains(why.Error(), want) || len(set.Unreadable()) != 1 {
			t.Errorf("%s: %v, want one with %q", schema, set.Unreadable(), want)
		}
		for tool, ruling := range map[string]DecisionKind{"broken": Deny, "whole": Approve} {
			decision, err := set.Review(t.Context(), Proposal{Owner: "ann", Call: tooltrack.Call{Tool: tool, Args: []byte(`{}`)}})
			if err != nil || decision.Kind != ruling {
				t.Errorf("%s: %s is %v: %v", schema, tool, decision.Kind, err)
			}
		}
	}
	anything, err := New([]tooltrack.Tool{toolWith("t", `{"type":"object","properties":{"a":{"type":"any"}},"required":["a"]}`)}, nil)
	if err != nil || len(anything.Unreadable()) > 0 {
		t.Errorf("type any: %v, %v", err, anything.Unreadable())
	}
}

func TestContextIsObeyed(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	set := mustSet(t, []tooltrack.Tool{{Name: "t"}}, nil)
	if d, err := set.Review(ctx, Proposal{Call: tooltrack.Call{Tool: "t", Args: json.RawMessage(`{}`)}}); !errors.Is(err, context.Canceled) || d.Allowed() {
		t.Errorf("%s, %v", d.Kind, err)
	}
}

// Arguments that were decoded before are judged like the bytes they came from.
func TestReviewOfDecodedArguments(t *testing.T) {
	set := sampleSet(t, nil)
	args, err := Decode([]byte(` {"query":"cats","max_results":99}`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := set.Review(context.Background(), Proposal{Owner: "ada", Call: tooltrack.Call{Tool: "web_search"}, Args: args})
	if err != nil || string(d.Args) != `{"max_results":20,"query":"cats"}` || string(d.Original) != ` {"query":"cats","max_results":99}` {
		t.Errorf("%s %s, %v", d.Args, d.Original, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	set := sampleSet(t, nil)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 200 {
				raw, want := `{"query":"cats"}`, Approve
				if i%2 == 1 {
					raw, want = `{"query":"c\u0061ts","max_results":50}`, Rewrite
				}
				d, err := set.Review(context.Background(), Proposal{Owner: "ada", Now: time.Unix(0, 0), Call: tooltrack.Call{Tool: "web_search", Args: json.RawMessage(raw)}})
				if err != nil || d.Kind != want || want == Rewrite && string(d.Args) != `{"max_results":20,"query":"cats"}` {
					t.Errorf("%s %s, %v", d.Kind, d.Args, err)
					return
				}
			}
		})
	}
	group.Wait()
}

// TestNullForNone: an encoder that writes null for an empty list asks for nothing.
func TestNullForNone(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{"type":"string"}},"required":null}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":null,"minProperties":0}`,
		`{"type":"object","properties":{"a":{"type":"object","properties":null,"required":null}},"required":null}`,
		`{"type":"object","properties":null,"required":null}`,
	} {
		set := mustSet(t, []tooltrack.Tool{toolWith("t", schema)}, nil)
		for _, raw := range []string{`{}`, ``} {
			if d := reviewOf(t, set, "t", raw); d.Kind != Approve {
				t.Errorf("%s with %q: %s %s", schema, raw, d.Kind, d.Reason)
			}
		}
	}
	set := mustSet(t, []tooltrack.Tool{toolWith("t", `{"type":"object","properties":{"a":{"type":"string"}},"required":null}`)}, nil)
	if d := reviewOf(t, set, "t", `{"a":7}`); d.Kind != Deny {
		t.Errorf("another type than the schema declares: %s", d.Kind)
	}
}
