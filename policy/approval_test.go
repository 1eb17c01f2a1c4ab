package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var payTools = []tooltrack.Tool{
	{Name: "pay", Effect: tooltrack.Changes, Parameters: json.RawMessage(
		`{"type":"object","properties":{"amount":{"type":"number"},"to":{"type":"string"}},"required":["to"]}`)},
	{Name: "list", Effect: tooltrack.Reads},
}

func TestNeedsApproval(t *testing.T) {
	weekend := policy.When("weekend", func(_ context.Context, in policy.CheckInput) (bool, error) {
		return in.Now.Weekday() == time.Saturday || in.Now.Weekday() == time.Sunday, nil
	})
	monday := time.Date(2026, 2, 9, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		when policy.Condition
		args string
		now  time.Time
		want policy.DecisionKind
	}{
		"every call":               {policy.Always(), `{"to":"bob"}`, monday, policy.Hold},
		"below the amount":         {policy.Above("amount", 50), `{"amount":50,"to":"bob"}`, monday, policy.Approve},
		"above the amount":         {policy.Above("amount", 50), `{"amount":50.01,"to":"bob"}`, monday, policy.Hold},
		"above in another form":    {policy.Above("amount", 50), `{"amount":5.1e1,"to":"bob"}`, monday, policy.Hold},
		"no amount":                {policy.Above("amount", 50), `{"to":"bob"}`, monday, policy.Hold},
		"on the list":              {policy.Outside("to", "bob", "carol"), `{"to":"carol"}`, monday, policy.Approve},
		"not on the list":          {policy.Outside("to", "bob", "carol"), `{"to":"mallory"}`, monday, policy.Hold},
		"by a function":            {weekend, `{"to":"bob"}`, monday, policy.Approve},
		"by a function, held":      {weekend, `{"to":"bob"}`, monday.AddDate(0, 0, -1), policy.Hold},
		"a denial needs no person": {policy.Always(), `{"amount":1}`, monday, policy.Deny},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := policy.New(payTools, &policy.Options{Approvals: []policy.Approval{
				policy.NeedsApproval("pay", c.when).Within(time.Hour).Summary(func(in policy.CheckInput) string {
					return "pay " + in.Args.Value("to").Text()
				}),
			}})
			require.NoError(t, err)
			decision, err := set.Review(t.Context(), policy.Proposal{
				Owner: "ann", Call: tooltrack.Call{Tool: "pay", Args: json.RawMessage(c.args)}, Now: c.now,
			})
			require.NoError(t, err)
			require.Equal(t, c.want, decision.Kind, decision.Reason)
			if c.want != policy.Hold {
				return
			}
			require.False(t, decision.Allowed())
			require.True(t, decision.Record().Denied, "who knows no approvals must not run it")
			require.Equal(t, c.args, string(decision.Args))
			require.Equal(t, time.Hour, decision.Within)
			require.Contains(t, decision.Summary, "pay ")
			again, err := set.Review(t.Context(), policy.Proposal{
				Owner: "ann", Call: tooltrack.Call{Tool: "pay", Args: decision.Args}, Now: c.now, Approved: []string{decision.Rule},
			})
			require.NoError(t, err)
			require.Equal(t, policy.Approve, again.Kind, "approved by a person")
		})
	}
}

// A person sees what the rules made of the arguments, and each of two rules asks.
func TestApprovalIsAskedAboutWhatRuns(t *testing.T) {
	set, err := policy.New(payTools, &policy.Options{
		Rules: policy.Rules{Tools: map[string][]policy.Argument{"pay": {
			policy.Arg("amount", policy.Cap(100)),
		}}},
		Approvals: []policy.Approval{
			policy.NeedsApproval("pay", policy.Above("amount", 50)), policy.NeedsApproval("pay", policy.Above("amount", 90)),
		},
		Rates: map[string]policy.Rate{"pay": {Calls: 1, Per: time.Hour}},
	})
	require.NoError(t, err)
	proposal := policy.Proposal{Owner: "ann", Call: tooltrack.Call{Tool: "pay", Args: json.RawMessage(`{"amount":700,"to":"b"}`)}}
	first, err := set.Review(t.Context(), proposal)
	require.NoError(t, err)
	require.Equal(t, policy.Hold, first.Kind)
	require.JSONEq(t, `{"amount":100,"to":"b"}`, string(first.Args))
	require.Equal(t, `{"amount":700,"to":"b"}`, string(first.Original))
	proposal.Call.Args, proposal.Approved = first.Args, []string{first.Rule}
	second, err := set.Review(t.Context(), proposal)
	require.NoError(t, err)
	require.Equal(t, policy.Hold, second.Kind)
	require.NotEqual(t, first.Rule, second.Rule)
	proposal.Approved = append(proposal.Approved, second.Rule)
	third, err := set.Review(t.Context(), proposal)
	require.NoError(t, err)
	require.Equal(t, policy.Approve, third.Kind)
	spent, err := set.Spend(t.Context(), "ann", proposal.Call)
	require.NoError(t, err)
	require.Equal(t, policy.Approve, spent.Kind, "holding has spent nothing of the rate")
	again, err := set.Spend(t.Context(), "ann", proposal.Call)
	require.NoError(t, err)
	require.Equal(t, "rate", again.Rule, "an approval is no way around the rate")
}

func TestApprovalFaults(t *testing.T) {
	_, err := policy.New(payTools, &policy.Options{Approvals: []policy.Approval{
		policy.NeedsApproval("refund", policy.Always()), policy.NeedsApproval("pay", policy.When("", nil)),
		policy.NeedsApproval("pay", policy.Always()).Within(-time.Second),
	}})
	for _, words := range []string{`"refund": there is no such tool`, "needs a name and a function", "Within is -1s"} {
		require.ErrorContains(t, err, words)
	}
	for name, holds := range map[string]func(context.Context, policy.CheckInput) (bool, error){
		"error": func(context.Context, policy.CheckInput) (bool, error) { return false, errors.New("no answer") },
		"panic": func(context.Context, policy.CheckInput) (bool, error) { panic("no answer") },
	} {
		set, err := policy.New(payTools, &policy.Options{Approvals: []policy.Approval{
			policy.NeedsApproval("pay", policy.When(name, holds)),
		}})
		require.NoError(t, err)
		decision, err := set.Review(t.Context(), policy.Proposal{
			Call: tooltrack.Call{Tool: "pay", Args: json.RawMessage(`{"to":"bob"}`)},
		})
		require.ErrorContains(t, err, "no answer")
		require.False(t, decision.Allowed(), "what nobody could decide does not run")
	}
}

// A summary is written by the host, and may fail like any of its code.
func TestApprovalSummaryThatPanics(t *testing.T) {
	set, err := policy.New(payTools, &policy.Options{Approvals: []policy.Approval{
		policy.NeedsApproval("pay", policy.Always()).Summary(func(policy.CheckInput) string { panic("no words") }),
	}})
	require.NoError(t, err)
	decision, err := set.Review(t.Context(), policy.Proposal{
		Call: tooltrack.Call{Tool: "pay", Args: json.RawMessage(`{"to":"bob"}`)},
	})
	require.ErrorContains(t, err, "no words")
	require.False(t, decision.Allowed())
}
