package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// presumed are the rules by which a text falls whose author is not asked, and the
// pieces of it that do.
func (q *question) presumed() map[string]string {
	rules := map[string]string{}
	for _, fault := range proof.Presume(q.turn()) {
		rules[fault.Rule] = fault.Words
	}
	return rules
}

// TestTheRecordsSpeakForAText whose author does not answer: what a call shows, and what
// is general, is shown; what no answer could show is not.
func TestTheRecordsSpeakForAText(t *testing.T) {
	const said = "the tea kettle is off your list"
	q := question{user: "cancel the tea kettle", draft: said + ".", records: list(canceled), due: true, acting: true,
		asked: []completion.Claim{doubt(said)}}
	require.Empty(t, q.presumed(), "the call that comes closest shows it")
	q.records = list(found)
	q.asked[0].Text, q.draft = "I have cancelled the tea kettle", "I have cancelled the tea kettle."
	require.Contains(t, q.presumed(), "unproven claim", "no call did it")
	q.records = list(call("cancel_order", `{"order":"tea kettle"}`, tooltrack.Failed, "too late"))
	require.NotEmpty(t, q.presumed(), "the call failed")

	const fact = "kettles boil water"
	q = question{user: "what do kettles do?", draft: fact + ".", asked: []completion.Claim{doubt(fact)}}
	require.Empty(t, q.presumed(), "it is general")
	q = question{user: "tell the people about it", draft: "They all know by now.", records: list(call("send_message", `{"to":"x"}`, tooltrack.Succeeded, `{}`)),
		asked: []completion.Claim{doubt("They all know by now")}, due: true, acting: true}
	require.Empty(t, q.presumed(), "no call comes close, and one may be meant")
	q.records = list(queued)
	require.NotEmpty(t, q.presumed(), "it waits")
}
