package confirm_test

import (
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/guard/confirm"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A shop says that it has cancelled an order. Its own page does not.
func ExamplePlan() {
	plan, err := confirm.New(&tooltrack.Confirm{
		Read:   "get_order(id = $args.id)",
		Expect: "status = cancelled | refunded",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	cancelled := &tooltrack.Record{Call: tooltrack.Call{Tool: "cancel_order", Args: json.RawMessage(`{"id":"A-17"}`)}}
	call, _ := plan.Call(cancelled)
	fmt.Println(call.Tool, string(call.Args))

	seen := plan.Judge(cancelled, tooltrack.ResultOf([]byte(`{"id":"A-17","status":"open"}`), nil))
	fmt.Println(seen.Sight + ": " + tooltrack.Sight(seen.Reason))
	// Output:
	// get_order {"id":"A-17"}
	// contradicted: get_order shows status "open", not "cancelled" or "refunded"
}
