package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
)

// observation is one line of a guard's log, as slog's JSON handler writes it.
type observation struct {
	Message string `json:"msg"`
	Owner   string `json:"owner"`
	Turn    string `json:"turn"`
	// Observed is true for what the guard would have done and false for what it did;
	// lines that tell neither have none.
	Observed *bool `json:"observe"`
	// Measures are what it did or would have done: "re-ask delete_task".
	Measures []string `json:"measures"`
}

// observed is what the logs of guards say that they would have done, or did.
type observed struct {
	turns      map[string]bool // by owner and turn
	would, did tally
	disputed   int
	lines      int
}

// tally are the turns of each measure, and under an empty one all that are known.
type tally map[string]map[string]bool

func (t tally) add(measure, turn string) {
	if t[measure] == nil {
		t[measure] = map[string]bool{}
	}
	t[measure][turn] = true
}

// runObserve says from its logs what a guard that only observes would have done, and apart from it what another did.
func runObserve(files []string, in io.Reader, out, _ io.Writer) (int, error) {
	sum := observed{turns: map[string]bool{}, would: tally{}, did: tally{}}
	if len(files) == 0 {
		files = []string{logfile.Stdin}
	}
	for _, name := range files {
		if err := sum.read(name, in); err != nil { // what was read so far would be told as the whole
			return 2, err
		}
	}
	if len(sum.turns) == 0 {
		return 1, fmt.Errorf("no turn of a guard in %d lines; log with slog.NewJSONHandler at level info or below", sum.lines)
	}
	sum.print(out)
	return 0, nil
}

func (o *observed) read(name string, stdin io.Reader) error {
	reader, closer, err := logfile.Open(name, stdin)
	if err != nil {
		return err
	}
	defer closer.Close()
	var fault error
	err = logfile.ReadLines(reader, 0, func(piece logfile.Piece) bool {
		if o.lines++; piece.Fault != nil {
			fault = fmt.Errorf("%s, line %d: %w", name, piece.Line, piece.Fault)
		}
		var line observation
		if json.Unmarshal(piece.Data, &line) == nil && line.Turn != "" {
			o.add(&line)
		}
		return fault == nil
	})
	return errors.Join(fault, err)
}

func (o *observed) add(line *observation) {
	turn := line.Owner + "\x00" + line.Turn
	o.turns[turn] = true
	if line.Message == "guard: verdict disputed" {
		o.disputed++
	}
	if line.Observed == nil || !strings.HasPrefix(line.Message, "guard: ") {
		return
	}
	tally := o.did
	if *line.Observed {
		tally = o.would
	}
	for _, measure := range append([]string{""}, line.Measures...) {
		tally.add(measure, turn)
	}
}

func (o *observed) print(out io.Writer) {
	if len(o.did[""]) == 0 && len(o.would[""]) == 0 {
		fmt.Fprintf(out, "%d turns, and no judgement of any.\n", len(o.turns))
	}
	if len(o.would[""]) > 0 {
		fmt.Fprintf(out, "%d turns. The guard would have done this:\n\n", len(o.would[""]))
		o.would.print(out, true)
	}
	if len(o.did[""]) > 0 {
		if len(o.would[""]) > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%d turns with a fault, of a guard that enforces. It acted on this:\n\n", len(o.did[""]))
		o.did.print(out, false)
	}
	if o.disputed > 0 {
		fmt.Fprintf(out, "\n%d verdicts were disputed.\n", o.disputed)
	}
}

// print lists the measures, the most frequent first. Shares need all turns, which only a guard that observes logs.
func (t tally) print(out io.Writer, shares bool) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if shares {
		fmt.Fprintln(table, "turns\tper 1,000\t95 %\twhat")
	} else {
		fmt.Fprintln(table, "turns\twhat")
	}
	for _, what := range slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(len(t[b])-len(t[a]), strings.Compare(a, b))
	}) {
		n := len(t[what])
		if what == "" {
			continue
		}
		if !shares {
			fmt.Fprintf(table, "%d\t%s\n", n, what)
			continue
		}
		share := report.ShareOf(n, len(t[""]))
		fmt.Fprintf(table, "%d\t%.1f\t%.1f–%.1f\t%s\n", n, 1000*share.Rate, 1000*share.Low, 1000*share.High, what)
	}
	if len(t) == 1 && shares {
		fmt.Fprintln(table, "0\t0\t\tnothing")
	}
	_ = table.Flush() // an output that broke off is the caller's to notice
}
