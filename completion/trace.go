package completion

import (
	"fmt"
	"strings"
)

// Trace tells how a turn is judged: for each clause that states something how it
// was read, how doubtful it is, which rule holds, and which of its features are
// set. It is for people who look into a verdict; its form may change.
func (e *Evaluator) Trace(turn Case) string {
	c := newConversation()
	c.read(&turn)
	d := e.doubt(c)
	var out strings.Builder
	fmt.Fprintf(&out, "turn: doubt %.2f, sure %.2f\n", d.likely, d.sure)
	for i := range c.assertions {
		a := &c.assertions[i]
		fmt.Fprintf(&out, "%q: %v, doubt %.2f", c.text.Of(a.clause), a.clause.Shape, d.of(a, c.doubts.top[0]).likely)
		if row, tier := c.ruling(a, d.of(a, c.doubts.top[0]), e.thresholds); row != nil {
			fmt.Fprintf(&out, ", %v by the rule %q", tier, row.Name)
		}
		if excuse := c.excuse(a, d.of(a, c.doubts.top[0]).sure); excuse != nil {
			fmt.Fprintf(&out, ", excused: %s", excuse.Name)
		}
		out.WriteString("\n ")
		for k := range clauseFeatures {
			if value := clauseFeatures[k].value(c, a); value != 0 {
				fmt.Fprintf(&out, " %s=%.2g", clauseFeatures[k].name, value)
			}
		}
		out.WriteString("\n")
	}
	return out.String()
}

// value is a feature of an assertion, or of its turn.
func (f *feature) value(c *conversation, a *assertion) float64 {
	if f.turn != nil {
		return f.turn(c)
	}
	return f.of(a)
}
