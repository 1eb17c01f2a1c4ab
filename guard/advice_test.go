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
		"an unknown fate": {guard.ErrOutcomeUnknown, false},
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
