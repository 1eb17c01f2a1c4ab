package main

import (
	"context"
	"reflect"
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

func startServer(behaviour simmodel.Behaviour) (address string, stop func() error, err error) {
	server, err := simmodel.Start(behaviour, nil)
	if err != nil {
		return "", nil, err
	}
	return server.URL, server.Close, nil
}

func cancelable(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}

// TestUnderstand shows what the simulated model makes of everyday requests.
func TestUnderstand(t *testing.T) {
	type args = map[string]string
	for _, test := range []struct {
		text string
		want []step
	}{
		{"delete Read book", []step{{tool: "delete_task", ref: "Read book", args: args{}}}},
		{"Please remove the Read book task, thanks!", []step{{tool: "delete_task", ref: "Read book", args: args{}}}},
		{"could you get rid of 'Read book'?", []step{{tool: "delete_task", ref: "Read book", args: args{}}}},
		{"list my tasks", []step{{tool: "list_tasks", ref: "", args: args{}}}},
		{"What's on my list?", []step{{tool: "list_tasks", ref: "", args: args{}}}},
		{"show my completed tasks", []step{{tool: "list_tasks", ref: "", args: args{"status_filter": "completed"}}}},
		{"show me my open tasks", []step{{tool: "list_tasks", ref: "", args: args{"status_filter": "pending"}}}},
		{"mark Read book as done", []step{{tool: "complete_task", ref: "Read book", args: args{}}}},
		{"I finished Read book", []step{{tool: "complete_task", ref: "Read book", args: args{}}}},
		{"set Review proposal priority to high", []step{{tool: "update_task", ref: "Review proposal", args: args{"priority": "high"}}}},
		{"set the priority of Review proposal to Low", []step{{tool: "update_task", ref: "Review proposal", args: args{"priority": "low"}}}},
		{"rename Read book to Read novel", []step{{tool: "update_task", ref: "Read book", args: args{"title": "Read novel"}}}},
		{"move Read book to next Monday", []step{{tool: "update_task", ref: "Read book", args: args{"due_date": "next Monday"}}}},
		{"add a task to buy milk", []step{{tool: "add_task", ref: "", args: args{"title": "buy milk"}}}},
		{"add a task: buy milk, due tomorrow", []step{{tool: "add_task", ref: "", args: args{"title": "buy milk", "due_date": "tomorrow"}}}},
		{"remind me to call mom by next week", []step{{tool: "add_task", ref: "", args: args{"title": "call mom", "due_date": "next week"}}}},
		{"add milk to my list", []step{{tool: "add_task", ref: "", args: args{"title": "milk"}}}},
		{"add a task to pay rent with high priority due 2026-03-01", []step{{tool: "add_task", ref: "", args: args{"title": "pay rent", "priority": "high", "due_date": "2026-03-01"}}}},
		{"add a task", []step{{tool: "add_task", ref: "", args: args{"title": ""}}}},
		{"delete Read book and add a task to buy milk", []step{{tool: "delete_task", ref: "Read book", args: args{}}, {tool: "add_task", ref: "", args: args{"title": "buy milk"}}}},
		{"add a task to wash and dry the car", []step{{tool: "add_task", ref: "", args: args{"title": "wash and dry the car"}}}},
		{"remove the plants thing and mark the bill as paid", []step{{tool: "delete_task", ref: "plants", args: args{}}, {tool: "complete_task", ref: "bill", args: args{}}}},
		{"mark it as done", []step{{tool: "complete_task", ref: "it", args: args{}}}},
		{"delete the second one", []step{{tool: "delete_task", ref: "second one", args: args{}}}},
		{"reopen Send the invoice", []step{{tool: "update_task", ref: "Send the invoice", args: args{"status": "pending"}}}},
		{"get Read book off my plate", []step{{tool: "delete_task", ref: "Read book", args: args{}}}},
		{"hello", nil},
		{"thanks a lot", nil},
		{"is it going to rain?", nil},
	} {
		t.Run(test.text, func(t *testing.T) {
			if got := understand(test.text); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

// TestSimulationRepeats shows that the same conversation always gets the same
// answer.
func TestSimulationRepeats(t *testing.T) {
	for _, fault := range simFaults {
		request := simmodel.Request{Messages: []simmodel.Message{{Role: "user", Content: "delete Read book and add a task to buy milk"}}, Faults: simmodel.Faults{fault}}
		first := simulate(t.Context(), request)
		for range 3 {
			if again := simulate(t.Context(), request); !reflect.DeepEqual(first, again) {
				t.Errorf("%s: %+v, then %+v", fault, first, again)
			}
		}
	}
}

func FuzzUnderstand(f *testing.F) {
	f.Add("delete Read book and add a task to buy milk due tomorrow")
	f.Add("set \"\" priority to high")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range understand(text) {
			if s.tool == "" || s.args == nil {
				t.Errorf("%q: %+v", text, s)
			}
		}
	})
}
