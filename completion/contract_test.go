package completion

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestVerified(t *testing.T) {
	rows := []struct {
		name, calls string
		missing     bool
	}{
		{"verified after the change", "edit_file; run_tests", false},
		{"verified before the change", "run_tests; edit_file", true},
		{"not verified", "edit_file", true},
		{"verification failed", "edit_file; run_tests failed", true},
		{"failed, then passed", "edit_file; run_tests failed; edit_file; run_tests", false},
		{"nothing to verify", "read_file", false},
	}
	for _, row := range rows {
		turn := Case{Records: recordsOf(row.calls, coder)}
		if missing := Verified().Unmet(turn, Blocker{}); (missing != "") != row.missing {
			t.Errorf("%s: missing is %q", row.name, missing)
		}
	}
}

// page is a successful read of a URL.
func page(url string) *tooltrack.Record {
	return record(`web_access succeeded {"url":"`+url+`"}`, assistant)
}

func TestPlanAndSources(t *testing.T) {
	research := append(assistant[:len(assistant):len(assistant)], tooltrack.Tool{Name: "make_plan", Effect: tooltrack.Changes})
	contract := Analysis(Planned("make_plan"), Sources(3))
	plan := record("make_plan", research)
	rows := []struct {
		name    string
		records []*tooltrack.Record
		missing []string
	}{
		{"nothing", nil, []string{"a plan recorded with make_plan", "3 distinct sources (0 found)"}},
		{"sources without a plan", []*tooltrack.Record{page("https://a.example/1"), page("https://b.example/2"), page("https://c.example/3")}, []string{"a plan recorded with make_plan"}},
		{"the same source again", []*tooltrack.Record{plan, page("https://a.example/1"), page("https://a.example/1#top"), page("https://b.example/2")}, []string{"3 distinct sources (2 found)"}},
		{"a failed plan", []*tooltrack.Record{record("make_plan failed", research), page("https://a.example/1"), page("https://b.example/2"), page("https://c.example/3")}, []string{"a plan recorded with make_plan"}},
		{"all there", []*tooltrack.Record{plan, page("https://a.example/1"), page("https://b.example/2"), page("https://c.example/3")}, nil},
	}
	evaluator := New(nil)
	for _, row := range rows {
		turn := Case{User: "Compare the three.", Text: "My plan: read three pages. In short, the first one is the best.", Tools: research, Records: row.records, Contract: contract}
		verdict := evaluator.Evaluate(turn)
		if !slices.Equal(verdict.Missing, row.missing) {
			t.Errorf("%s: missing is %q, want %q", row.name, verdict.Missing, row.missing)
		}
		if (verdict.Reason == MissingRequirement) != (row.missing != nil) || verdict.Outcome.Completed() != (row.missing == nil) {
			t.Errorf("%s: %v because of %v", row.name, verdict.Outcome, verdict.Reason)
		}
	}
}

func TestParts(t *testing.T) {
	const user = "Delete 'Buy milk' and create 'Call Anna'."
	rows := []struct {
		name, calls, text string
		outcome           Outcome
	}{
		{"both", "delete_task; create_task", "I've deleted 'Buy milk' and created 'Call Anna'.", CompletedWithWork},
		{"one", "delete_task", "I've deleted 'Buy milk'.", InsufficientProgress},
		{"one, the other blocked", "delete_task", "I've deleted 'Buy milk'. For which day shall I create 'Call Anna'?", CompletedWithWork},
		{"none, blocked", "", "Which list are they on?", CompletedWithBlocker},
	}
	evaluator := New(nil)
	for _, row := range rows {
		turn := Case{User: user, Text: row.text, Tools: assistant, Records: recordsOf(row.calls, assistant), Expected: []string{"delete_task", "create_task"}, Contract: Action(Parts())}
		if verdict := evaluator.Evaluate(turn); verdict.Outcome != row.outcome {
			t.Errorf("%s: %v because of %v, missing %q", row.name, verdict.Outcome, verdict.Reason, verdict.Missing)
		}
	}
}

func TestOwnRequirement(t *testing.T) {
	never := RequirementFunc(func(Case, Blocker) string { return "the moon" })
	turn := Case{User: deleteMilk, Text: "I've deleted 'Buy milk'.", Tools: assistant, Records: recordsOf("delete_task", assistant), Contract: Action(never)}
	if verdict := New(nil).Evaluate(turn); verdict.Reason != MissingRequirement || !slices.Equal(verdict.Missing, []string{"the moon"}) {
		t.Errorf("%v because of %v, missing %q", verdict.Outcome, verdict.Reason, verdict.Missing)
	}
}

// TestAContractNamesItsTools, so that a name which leads nowhere can be noticed.
func TestAContractNamesItsTools(t *testing.T) {
	contract := Action(Planned("plan"), Verified(), Called("send_email", With{"to": "a@b.c"}), nil, Covers("read_file", "a.go"), Sources(2), Parts())
	require.Equal(t, []string{"plan", "send_email", "read_file"}, contract.Tools())
	require.Empty(t, Chat().Tools())
}
