package guard_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestARecapNamesWhatWasSaidLongAgo: by anybody, and not only in the last messages. What
// nobody said is not named.
func TestARecapNamesWhatWasSaidLongAgo(t *testing.T) {
	const answer = `{"message":null,"items":[{"what":%q,"status":"done","records":[1]}]}`
	for name, c := range map[string]struct {
		draft string
		shown bool
	}{
		"the user":      {"Read book is gone, as Thessaly wanted.", true},
		"the assistant": {"Read book is gone, which was due on 14 May.", true},
		"nobody":        {"Read book is gone, as Bartholomew wanted.", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			input := ask("get rid of it")
			input.Previous = []guard.Message{
				{Role: guard.RoleUser, Text: "Thessaly says I should clear my list"},
				{Role: guard.RoleAssistant, Text: "Read book is due on 14 May."},
			}
			for i := range 20 { // as a long talk goes on
				input.Previous = append(input.Previous, guard.Message{Role: guard.RoleUser, Text: fmt.Sprint("hm ", i)},
					guard.Message{Role: guard.RoleAssistant, Text: "Take your time."})
			}
			report := fmt.Sprintf(answer, c.draft)
			model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(c.draft), guardtest.Say(report), guardtest.Say(report))
			reply, err := unsureWorld(t, w, nil).Run(context.Background(), model, w, input)
			require.NoError(t, err)
			require.Equal(t, c.shown, reply.Text == c.draft, reply.Text)
		})
	}
}

// TestTheClockSaysWhichDayItIs: a text may tell the date, and no other one.
func TestTheClockSaysWhichDayItIs(t *testing.T) {
	for draft, shown := range map[string]bool{
		"Read book is gone as of 9 August 2031.":  true,
		"Read book is gone as of 21 August 2031.": false,
	} {
		w := newWorld()
		g := unsureWorld(t, w, func(o *guard.Options) {
			o.Clock = func() time.Time { return time.Date(2031, 8, 9, 12, 0, 0, 0, time.UTC) }
		})
		report := fmt.Sprintf(`{"message":null,"items":[{"what":%q,"status":"done","records":[1]}]}`, draft)
		model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(draft), guardtest.Say(report), guardtest.Say(report))
		reply, err := g.Run(context.Background(), model, w, ask("get rid of it"))
		require.NoError(t, err)
		require.Equal(t, shown, reply.Text == draft, reply.Text)
	}
}
