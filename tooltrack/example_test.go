package tooltrack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A model asks for the same change twice. It is made once; the second call is
// answered from the record of the first.
func Example() {
	ledger := tooltrack.NewLedger(nil, nil)
	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: "message-17"})
	if err != nil {
		log.Fatal(err)
	}
	tool := tooltrack.Tool{Name: "send_mail", Effect: tooltrack.Changes}
	send := func(context.Context, tooltrack.Call) ([]byte, error) {
		fmt.Println("sending")
		return []byte(`{"success":true}`), nil
	}
	for range 2 {
		call := tooltrack.Call{Tool: "send_mail", Args: json.RawMessage(`{"to":"bob"}`)}
		done, err := turn.Do(context.Background(), tool, call, nil, send)
		if err != nil {
			log.Fatal(err)
		}
		if !done.Run {
			fmt.Println("not run again:", done.Reason)
		}
		fmt.Println(done.Record.Result.Status)
	}
	// Output:
	// sending
	// succeeded
	// not run again: it succeeded, and what it is about has not been changed since
	// succeeded
}

// Begin and Finish are the halves of Do, for those who run tools themselves.
func ExampleTurn_Begin() {
	ctx := context.Background()
	ledger := tooltrack.NewLedger(nil, nil)
	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: "message-17"})
	if err != nil {
		log.Fatal(err)
	}
	tool := tooltrack.Tool{Name: "send_mail", Effect: tooltrack.Changes}
	call := tooltrack.Call{Tool: "send_mail", Args: json.RawMessage(`{"to":"bob"}`)}
	begun, err := turn.Begin(ctx, tool, call, nil)
	if err != nil {
		log.Fatal(err) // nothing was recorded, so nothing may run
	}
	// The process dies here, in the middle of sending. Whoever runs the turn
	// again is told that nobody knows, and does not send a second mail.
	fmt.Println("may run:", begun.Run)
	again, err := turn.Begin(ctx, tool, call, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("may run:", again.Run, "status:", again.Record.Result.Status)
	// Output:
	// may run: true
	// may run: false status: unknown
}

func ExampleEvidenceOf() {
	ledger := tooltrack.NewLedger(nil, nil)
	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: "message-17"})
	if err != nil {
		log.Fatal(err)
	}
	tool := tooltrack.Tool{Name: "delete_task", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "title", Kind: "task"}}
	for _, title := range []string{"Read book", "Buy milk"} {
		args, _ := json.Marshal(map[string]string{"title": title})
		_, err := turn.Do(context.Background(), tool, tooltrack.Call{Tool: tool.Name, Args: args}, nil, func(context.Context, tooltrack.Call) ([]byte, error) {
			if title == "Buy milk" {
				return nil, errors.New("no such task")
			}
			return nil, nil
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	evidence, err := turn.Evidence(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("changes:", evidence.Changes, "failures:", evidence.Failures, "touched:", evidence.Touched[0].ID)
	// Output:
	// changes: 1 failures: 1 touched: Read book
}

func ExampleResultOf() {
	fmt.Println(tooltrack.ResultOf([]byte(`{"success":true}`), nil).Status)
	fmt.Println(tooltrack.ResultOf([]byte(`{"success":false,"error":"no such task"}`), nil).Error)
	fmt.Println(tooltrack.ResultOf(nil, errors.New("connection reset")).Error)
	// Output:
	// succeeded
	// no such task
	// connection reset
}

// A consumer that keeps the cursor of the last record it took in misses none
// and takes none twice, however slow it is.
func ExampleLedger_Completed() {
	ctx := context.Background()
	ledger := tooltrack.NewLedger(nil, nil)
	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: "message-17"})
	if err != nil {
		log.Fatal(err)
	}
	fetch := tooltrack.Tool{Name: "fetch", Effect: tooltrack.Reads}
	for _, page := range []string{"a", "b", "c"} {
		if _, err := turn.Do(ctx, fetch, tooltrack.Call{ID: page, Tool: "fetch"}, nil, func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(page), nil }); err != nil {
			log.Fatal(err)
		}
	}
	var cursor int64
	for {
		page, err := ledger.Completed(ctx, "ann", cursor, 2)
		if err != nil {
			log.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, record := range page {
			fmt.Println("ingested", record.Result.Text())
			cursor = record.Cursor
		}
	}
	// Output:
	// ingested a
	// ingested b
	// ingested c
}
