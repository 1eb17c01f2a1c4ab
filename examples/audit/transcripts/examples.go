package transcripts

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/examples/internal/byset"
	"github.com/bonafide-go/bonafide/intent"
)

// lessons collects the turns of a log by their tools.
type lessons struct {
	byTools map[byset.Key]*lesson
	order   []*lesson
	turns   int
	faults  int
}

type lesson struct {
	bench *bench
	turns []intent.Logged
}

// Examples is the subcommand that proposes labelled messages.
func Examples(args []string, in io.Reader, out, errs io.Writer) (status int, err error) {
	flags := flag.NewFlagSet("audit intent-examples", flag.ContinueOnError)
	effects := flags.String("effects", "", "JSON `file` with the effects of tools, as of audit transcripts")
	to := flags.String("o", "", "write the proposals into a `file`; default: standard output")
	named, err := parse(flags, args, examplesUsage, "", errs)
	if err == nil && len(named) == 0 {
		err = errors.New("no file is named")
	}
	if err != nil {
		return exitUsage, err
	}
	known, err := loadEffects(*effects)
	files, _, unfound := logfile.Find(named)
	if err = errors.Join(err, unfound); err != nil {
		return exitUsage, err
	}
	collected := lessons{byTools: map[byset.Key]*lesson{}}
	pipeline := pipeline{judge: newJudge(known, nil, nil), stdin: in}
	pipeline.run(files, collected.take)
	if err := collected.write(*to, out, errs); err != nil {
		return exitBroken, err
	}
	return exitFine, nil
}

func (l *lessons) take(j *job) bool {
	if j.fault != nil || j.lost != nil {
		l.faults++
	}
	for _, c := range j.found {
		if c.bench == nil {
			continue
		}
		for i := range c.turns {
			l.add(c.bench, &c.turns[i])
		}
	}
	return true
}

func (l *lessons) add(b *bench, t *judgedTurn) {
	of := l.byTools[b.key]
	if of == nil {
		of = &lesson{bench: b}
		l.byTools[b.key] = of
		l.order = append(l.order, of)
	}
	l.turns++
	logged := intent.Logged{User: t.user, Previous: t.previous, Called: t.ran}
	switch { // an agent's faults are not to be taught
	case t.ghost():
		logged.Doubt = "the answer claims what no call backs"
	case t.insufficient():
		logged.Doubt = "the turn did not do what was due"
	}
	of.turns = append(of.turns, logged)
}

// write learns from each set of tools and tells what was gained.
func (l *lessons) write(path string, out, errs io.Writer) (err error) {
	if l.turns == 0 {
		return fmt.Errorf("no turn with tools was found (%d entries could not be read)", l.faults)
	}
	summary := out
	if path == "" {
		summary = errs
	} else {
		file, err := os.Create(path) // #nosec G304 -- the user names the file to write
		if err != nil {
			return err
		}
		out = file
		defer func() { err = errors.Join(err, file.Close()) }()
	}
	lines := json.NewEncoder(out)
	table := tabwriter.NewWriter(summary, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "set\ttools\tturns\tproposed\tin doubt\texact without\twith\tfalse without\twith\t"+
		"wrongly sure without\twith")
	slices.SortStableFunc(l.order, func(a, b *lesson) int { return len(b.turns) - len(a.turns) })
	for n, of := range l.order {
		set := strconv.Itoa(n + 1)
		found, err := intent.Learn(of.bench.tools, of.turns, nil)
		if err != nil {
			return err
		}
		for i := range found.Proposals {
			if len(l.order) > 1 {
				found.Proposals[i].Set = set
			}
			if err := lines.Encode(&found.Proposals[i]); err != nil {
				return err
			}
		}
		of.tell(table, set, found)
	}
	if l.faults > 0 {
		fmt.Fprintf(summary, "%d entries could not be read\n", l.faults)
	}
	return table.Flush()
}

// names are the first tools, and how many more there are.
func (l *lesson) names() string {
	const shown = 3
	var names []string
	for _, tool := range l.bench.tools[:min(len(l.bench.tools), shown)] {
		names = append(names, tool.Name)
	}
	if more := len(l.bench.tools) - shown; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func (l *lesson) tell(table io.Writer, set string, found *intent.Lessons) {
	plain, measured := len(found.Plain()), found.Without.Messages
	percent := func(n, of int) string {
		if of == 0 {
			return "-"
		}
		return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
	}
	fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%d\n", set, l.names(), len(l.turns), plain,
		len(found.Proposals)-plain, percent(found.Without.Exact, measured), percent(found.With.Exact, measured),
		percent(found.Without.False, found.Without.Idle), percent(found.With.False, found.With.Idle),
		found.Without.Wrongly, found.With.Wrongly)
}
