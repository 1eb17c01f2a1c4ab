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
		{"delete Read book", []step{{"delete_task", "Read book", args{}}}},
		{"Please remove the Read book task, thanks!", []step{{"delete_task", "Read book", args{}}}},
		{"could you get rid of 'Read book'?", []step{{"delete_task", "Read book", args{}}}},
		{"list my tasks", []step{{"list_tasks", "", args{}}}},
		{"What's on my list?", []step{{"list_tasks", "", args{}}}},
		{"show my completed tasks", []step{{"list_tasks", "", args{"status_filter": "completed"}}}},
		{"show me my open tasks", []step{{"list_tasks", "", args{"status_filter": "pending"}}}},
		{"mark Read book as done", []step{{"complete_task", "Read book", args{}}}},
		{"I finished Read book", []step{{"complete_task", "Read book", args{}}}},
		{"set Review proposal priority to high", []step{{"update_task", "Review proposal", args{"priority": "high"}}}},
		{"set the priority of Review proposal to Low", []step{{"update_task", "Review proposal", args{"priority": "low"}}}},
		{"rename Read book to Read novel", []step{{"update_task", "Read book", args{"title": "Read novel"}}}},
		{"move Read book to next Monday", []step{{"update_task", "Read book", args{"due_date": "next Monday"}}}},
		{"add a task to buy milk", []step{{"add_task", "", args{"title": "buy milk"}}}},
		{"add a task: buy milk, due tomorrow", []step{{"add_task", "", args{"title": "buy milk", "due_date": "tomorrow"}}}},
		{"remind me to call mom by next week", []step{{"add_task", "", args{"title": "call mom", "due_date": "next week"}}}},
		{"add milk to my list", []step{{"add_task", "", args{"title": "milk"}}}},
		{"add a task to pay rent with high priority due 2026-03-01", []step{{"add_task", "", args{"title": "pay rent", "priority": "high", "due_date": "2026-03-01"}}}},
		{"add a task", []step{{"add_task", "", args{"title": ""}}}},
		{"delete Read book and add a task to buy milk", []step{{"delete_task", "Read book", args{}}, {"add_task", "", args{"title": "buy milk"}}}},
		{"add a task to wash and dry the car", []step{{"add_task", "", args{"title": "wash and dry the car"}}}},
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
