package guard_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func ExampleAttach() {
	camera := guard.ExecutorFunc(func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
		guard.Attach(ctx, guard.Part{MediaType: "image/png", Data: []byte("…")})
		return []byte("a picture of the door"), nil
	})
	g, err := guard.New([]tooltrack.Tool{{Name: "look", Description: "Look at the door.", Effect: tooltrack.Reads}}, nil)
	if err != nil {
		panic(err)
	}
	model := guardtest.Script(guardtest.Call(guardtest.Tool("look", `{}`)), guardtest.Say("The door is closed."))
	if _, err := g.Run(context.Background(), model, camera, guard.Input{User: "look at the door"}); err != nil {
		panic(err)
	}
	messages := model.Requests()[1].Messages
	seen := messages[len(messages)-1]
	fmt.Println(seen.Text, seen.Parts[0].MediaType)
	// Output: a picture of the door image/png
}

// TestAttachIsBounded, and outside of a call there is nothing to attach to.
func TestAttachIsBounded(t *testing.T) {
	if guard.Attach(context.Background(), guard.Part{URI: "https://example.com/x.png"}) {
		t.Error("a part was taken without a call")
	}
	var taken []bool
	large := guard.Part{Data: make([]byte, 10<<20)}
	executor := guard.ExecutorFunc(func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
		taken = append(taken, guard.Attach(ctx, large), guard.Attach(ctx, large), guard.Attach(ctx, make([]guard.Part, 15)...), guard.Attach(ctx, guard.Part{}))
		return []byte("ok"), nil
	})
	g, err := guard.New([]tooltrack.Tool{{Name: "look", Effect: tooltrack.Reads}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	model := guardtest.Script(guardtest.Call(guardtest.Tool("look", `{}`)), guardtest.Say("Hello."))
	if _, err := g.Run(context.Background(), model, executor, guard.Input{User: "hello"}); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(taken) != "[true false true false]" {
		t.Errorf("taken: %v", taken)
	}
}

// TestFailedResultsSaySo: the flag stands where the call did not succeed.
func TestFailedResultsSaySo(t *testing.T) {
	g, err := guard.New([]tooltrack.Tool{{Name: "look", Effect: tooltrack.Reads}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, tool := range map[bool]guard.ExecutorFunc{
		false: guardtest.Returns(`{"success":true}`), true: guardtest.Fails(errors.New("the disk is full")),
	} {
		model := guardtest.Script(guardtest.Call(guardtest.Tool("look", `{}`)), guardtest.Say("I couldn't look: the disk is full. Please free some space."))
		_, _ = g.Run(context.Background(), model, guardtest.Tools(map[string]guard.ExecutorFunc{"look": tool}), guard.Input{User: "hello"})
		messages := model.Requests()[1].Messages
		if last := messages[len(messages)-1]; last.Failed != want {
			t.Errorf("%q says failed %v", last.Text, last.Failed)
		}
	}
}
