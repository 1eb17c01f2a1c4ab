package intent

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// shopTools are the tools of a shop's customer service.
var shopTools = []tooltrack.Tool{
	{Name: "get_order_details", Description: "Get the status and details of an order.", Effect: tooltrack.Reads},
	{Name: "cancel_order", Description: "Cancel an order that has not been shipped.", Effect: tooltrack.Changes},
	{Name: "return_order_items", Description: "Return items of a delivered order for a refund.", Effect: tooltrack.Changes},
	{Name: "exchange_order_items", Description: "Exchange items of a delivered order for other ones.", Effect: tooltrack.Changes},
	{Name: "modify_order_address", Description: "Modify the shipping address of an order.", Effect: tooltrack.Changes},
}

// mixedTools have nothing in common.
var mixedTools = []tooltrack.Tool{
	{Name: "getWeatherForecast", Description: "Returns the weather forecast for a city.", Effect: tooltrack.Reads},
	{Name: "mail.send", Description: "Sends an email to a recipient.", Effect: tooltrack.Changes},
	{Name: "convert_currency", Description: "Convert an amount of money from one currency to another.", Effect: tooltrack.Reads},
	{Name: "book_table", Description: "Reserve a table at a restaurant.", Effect: tooltrack.Changes},
	{Name: "rotateImage", Description: "Rotates an image by an angle.", Effect: tooltrack.Changes},
}

// codeTools are the tools of a coding agent.
var codeTools = []tooltrack.Tool{
	{Name: "read_file", Description: "Read a file of the workspace.", Effect: tooltrack.Reads},
	{Name: "edit_file", Description: "Replace text in a file of the workspace.", Effect: tooltrack.Changes},
	{Name: "run_tests", Description: "Run the test suite.", Effect: tooltrack.Verifies},
}

type requestCase struct {
	user string
	want string // tools in order, by space
}

func testRequests(t *testing.T, tools []tooltrack.Tool, cases []requestCase) {
	t.Helper()
	c := classifierFor(t, tools, nil)
	for _, tc := range cases {
		if got := strings.Join(expected(t, c, Utterance{User: tc.user}), " "); got != tc.want {
			t.Errorf("%q expects %q, want %q", tc.user, got, tc.want)
		}
	}
}

func TestWordBoundariesAndInflection(t *testing.T) {
	testRequests(t, taskTools, []requestCase{
		{"open the settings", ""},
		{"my address is 4 Hill Road", ""},
		{"I am an addict of good books", ""},
		{"deleting the task would be great, please delete the task", "delete_task"},
		{"I want the reminder deleted", "delete_task"},
		{"I'd like the oldest task removed", "delete_task"},
		{"the task about taxes should be deleted", "delete_task"},
	})
}

func TestVerbAgainstNoun(t *testing.T) {
	testRequests(t, taskTools, []requestCase{
		{"show the list", "list_tasks"},
		{"put butter on my list", "create_task"},
		{"list my tasks", "list_tasks"},
		{"schedule a meeting with Ines on Friday", "create_task"},
		{"what is on my schedule", "list_tasks"},
		{"cross the butter off my list", "complete_task"},
		{"take the butter off my list", "delete_task"},
		{"add Ines to the meeting", "update_task"},
		{"remove the meeting with Ines", "delete_task"},
	})
}

func TestNegation(t *testing.T) {
	testRequests(t, taskTools, []requestCase{
		{"don't delete it yet", ""},
		{"do not delete the task", ""},
		{"please don't add anything to my list", ""},
		{"I don't want to delete the reminder", ""},
		{"never remove tasks without asking", ""},
		{"don't forget to remind me of the dentist tomorrow at 9", "create_task"},
		{"don't forget to deburr them", "create_task"},
		{"don't forget to \"water the plants\"", "create_task"},
		{"don't forget to", "create_task"},
		{"don't delete the report task, mark it as done", "complete_task"},
	})
}

func TestCapabilityPastAndPoliteness(t *testing.T) {
	testRequests(t, taskTools, []requestCase{
		{"can you delete tasks?", ""},
		{"what can you do?", ""},
		{"are you able to delete reminders?", ""},
		{"how do I delete a task?", ""},
		{"did you add it?", ""},
		{"have you deleted the task?", ""},
		{"can you delete Read book?", "delete_task"},
		{"can you delete the task about the boiler?", "delete_task"},
		{"could you please add a task for the boiler", "create_task"},
		{"would you mark the boiler task as done", "complete_task"},
		{"I would like you to delete my reminder", "delete_task"},
		{"have I added milk to my list?", "list_tasks"},
	})
}

func TestConditionsAndHypotheticals(t *testing.T) {
	testRequests(t, taskTools, []requestCase{
		{"if I delete the task, can I get it back?", ""},
		{"what would happen if I deleted the list?", ""},
		{"should I delete the task?", ""},
		{"suppose I deleted all my tasks", ""},
		{"if you can, delete the boiler task", "delete_task"},
		{"delete the boiler task if it is still there", "delete_task"},
	})
}

func TestQuotationsAndTitles(t *testing.T) {
	testRequests(t, taskTools, []requestCase{
		{"add a task 'delete old files'", "create_task"},
		{`add "cancel the gym" to my list`, "create_task"},
		{"mark Add tests as done", "complete_task"},
		{"mark the task “remove the old boiler” as done", "complete_task"},
		{"add delete old files to my list", "create_task"},
		{"remind me to cancel the gym", "create_task"},
		{"delete the task 'add a second boiler'", "delete_task"},
	})
}

func TestSeveralRequests(t *testing.T) {
	testRequests(t, taskTools, []requestCase{
		{"delete the boiler task and add a task for the roof", "delete_task create_task"},
		{"Add a reminder for the roof. Then mark the boiler task as done.", "create_task complete_task"},
		{"take butter off my shopping list and add jam", "delete_task create_task"},
		{"find the boiler task and delete it", "delete_task"},
	})
	testRequests(t, mixedTools, []requestCase{
		{"What's the weather forecast for Oslo, and convert 50 euros to dollars", "getWeatherForecast convert_currency"},
	})
}

func TestForeignObjects(t *testing.T) {
	testRequests(t, taskTools, []requestCase{
		{"change my credit limit", ""},
		{"add this song to my playlist", ""},
		{"delete my account", ""},
		{"show me my bank balance", ""},
		{"set the volume to seven", ""},
		{"give me a list of good restaurants", ""},
		{"update the software", ""},
	})
	testRequests(t, shopTools, []requestCase{
		{"cancel my gym membership", ""},
	})
}

func TestListingIsAQuestionThatExpectsItsTool(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	for _, user := range []string{"list my tasks", "what's on my list?", "what do I have tomorrow?", "show me my reminders", "do I have any meetings on Monday?", "am I free on Friday?", "what do I need to buy?"} {
		in, err := c.Classify(context.Background(), Utterance{User: user})
		if err != nil {
			t.Fatal(err)
		}
		if in.Kind != Question || !in.Expects("list_tasks") || len(in.Expect) != 1 {
			t.Errorf("%q is %v and expects %v, want a question that expects list_tasks", user, in.Kind, in.Expect)
		}
	}
}

func TestAnyToolSet(t *testing.T) {
	testRequests(t, shopTools, []requestCase{
		{"I'd like to cancel my order", "cancel_order"},
		{"where is my order? what is its status?", "get_order_details"},
		{"I want to return the lamp from my last order", "return_order_items"},
		{"could you exchange the boots in my order for a bigger size?", "exchange_order_items"},
		{"please change the shipping address of my order", "modify_order_address"},
		{"thanks, that's all", ""},
	})
	testRequests(t, mixedTools, []requestCase{
		{"what will the weather be like in Lima tomorrow", "getWeatherForecast"},
		{"send an email to Ines", "mail.send"},
		{"convert 30 dollars to euros", "convert_currency"},
		{"reserve a table for four at the new restaurant", "book_table"},
		{"rotate the image by ninety degrees", "rotateImage"},
		{"who painted the ceiling of that chapel", ""},
		{"tell me a joke", ""},
	})
}

func TestKinds(t *testing.T) {
	cases := []struct {
		tools []tooltrack.Tool
		user  string
		want  Kind
	}{
		{taskTools, "hello there", Chat}, {taskTools, "thank you so much", Chat}, {taskTools, "I had a long day", Chat},
		{taskTools, "delete the boiler task", Action}, {taskTools, "show my tasks", Question}, {taskTools, "what is a task?", Question},
		{codeTools, "implement a retry in the client", Action}, {codeTools, "fix the failing test", Action}, {codeTools, "refactor the parser", Action},
		{codeTools, "please write a function that parses dates", Action}, {codeTools, "explain how the parser works", Analysis},
		{codeTools, "review this code", Analysis}, {codeTools, "why does the build fail?", Analysis}, {codeTools, "explain the bug and fix it", Action},
		{codeTools, "don't fix it, just explain why it fails", Analysis},
	}
	for _, tc := range cases {
		in, err := classifierFor(t, tc.tools, nil).Classify(context.Background(), Utterance{User: tc.user})
		if err != nil {
			t.Fatal(err)
		}
		if in.Kind != tc.want {
			t.Errorf("%q is %v, want %v", tc.user, in.Kind, tc.want)
		}
	}
}

// Work on code may need any tool: none is insisted on.
func TestImplementationInsistsOnNoParticularTool(t *testing.T) {
	c := classifierFor(t, codeTools, nil)
	for _, user := range []string{"implement a retry in the client", "refactor the parser", "fix the off-by-one error"} {
		in, err := c.Classify(context.Background(), Utterance{User: user})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range in.Expect {
			if e.Confidence >= DefaultSureRead {
				t.Errorf("%q insists on %v", user, e)
			}
		}
	}
}

func TestRepliesToOffers(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	cases := []struct{ previous, user, want string }{
		{"Shall I delete the task “Call Ann”?", "yes", "delete_task"},
		{"Would you like me to add a reminder for Monday?", "Yes, go ahead.", "create_task"},
		{"I can mark the boiler task as done for you.", "do it", "complete_task"},
		{"Do you want me to delete the task?", "sure, please do", "delete_task"},
		{"Shall I delete the task “Call Ann”?", "no thanks", ""},
		{"Shall I delete the task “Call Ann”?", "not yet", ""},
		{"You have three tasks today.", "great, thanks", ""},
		{"", "yes, go ahead", ""},
		{"Shall I delete the task “Call Ann”? I need your number first.", "Sure, my number is 7340.", ""},
		{"I've deleted the task Buy milk.", "no, the other one", "delete_task"},
		{"Shall I delete the task “Call Ann”?", "yes, and add a task for the roof", "create_task"},
	}
	for _, tc := range cases {
		if got := strings.Join(expected(t, c, Utterance{User: tc.user, Previous: tc.previous}), " "); got != tc.want {
			t.Errorf("%q after %q expects %q, want %q", tc.user, tc.previous, got, tc.want)
		}
	}
}

func TestOtherLanguagesExpectNothingAndSaySo(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	for _, user := range []string{"lösche bitte meine letzte Aufgabe", "supprime la dernière tâche", "elimina la última tarea de mi lista por favor", "удали последнюю задачу", "最後のタスクを削除して", "حذف المهمة الأخيرة"} {
		in, err := c.Classify(context.Background(), Utterance{User: user})
		if err != nil {
			t.Fatal(err)
		}
		if len(in.Expect) != 0 || !in.Unsupported {
			t.Errorf("%q expects %v and is unsupported: %v", user, in.Expect, in.Unsupported)
		}
	}
	if in, _ := c.Classify(context.Background(), Utterance{User: "delete the task Müllabfuhr anmelden"}); in.Unsupported || !in.Expects("delete_task") {
		t.Errorf("a foreign title makes %+v", in)
	}
}

// TestDueInOtherLanguages: the longer a message there, the more likely it asks for
// something; an answer to a question may say yes.
func TestDueInOtherLanguages(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	for _, row := range []struct {
		user, previous string
		least, most    float64
	}{
		{"aufgabe wegwerfen", "", DefaultDue, 0.8}, {"Wyrzuć to zadanie", "", DefaultDue, 0.8}, {"buang tugas terakhir", "", DefaultDue, 0.8},
		{"Lösche die Aufgabe an den Chef", "", DefaultDue, 0.8}, {"丢掉任务", "", DefaultDue, 0.8}, {"リマインダーを捨てて", "", DefaultDue, 0.8}, {"Выбрось мою задачу", "", DefaultDue, 0.8},
		{"Wie viele Aufgaben habe ich noch?", "", 0.35, DefaultDue}, {"还剩多少任务？", "", 0.35, DefaultDue}, {"Ποια είναι η επόμενη;", "", 0.35, DefaultDue},
		{"Hapus tugas itu", "", 0.35, DefaultDue}, {"Muchas gracias amigo", "", 0.35, 0.8},
		{"Vielen Dank!", "", 0, 0.35}, {"谢谢", "", 0, 0.35}, {"Спасибо", "", 0, 0.35}, {"ありがとう", "", 0, 0.35}, {"Buenos días", "", 0, 0.35}, {"Danke", "", 0, 0.35},
		{"Так", "Видалити завдання?", 0.35, 0.8}, {"是的", "要删除任务吗？", 0.35, 0.8}, {"Sim", "Quer que eu apague esta tarefa?", 0.35, 0.8},
	} {
		in, err := c.Classify(context.Background(), Utterance{User: row.user, Previous: row.previous})
		if err != nil || len(in.Expect) > 0 || in.Due < row.least || in.Due >= row.most {
			t.Errorf("%q after %q is due with %.2f, and expects %v; %v", row.user, row.previous, in.Due, in.Expect, err)
		}
	}
}

func TestHostWords(t *testing.T) {
	tools := slices.Clone(taskTools)
	tools[4].Words = tooltrack.Words{Verbs: []string{"yeet"}, Nouns: []string{"gizmo"}}
	c := classifierFor(t, tools, nil)
	for _, user := range []string{"yeet the boiler task", "please yeet that reminder", "can you yeet the gizmo"} {
		if got := expected(t, c, Utterance{User: user}); !slices.Equal(got, []string{"delete_task"}) {
			t.Errorf("%q expects %v, want delete_task", user, got)
		}
	}
}

func TestSilenceAndForce(t *testing.T) {
	c := classifierFor(t, taskTools, &Options{Silence: []string{"delete_task"}, Force: map[string][]string{"list_tasks": {"status report"}}})
	cases := []requestCase{
		{"delete the boiler task", ""}, {"Status report please", "list_tasks"}, {"add a task 'status report'", "create_task"}, {"the status of the report", ""},
	}
	for _, tc := range cases {
		if got := strings.Join(expected(t, c, Utterance{User: tc.user}), " "); got != tc.want {
			t.Errorf("%q expects %q, want %q", tc.user, got, tc.want)
		}
	}
}

func TestFromToolsErrors(t *testing.T) {
	cases := []struct {
		name    string
		tools   []tooltrack.Tool
		options *Options
		want    string
	}{
		{"a bad tool", []tooltrack.Tool{{}}, nil, "tool name is empty"},
		{"silencing a stranger", taskTools, &Options{Silence: []string{"nobody"}}, `"nobody"`},
		{"forcing a stranger", taskTools, &Options{Force: map[string][]string{"nobody": {"x"}}}, `"nobody"`},
		{"too many tools", make([]tooltrack.Tool, MaxTools+1), nil, "at most"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := FromTools(tc.tools, tc.options); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %s", err, tc.want)
			}
		})
	}
}

func TestWordsAndConfidence(t *testing.T) {
	in, err := classifierFor(t, taskTools, nil).Classify(context.Background(), Utterance{User: "Thanks! Delete the boiler task. Bye."})
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Expect) != 1 || in.Expect[0].Words != "Delete the boiler task" || in.Expect[0].Confidence < 0.8 || in.Expect[0].Confidence > 1 || in.Unsure {
		t.Errorf("got %+v", in)
	}
}

func TestTwoToolsThatFitEquallyMakeTheAnswerUnsure(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{{Name: "delete_home_address"}, {Name: "delete_work_address"}}, nil)
	in, err := c.Classify(context.Background(), Utterance{User: "delete my address"})
	if err != nil {
		t.Fatal(err)
	}
	if !in.Unsure {
		t.Errorf("got %+v, want it marked as unsure", in)
	}
}

func TestLongMessagesAreReadAtBothEnds(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	pasted := strings.Repeat("The river was high that year and the bridge was closed. ", 2000)
	for _, user := range []string{"Delete the boiler task.\n" + pasted, pasted + "\nDelete the boiler task."} {
		if got := expected(t, c, Utterance{User: user}); !slices.Equal(got, []string{"delete_task"}) {
			t.Errorf("a message of %d bytes expects %v, want delete_task", len(user), got)
		}
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := classifierFor(t, taskTools, nil).Classify(ctx, Utterance{User: "x"}); err == nil {
		t.Error("a cancelled context classifies")
	}
}
