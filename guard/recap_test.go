package guard_test

import (
	"context"
	"fmt"
	"testing"

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
