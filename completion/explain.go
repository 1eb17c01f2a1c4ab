package completion

import (
	"fmt"
	"math"
	"strings"
)

// Explain tells how a turn is judged, for people who look into a verdict: the outcome and its reason, the steps
// that led to each claim's tier with the record that it was held against, and for each clause that states something
// the features that weigh most. Its form may change.
func (e *Evaluator) Explain(turn Case) string {
	c := newConversation()
	v := e.judge(c, &turn)
	var out strings.Builder
	fmt.Fprintf(&out, "%v: %v\n", v.Outcome, v.Reason)
	for _, step := range v.Steps {
		fmt.Fprintln(&out, step)
	}
	for i := range v.Claims {
		v.Claims[i].explain(&out)
	}
	for i := range c.assertions {
		e.weigh(&out, c, &c.assertions[i])
	}
	return out.String()
}

// explain tells which record a claim was held against.
func (c *Claim) explain(out *strings.Builder) {
	switch {
	case c.By != nil:
		fmt.Fprintf(out, "%q is backed by %s %s\n", c.Text, c.By.Tool, c.By.Args)
	case c.Nearest != nil:
		fmt.Fprintf(out, "%q: %s; the nearest record is %s %s\n", c.Text, c.Fault, c.Nearest.Tool, c.Nearest.Args)
	case c.Fault != "":
		fmt.Fprintf(out, "%q: %s\n", c.Text, c.Fault)
	}
}

// weigh tells how a clause was read, and which of its features change its doubt much.
func (e *Evaluator) weigh(out *strings.Builder, c *conversation, a *assertion) {
	c.ofClause = c.vector(c.ofClause, clauseFeatures)
	a.vectorOf(clauseFeatures, c.ofClause)
	const much = 0.05
	forest := e.models().clause
	doubt := forest.Probability(c.ofClause)
	fmt.Fprintf(out, "%q reads as %v, doubt %.2f", c.text.Of(a.clause), a.clause.Shape, doubt)
	for i, value := range c.ofClause {
		c.ofClause[i] = 0
		if by := doubt - forest.Probability(c.ofClause); value != 0 && math.Abs(by) >= much {
			fmt.Fprintf(out, ", %s=%.2g (%+.2f)", clauseFeatures[i].name, value, by)
		}
		c.ofClause[i] = value
	}
	out.WriteByte('\n')
}
