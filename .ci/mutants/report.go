package main

import (
	"fmt"
	"io"
)

// report lists what no test noticed, and sums up. Efficacy is killed of killed
// and lived, as gremlins has it: what loops for ever would be noticed by
// people, and what no test reaches is a matter of coverage.
func report(out io.Writer, mutants []*mutant) error {
	sum := map[fate]int{}
	for _, m := range mutants {
		sum[m.fate] += m.weight
		if m.fate == killed || m.fate == skipped {
			continue
		}
		if _, err := fmt.Fprintf(out, "%-11s %s:%d:%d %s -> %s | %s\n", m.fate, m.file, m.line, m.column, m.from, m.to,
			m.source); err != nil {
			return err
		}
	}
	efficacy := 100 * float64(sum[killed]) / max(1, float64(sum[killed]+sum[lived]))
	_, err := fmt.Fprintf(out, "killed %d, lived %d, timed out %d, not covered %d, skipped %d: efficacy %.1f %%\n",
		sum[killed], sum[lived], sum[timedOut], sum[notCovered], sum[skipped], efficacy)
	return err
}
