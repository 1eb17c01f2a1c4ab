// Cedar shows a policy engine of the host's own behind the guard: the tool's schema is checked as
// always, and then Cedar says whether this owner may make this call.
//
//	go run ./examples/cedar
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/cedar-policy/cedar-go"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// rules are what a security team would write and review.
const rules = `
permit (principal, action == Action::"transfer_money", resource)
when { context.amount <= 100 };

permit (principal == User::"treasurer", action == Action::"transfer_money", resource);
`

// reviewer asks the tools' own schemas first, and Cedar about what passes.
type reviewer struct {
	schemas  *policy.Set
	policies *cedar.PolicySet
}

// Review decides about one call. Whatever Cedar does not permit is denied.
func (r reviewer) Review(ctx context.Context, request policy.Proposal) (policy.Decision, error) {
	decision, err := r.schemas.Review(ctx, request)
	if err != nil || decision.Kind == policy.Deny {
		return decision, err
	}
	var args struct {
		Amount int64 `json:"amount"`
	}
	if err := json.Unmarshal(decision.Args, &args); err != nil {
		return policy.Decision{}, err
	}
	permitted, _ := cedar.Authorize(r.policies, cedar.EntityMap{}, cedar.Request{
		Principal: cedar.NewEntityUID("User", cedar.String(request.Owner)),
		Action:    cedar.NewEntityUID("Action", cedar.String(request.Call.Tool)),
		Resource:  cedar.NewEntityUID("Account", "house"),
		Context:   cedar.NewRecord(cedar.RecordMap{"amount": cedar.Long(args.Amount)}),
	})
	if permitted == cedar.Allow {
		return decision, nil
	}
	return policy.Decision{
		Kind: policy.Deny, Rule: "cedar",
		Reason: fmt.Sprintf("the policy does not allow %s to transfer %d; up to 100 is allowed", request.Owner, args.Amount),
	}, nil
}

func main() {
	if err := show(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func show(out io.Writer) error {
	tools := []tooltrack.Tool{{
		Name: "transfer_money", Description: "Transfer money to a payee.", Effect: tooltrack.Changes,
		Parameters: json.RawMessage(
			`{"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"integer","minimum":1}},"required":["to","amount"]}`),
	}}
	schemas, err := policy.New(tools, nil)
	if err != nil {
		return err
	}
	policies, err := cedar.NewPolicySetFromBytes("rules.cedar", []byte(rules))
	if err != nil {
		return err
	}
	g, err := guard.New(tools, &guard.Options{Reviewer: reviewer{schemas, policies}})
	if err != nil {
		return err
	}
	for _, owner := range []string{"ann", "treasurer"} {
		executor := guardtest.Tools(map[string]guard.ExecutorFunc{"transfer_money": guardtest.Returns(`{"success":true}`)})
		model := guardtest.Script(
			guardtest.Call(guardtest.Tool("transfer_money", `{"to":"Bob","amount":500}`)),
			guardtest.Say(map[string]string{
				"ann": "I could not transfer the 500: the policy allows up to 100.", "treasurer": "I've transferred 500 to Bob.",
			}[owner]))
		reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "transfer 500 to Bob", Owner: owner})
		if err != nil {
			return err
		}
		record := reply.Records[0]
		fmt.Fprintf(out, "%s asks for 500:\n  the call: %s %s\n  the user reads: %s\n", owner, record.Result.Status,
			record.Ruling.Reason, reply.Text)
	}
	return nil
}
