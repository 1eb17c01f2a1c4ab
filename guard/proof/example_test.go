package proof_test

import (
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A model says what its answer rests on, and what it says is held against the calls that
// were really made.
func Example() {
	list := proof.NewList(nil, []*tooltrack.Record{{
		Call:   tooltrack.Call{Tool: "find_order", Args: json.RawMessage(`{"order":"KT-551"}`)},
		Effect: tooltrack.Reads, Result: tooltrack.Result{Status: tooltrack.Succeeded, Data: json.RawMessage(`{"status":"open"}`)},
	}})
	letters := proof.Lettered([]proof.Letter{{Text: "Your order KT-551 is cancelled."}})
	fmt.Println(proof.Ask(list, letters, proof.CallsInvited))

	answer, err := proof.Read(`{"a": [1], "message": null}`, letters, list)
	if err != nil {
		panic(err)
	}
	result := proof.Check(answer, proof.Case{
		User: "cancel order KT-551", Draft: letters[0].Text, List: list, Letters: letters, Acting: true,
	})
	fmt.Println(result.Faults[0].Reason)
	// Output:
	// Check your answer before it is shown.
	// #1 find_order order=KT-551 → ok status=open
	// a "Your order KT-551 is cancelled."
	// Answer with JSON only: {"a": [n] or "no call" or "not done", "message": null}
	// [n]: these calls show exactly this. "no call": it needs none. "not done": it is not so; then give the corrected answer as "message". Or call the tool that is missing.
	// a: #1 only looked something up, and says nothing of "cancelled"; cite the call that shows it, or correct it
}

// The list is what a model is shown, and all that it can cite.
func ExampleNewList() {
	list := proof.NewList(nil, []*tooltrack.Record{
		{Call: tooltrack.Call{Tool: "cancel_order"}, Touched: []tooltrack.Subject{{Title: "Tea kettle"}}, Result: tooltrack.Result{Status: tooltrack.Succeeded}},
		{Call: tooltrack.Call{Tool: "issue_refund"}, Touched: []tooltrack.Subject{{Title: "Tea kettle"}}, Result: tooltrack.FailedResult("the limit is 30 EUR")},
	})
	fmt.Print(list)
	// Output:
	// #1 cancel_order "Tea kettle" → ok
	// #2 issue_refund "Tea kettle" → failed "the limit is 30 EUR"
}
