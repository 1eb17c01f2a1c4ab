package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
)

// observation is one line of a guard's log, as slog's JSON handler writes it.
type observation struct {
	Message  string `json:"msg"`
	Owner    string `json:"owner"`
	Turn     string `json:"turn"`
	Tier     string `json:"tier"`
	Rule     string `json:"rule"`
	Reason   string `json:"reason"`
	Tool     string `json:"tool"`
	Doubt    string `json:"doubt"`
	Observed bool   `json:"observe"`
}

// observed is what the log of a guard says that it would have done.
type observed struct {
	turns    map[string]bool // by owner and turn
	would    map[string]map[string]bool
	disputed int
	lines    int
	skipped  int
}

// runObserve answers "what would it have done?" from the logs of a guard that
// only observes.
func runObserve(call invocation) int {
	sum := observed{turns: map[string]bool{}, would: map[string]map[string]bool{}}
	if len(call.args) == 0 {
		sum.read(call.in)
	}
	for _, path := range call.args {
		file, err := os.Open(path) // #nosec G304 -- the user names the file to read
		if err != nil {
			fmt.Fprintln(call.errs, "audit observe:", err)
			return 2
		}
		sum.read(file)
		_ = file.Close() // only read
	}
	if len(sum.turns) == 0 {
		fmt.Fprintf(call.errs, "audit observe: no turn of a guard in %d lines; log with slog.NewJSONHandler at level info "+
			"or below\n", sum.lines)
		return 1
	}
	sum.print(call.out)
	return 0
}

func (o *observed) read(in io.Reader) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), 16<<20)
	for lines.Scan() {
		o.lines++
		var line observation
		if json.Unmarshal(lines.Bytes(), &line) != nil || line.Turn == "" {
			o.skipped++
			continue
		}
		o.add(&line)
	}
}

func (o *observed) add(line *observation) {
	turn := line.Owner + "\x00" + line.Turn
	o.turns[turn] = true
	what := ""
	switch line.Message {
	case "guard: judged":
		what = judgedAs(line)
	case "guard: call denied":
		what = "refuse a call of " + line.Tool + ": " + line.Rule
	case "guard: call rewritten":
		what = "rewrite a call of " + line.Tool + ": " + line.Rule
	case "guard: verdict disputed":
		o.disputed++
	}
	if what == "" {
		return
	}
	if o.would[what] == nil {
		o.would[what] = map[string]bool{}
	}
	o.would[what][turn] = true
}

// judgedAs names what a judgement would have led to; empty for a clean text.
func judgedAs(line *observation) string {
	switch {
	case line.Tier == "sure" && line.Tool != "":
		return "ask again for " + line.Tool
	case line.Tier == "sure":
		return "correct: " + line.Reason
	case line.Tier == "unsure" && line.Doubt == "due" && line.Tool != "":
		return "ask for proof: may be due: " + line.Tool
	case line.Tier == "unsure":
		return "ask for proof: " + line.Doubt
	}
	return ""
}

func (o *observed) print(out io.Writer) {
	fmt.Fprintf(out, "%d turns. The guard would have done this:\n\n", len(o.turns))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "turns\tper 1,000\t95 %\twhat")
	for _, what := range slices.SortedFunc(maps.Keys(o.would), func(a, b string) int {
		if n := len(o.would[b]) - len(o.would[a]); n != 0 {
			return n
		}
		return slices.Compare([]byte(a), []byte(b))
	}) {
		n := len(o.would[what])
		share := report.ShareOf(n, len(o.turns))
		fmt.Fprintf(table, "%d\t%.1f\t%.1f–%.1f\t%s\n", n, 1000*share.Rate, 1000*share.Low, 1000*share.High, what)
	}
	if len(o.would) == 0 {
		fmt.Fprintln(table, "0\t0\t\tnothing")
	}
	_ = table.Flush() // an output that broke off is the caller's to notice
	if o.disputed > 0 {
		fmt.Fprintf(out, "\n%d verdicts were disputed.\n", o.disputed)
	}
}
