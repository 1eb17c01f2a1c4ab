package intent_test

import (
	"context"
	"fmt"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// The tools themselves say which requests need them; nothing is trained.
func Example() {
	classifier, err := intent.FromTools([]tooltrack.Tool{
		{Name: "add_task", Description: "Add a task."},
		{Name: "delete_task", Description: "Delete a task."},
	}, nil)
	if err != nil {
		panic(err)
	}
	for _, message := range []string{"delete the task Read book", "can you delete tasks?"} {
		asked, err := classifier.Classify(context.Background(), intent.Utterance{User: message})
		if err != nil {
			panic(err)
		}
		for _, expected := range asked.Expect {
			fmt.Println(message, "→", expected.Tool)
		}
		if len(asked.Expect) == 0 {
			fmt.Println(message, "→ nothing is due")
		}
	}
	// Output:
	// delete the task Read book → delete_task
	// can you delete tasks? → nothing is due
}
