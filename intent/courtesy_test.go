package intent

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Openings and closings as people write them; each stands before or after a request.
var (
	courtesyOpenings = []string{
		"Hi there, ", "Hello! ", "Hey Priya, ", "Good morning. ", "Hope you're well. ", "I hope you had a great weekend! ",
		"Sorry to bother you, ", "Excuse me, ", "Dear team,\n", "Hi, how are you? ", "Good evening, Dr Okafor. I hope this finds you well. ",
		"Apologies for the trouble. ",
	}
	courtesyClosings = []string{
		" Have a nice day!", " Thanks, Maria", " Cheers!", " Best regards, Tom", " Thank you so much for your help!", " Thanks in advance.",
		"\n\nKind regards,\nAnna Lund", " Much appreciated!", " Sorry for the trouble.", " Take care, Ravi", " Have a lovely weekend!",
		" I appreciate it. Bye!",
	}
)

// TestCourtesiesChangeNoAnswer: all our own requests are read the same with a courtesy
// before or after them.
func TestCourtesiesChangeNoAnswer(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	const every = 16 // of our requests with each courtesy
	type count struct{ all, changed, moved int }
	counts := map[string]*count{}
	for _, set := range ownRequests(t) {
		c := classifierFor(t, set.Tools, nil)
		s := c.newScratch()
		for i, r := range set.Requests {
			plain := c.answer(s, Utterance{User: r.User, Previous: r.Previous})
			for n := i % every; n < len(courtesyOpenings)+len(courtesyClosings); n += every {
				user, courtesy := "", ""
				if n < len(courtesyOpenings) {
					courtesy = courtesyOpenings[n]
					user = courtesy + r.User
				} else {
					courtesy = courtesyClosings[n-len(courtesyOpenings)]
					user = r.User + courtesy
				}
				polite := c.answer(s, Utterance{User: user, Previous: r.Previous})
				if counts[courtesy] == nil {
					counts[courtesy] = &count{}
				}
				k := counts[courtesy]
				k.all++
				if !sameAnswer(plain, polite) {
					k.changed++
					t.Logf("%q (%q): %+v, %+v", user, r.Previous, plain, polite)
				}
				if math.Abs(plain.Due-polite.Due) >= 0.05 {
					k.moved++
				}
			}
		}
	}
	require.Len(t, counts, len(courtesyOpenings)+len(courtesyClosings))
	for courtesy, k := range counts {
		assert.Greater(t, k.all, 1000, courtesy)
		assert.LessOrEqual(t, 100*k.changed, k.all, "%q changes %d of %d answers", courtesy, k.changed, k.all)
		assert.LessOrEqual(t, 100*k.moved, k.all, "%q moves %d of %d", courtesy, k.moved, k.all)
	}
}

// sameAnswer reports whether two readings expect the same tools and are as sure of them.
func sameAnswer(a, b Intent) bool {
	if len(a.Expect) != len(b.Expect) || a.Kind != b.Kind || a.Hold != b.Hold {
		return false
	}
	for i, e := range a.Expect {
		f := b.Expect[i]
		if e.Tool != f.Tool || (e.Confidence >= DefaultSureRead) != (f.Confidence >= DefaultSureRead) || e.Hold != f.Hold {
			return false
		}
	}
	return true
}

// TestCourtesyAloneIsIdle: a message that is nothing but courtesy asks for nothing.
func TestCourtesyAloneIsIdle(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	s := c.newScratch()
	for _, opening := range courtesyOpenings {
		for _, closing := range append([]string{""}, courtesyClosings...) {
			in := c.answer(s, Utterance{User: opening + closing})
			require.Empty(t, in.Expect, opening+closing)
			require.Less(t, in.Due, DefaultDue, opening+closing)
		}
	}
}

// TestCourtesiesHoldNothingBack: a greeting is nothing that a request could take back.
func TestCourtesiesHoldNothingBack(t *testing.T) {
	for message, want := range map[string]Hold{
		"Hi there, drop that": NotHeld, "Hello Ines, undo this. Thanks!": NotHeld, "Have a nice day!": NotHeld,
		"Hi there, add jam. Drop that": Withdrawn, "Good morning, don't send it. Thanks, Ines": Forbidden,
	} {
		require.Equal(t, want, HoldOf(message), message)
	}
}
