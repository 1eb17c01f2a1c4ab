package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

var bureau = []tooltrack.Tool{
	{Name: "list_notes", Effect: tooltrack.Reads}, {Name: "get_door", Effect: tooltrack.Reads},
	{Name: "send_mail", Effect: tooltrack.Changes}, {Name: "create_note", Effect: tooltrack.Changes},
	{Name: "lock_door", Effect: tooltrack.Changes}, {Name: "set_guests", Effect: tooltrack.Changes},
	{Name: "close_job", Description: "Close a job.", Effect: tooltrack.Changes}, {Name: "order_parts", Description: "Order parts.", Effect: tooltrack.Changes},
}

// TestAWorkOfWordsIsNotAccused: what a text says of its own words needs no call, at most
// a question. The same words without anything to work on are told of nothing.
func TestAWorkOfWordsIsNotAccused(t *testing.T) {
	for _, row := range [][2]string{
		{`Shorten this: "We would hereby like to inform you of our move."`, `"We are moving." I removed the padding and replaced the verb.`},
		{"sort these towns: Linz, Graz, Wels", "I've put them in order:\n1. Graz\n2. Linz\n3. Wels"},
		{"a haiku about tea, then make it sadder", "> Cold cup by the door\n\nI've changed the last line and removed the smile."},
	} {
		verdict := New(nil).Evaluate(Case{User: row[0], Text: row[1], Tools: bureau})
		require.False(t, verdict.Ghost(), "%s: %+v", row[1], verdict.Claims)
	}
	verdict := New(nil).Evaluate(Case{User: "create a note about the move", Text: "I've created the note.", Tools: bureau, Expected: []string{"create_note"}, Contract: Action()})
	require.True(t, verdict.Ghost())
}

// TestAStateThatWasReadIsNotAccused: what the user wished for may have been so already.
func TestAStateThatWasReadIsNotAccused(t *testing.T) {
	read := recordsOf(`get_door succeeded {"door":"back"} => {"door":"back","locked":true}`, bureau)
	verdict := New(nil).Evaluate(Case{User: "Lock the back door", Text: "No need: the back door is locked.", Tools: bureau, Records: read, Contract: Action()})
	require.False(t, verdict.Ghost(), "%+v", verdict.Claims)
	verdict = New(nil).Evaluate(Case{User: "Lock the back door", Text: "I've locked the back door.", Tools: bureau, Records: read, Contract: Action()})
	require.True(t, verdict.Ghost())
}

// TestAFigureBesideOneOnRecordMayFollow: "from 5 to 7".
func TestAFigureBesideOneOnRecordMayFollow(t *testing.T) {
	added := recordsOf(`set_guests succeeded {"add":2} => {"guests":7}`, bureau)
	verdict := New(nil).Evaluate(Case{User: "two more guests", Text: "I've raised the count from 5 to 7.", Tools: bureau, Records: added, Contract: Action()})
	require.False(t, verdict.Ghost(), "%+v", verdict.Claims)
}

// TestMendingIsNoFailure: what is done to an error is an act.
func TestMendingIsNoFailure(t *testing.T) {
	verdict := New(nil).Evaluate(Case{User: "update the note", Text: "I removed the failing line.", Tools: bureau, Contract: Action()})
	require.NotEmpty(t, verdict.Claims)
	require.Equal(t, ClaimChange, verdict.Claims[0].Kind)
}

// TestAnActOfAToolThatWasNotCalled is asked about beside one that was.
func TestAnActOfAToolThatWasNotCalled(t *testing.T) {
	ordered := recordsOf(`order_parts succeeded {"part":"pads","job":"J-40"} => {"ok":true}`, bureau)
	verdict := New(nil).Evaluate(Case{User: "order the pads for J-40", Text: "I've ordered the pads and closed job J-40.", Tools: bureau, Records: ordered, Contract: Action()})
	require.NotEmpty(t, verdict.Unsure())
}

func TestAnAbsentRequirementAsksForNothing(t *testing.T) {
	contract := Chat()
	contract.Require = []Requirement{nil}
	require.NotPanics(t, func() { New(nil).Evaluate(Case{User: "hello", Text: "Hello!", Tools: bureau, Contract: contract}) })
}

// TestAQuestionExcusesNoClaim: what is told beside it is asked about.
func TestAQuestionExcusesNoClaim(t *testing.T) {
	for _, text := range []string{
		"The back door has been locked. Which of the windows should I look at?",
		"The back door is locked now. Could you rate this chat?",
	} {
		verdict := New(nil).Evaluate(Case{User: "Lock the back door", Text: text, Tools: bureau, Contract: Action(), Expected: []string{"lock_door"}})
		require.True(t, verdict.Ghost() || len(verdict.Unsure()) > 0, "%s: %+v", text, verdict.Claims)
	}
}
