package completion

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestNoTurnLeavesATrace: an evaluator that has judged other turns, with other tools,
// records or none, says of a turn what a new one says.
func TestNoTurnLeavesATrace(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	domains, err := labelled.Domains()
	require.NoError(t, err)
	var turns []Case
	for _, domain := range domains {
		for i := 0; i < len(domain.Turns); i += 40 {
			turn := domain.Turns[i]
			read := Case{User: turn.User, Previous: turn.Previous, Text: turn.Text, Tools: domain.Tools,
				Records: ownRecords(turn.Calls, domain.Tools), Earlier: ownRecords(turn.Earlier, domain.Tools)}
			turns = append(turns, read)
			read.Earlier, read.Records, read.Tools = read.Records, nil, read.Tools[:len(read.Tools)/2]
			turns = append(turns, read, Case{User: turn.User, Text: turn.Text, Contract: Question()})
		}
	}
	random, used := rand.New(rand.NewPCG(7, 8)), newConversation()
	evaluator := New(nil)
	for range 3 {
		random.Shuffle(len(turns), func(i, k int) { turns[i], turns[k] = turns[k], turns[i] })
		for i := range turns {
			want := evaluator.judge(newConversation(), &turns[i])
			require.Equal(t, want, evaluator.judge(used, &turns[i]), "%s", turns[i].Text)
		}
	}
}

// TestManyRecords: more records than a word has bits, and more strange tools than are
// read, are told apart.
func TestManyRecords(t *testing.T) {
	tools := benchTools()
	turn := Case{User: "Please update the shipping addresses.", Tools: tools}
	for i := range 150 {
		turn.Earlier = append(turn.Earlier, record("list_tasks succeeded {}", tools))
		if i%2 == 0 {
			turn.Earlier[i].Tool = "strange_" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		}
	}
	turn.Records = []*tooltrack.Record{
		record(`update_shipping_address succeeded {"order_id":"W7000001","street":"12 High Street"}`, tools),
		record(`update_shipping_address succeeded {"order_id":"W7000002","street":"9 Garden Street"}`, tools),
	}
	evaluator := New(nil)
	for i, text := range []string{"I've updated the address to High Street.", "I've updated the address to Garden Street."} {
		turn.Text = text
		v := evaluator.Evaluate(turn)
		require.Len(t, v.Claims, 1)
		require.Same(t, turn.Records[i], v.Claims[0].By)
	}
}
