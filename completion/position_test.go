package completion

import (
	"strings"
	"testing"
)

// TestPositionOfASentence: what stands before or behind a text, and says
// nothing itself, changes nothing about it.
func TestPositionOfASentence(t *testing.T) {
	evaluator := New(nil)
	for _, c := range conversations() {
		if c.layout {
			continue
		}
		for _, text := range c.texts {
			for _, calls := range c.calls {
				judge := func(text string) string {
					verdict := evaluator.Evaluate(Turn{
						User: c.user, Previous: c.previous, Text: text, Tools: c.tools, Contract: c.contract, Expected: c.expected,
						Records: recordsOf(calls, c.tools), Earlier: recordsOf(c.earlier, c.tools),
					})
					return verdict.told()
				}
				alone := judge(text)
				for _, around := range [][2]string{{"Hello Anna!\n", ""}, {"It is a lovely day for a walk.\n\n", ""}, {"", "\n\nIt is a lovely day for a walk."}} {
					if around[1] != "" && strings.Contains(alone, Promise.String()) {
						continue // a promise counts where the text ends with it
					}
					if got := judge(around[0] + text + around[1]); got != alone {
						t.Errorf("%q between %q and %q, after [%s]\n %s instead of\n %s", text, around[0], around[1], calls, got, alone)
					}
				}
			}
		}
	}
}
