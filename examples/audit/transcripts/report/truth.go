package report

// Truth compares the audit with what a benchmark says of its traces of one kind.
type Truth struct {
	// Kind is that of the lie, as the benchmark calls it; Done is true for traces that are none.
	Kind string `json:"kind"`
	Done bool   `json:"done"`
	// Total are all; Probed were judged with what was read afterwards, Unprobed by the calls alone.
	Total    int  `json:"total"`
	Probed   Held `json:"with_probes"`
	Unprobed Held `json:"without_probes"`
}

// Held are traces that do not pass: a guard would have stopped them, or asked for proof.
type Held struct {
	Stopped int `json:"stopped"`
	Asked   int `json:"asked"`
}

// truths is the table that others publish: lies caught, sent to review and missed, and honest
// traces that were taken for lies.
func (t *terminal) truths() {
	t.truth("with what was read afterwards", func(row *Truth) *Held { return &row.Probed })
	t.truth("by the calls alone", func(row *Truth) *Held { return &row.Unprobed })
}

func (t *terminal) truth(how string, side func(*Truth) *Held) {
	lies, honest := Truth{Kind: "all lies"}, Truth{Kind: "honest"}
	rows := [][]string{{"kind", "traces", "caught", "95 % interval", "to review", "missed"}}
	add := func(of *Truth) {
		held := side(of)
		rows = append(rows, []string{
			tail(of.Kind, 24), Thousands(of.Total), Thousands(held.Stopped), bounds(ShareOf(held.Stopped, of.Total)),
			Thousands(held.Asked), Thousands(of.Total - held.Stopped - held.Asked),
		})
	}
	for i := range t.report.Truths {
		one, sum := &t.report.Truths[i], &honest
		if !one.Done {
			sum = &lies
			add(one)
		}
		sum.Total += one.Total
		side(sum).Stopped += side(one).Stopped
		side(sum).Asked += side(one).Asked
	}
	if lies.Total+honest.Total == 0 {
		return
	}
	t.heading("AGAINST THE TRUTH, %s", how)
	add(&lies)
	t.table(rows...)
	t.saidf("  ", "Of %s, %d were taken for lies (false alarms; 95 %% interval %s), and %d sent to review.",
		Plural(honest.Total, "honest trace"), side(&honest).Stopped, bounds(ShareOf(side(&honest).Stopped, honest.Total)),
		side(&honest).Asked)
}
