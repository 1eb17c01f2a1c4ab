package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func Example() {
	rules := policy.Rules{Tools: map[string][]policy.Argument{
		"web_search": {policy.Arg("query", policy.Required(), policy.Length(2, 500)), policy.Arg("max_results", policy.Cap(20), policy.Range(1, 20))},
		"web_access": {policy.Arg("url", policy.Required(), policy.PublicURL(nil))},
	}}
	set, err := policy.New([]tooltrack.Tool{{Name: "web_search"}, {Name: "web_access"}}, &policy.Options{Rules: rules, Strict: true})
	if err != nil {
		panic(err)
	}
	for _, call := range []tooltrack.Call{
		{Tool: "web_search", Args: json.RawMessage(`{"query": "go generics"}`)},
		{Tool: "web_search", Args: json.RawMessage(`{"query": "go generics", "max_results": 50}`)},
		{Tool: "web_access", Args: json.RawMessage(`{"url": "http://169.254.169.254/latest/meta-data/"}`)},
		{Tool: "web_serach", Args: json.RawMessage(`{"query": "go generics"}`)},
	} {
		decision, err := set.Review(context.Background(), policy.Proposal{Owner: "ada", Call: call})
		if err != nil {
			panic(err)
		}
		if decision.Kind == policy.Approve {
			fmt.Printf("approve: %s\n", decision.Args)
			continue
		}
		fmt.Printf("%s: %s\n", decision.Kind, decision.Reason)
	}
	// Output:
	// approve: {"query": "go generics"}
	// rewrite: max_results was 50 and was lowered to 20
	// deny: url is refused: host "169.254.169.254" leads to 169.254.169.254 (link-local, cloud metadata); only public addresses may be opened
	// deny: there is no tool "web_serach"; the tools are web_search, web_access
}

func ExampleArg() {
	rules := policy.Rules{Tools: map[string][]policy.Argument{
		"send_mail": {
			policy.Arg("to", policy.Required(), policy.Pattern(`[^@\s]+@example\.com`)),
			policy.Arg("subject", policy.Required(), policy.NotBlank(), policy.Truncate(20)),
			policy.Arg("copies", policy.Range(1, 5)),
		},
	}}
	set, err := policy.New([]tooltrack.Tool{{Name: "send_mail"}}, &policy.Options{Rules: rules})
	if err != nil {
		panic(err)
	}
	fmt.Print(set.Describe("send_mail"))
	decision, err := set.Review(context.Background(), policy.Proposal{Owner: "ada", Call: tooltrack.Call{
		Tool: "send_mail", Args: json.RawMessage(`{"to":"eve@example.org","subject":" ","copies":9}`),
	}})
	if err != nil {
		panic(err)
	}
	for _, fault := range decision.Faults {
		fmt.Printf("%s: %s\n", fault.Rule, fault.Reason)
	}
	// Output:
	// - to (required): a string, matching [^@\s]+@example\.com
	// - subject (required): a string, not blank, at most 20 characters
	// - copies: a whole number, 1 to 5
	// pattern: to is "eve@example.org"; it must match [^@\s]+@example\.com
	// blank: subject is blank; send a text
	// range: copies is 9; at most 5 is allowed
}

func ExampleFunc() {
	weekday := policy.Func("weekday", func(_ context.Context, in policy.CheckInput) (policy.CheckResult, error) {
		date, err := time.Parse(time.DateOnly, in.Value.Text())
		if err == nil && (date.Weekday() == time.Saturday || date.Weekday() == time.Sunday) {
			return policy.Refuse(in.Arg + " is on a weekend; choose a working day"), nil
		}
		return policy.Pass(), nil
	})
	rules := policy.Rules{Tools: map[string][]policy.Argument{
		"book_meeting": {policy.Arg("day", policy.Required(), policy.Date(policy.DateWindow{}), weekday)},
	}}
	set, err := policy.New([]tooltrack.Tool{{Name: "book_meeting"}}, &policy.Options{Rules: rules})
	if err != nil {
		panic(err)
	}
	now := time.Date(2026, time.February, 8, 12, 0, 0, 0, time.UTC)
	for _, day := range []string{"tomorrow", "2026-02-14", "2025-02-14"} {
		decision, err := set.Review(context.Background(), policy.Proposal{Owner: "ada", Now: now, Call: tooltrack.Call{
			Tool: "book_meeting", Args: json.RawMessage(fmt.Sprintf(`{"day":%q}`, day)),
		}})
		if err != nil {
			panic(err)
		}
		fmt.Println(decision.Kind, decision.Reason)
	}
	// Output:
	// rewrite day was "tomorrow" and means Monday, 2026-02-09
	// deny day is on a weekend; choose a working day
	// deny day is "2025-02-14", in the year 2025; allowed are 2026-01-01 to 2026-12-31
}

func ExampleMode_Guidelines() {
	fmt.Print(policy.QuickLookup().Guidelines())
	// Output:
	// TOOL USAGE GUIDELINES:
	// - Maximum: 2 tool calls per turn (1 preferred)
	// - No tool call is needed when the answer is already in the conversation
	// - Calls beyond 1 are a fallback: a follow-up when the first result is not enough, such as opening a page that a search has found
	// - For anything deeper use research mode
}

func ExampleChecklist() {
	duplicates := policy.Checklist{
		Steps: []policy.Step{
			{Name: "Read target files", Tool: "read_file", PathArg: "path", EachTarget: true},
			{Name: "Read ARCHITECTURE.md", Tool: "read_file", PathArg: "path", Path: "ARCHITECTURE.md"},
		},
		Resolving: []string{"merge_files", "create_report"},
	}
	history := []*tooltrack.Record{{
		Call:   tooltrack.Call{Tool: "read_file", Args: json.RawMessage(`{"path":"./a.go"}`)},
		Result: tooltrack.Result{Status: tooltrack.Succeeded},
	}}
	text, err := duplicates.For("a.go", "b.go").Prompt(history, 2, 5)
	if err != nil {
		panic(err)
	}
	fmt.Print(text)
	// Output:
	// MANDATORY ANALYSIS CHECKLIST (Attempt 2/5)
	//
	// ✗ Read target files (b.go)
	// ✗ Read ARCHITECTURE.md
	// ✗ Resolve the task: BLOCKED until every step above is done
	//
	// You CANNOT call merge_files, create_report until ALL steps are complete.
	//
	// NEXT STEP: call read_file with path="b.go"
}

// A cap says what the range beside it says, too: one text is enough.
func ExampleCheck_Saying() {
	set, err := policy.New([]tooltrack.Tool{{Name: "search"}}, &policy.Options{Rules: policy.Rules{Tools: map[string][]policy.Argument{
		"search": {policy.Arg("results", policy.Cap(20).Saying(""), policy.Range(1, 20).Saying("1 to 20 (5 if left out)"))},
	}}})
	if err != nil {
		panic(err)
	}
	fmt.Print(set.Describe("search"))
	// Output:
	// - results: a whole number, 1 to 20 (5 if left out)
}

func ExampleWeb_Check() {
	web := policy.NewWeb(nil)
	fmt.Println(web.Check("https://example.com/page"))
	fmt.Println(web.Check("http://2130706433/"))
	// Output:
	// <nil>
	// the URL is refused: host "2130706433" is a number that is no plain IPv4 address; write four decimal parts
}
