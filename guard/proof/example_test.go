package proof_test

import (
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A model says what its answer rests on, and the report is held against the
// calls that were really made.
func Example() {
	records := []*tooltrack.Record{{
		Call:   tooltrack.Call{Tool: "find_order", Args: json.RawMessage(`{"order":"KT-551"}`)},
		Effect: tooltrack.Reads, Result: tooltrack.Result{Status: tooltrack.Succeeded},
	}}
	list := proof.NewList(nil, records)
	report, err := proof.Parse(`{"message": null, "items": [{"what": "order KT-551 cancelled", "status": "done", "records": [1]}]}`)
	if err != nil {
		panic(err)
	}
	evaluator := completion.New(nil)
	faults := proof.Check(report, proof.Case{
		User: "cancel order KT-551", Draft: "Your order is cancelled.", List: list,
		Judge: func(text string) completion.Verdict {
			return evaluator.Evaluate(completion.Case{Text: text, Records: records})
		},
	})
	fmt.Println(faults[0].Reason)
	// Output: item 1: #1 only read, so it is answered, not done; cite the call that changed something
}

// The list is what a model is shown, and all that it can cite.
func ExampleNewList() {
	list := proof.NewList(nil, []*tooltrack.Record{
		{Call: tooltrack.Call{Tool: "cancel_order"}, Touched: []tooltrack.Subject{{Title: "Tea kettle"}}, Result: tooltrack.Result{Status: tooltrack.Succeeded}},
		{Call: tooltrack.Call{Tool: "issue_refund"}, Touched: []tooltrack.Subject{{Title: "Tea kettle"}}, Result: tooltrack.FailedResult("the limit is 30 EUR")},
	})
	fmt.Print(list)
	// Output:
	// #1 cancel_order "Tea kettle" succeeded
	// #2 issue_refund "Tea kettle" failed: "the limit is 30 EUR"
}

// Readings are made once where many reports are checked for the same tools.
func ExampleNewReadings() {
	tools := []tooltrack.Tool{{Name: "order_cancel", Effect: tooltrack.Changes}, {Name: "issue_refund", Effect: tooltrack.Changes}}
	readings := proof.NewReadings(tools)
	list := proof.NewList(nil, []*tooltrack.Record{{Call: tooltrack.Call{Tool: "order_cancel"}, Effect: tooltrack.Changes, Result: tooltrack.Result{Status: tooltrack.Succeeded}}})
	report, _ := proof.Parse(`{"message": null, "items": [{"what": "refunded the order", "status": "done", "records": [1]}]}`)
	faults := proof.Check(report, proof.Case{
		User: "refund the order", Tools: tools, Readings: readings, List: list,
		Judge: func(string) completion.Verdict { return completion.Verdict{} },
	})
	fmt.Println(faults[0].Reason)
	// Output: item 1: #1 is a call that does something else
}
