package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A set judges a call by the tool's own schema and by the rules that stand
// beside it. The model reads the reason and can do better.
func ExampleSet_Review() {
	tool := tooltrack.Tool{Name: "add_task", Parameters: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"},"priority":{"enum":["low","high"]}},"required":["title"]}`)}
	rules := policy.Rules{Tools: map[string][]policy.Argument{"add_task": {policy.Arg("title", policy.Length(3, 80))}}}
	set, err := policy.New([]tooltrack.Tool{tool}, &policy.Options{Rules: rules})
	if err != nil {
		panic(err)
	}
	for _, args := range []string{`{"title":"Buy milk","priority":"high"}`, `{"title":"?","priority":"urgent"}`, `{"title":"Buy milk","title":"Sell milk"}`} {
		decision, err := set.Review(context.Background(), policy.Proposal{Owner: "ann", Call: tooltrack.Call{Tool: "add_task", Args: json.RawMessage(args)}})
		if err != nil {
			panic(err)
		}
		fmt.Println(decision.Kind)
		if decision.Kind == policy.Deny {
			fmt.Println(decision.Reason)
		}
	}
	// Output:
	// approve
	// deny
	// title has 1 character; at least 3 are needed; priority is "urgent"; use one of low, high
	// deny
	// the key "title" is there twice (also as "title"); send it once, spelled as declared
}

// Tools that no rule speaks of are listed, so that a host can consider them; a
// strict set refuses them.
func ExampleSet_Uncovered() {
	tools := []tooltrack.Tool{{Name: "web_search"}, {Name: "format_disk"}}
	rules := policy.Rules{Tools: map[string][]policy.Argument{"web_search": {policy.Arg("query", policy.Required())}}}
	set, err := policy.New(tools, &policy.Options{Rules: rules})
	if err != nil {
		panic(err)
	}
	fmt.Println(set.Uncovered())
	// Output: [format_disk]
}

// A meter adds up what owners spend in a day; a guard holds it against its budgets.
func ExampleNewMeter() {
	meter := policy.NewMeter(nil)
	for range 2 {
		sum, err := meter.Add(context.Background(), "ann", "", policy.Spending{Tokens: 1200, Micros: 3500})
		if err != nil {
			panic(err)
		}
		fmt.Println(sum.Tokens, float64(sum.Micros)/1e6)
	}
	// Output:
	// 1200 0.0035
	// 2400 0.007
}

// A limiter keeps the rates of a set. Replicas that shall have one budget share one, such
// as that of package sqltrack.
func ExampleNewLimiter() {
	now := time.Date(2026, 2, 9, 9, 0, 0, 0, time.UTC)
	set, err := policy.New([]tooltrack.Tool{{Name: "send_email"}}, &policy.Options{
		Rates:   map[string]policy.Rate{"send_email": {Calls: 2, Per: time.Hour}},
		Limiter: policy.NewLimiter(func() time.Time { return now }),
	})
	if err != nil {
		panic(err)
	}
	for range 3 {
		decision, err := set.Spend(context.Background(), "ann", tooltrack.Call{Tool: "send_email"})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%v: %q\n", decision.Kind, decision.Reason)
	}
	// Output:
	// approve: ""
	// approve: ""
	// deny: "send_email may be called 2 times per 1 hour; wait 30 minutes before the next call"
}
