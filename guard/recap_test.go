package guard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
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
		"nobody":        {"Read book is gone, which was due on 3 June.", false},
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

// TestARecapThatACallShowsIsNotAskedAbout: what an earlier call shows word by word needs no
// proof; another id, another act and more than that do.
func TestARecapThatACallShowsIsNotAskedAbout(t *testing.T) {
	g, err := guard.New([]tooltrack.Tool{changing("cancel_order", "Cancel an order.", "order"), changing("send_email", "Send an e-mail.", "to")}, nil)
	require.NoError(t, err)
	made := g.RecordsOf([]guard.Message{
		{Role: guard.RoleUser, Text: "cancel order K1"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "1", Tool: "cancel_order", Args: json.RawMessage(`{"order":"K1"}`)}}},
		{Role: guard.RoleTool, CallID: "1", Tool: "cancel_order", Text: `{"status":"cancelled"}`},
		{Role: guard.RoleAssistant, Text: "Order K1 is cancelled."},
	}, nil)
	for _, user := range []string{"what have you done?", "did you cancel it?", "recap please", "thanks"} {
		for text, clean := range map[string]bool{
			"Earlier I cancelled order K1.": true, "I cancelled order K1 earlier.": true, "So far I've cancelled order K1.": true,
			"Earlier I cancelled order K2.": false, "Earlier I cancelled order K1 and order K2.": false,
			"Earlier I cancelled order K1 and e-mailed Bob.": false,
		} {
			judged, err := g.Judge(context.Background(), guard.Recorded{User: user, Text: text, Earlier: made})
			require.NoError(t, err)
			require.Equal(t, clean, judged.Tier == completion.Clean, "%s: %s", user, text)
		}
	}
}
