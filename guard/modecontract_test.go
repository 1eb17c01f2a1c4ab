package guard_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
)

// TestAModesContractIsTheOnlyDemand: where a mode says when a turn is done, the
// words of the request demand no tool beside it. What the text claims is judged
// as ever.
func TestAModesContractIsTheOnlyDemand(t *testing.T) {
	advice := "You could finish Read book first and tidy up afterwards."
	analysis, parts := completion.Analysis(), completion.Action(completion.Parts())
	modes := []guard.Mode{
		{Mode: policy.Mode{Name: "think", Calls: policy.Unlimited}, Contract: &analysis},
		{Mode: policy.Mode{Name: "look", Calls: policy.Unlimited}, Contract: &analysis, Tools: []string{"list_tasks"}},
		{Mode: policy.Mode{Name: "all parts", Calls: policy.Unlimited}, Contract: &parts},
		{Mode: policy.Mode{Name: "plain", Calls: policy.Unlimited}},
	}
	cases := []struct {
		mode, text string
		want       error
		asked      int
	}{
		{"", advice, nil, 2}, // it was told to call the tool, or to say why not
		{"plain", advice, nil, 2},
		{"think", advice, nil, 1},
		{"look", advice, nil, 1},
		{"think", lie, guard.ErrInsufficientProgress, 3},
		{"all parts", advice, guard.ErrInsufficientProgress, 3}, // this contract asks for the expected tools itself
	}
	for _, c := range cases {
		t.Run(c.mode+": "+c.text, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.Modes = modes })
			input := ask("delete Read book")
			input.Mode = c.mode
			says := guardtest.Say(c.text)
			model := guardtest.Script(says, says, says, says)
			reply, err := g.Run(context.Background(), model, w, input)
			if !errors.Is(err, c.want) || (err == nil) != strings.HasPrefix(reply.Text, c.text) || model.Calls() != c.asked {
				t.Errorf("%q after %d calls: %v", reply.Text, model.Calls(), err)
			}
		})
	}
}
