package guardtest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

func ExampleScript() {
	ctx := context.Background()
	model := guardtest.Script(guardtest.Call(guardtest.Tool("list_tasks", `{}`)), guardtest.Say("Two tasks."))
	for range 2 {
		response, err := model.Generate(ctx, guard.Request{})
		fmt.Println(len(response.Message.Calls), response.Message.Text, err)
	}
	_, err := model.Generate(ctx, guard.Request{})
	fmt.Println(err, model.Calls())
	// Output:
	// 1  <nil>
	// 0 Two tasks. <nil>
	// the script has no more answers 3
}

func ExampleTools() {
	ctx := context.Background()
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{
		"list_tasks": guardtest.Returns(`["Read book"]`), "delete_task": guardtest.Fails(errors.New("locked")),
	})
	for _, tool := range []string{"list_tasks", "delete_task", "fly"} {
		body, err := executor.Execute(ctx, guardtest.Tool(tool, `{}`))
		fmt.Printf("%s %v\n", body, err)
	}
	fmt.Println(len(executor.Calls()), executor.Count("list_tasks"))
	// Output:
	// ["Read book"] <nil>
	//  locked
	//  there is no tool "fly" in the table
	// 3 1
}

func TestStreamSaysTheSameAsGenerate(t *testing.T) {
	const text = "One two  three."
	var said strings.Builder
	var whole *guard.Response
	for delta, err := range guardtest.Script(guardtest.Say(text)).Stream(context.Background(), guard.Request{}) {
		if err != nil {
			t.Fatal(err)
		}
		said.WriteString(delta.Text)
		whole = delta.Response
	}
	if said.String() != text || whole == nil || whole.Message.Text != text {
		t.Errorf("said %q, whole %+v", said.String(), whole)
	}
}
