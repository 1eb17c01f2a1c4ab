package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestAdviceDoesNotContradictItself: what the model was told not to repeat, because nobody
// knows whether it took effect, it is not told to try again. What has plainly failed it may.
func TestAdviceDoesNotContradictItself(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		again bool
	}{
		"an unknown fate": {tooltrack.ErrOutcomeUnknown, false},
		"a plain failure": {tooltrack.NotDone(context.DeadlineExceeded), true},
	} {
		g, err := guard.New(officeTools(), nil)
		require.NoError(t, err)
		pay := guardtest.Tool("pay_invoice", `{"id":"17"}`)
		model := guardtest.Script(guardtest.Call(pay), guardtest.Say("Invoice 17 is the one from March."),
			guardtest.Say("It is not known whether invoice 17 was paid, because the call failed."))
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return nil, c.err })
		_, _ = g.Run(t.Context(), model, executor, guard.Input{User: "pay invoice 17"})
		var told []string
		for _, request := range model.Requests() {
			told = append(told, request.Messages[len(request.Messages)-1].Text)
		}
		require.Greater(t, len(told), 2, "%s: the text is corrected: %q", name, told)
		invited := strings.Contains(told[2], "Try it again") || strings.Contains(told[2], "Make the call now")
		require.Equal(t, c.again, invited, "%s: %q", name, told)
	}
}

// TestAClaimOfUnknownFate: who tells as done what may or may not have taken effect is told to look,
// or to say that it is unknown, and is not invited to make the call once more. It runs once.
func TestAClaimOfUnknownFate(t *testing.T) {
	for _, claim := range []string{"I've paid invoice 17.", "Invoice 17 has been paid.", "Done!", "Invoice 17 is settled now."} {
		g, err := guard.New(officeTools(), nil)
		require.NoError(t, err)
		pay := guardtest.Tool("pay_invoice", `{"id":"17"}`)
		model := guardtest.Script(guardtest.Call(pay), guardtest.Say(claim), guardtest.Call(pay),
			guardtest.Say("It is not known whether the payment of invoice 17 took effect."))
		ran := 0
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
			ran++
			return nil, tooltrack.ErrOutcomeUnknown
		})
		reply, _ := g.Run(t.Context(), model, executor, guard.Input{User: "pay invoice 17"})
		require.Equal(t, 1, ran, claim)
		require.NotContains(t, reply.Text, claim)
		require.Greater(t, len(model.Requests()), 2, "%s is not accepted", claim)
		messages := model.Requests()[2].Messages
		told := messages[len(messages)-1].Text
		for _, again := range []string{"Make the call", "Try it again", "call the tool"} {
			require.NotContains(t, told, again)
		}
		require.Regexp(t, `Look how it stands now, or tell the user only .*may or may not|[Oo]r look up what is missing`, told)
	}
}
