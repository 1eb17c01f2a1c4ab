package enginebench

import (
	"context"
	"encoding/json"
	"testing"

	"cel.dev/cel-go/cel"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/open-policy-agent/opa/v1/rego"
)

// The rule: a query of 2 to 500 characters, and at most 20 results. Every engine
// is compiled once and gets arguments that were decoded before.
const (
	good = `{"query": "history of the suez canal", "max_results": 10}`
	bad  = `{"query": "history of the suez canal", "max_results": 50}`

	celRule = `size(args.query) >= 2 && size(args.query) <= 500 && (!has(args.max_results) || args.max_results >= 1 && args.max_results <= 20)`

	regoRule = `package tool
default allow := false
results_ok if not input.max_results
results_ok if { input.max_results >= 1; input.max_results <= 20 }
allow if { count(input.query) >= 2; count(input.query) <= 500; results_ok }`
)

// An engine judges decoded arguments.
type engine func(tb testing.TB, args any) bool

func decoded(tb testing.TB, raw string) map[string]any {
	tb.Helper()
	var args map[string]any
	if err := json.Unmarshal([]byte(raw), &args); err != nil {
		tb.Fatal(err)
	}
	return args
}

func newPolicy(tb testing.TB) func(testing.TB, *policy.Args) bool {
	rules := policy.Rules{Tools: map[string][]policy.Argument{"web_search": {
		policy.Arg("query", policy.Required(), policy.Length(2, 500)),
		policy.Arg("max_results", policy.Range(1, 20)),
	}}}
	set, err := policy.New([]tooltrack.Tool{{Name: "web_search"}}, &policy.Options{Rules: rules})
	if err != nil {
		tb.Fatal(err)
	}
	return func(tb testing.TB, args *policy.Args) bool {
		decision, err := set.Review(context.Background(), policy.Proposal{Owner: "ada", Call: tooltrack.Call{Tool: "web_search"}, Args: args})
		if err != nil {
			tb.Fatal(err)
		}
		return decision.Allowed()
	}
}

func newCEL(tb testing.TB) engine {
	env, err := cel.NewEnv(cel.Variable("args", cel.MapType(cel.StringType, cel.DynType)))
	if err != nil {
		tb.Fatal(err)
	}
	compiled, issues := env.Compile(celRule)
	if issues.Err() != nil {
		tb.Fatal(issues.Err())
	}
	program, err := env.Program(compiled, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		tb.Fatal(err)
	}
	return func(tb testing.TB, args any) bool {
		out, _, err := program.Eval(map[string]any{"args": args})
		if err != nil {
			tb.Fatal(err)
		}
		return out.Value() == true
	}
}

func newOPA(tb testing.TB) engine {
	query, err := rego.New(rego.Query("data.tool.allow"), rego.Module("tool.rego", regoRule)).PrepareForEval(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return func(tb testing.TB, args any) bool {
		results, err := query.Eval(context.Background(), rego.EvalInput(args))
		if err != nil {
			tb.Fatal(err)
		}
		return results.Allowed()
	}
}

// A comparison of speed means nothing unless all say the same.
func TestEnginesAgree(t *testing.T) {
	for raw, want := range map[string]bool{good: true, bad: false, `{"query":"x"}`: false, `{"query":"xy"}`: true} {
		args, err := policy.Decode([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if got := newPolicy(t)(t, args); got != want {
			t.Errorf("policy: %s: %v", raw, got)
		}
		for name, judge := range map[string]engine{"CEL": newCEL(t), "OPA": newOPA(t)} {
			if got := judge(t, decoded(t, raw)); got != want {
				t.Errorf("%s: %s: %v", name, raw, got)
			}
		}
	}
}

func BenchmarkPolicy(b *testing.B) {
	judge := newPolicy(b)
	args, err := policy.Decode([]byte(good))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if !judge(b, args) {
			b.Fatal("refused")
		}
	}
}

func benchEngine(b *testing.B, judge engine) {
	args := decoded(b, good)
	b.ReportAllocs()
	for b.Loop() {
		if !judge(b, args) {
			b.Fatal("refused")
		}
	}
}

func BenchmarkCEL(b *testing.B) { benchEngine(b, newCEL(b)) }
func BenchmarkOPA(b *testing.B) { benchEngine(b, newOPA(b)) }
