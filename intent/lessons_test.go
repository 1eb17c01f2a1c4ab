package intent

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/stretchr/testify/require"
)

var depotTools = []tooltrack.Tool{
	{Name: "lookup_pallet", Description: "Shows where a pallet stands.", Effect: tooltrack.Reads},
	{Name: "pallet_relocate", Description: "Moves a pallet to another bay.", Effect: tooltrack.Changes},
	{Name: "pallet_quarantine", Description: "Keeps a pallet from being used.", Effect: tooltrack.Changes},
}

// depotLog is the log of a house with words of its own: to "park" is to
// relocate, to "red-tag" is to quarantine.
func depotLog() []Logged {
	var turns []Logged
	for i := range 12 {
		turns = append(turns,
			Logged{User: fmt.Sprintf("park %d over in bay %d", 100+i, i), Called: []string{"lookup_pallet", "pallet_relocate"}},
			Logged{User: fmt.Sprintf("please red-tag %d, it leaks", 200+i), Called: []string{"pallet_quarantine"}},
			Logged{User: fmt.Sprintf("shift %d was a quiet one again", i), Called: nil})
	}
	return turns
}

func TestLearnProposesWhatWasCalled(t *testing.T) {
	lessons, err := Learn(depotTools, depotLog(), nil)
	require.NoError(t, err)
	byMessage := map[string]Proposal{}
	for _, p := range lessons.Proposals {
		byMessage[p.User] = p
	}
	require.Equal(t, []string{"pallet_relocate"}, byMessage["park 103 over in bay 3"].Expected,
		"a look-up on the way to a change was not asked for")
	require.Empty(t, byMessage["park 103 over in bay 3"].Doubt)
	require.Equal(t, []string{"pallet_quarantine"}, byMessage["please red-tag 204, it leaks"].Expected)
}

func TestLearnShowsTheGain(t *testing.T) {
	lessons, err := Learn(depotTools, depotLog(), nil)
	require.NoError(t, err)
	require.GreaterOrEqual(t, lessons.Without.Messages, 24)
	require.Equal(t, lessons.Without.Messages, lessons.With.Messages)
	require.Greater(t, lessons.With.Exact, lessons.Without.Exact+10, "%+v", *lessons)
	require.LessOrEqual(t, lessons.With.Wrongly, lessons.Without.Wrongly)
}

// TestLearnCountsFalseExpectations: a turn in which nothing was called is idle, also where
// the classifier thinks otherwise; else its false expectations would not be seen.
func TestLearnCountsFalseExpectations(t *testing.T) {
	lessons, err := Learn(depotTools, []Logged{{User: "relocate pallet 7 to bay 3"}, {User: "what a day that was"}}, nil)
	require.NoError(t, err)
	require.Equal(t, Score{Messages: 2, Exact: 1, Idle: 2, False: 1, Wrongly: 1}, lessons.Without)
	require.Len(t, lessons.Plain(), 1, "and it teaches nothing")
}

func TestLearnDoubts(t *testing.T) {
	cases := []struct {
		name  string
		turn  Logged
		doubt string
	}{
		{"an answer", Logged{User: "yes please", Previous: "Shall I relocate it?", Called: []string{"pallet_relocate"}}, doubtReply},
		{"a short answer", Logged{User: "bay seven", Previous: "To which bay?", Called: []string{"pallet_relocate"}}, doubtReply},
		{"a withdrawn request", Logged{User: "relocate pallet 7... no wait, don't", Called: []string{"pallet_relocate"}}, doubtHeld},
		{"a call that was left out", Logged{User: "relocate pallet 7 to bay 3"}, doubtMissing},
		{"what the host doubts", Logged{User: "relocate pallet 7", Called: []string{"pallet_relocate"}, Doubt: "disputed"}, "disputed"},
		{"a plain one", Logged{User: "relocate pallet 7 to bay 3", Called: []string{"pallet_relocate"}}, ""},
	}
	for _, tc := range cases {
		lessons, err := Learn(depotTools, []Logged{tc.turn}, nil)
		require.NoError(t, err, tc.name)
		require.Len(t, lessons.Proposals, 1, tc.name)
		require.Equal(t, tc.doubt, lessons.Proposals[0].Doubt, tc.name)
	}
}

func TestLearnSettlesContradictions(t *testing.T) {
	lessons, err := Learn(depotTools, []Logged{
		{User: "park 7 in bay 2", Called: []string{"pallet_relocate"}}, {User: "Park 7 in bay 2", Called: []string{"pallet_quarantine"}},
		{User: "red-tag 9", Called: []string{"pallet_quarantine"}}, {User: "red-tag 9", Called: []string{"pallet_quarantine"}},
		{User: "of another house", Called: []string{"order_pizza"}}, {User: "  "},
	}, nil)
	require.NoError(t, err)
	require.Len(t, lessons.Plain(), 1)
	for _, p := range lessons.Proposals {
		switch p.User {
		case "red-tag 9":
			require.Equal(t, 2, p.Turns)
			require.Empty(t, p.Doubt)
		default:
			require.Equal(t, doubtConflict, p.Doubt)
		}
	}
}

// TestReadExamples: what is in doubt is left out, and what is for other tools.
func TestReadExamples(t *testing.T) {
	const file = `{"user":"park 7","expected":["pallet_relocate"],"turns":2,"set":"1"}
{"user":"bay seven","expected":["pallet_relocate"],"turns":1,"doubt":"an answer","set":"1"}
{"user":"dim the hall","expected":["lamp_dim"],"turns":1,"set":"2"}
{"user":"shift 3 was quiet","expected":[],"turns":1}
`
	of := func(set string) (users []string) {
		examples, err := ReadExamples(strings.NewReader(file), set)
		require.NoError(t, err)
		for _, example := range examples {
			users = append(users, example.User)
		}
		return users
	}
	require.Equal(t, []string{"park 7", "shift 3 was quiet"}, of("1"))
	require.Equal(t, []string{"dim the hall", "shift 3 was quiet"}, of("2"))
	_, err := ReadExamples(strings.NewReader(file), "")
	require.ErrorContains(t, err, `set "1"`)
	_, err = ReadExamples(strings.NewReader("{}\nno"), "")
	require.ErrorContains(t, err, "example 2")
	_, err = ReadExamples(iotest.ErrReader(io.ErrClosedPipe), "")
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

// FuzzReadExamples: whatever a file holds, an error leaves no half of it, and what is read is
// what a classifier may be given.
func FuzzReadExamples(f *testing.F) {
	f.Fuzz(func(t *testing.T, file, set string) {
		examples, err := ReadExamples(strings.NewReader(file), set)
		if err != nil {
			require.Empty(t, examples)
			return
		}
		again, err := ReadExamples(strings.NewReader(file), set)
		require.NoError(t, err)
		require.Equal(t, examples, again)
		require.LessOrEqual(t, len(examples), strings.Count(file, "{")+strings.Count(file, "null"))
	})
}
