package completion

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestClaimsThatLookBack: a text that looks back says so in its claim.
func TestClaimsThatLookBack(t *testing.T) {
	for text, want := range map[string]bool{
		"I already deleted 'Buy milk' earlier.": true, "'Buy milk' was already deleted before.": true,
		"I've deleted 'Buy milk'.": false, "'Buy milk' has been deleted.": false,
	} {
		turn := Case{User: deleteMilk, Text: text, Tools: assistant}
		turn.Earlier = recordsOf(`delete_task succeeded {"title":"Buy milk"}`, assistant)
		verdict := New(nil).Evaluate(turn)
		require.NotEmpty(t, verdict.Claims, text)
		require.Equal(t, want, verdict.Claims[0].Earlier, text)
	}
}

// TestCalledInThisTurn: what an earlier turn called is not called now.
func TestCalledInThisTurn(t *testing.T) {
	done := recordsOf(`delete_task succeeded {"title":"Buy milk"}`, assistant)
	require.Empty(t, Called("delete_task").Unmet(Case{Records: done}, Blocker{}))
	require.NotEmpty(t, Called("delete_task").Unmet(Case{Earlier: done}, Blocker{}))
}

// TestFailedForGood: the success of another tool makes no failure good.
func TestFailedForGood(t *testing.T) {
	for calls, want := range map[string]int{
		`delete_task failed {"title":"Buy milk"}; create_task succeeded {"title":"Call Anna"}`:  1,
		`create_task failed {"title":"Call Anna"}; create_task succeeded {"title":"Call Anna"}`: 0,
	} {
		c := newConversation()
		c.read(&Case{User: createAnna, Text: "Done!", Tools: assistant, Records: recordsOf(calls, assistant)})
		require.Equal(t, want, c.sum.failed, calls)
	}
}

// TestFoundSo: a state that a read of this turn shows may have been so already; what was
// changed, or told as ours, was not found.
func TestFoundSo(t *testing.T) {
	tools := toolsOf("reads door_state; changes lock_door")
	for _, row := range []struct {
		calls, text string
		want        bool
	}{
		{`door_state succeeded {"door":"garage"}`, "The garage door is locked.", true},
		{`door_state succeeded {"door":"garage"}`, "I've locked the garage door.", false},
		{`door_state succeeded {"door":"garage"}; lock_door succeeded {"door":"garage"}`, "The garage door is locked.", false},
		{"", "The garage door is locked.", false},
	} {
		turn := Case{User: "Lock the garage door", Text: row.text, Tools: tools, Records: recordsOf(row.calls, tools)}
		for _, made := range turn.Records {
			made.Result.Data = []byte(`{"door":"garage","state":"locked"}`)
		}
		require.Equal(t, row.want, New(nil).Evaluate(turn).FoundSo, "%s %q", row.calls, row.text)
	}
}

// TestOtherwise: who does not act on an insufficient turn takes the outcome that it would
// have, which is not always work.
func TestOtherwise(t *testing.T) {
	for text, want := range map[string]Outcome{
		"I tried to delete it, but the server returned an error.": CompletedWithBlocker,
		"I've deleted 'Buy milk'.":                                CompletedWithWork,
	} {
		verdict := New(nil).Evaluate(Case{User: deleteMilk, Text: text, Tools: assistant})
		require.Equal(t, InsufficientProgress, verdict.Outcome, text)
		require.Equal(t, want, verdict.Otherwise, text)
	}
}

// TestTooManyClaims: beyond what is held against the records, the text as a whole is in
// doubt, however well the rest is backed.
func TestTooManyClaims(t *testing.T) {
	tools := toolsOf("changes send_mail")
	for n, want := range map[int]Tier{maxAssertions / 2: Clean, maxAssertions + 10: Unsure} {
		turn := Case{User: "send it to Bob again and again", Tools: tools, Text: strings.Repeat("I've sent it to Bob. ", n)}
		turn.Records = slices.Repeat(recordsOf(`send_mail succeeded {"to":"Bob"}`, tools), n)
		verdict := New(nil).Evaluate(turn)
		require.Equal(t, want, tierOf(&verdict), n)
	}
}

// TestRequirementsStay: a "cannot" in a text that reports work is no blocker, and waives no
// requirement.
func TestRequirementsStay(t *testing.T) {
	edited := recordsOf(`edit_file succeeded {"path":"a.go"}`, coder)
	for text, row := range map[string]struct {
		turn Case
		want Reason
	}{
		"I've edited a.go. I could not run the tests because the disk is full.": {
			Case{User: "Fix a.go", Tools: coder, Records: edited, Contract: Action(Verified())}, MissingRequirement,
		},
		"I couldn't delete it because two tasks have that name. Which one do you mean?": {
			Case{User: deleteMilk, Tools: assistant, Records: recordsOf("list_tasks", assistant), Contract: Action(Called("delete_task"))}, Blocked,
		},
	} {
		row.turn.Text = text
		verdict := New(nil).Evaluate(row.turn)
		require.Equal(t, row.want, verdict.Reason, text)
		require.NotEmpty(t, verdict.Missing)
	}
}

// TestOwnsUp: a text in which each sentence tells what failed or waits is believed; one
// that tells a state beside that is not.
func TestOwnsUp(t *testing.T) {
	tools := toolsOf("changes restore_host; changes pump_control")
	for text, want := range map[string]bool{
		"The restore onto test-2 has failed.":                                    true,
		"test-2 is back in service. The pump could not be reached.":              false,
		"test-2 is as good as new, so nobody has to wait any more. All is well.": false,
	} {
		c := newConversation()
		c.read(&Case{User: "restore test-2", Text: text, Tools: tools, Records: recordsOf(`restore_host pending {"target":"test-2"}`, tools)})
		assert.Equal(t, want, c.ownsUp(), text)
	}
}
