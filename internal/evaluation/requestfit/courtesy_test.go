package requestfit

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/sampling"
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
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	const every = 16 // of our requests with each courtesy
	type tally struct{ all, changed, moved int }
	counts := map[string]*tally{}
	for number, set := range allSets(t) {
		if number%sampling.Every(10) != 0 {
			continue
		}
		answer := plainAnswerer(t, set.Tools)
		for i, r := range set.Requests {
			plain := answer(r.User, r.Previous)
			for n := i % every; n < len(courtesyOpenings)+len(courtesyClosings); n += every {
				user, courtesy := "", ""
				if n < len(courtesyOpenings) {
					courtesy = courtesyOpenings[n]
					user = courtesy + r.User
				} else {
					courtesy = courtesyClosings[n-len(courtesyOpenings)]
					user = r.User + courtesy
				}
				polite := answer(user, r.Previous)
				if counts[courtesy] == nil {
					counts[courtesy] = &tally{}
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
		chance.AtMost(t, fmt.Sprintf("answers that %q changes", courtesy), k.changed, k.all, 0.01)
		chance.AtMost(t, fmt.Sprintf("answers that %q moves", courtesy), k.moved, k.all, 0.01)
	}
}

// sameAnswer reports whether two readings expect the same tools and are as sure of them.
func sameAnswer(a, b intent.Intent) bool {
	if len(a.Expect) != len(b.Expect) || a.Kind != b.Kind || a.Hold != b.Hold {
		return false
	}
	for i, e := range a.Expect {
		f := b.Expect[i]
		if e.Tool != f.Tool || (e.Confidence >= intent.DefaultSureRead) != (f.Confidence >= intent.DefaultSureRead) || e.Hold != f.Hold {
			return false
		}
	}
	return true
}

// TestBidsChangeNoAnswer: "could you" before a command says nothing that the command does
// not say.
func TestBidsChangeNoAnswer(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	commands, changed := 0, 0
	for number, set := range allSets(t) {
		if number%sampling.Every(4) != 0 {
			continue
		}
		answer := plainAnswerer(t, set.Tools)
		for i, r := range set.Requests {
			if i%4 > 0 {
				continue
			}
			plain := answer(r.User, r.Previous)
			first, _, _ := strings.Cut(strings.ToLower(r.User), " ")
			verb := lexicon.English().Lookup(first)
			if len(plain.Expect) == 0 || !plain.Expect[0].Command || verb == nil || verb.Families.Empty() {
				continue
			}
			commands++
			for _, bid := range []string{"could you ", "Would you please ", "Hi, could you just "} {
				if polite := answer(bid+r.User, r.Previous); !sameAnswer(plain, polite) {
					changed++
					t.Logf("%q (%q): %+v, %+v", bid+r.User, r.Previous, plain, polite)
				}
			}
		}
	}
	require.Greater(t, commands, 1000/sampling.Every(4))
	chance.AtMost(t, "answers that a bid changes", changed, 3*commands, 0.01)
}
