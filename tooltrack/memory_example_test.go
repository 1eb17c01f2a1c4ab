package tooltrack_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A bounded store forgets the turns that were finished longest ago. What is not
// finished it never forgets, and rather refuses more.
func ExampleNewMemory() {
	ctx := context.Background()
	ledger := tooltrack.NewLedger(tooltrack.NewMemory(&tooltrack.MemoryOptions{MaxRecords: 2}), nil)
	tool := tooltrack.Tool{Name: "send_mail", Effect: tooltrack.Changes}
	for _, name := range []string{"first", "second", "third"} {
		turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: name})
		if err != nil {
			panic(err)
		}
		begun, err := turn.Begin(ctx, tool, tooltrack.Call{Tool: tool.Name}, nil)
		fmt.Println(name, begun.Run, errors.Is(err, tooltrack.ErrFull))
		if name == "first" && err == nil {
			if _, err := turn.Finish(ctx, begun.Record, tooltrack.ResultOf(nil, nil)); err != nil {
				panic(err)
			}
		}
	}
	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: "fourth"})
	if err != nil {
		panic(err)
	}
	_, err = turn.Begin(ctx, tool, tooltrack.Call{Tool: tool.Name}, nil)
	fmt.Println("fourth:", err)
	// Output:
	// first true false
	// second true false
	// third true false
	// fourth: the store is full of unfinished calls: 2 records are in use; finish calls, raise the limit, or use a database store
}
