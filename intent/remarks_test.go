package intent

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// People tell what they did, thank, and describe; none of it asks for a tool.
func TestSideRemarks(t *testing.T) {
	testRequests(t, taskTools, []requestCase{
		{"by the way I added butter to my list", ""},
		{"I deleted some tasks yesterday", ""},
		{"one more thing, delete the boiler task", "delete_task"},
	})
	gifts := append(slices.Clone(shopTools), tooltrack.Tool{Name: "assignThankYouGift", Description: "Adds a thank-you gift to an order."})
	testRequests(t, gifts, []requestCase{{"thanks", ""}, {"thank you so much!", ""}, {"add a thank-you gift to order 7", "assignThankYouGift"}})
	testRequests(t, shopTools, []requestCase{
		{"by the way I ordered a lamp last week and it was great", ""},
		{"I cancelled an order with another shop last month", ""},
		{"thank you for finding that order", ""},
		{"yes, that's the right order", ""},
		{"I returned the shoes yesterday and they were blue", ""},
		{"I need some help with my order", ""},
		{"let me know once it's done", ""},
		{"let me know what you need from me", ""},
		{"thanks for checking, now cancel my order", "cancel_order"},
	})
}

// Running a thing is not making it.
func TestMakingIsNotRunning(t *testing.T) {
	testRequests(t, codeTools, []requestCase{
		{"add a test", ""},
		{"add a test for the parser", ""},
		{"write a unit test for the lexer", ""},
		{"delete the slow test", ""},
		{"run the tests", "run_tests"},
		{"please run all tests again", "run_tests"},
	})
}

// In a workspace of files and code any change may be asked for, whatever it is
// done to.
func TestWorkspaceChangesAreActions(t *testing.T) {
	for _, tc := range []struct {
		user  string
		tools []tooltrack.Tool
		want  Kind
	}{
		{"Rename Add to Sum", codeTools, Action},
		{"remove the cache", codeTools, Action},
		{"add a flag for verbose output", codeTools, Action},
		{"book me a table", codeTools, Chat},
		{"Rename Add to Sum", mixedTools, Chat},
	} {
		in, err := classifierFor(t, tc.tools, nil).Classify(context.Background(), Utterance{User: tc.user})
		if err != nil || in.Kind != tc.want {
			t.Errorf("%q is %v (%v), want %v", tc.user, in.Kind, err, tc.want)
		}
	}
}

// What only the tools' things have is theirs, whatever the title beside it.
func TestAttributesOfUnknownTitles(t *testing.T) {
	tools := append([]tooltrack.Tool{}, taskTools...)
	tools[2].Parameters = json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"},"priority":{"type":"string"}}}`)
	testRequests(t, tools, []requestCase{
		{"set Water ferns priority to high", "update_task"},
		{"set the priority of Quarterly numbers to low", "update_task"},
		{"set Mend the gate due date to Friday", "update_task"},
		{"remind me to feed the axolotl", "create_task"},
		{"remind me to ring Zoltan", "create_task"},
		{"set the oven to two hundred degrees", ""},
	})
}

// What a silenced tool would have done is nobody else's to do.
func TestSilenceLeavesNothingBehind(t *testing.T) {
	for _, silent := range []string{"delete_task", "update_task", "create_task"} {
		c := classifierFor(t, taskTools, &Options{Silence: []string{silent}})
		for user, tool := range map[string]string{
			"delete the boiler task":                       "delete_task",
			"take the butter off my list":                  "delete_task",
			"rename the boiler task to Call Ines":          "update_task",
			"move the meeting with Ines to Friday":         "update_task",
			"add a task for the boiler":                    "create_task",
			"please put a reminder about taxes on my list": "create_task",
		} {
			want := []string{tool}
			if tool == silent {
				want = nil
			}
			if got := expected(t, c, Utterance{User: user}); len(got) != len(want) || len(got) == 1 && got[0] != tool {
				t.Errorf("with %s silenced, %q expects %v, want %v", silent, user, got, want)
			}
		}
	}
}

// Agreement is to the change that was offered, not to the look at it.
func TestAgreementIsToTheChange(t *testing.T) {
	c := classifierFor(t, shopTools, nil)
	got := expected(t, c, Utterance{User: "Yes, I confirm", Previous: "I have the order details here. Shall I cancel the order?"})
	if len(got) != 1 || got[0] != "cancel_order" {
		t.Errorf("expects %v, want cancel_order alone", got)
	}
}
