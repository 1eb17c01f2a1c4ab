package intent

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestConfidenceHasFloors: how sure a reading is at least, where the grammar leaves no
// doubt and the trees do. Some of the messages must need their floor, or it is none.
func TestConfidenceHasFloors(t *testing.T) {
	things := []string{"parcel", "ticket", "boat", "lamp", "kettle", "ward", "festival", "beehive"}
	acts := []string{"delete", "cancel", "archive", "lock", "send", "pause", "refund", "approve", "paint"}
	type floor struct {
		least   float64
		message func(act, thing string) Utterance
	}
	floors := map[string]floor{
		"a plain command": {0.9706, func(act, thing string) Utterance {
			return Utterance{User: fmt.Sprintf("%s the %s", act, thing)}
		}},
		"a plain command that goes on": {0.9706, func(act, thing string) Utterance {
			return Utterance{User: fmt.Sprintf("please %s the %s before the others arrive", act, thing)}
		}},
		"the one tool that does so": {0.5744, func(act, _ string) Utterance {
			return Utterance{User: fmt.Sprintf("could you %s Grandma's attic thing", act)}
		}},
		"what was offered": {0.8021, func(act, thing string) Utterance {
			return Utterance{User: "sounds good", Previous: fmt.Sprintf("Would you like me to %s the %s?", act, thing)}
		}},
	}
	for name, f := range floors {
		needed, all := 0, 0
		for _, thing := range things {
			for _, act := range acts {
				c := classifierFor(t, []tooltrack.Tool{
					{Name: thing + "_" + act}, {Name: "list_" + thing + "s"}, {Name: "find_" + thing}, {Name: "add_" + thing},
				}, nil)
				for _, e := range c.read(f.message(act, thing)).intent().Expect {
					if e.Tool != thing+"_"+act {
						continue
					}
					all++
					require.GreaterOrEqual(t, e.Confidence, f.least, "%s: %s the %s", name, act, thing)
					needed += number(math.Abs(e.Confidence-f.least) < 1e-4)
				}
			}
		}
		require.Greater(t, all, len(things)*len(acts)/2, name)
		require.Positive(t, needed, "%s: nothing needs the floor", name)
	}
}

// TestCrossValidationLearnsNothingByHeart: a log without any rule in it gains nothing.
func TestCrossValidationLearnsNothingByHeart(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "pallet_relocate"}, {Name: "pallet_quarantine"}}
	var turns []Logged
	for i := range 60 { // each message has words of its own, again and again
		word := strings.Repeat(string(rune('b'+i%20)), 2) + "o" + string(rune('a'+i/20)) + "rk"
		turns = append(turns, Logged{User: fmt.Sprintf("%s %s%s the %s", word, word, word, word), Called: []string{tools[i%2].Name}})
	}
	lessons, err := Learn(tools, turns, nil)
	require.NoError(t, err)
	require.Equal(t, len(lessons.Plain()), lessons.With.Messages, "each is measured once")
	require.Equal(t, lessons.Without.Messages, lessons.With.Messages)
	require.Greater(t, lessons.With.Messages, 40)
	require.Less(t, lessons.With.Exact, lessons.With.Messages*2/3, "it was measured on what it was taught: %+v", *lessons)
	taught := classifierFor(t, tools, &Options{Examples: lessons.Plain()})
	byHeart := 0
	for _, example := range lessons.Plain() {
		got := expected(t, taught, Utterance{User: example.User})
		byHeart += number(len(got) == 1 && got[0] == example.Expected[0])
	}
	require.Greater(t, byHeart, lessons.With.Exact, "taught by heart it would know them")
}

// TestDoubtedTurnsTeachNothing: what speaks against a turn keeps it from the figures.
func TestDoubtedTurnsTeachNothing(t *testing.T) {
	turns := depotLog()
	for i := range turns {
		turns[i].Doubt = "disputed"
	}
	lessons, err := Learn(depotTools, turns, nil)
	require.NoError(t, err)
	require.NotEmpty(t, lessons.Proposals)
	require.Empty(t, lessons.Plain())
	require.Zero(t, lessons.With)
	require.Zero(t, lessons.Without)
	turns[0].Doubt = "" // one of them is plain: it alone is measured
	lessons, err = Learn(depotTools, turns, nil)
	require.NoError(t, err)
	require.Len(t, lessons.Plain(), 1)
	require.Equal(t, 1, lessons.With.Messages)
	lessons, err = Learn(depotTools, append(turns, turns[0]), nil) // and once more, doubted by nobody
	require.NoError(t, err)
	require.Len(t, lessons.Plain(), 1)
}

// TestDeletionsAreTaughtWithCare: examples alone make nobody expect a deletion as soon as
// they make him expect something that can be undone.
func TestDeletionsAreTaughtWithCare(t *testing.T) {
	c := classifierFor(t, taskTools, &Options{Examples: lessonsForTest()})
	creates, deletes := 0, 0
	for _, frame := range []string{
		"%s", "%s it", "%s the fence", "the fence, %s", "maybe %s the old fence some day", "well %s", "fence %s", "my %s", "we %s here", "a %s", "so %s then",
		"they %s the hall", "about the %s", "%s or not", "no more %s", "what a %s", "the %s was loud", "I %s often", "%s, he said", "never %s",
	} {
		creates += number(len(expected(t, c, Utterance{User: fmt.Sprintf(frame, "park")})) > 0)
		deletes += number(len(expected(t, c, Utterance{User: fmt.Sprintf(frame, "sploosh")})) > 0)
	}
	require.Positive(t, deletes, "the examples teach nothing")
	require.Greater(t, creates, deletes+4)
}

// TestInvalidText: bytes that are no text are read as far as they go.
func TestInvalidText(t *testing.T) {
	const broken = "\xff\xfe\xc3"
	tools := []tooltrack.Tool{
		{Name: "cancel_booking", Description: "Cancels a booking." + broken, Words: tooltrack.Words{Verbs: []string{broken}, Nouns: []string{broken, "stay"}}},
		{Name: "list_bookings", Description: broken, Parameters: []byte(`{"properties":{"` + broken + `":{"example":"` + broken + `12345"}}}`)},
	}
	examples := []Example{{User: broken, Expected: []string{"cancel_booking"}}, {User: "scrap" + broken + " my stay", Expected: []string{"cancel_booking"}}}
	c, err := FromTools(tools, &Options{Examples: examples, Force: map[string][]string{"list_bookings": {"my " + broken}}})
	require.NoError(t, err)
	for _, user := range []string{
		"cancel the booking for Friday", broken + " cancel the booking for Friday", "cancel the booking " + broken + " for Friday", "cancel the booking for Friday" + broken,
	} {
		in := c.read(Utterance{User: user, Previous: broken}).intent()
		require.Len(t, in.Expect, 1, "%q", user)
		require.Equal(t, "cancel_booking", in.Expect[0].Tool, "%q", user)
		require.Contains(t, user, in.Expect[0].Words)
	}
	in := c.read(Utterance{User: broken}).intent()
	require.False(t, len(in.Expect) > 0 && in.Expect[0].Confidence >= DefaultSureRead, "%+v", in)
	lessons, err := Learn(tools, []Logged{{User: broken, Called: []string{"cancel_booking"}}, {User: "cancel it", Called: []string{broken}}}, nil)
	require.NoError(t, err)
	for _, p := range lessons.Proposals {
		require.True(t, utf8.ValidString(p.User))
	}
}
