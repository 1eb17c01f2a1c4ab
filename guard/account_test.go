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

// TestAccountsAreForPeople: each line once, and facts without advice to the model.
func TestAccountsAreForPeople(t *testing.T) {
	loop := make([]guardtest.Step, 40)
	for i := range loop {
		loop[i] = guardtest.Call(lists())
	}
	claims := guardtest.Say("I've added Milk.")
	for name, c := range map[string]struct {
		steps []guardtest.Step
		has   string
		hasNo []string
	}{
		"a loop":               {loop, "4. Call mom (32 times)", nil},
		"an argument is amiss": {[]guardtest.Step{guardtest.Call(guardtest.Tool("add_task", `{"titel":"Milk"}`)), claims, claims, claims, claims}, "Not allowed to add", []string{"send it", "it takes"}},
		"no such tool":         {[]guardtest.Step{guardtest.Call(guardtest.Tool("make_task", `{"title":"Milk"}`)), claims, claims, claims, claims}, `there is no tool "make_task"`, []string{"complete_task", "the tools are"}},
		"a panic":              {[]guardtest.Step{guardtest.Call(guardtest.Tool("add_task", `{"title":"panic; now"}`)), claims, claims, claims, claims}, "the tool broke down", []string{"goroutine 7", "panicked"}},
		"a filter":             {[]guardtest.Step{{Response: guard.Response{Stop: guard.StopFiltered}}}, "withheld by the provider's filter", []string{"cut off"}},
		"a refusal":            {[]guardtest.Step{{Response: guard.Response{Stop: guard.StopRefused}}}, "refused to answer", []string{"cut off"}},
		"a refusal in words":   {[]guardtest.Step{{Response: guard.Response{Stop: guard.StopRefused, Refusal: "I can't help with that."}}}, "I can't help with that.", []string{"cut off"}},
		"cut off":              {[]guardtest.Step{{Response: guard.Response{Stop: guard.StopCut}}}, "cut off", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			run := guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
				if strings.Contains(string(call.Args), "panic") {
					panic("goroutine 7: nil map")
				}
				return w.Execute(ctx, call)
			})
			reply, err := guardFor(t, w, nil).Run(context.Background(), guardtest.Script(c.steps...), run, ask("add a task Milk"))
			require.Error(t, err)
			require.Contains(t, reply.Account, c.has)
			for _, word := range c.hasNo {
				require.NotContains(t, reply.Account, word)
			}
			require.LessOrEqual(t, strings.Count(reply.Account, "\n"), 3)
		})
	}
}

// TestADenialQuotesWholeValues, semicolons and all.
func TestADenialQuotesWholeValues(t *testing.T) {
	w := newWorld()
	steps := []guardtest.Step{guardtest.Call(guardtest.Tool("make;task", `{}`)), guardtest.Say("Done."), guardtest.Say("Done."), guardtest.Say("Done.")}
	reply, _ := guardFor(t, w, nil).Run(context.Background(), guardtest.Script(steps...), w, ask("add a task Milk"))
	require.Contains(t, reply.Account+reply.Text, `there is no tool "make;task"`)
}
