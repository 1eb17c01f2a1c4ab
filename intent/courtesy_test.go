package intent

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
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

// TestBidsChangeNoAnswer: "could you" before a command says nothing that the command does
// not say.
func TestBidsChangeNoAnswer(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	commands, changed := 0, 0
	for _, set := range ownRequests(t) {
		c := classifierFor(t, set.Tools, nil)
		s := c.newScratch()
		for i, r := range set.Requests {
			if i%4 > 0 {
				continue
			}
			plain := c.answer(s, Utterance{User: r.User, Previous: r.Previous})
			if q := s.reader.Requests; !strings.HasPrefix(r.User, s.reader.Text) || len(q) == 0 || q[0].Plea != reading.Commanded || q[0].Verb != 0 {
				continue
			}
			commands++
			for _, bid := range []string{"could you ", "Would you please ", "Hi, could you just "} {
				if polite := c.answer(s, Utterance{User: bid + r.User, Previous: r.Previous}); !sameAnswer(plain, polite) {
					changed++
					t.Logf("%q (%q): %+v, %+v", bid+r.User, r.Previous, plain, polite)
				}
			}
		}
	}
	require.Greater(t, commands, 1000)
	require.LessOrEqual(t, changed, commands*3/100, "one in a hundred")
}

// TestProposals: what is proposed is due, and its tool is named; nobody is sure of a
// change, as the words may ask for a reason.
func TestProposals(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{
		{Name: "loan_renew", Description: "Renews the loan of a book."}, {Name: "loan_list", Description: "Lists the books that a reader has on loan."},
		{Name: "fine_waive", Description: "Waives a fine."}, {Name: "reader_notify", Description: "Sends a reader a message."},
	}, nil)
	for message, want := range map[string]string{
		"why don't you renew the loan of Emma?":         "loan_renew",
		"Why dont you just waive the fine of reader 41": "fine_waive",
		"why not renew the loan of Dune until May":      "loan_renew",
		"Hello! Why don't we renew her loan? Thanks":    "loan_renew",
		"why don't you list the books I have on loan":   "loan_list",
		"Why don’t you simply send reader 7 a message":  "reader_notify",
	} {
		in := c.answer(c.newScratch(), Utterance{User: message})
		require.Len(t, in.Expect, 1, message)
		require.Equal(t, want, in.Expect[0].Tool, message)
		require.GreaterOrEqual(t, in.Due, DefaultDue, message)
		require.True(t, want == "loan_list" || in.Expect[0].Confidence < DefaultSureChange, "%s: %+v", message, in) // a list does no harm
	}
	for _, message := range []string{
		"why didn't you renew the loan of Emma?", "why don't they waive the fine?", "why don't you waive fines?", "why do you waive the fine?",
	} {
		for _, e := range c.answer(c.newScratch(), Utterance{User: message}).Expect {
			require.True(t, e.Confidence < DefaultSureRead || e.Hold != NotHeld, "%s: %+v", message, e)
		}
	}
}
