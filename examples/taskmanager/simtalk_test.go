package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// exchange is one message of a conversation and what must be in its answer.
type exchange struct {
	say, want string
}

// TestEverydayTalk has conversations as people have them, with the guard on.
// The rows at the end are what the conversation asked for.
func TestEverydayTalk(t *testing.T) {
	for _, test := range []struct {
		name  string
		talk  []exchange
		there []string // titles at the end
		gone  []string
		done  []string
	}{
		{
			name: "both halves", talk: []exchange{{"remove the plants thing and mark the bill as paid", "Deleted: Water the plants\nCompleted: Pay the electricity bill"}},
			gone: []string{"Water the plants"}, done: []string{"Pay the electricity bill"},
		},
		{name: "a question about abilities", talk: []exchange{{"can you delete tasks?", "Yes, I can"}}, there: []string{"Read book"}},
		{
			name: "it", talk: []exchange{{"add a task to buy milk", "Added: buy milk"}, {"mark it as done", "Completed: buy milk"}},
			done: []string{"buy milk"},
		},
		{name: "it, of nothing", talk: []exchange{{"mark it as done", "Which task do you mean?"}, {"Read book", "Completed: Read book"}}, done: []string{"Read book"}},
		{
			name: "the second one", talk: []exchange{{"show my open tasks", "2. Review proposal"}, {"delete the second one", "Deleted: Review proposal"}},
			gone: []string{"Review proposal"}, there: []string{"Read book"},
		},
		{name: "a number that is not there", talk: []exchange{{"delete number 9", `No task matching "number 9" found`}}},
		{
			name: "several could be meant", talk: []exchange{
				{"add a task to return the book", "Added: return the book"},
				{"delete the book task", "Which task do you mean?\n1. \"Read book\"\n2. \"return the book\""},
				{"the second one", "Deleted: return the book"},
			},
			there: []string{"Read book"}, gone: []string{"return the book"},
		},
		{
			name: "two of the same name", talk: []exchange{
				{"add buy milk", "Added: buy milk"}, {"add buy milk with high priority", "Added: buy milk"},
				{"delete the milk task", "Which task do you mean?\n1. \"buy milk\"\n2. \"buy milk (2)\""},
				{"the second one", "Deleted: buy milk"}, {"which tasks are high priority?", "1. Call the dentist"},
			},
			there: []string{"buy milk"},
		},
		{
			name: "the first of the same name", talk: []exchange{
				{"add buy milk with high priority", "Added: buy milk"}, {"add buy milk", "Added: buy milk"},
				{"delete the milk task", "Which task do you mean?"}, {"the first one", "Deleted: buy milk"},
				{"which tasks are high priority?", "1. Call the dentist"},
			},
			there: []string{"buy milk"},
		},
		{name: "what was done", talk: []exchange{
			{"what did you do?", "I have changed nothing"}, {"delete Read book", "Deleted"}, {"what did you do?", "In this conversation:\nDeleted: Read book"},
		}},
		{
			name: "renamed, and set", talk: []exchange{
				{"add buy milk", "Added: buy milk"},
				{"rename Read book to Read novel and set it high", "Updated: Read novel\nUpdated: Read novel (priority: high)"},
				{"what did you just do?", "In this conversation:\nAdded: buy milk\nUpdated: Read novel\nUpdated: Read novel (priority: high)"},
				{"which tasks are high priority?", "1. Read novel"},
			},
			there: []string{"Read novel", "buy milk"}, gone: []string{"Read book"},
		},
		{
			name: "added, and done", talk: []exchange{{"add a task to buy eggs and mark it as done", "Added: buy eggs\nCompleted: buy eggs"}, {"set its priority to high", "Updated: buy eggs (priority: high)"}},
			done: []string{"buy eggs"},
		},
		{name: "an and in a title", talk: []exchange{{"add a task to wash and dry the car", "Added: wash and dry the car"}, {"delete wash and dry the car", "Deleted: wash and dry the car"}}, gone: []string{"wash and dry the car"}},
		{name: "never mind", talk: []exchange{{"delete all completed tasks", "Waiting for approval: delete 1 completed task: Send the invoice"}, {"never mind", "All right"}}, there: []string{"Send the invoice"}},
		{name: "in German", talk: []exchange{{"Lösche die Aufgabe Read book", "Soll ich Aufgaben auflisten"}, {"Hallo, was kannst du?", "Soll ich Aufgaben auflisten"}}, there: []string{"Read book"}},
		{name: "in Spanish", talk: []exchange{{"Borra la tarea Read book", "¿quiere listar"}, {"¿Qué puedes hacer?", "¿quiere listar"}}, there: []string{"Read book"}},
		{name: "in French", talk: []exchange{{"Supprime la tâche Read book", "voulez-vous lister"}, {"Bonjour", "voulez-vous lister"}}, there: []string{"Read book"}},
		{name: "in Japanese", talk: []exchange{{"タスクを削除してください", "タスクの一覧、追加、変更、完了、削除"}, {"こんにちは", "タスクの一覧、追加、変更、完了、削除"}}, there: []string{"Read book"}},
		{name: "by priority", talk: []exchange{{"which tasks are high priority?", "Here are your high-priority tasks:\n1. Call the dentist"}}},
		{name: "everything at once", talk: []exchange{{"delete everything", "one by one"}, {"Read book", "Deleted: Read book"}}, gone: []string{"Read book"}, there: []string{"Review proposal"}},
		{name: "what it can do", talk: []exchange{{"what can you do?", "I can list"}}},
		{name: "reopened", talk: []exchange{{"reopen Send the invoice", "Updated: Send the invoice (status: pending)"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, worldOptions{})
			conversation := ""
			for _, e := range test.talk {
				a := w.say(message{text: e.say, conversation: conversation})
				conversation = a.ConversationID
				require.Contains(t, a.AssistantMessage, e.want, "%q\n%s", e.say, timelineOf(a))
				require.Nil(t, a.Error)
			}
			for _, title := range test.there {
				_, there := w.task("ann", title)
				require.True(t, there, "%q is gone", title)
			}
			for _, title := range test.gone {
				_, there := w.task("ann", title)
				require.False(t, there, "%q is still there", title)
			}
			for _, title := range test.done {
				task, _ := w.task("ann", title)
				require.Equal(t, "completed", task.Status, title)
			}
		})
	}
}

func timelineOf(a *answer) string {
	var lines []string
	for _, entry := range a.Guard.Timeline {
		lines = append(lines, entry.Kind+" "+entry.Tool+": "+entry.Text)
	}
	return strings.Join(lines, "\n")
}

// TestEveryAnswerIsProven asks for proof of every answer, of an honest model and
// of every dishonest one: the row is gone, and the proof cites the call that did
// it.
func TestEveryAnswerIsProven(t *testing.T) {
	everyFault(t, func(t *testing.T, w *world, user, fault string) {
		prover := &api{service: w.service, tokens: w.api.tokens, dev: w.api.dev, prove: true}
		w = &world{t: t, service: w.service, api: prover, server: serverFor(t, prover), schema: w.schema}
		a := w.say(message{user: user, text: "delete Read book", faults: list(fault)})
		_, there := w.task(user, "Read book")
		if incurable(fault) {
			require.True(t, there)
			require.NotNil(t, a.Error)
			require.Empty(t, a.Proof)
			return
		}
		require.False(t, there)
		require.Equal(t, "Deleted: Read book", a.AssistantMessage, timelineOf(a))
		require.Len(t, a.Proof, 1, timelineOf(a))
		require.True(t, a.Proof[0].Stated)
		require.Equal(t, "done", a.Proof[0].Status)
		deleted := false
		for _, record := range a.Records {
			if record.Tool == "delete_task" && slices.Contains(a.Proof[0].Records, record.Number) {
				deleted = true
				require.Equal(t, "succeeded", record.Status)
				require.Equal(t, "Read book", record.Subject)
				require.NotRegexp(t, uuidForm, record.Arguments, "ids are for machines")
			}
		}
		require.True(t, deleted)
	})
}

// TestDishonestProofs: a call that was only a look proves no deletion, and a
// call that was never made proves nothing.
func TestDishonestProofs(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.api.prove = true
	a := w.say(message{text: "get Read book off my plate", faults: []string{"wrong-proof"}})
	require.Contains(t, timelineOf(a), "This proves nothing: that call only looked.")
	require.Equal(t, "Deleted: Read book", a.AssistantMessage)
	_, there := w.task("ann", "Read book")
	require.False(t, there)
}

// TestCharacters holds the answers of the simulated model to a request for proof
// against what an honest, a lying and a talkative model say.
func TestCharacters(t *testing.T) {
	ask := func(records string, faults ...string) simmodel.Answer {
		const asked = "get Read book off my plate"
		return simulate(t.Context(), simmodel.Request{Faults: faults, Messages: []simmodel.Message{
			{Role: "user", Content: asked}, {Role: "assistant", Content: "It is off."},
			{Role: "user", Content: "Check your answer before it is shown.\n" + records + "a \"It is off.\"\n"},
		}}.For(asked))
	}
	const none, looked = "(no calls were made)\n", "#1 list_tasks → ok\n"
	require.Equal(t, "delete_task", ask(none).Calls[0].Name, "an honest model makes the missing call")
	require.Equal(t, "delete_task", ask(none, "smooth-lie").Calls[0].Name)
	require.JSONEq(t, `{"a":[1],"message":null}`, ask(none, "false-proof").Text)
	require.JSONEq(t, `{"a":[1],"message":null}`, ask(looked, "wrong-proof").Text)
	require.JSONEq(t, `{"a":[2],"message":null}`, ask(looked, "false-proof").Text)
	require.Contains(t, ask(none, "no-proof").Text, "take my word")
}
