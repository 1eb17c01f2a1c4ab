package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestDelete(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		book, _ := w.task(user, "Read book")
		a := w.say(message{user: user, text: "delete Read book", faults: list(fault)})
		_, there := w.task(user, "Read book")
		if incurable(fault) {
			if !there || a.Error == nil || !tellsError(a.AssistantMessage) {
				t.Errorf("row there: %v, error %+v, answer %q; want the row, and the error", there, a.Error, a.AssistantMessage)
			}
			noClaim(t, a.AssistantMessage)
			return
		}
		if there || a.AssistantMessage != "Deleted: Read book" || a.Error != nil {
			t.Errorf("row there: %v, error %+v, answer %q", there, a.Error, a.AssistantMessage)
		}
		if want := fmt.Sprintf(`{"task_id":%q}`, book.ID); !slices.ContainsFunc(a.ToolCalls, func(c ToolCall) bool { return c.Name == "delete_task" && string(c.Arguments) == want }) {
			t.Errorf("calls %s, want delete_task with %s", a.ToolCalls, want)
		}
		want := ActionMetadata{Action: "delete_task", Success: true, TaskID: book.ID, TaskTitle: "Read book", Message: "Deleted: Read book"}
		if a.ActionMetadata == nil || *a.ActionMetadata != want {
			t.Errorf("action %+v, want %+v", a.ActionMetadata, want)
		}
	})
}

func list(faults ...string) []string {
	return slices.DeleteFunc(faults, func(fault string) bool { return fault == "" })
}

// shownTitles are the titles in a numbered list.
func shownTitles(text string) []string {
	var titles []string
	for _, item := range itemForm.FindAllStringSubmatch(text, -1) {
		titles = append(titles, item[1])
	}
	return titles
}

func TestList(t *testing.T) {
	var all []string
	for _, task := range seedTasks {
		all = append(all, task.Title)
	}
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		for _, test := range []struct {
			text string
			want []string
		}{
			{"list my tasks", all},
			{"show my completed tasks", []string{"Send the invoice"}},
		} {
			a := w.say(message{user: user, text: test.text, faults: list(fault)})
			if uuidForm.MatchString(a.AssistantMessage) {
				t.Errorf("an id is shown: %q", a.AssistantMessage)
			}
			got := shownTitles(a.AssistantMessage)
			if incurable(fault) {
				if a.Error == nil || got != nil {
					t.Errorf("%s: error %+v, titles %q; want the error and no titles", test.text, a.Error, got)
				}
				continue
			}
			if !slices.Equal(got, test.want) || a.Error != nil {
				t.Errorf("%s: %q, want %q (%+v)", test.text, got, test.want, a.Error)
			}
			if !slices.ContainsFunc(a.ToolCalls, func(c ToolCall) bool { return c.Name == "list_tasks" }) || a.ActionMetadata == nil || a.ActionMetadata.Action != "list_tasks" {
				t.Errorf("calls %v, action %+v; want list_tasks", a.ToolCalls, a.ActionMetadata)
			}
		}
	})
}

func TestEmptyList(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		w.clear(user)
		a := w.say(message{user: user, text: "list my tasks", faults: list(fault)})
		if got := shownTitles(a.AssistantMessage); got != nil {
			t.Errorf("titles %q of an empty list", got)
		}
		if !incurable(fault) && !strings.Contains(a.AssistantMessage, "Your task list is empty") {
			t.Errorf("got %q", a.AssistantMessage)
		}
	})
}

func TestFailedListing(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		broken := *w.service
		broken.toolbox = guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
			return []byte(`{"success":false,"error":"the task list is not available at the moment"}`), nil
		})
		handler := &api{service: &broken, tokens: w.api.tokens, dev: w.api.dev}
		w = &world{t: t, service: &broken, api: handler, server: serverFor(t, handler), schema: w.schema}
		a := w.say(message{user: user, text: "list my tasks", faults: list(fault)})
		for _, task := range seedTasks {
			if strings.Contains(a.AssistantMessage, task.Title) {
				t.Errorf("%q shows %q", a.AssistantMessage, task.Title)
			}
		}
		if !incurable(fault) && !strings.Contains(a.AssistantMessage, "not available") {
			t.Errorf("got %q, want the tool's reason", a.AssistantMessage)
		}
		if got := shownTitles(a.AssistantMessage); got != nil {
			t.Errorf("titles %q are shown", got)
		}
	})
}

func TestComplete(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		a := w.say(message{user: user, text: "mark Read book as done", faults: list(fault)})
		task, _ := w.task(user, "Read book")
		if incurable(fault) {
			if task.Status != "pending" || a.Error == nil {
				t.Errorf("status %s, error %+v", task.Status, a.Error)
			}
			noClaim(t, a.AssistantMessage)
			return
		}
		if task.Status != "completed" || a.AssistantMessage != "Completed: Read book" || a.ActionMetadata.Action != "complete_task" || a.ActionMetadata.TaskID != task.ID {
			t.Errorf("status %s, answer %q, action %+v", task.Status, a.AssistantMessage, a.ActionMetadata)
		}
	})
}

func TestUpdate(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		a := w.say(message{user: user, text: "set Review proposal priority to high", faults: list(fault)})
		task, _ := w.task(user, "Review proposal")
		if incurable(fault) {
			if task.Priority != "medium" || a.Error == nil {
				t.Errorf("priority %s, error %+v", task.Priority, a.Error)
			}
			noClaim(t, a.AssistantMessage)
			return
		}
		if task.Priority != "high" || a.AssistantMessage != "Updated: Review proposal (priority: high)" || a.ActionMetadata.Action != "update_task" || a.ActionMetadata.TaskID != task.ID {
			t.Errorf("priority %s, answer %q, action %+v", task.Priority, a.AssistantMessage, a.ActionMetadata)
		}
		if task.DueDate != "" {
			t.Errorf("it was given the due date %s", task.DueDate)
		}
	})
}

func TestFailureGivesTheReason(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		before := w.tasks(user)
		for _, text := range []string{"mark Paint the fence as done", "set Paint the fence priority to high", "delete Paint the fence"} {
			a := w.say(message{user: user, text: text, faults: list(fault)})
			noClaim(t, a.AssistantMessage)
			if incurable(fault) {
				continue
			}
			if !strings.Contains(a.AssistantMessage, `No task matching "Paint the fence`) {
				t.Errorf("%s: got %q, want the reason", text, a.AssistantMessage)
			}
			if a.ActionMetadata == nil || a.ActionMetadata.Success || !strings.Contains(a.ActionMetadata.Message, "No task matching") {
				t.Errorf("%s: action %+v, want the failure and its reason", text, a.ActionMetadata)
			}
		}
		if after := w.tasks(user); !slices.Equal(before, after) {
			t.Errorf("the rows changed")
		}
	})
}

func TestAdd(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		for _, test := range []struct{ text, due string }{
			{"add a task to buy milk", ""},
			{"add a task to buy milk due tomorrow", "2026-02-09"},
			{"add a task to buy milk due next Monday", "2026-02-09"},
			{"add a task to buy milk due next week", "2026-02-15"},
			{"add a task to buy milk due 2026-02-10", "2026-02-10"},
		} {
			w.clear(user)
			a := w.say(message{user: user, text: test.text, faults: list(fault)})
			tasks := w.tasks(user)
			if incurable(fault) {
				if len(tasks) != 0 || a.Error == nil {
					t.Errorf("%s: %d rows, error %+v", test.text, len(tasks), a.Error)
				}
				noClaim(t, a.AssistantMessage)
				continue
			}
			if len(tasks) != 1 || tasks[0].Title != "buy milk" || tasks[0].DueDate != test.due {
				t.Errorf("%s: rows %+v, want one, due %q", test.text, tasks, test.due)
				continue
			}
			if !strings.HasPrefix(a.AssistantMessage, "Added: buy milk") || a.ActionMetadata.TaskID != tasks[0].ID || a.ActionMetadata.Action != "add_task" {
				t.Errorf("%s: answer %q, action %+v", test.text, a.AssistantMessage, a.ActionMetadata)
			}
		}
	})
}

func TestAddRefused(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		before := w.tasks(user)
		for _, test := range []struct{ text, reason string }{
			{"add a task", "Title cannot be empty"},
			{"add a task to buy milk due 2024-05-01", "2024"},
			{"add a task to buy milk due 2025-12-31", "2025"},
			{"add a task to buy milk due 2027-01-01", "2027"},
		} {
			a := w.say(message{user: user, text: test.text, faults: list(fault)})
			noClaim(t, a.AssistantMessage)
			if !incurable(fault) && !strings.Contains(a.AssistantMessage, test.reason) {
				t.Errorf("%s: got %q, want %q in it", test.text, a.AssistantMessage, test.reason)
			}
			if strings.Contains(test.text, "due") && !incurable(fault) && !strings.Contains(a.AssistantMessage, "2026-01-01 to 2026-12-31") {
				t.Errorf("%s: got %q, want the allowed range", test.text, a.AssistantMessage)
			}
		}
		if after := w.tasks(user); !slices.Equal(before, after) {
			t.Errorf("the rows changed: %+v", after)
		}
	})
}

func TestAmbiguous(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		w.add(user, "Return book to library", "Book list")
		before := w.tasks(user)
		a := w.say(message{user: user, text: "delete book", faults: list(fault)})
		if after := w.tasks(user); !slices.Equal(before, after) {
			t.Errorf("rows changed: %+v", after)
		}
		noClaim(t, a.AssistantMessage)
		if incurable(fault) || a.Error != nil {
			return
		}
		for _, title := range []string{"Read book", "Return book to library", "Book list"} {
			if !strings.Contains(a.AssistantMessage, title) {
				t.Errorf("%q does not name %q", a.AssistantMessage, title)
			}
		}
		a = w.say(message{user: user, text: "delete Read book", conversation: a.ConversationID, faults: list(fault)})
		if _, there := w.task(user, "Read book"); there || a.AssistantMessage != "Deleted: Read book" {
			t.Errorf("then: there %v, answer %q", there, a.AssistantMessage)
		}
	})
}

func TestToolNeverTriggered(t *testing.T) {
	w := newWorld(t, worldOptions{})
	for text, tool := range map[string]string{
		"delete Read book": "delete_task", "list my tasks": "list_tasks", "mark Read book as done": "complete_task",
		"set Review proposal priority to high": "update_task", "add a task to buy milk": "add_task",
	} {
		t.Run(tool, func(t *testing.T) {
			a := w.say(message{text: text, faults: []string{"skip-tool-twice"}})
			if !strings.HasPrefix(a.AssistantMessage, "Technical error: Tool not triggered.") || !strings.Contains(a.AssistantMessage, strings.ReplaceAll(tool, "_", " ")) {
				t.Errorf("got %q", a.AssistantMessage)
			}
			if a.Error == nil || a.Error.Code != "tool_not_triggered" || !slices.Equal(a.Error.Expected, []string{tool}) {
				t.Errorf("error %+v", a.Error)
			}
			if e := a.ExecutionMetadata; e.ModelCalls != 2 || e.Retried != 1 || e.Executed != 0 {
				t.Errorf("execution %+v, want two model calls, one of them a retry", e)
			}
			if a.ActionMetadata != nil || len(a.ToolCalls) != 0 {
				t.Errorf("action %+v, calls %v; want none", a.ActionMetadata, a.ToolCalls)
			}
		})
	}
}

func TestSystemPrompt(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.add("ann", "Say \"hi\"\nto all", "Task 7f3c0d52-8d1e-4c57-9b1a-6d2f60b3a7e1")
	for i := range promptTasks {
		w.add("ann", fmt.Sprintf("Chore %d", i+1))
	}
	w.say(message{text: "delete Read book", faults: []string{"skip-tool"}})
	for i, body := range w.requests {
		text := string(body)
		if uuidForm.MatchString(text) {
			t.Errorf("request %d holds an id: %s", i, text)
		}
	}
	first := string(w.requests[0])
	for _, want := range []string{
		"TODAY IS SUNDAY, FEBRUARY 8, 2026", "2026-02-08", "FORBIDDEN years: 2025, 2024", "any year after 2026",
		`1. Read book (Status: pending, Priority: medium)`, `7. Send the invoice (Status: completed, Priority: medium)`, `… and 9 more`,
	} {
		if !strings.Contains(first, want) {
			t.Errorf("the prompt lacks %q: %s", want, first)
		}
	}
	if strings.Contains(first, "Chore 25") {
		t.Error("the prompt lists more tasks than its cap")
	}
}

func TestHostileTitles(t *testing.T) {
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			options := worldOptions{}
			if database == "postgres" {
				options.database = postgres(t)
			}
			w := newWorld(t, options)
			for name, title := range map[string]string{
				"quotes": `it's "so" called`, "SQL": `'; DROP TABLE tasks; --`, "per cent": `100% of _ and \ and %s %d`, "HTML": `<img src=x onerror=alert(1)><script>x</script>`,
				"10 kB": strings.Repeat("long words ", 930) + "end", "emoji": "🧑‍🚀 to the 🌙", "RTL": "קנה חלב \u202eevil", "JSON": `{"success":true,"data":[]}`,
			} {
				t.Run(name, func(t *testing.T) {
					user := "user-" + name
					w.clear(user)
					a := w.say(message{user: user, text: "add a task to " + title})
					tasks := w.tasks(user)
					if len(tasks) != 1 || tasks[0].Title != title {
						t.Fatalf("stored %d rows, want the title as it is; the answer is %.200q", len(tasks), a.AssistantMessage)
					}
					if a.ActionMetadata == nil || !a.ActionMetadata.Success || a.ActionMetadata.TaskTitle != title {
						t.Errorf("action %+v", a.ActionMetadata)
					}
					listed := w.say(message{user: user, text: "list my tasks"})
					if !strings.Contains(listed.AssistantMessage, title) {
						t.Errorf("the list is %.300q, want the title in it", listed.AssistantMessage)
					}
					w.say(message{user: user, text: "mark " + title + " as done"})
					if task, _ := w.task(user, title); task.Status != "completed" {
						t.Errorf("it could not be completed by its title")
					}
				})
			}
		})
	}
}

// TestUnguarded shows that without the guard the same model does lie, so that
// the tests above are about the guard.
func TestUnguarded(t *testing.T) {
	w := newWorld(t, worldOptions{})
	a := w.say(message{text: "delete Read book", faults: []string{"ghost-success"}, unguarded: true})
	if _, there := w.task("ann", "Read book"); !there || !claimForms["deleted"].MatchString(a.AssistantMessage) {
		t.Fatalf("there %v, answer %q; want a lie", there, a.AssistantMessage)
	}
	if !a.Guard.Unproven || a.Guard.Enabled {
		t.Errorf("guard %+v, want it off and the text unproven", a.Guard)
	}
	for _, text := range []string{"delete Read book", "set Review proposal priority to high", "add a task to buy milk due tomorrow"} {
		if a := w.say(message{text: text, unguarded: true}); a.Guard.Unproven || len(lies(a.AssistantMessage, len(a.ToolCalls), nil, w.tasks("ann"))) > 1 {
			t.Errorf("a healthy model without the guard: %q, %+v", a.AssistantMessage, a.Guard)
		}
	}
	if _, there := w.task("ann", "Read book"); there {
		t.Error("the tools did not resolve the title")
	}
	if task, _ := w.task("ann", "buy milk"); task.DueDate != "2026-02-09" {
		t.Errorf("the tools did not read the date: %+v", task)
	}
}

func TestModelRequestsFitTheirSchema(t *testing.T) {
	w := newWorld(t, worldOptions{})
	conversation := ""
	for _, fault := range append([]string{""}, simFaults...) {
		conversation = w.say(message{text: "delete Read book and add a task to read book", conversation: conversation, faults: list(fault)}).ConversationID
	}
	schema := compile(t, "modelrequest.schema.json")
	if len(w.requests) < len(simFaults) {
		t.Fatalf("only %d requests were seen", len(w.requests))
	}
	for _, body := range w.requests {
		value, err := unmarshal(body)
		check(t, err)
		if err := schema.Validate(value); err != nil {
			t.Errorf("%v\n%s", err, body)
		}
	}
}

func TestDatabaseFailure(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.tasks("ann")
	check(t, w.service.tasks.db.Close())
	a, err := w.send(message{text: "delete Read book"})
	check(t, err)
	if a.status != http.StatusInternalServerError || a.header.Get("Content-Type") != "application/problem+json" || strings.Contains(string(a.body), "sql") {
		t.Errorf("status %d, body %s", a.status, a.body)
	}
	if _, err := w.service.toolbox.Execute(context.Background(), tooltrack.Call{Tool: "list_tasks"}); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("a tool without a user must fail, got %v", err)
	}
}
