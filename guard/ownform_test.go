package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestAnHonestAnswerMayHaveItsOwnForm: what it rests on is understood the first time. What
// cites nothing, and the draft once more with whatever numbers it has, says nothing.
func TestAnHonestAnswerMayHaveItsOwnForm(t *testing.T) {
	const draft = "Read book is gone, as #1 of your list."
	for answer, calls := range map[string]int{
		"Read book was deleted [1].": 3,
		"Read book was deleted (record #1). The answer is right as it stands.":               3,
		"| Claim | Status | Record |\n|---|---|---|\n| Read book is gone | supported | #1 |": 3,
		`[{"claim":"Read book is gone","verdict":"confirmed","evidence":["#1"]}]`:            3,
		"- claim: Read book is gone\n  evidence: call 1":                                     3,
		"I deleted it, believe me.":                                                          4,
		draft:                                                                                4,
		"Read book was deleted [4].":                                                         4,
	} {
		w := newWorld()
		model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(draft), guardtest.Say(answer), guardtest.Say(kept))
		reply, err := unsureWorld(t, w, nil).Run(context.Background(), model, w, ask("get rid of Read book"))
		require.NoError(t, err, answer)
		require.Equal(t, draft, reply.Text, answer)
		require.Equal(t, calls, model.Calls(), answer)
		require.NotEmpty(t, reply.Proof.Sentences[0].Records, answer)
		require.Equal(t, completion.WorkDone, reply.Verdict.Reason, answer)
	}
}
