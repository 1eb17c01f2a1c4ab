// Package transcripts answers one question: how often does my agent lie today?
//
// It reads conversations as they lie in people's logs, whatever provider, framework or tracer
// wrote them (see package formats). Each conversation is cut into turns, and each turn is judged
// by the guard that would stand in production, so the audit and the guard cannot disagree.
//
//	audit transcripts -html report.html logs/
//
// A log holds messages, not executions. A result that a message reports is believed as far as its
// text goes, and counted as reported; only a result that comes with a record of a ledger
// ("records" beside "messages") counts as executed. A call without a result backs nothing. A turn
// whose calls cannot be seen is not judged, and nobody is accused of it.
//
// What the guard is sure of and what it would only ask proof of are told apart
// in every report and in the exit status.
//
// Conversations are judged side by side and counted in the order in which they were read, so a
// report is the same on every machine. Memory does not grow with the input: one conversation may
// have up to [MaxConversation] bytes, a few are under way at a time, and of the findings only
// those that a report shows are kept. What cannot be read is counted and skipped, with its line.
//
// [StopHook] judges the one turn that a coding agent is about to end.
package transcripts

import (
	"bufio"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
)

// Exit statuses.
const (
	exitFine   = 0
	exitBroken = 1 // input or output broke off, or there was nothing to judge
	exitUsage  = 2
	exitGhosts = 3 // more ghosts than -max-ghosts allows: the audit is sure of them
	exitUnsure = 4 // more turns than -max-unsure allows of which it is not sure
)

// settings are the command line.
type settings struct {
	files      []string
	effects    string
	probes     string
	fail, deny *regexp.Regexp
	by         string
	json       bool
	html       string
	show       int
	maxGhosts  int
	maxUnsure  int
	referee    string
}

const exits = `
exit status: 0 fine; 1 input or output broke off, or no turn was found;
2 called wrongly; 3 more ghosts than -max-ghosts allows; 4 more unsure turns
than -max-unsure allows
`

// Run is the subcommand: it reads its flags, judges the files and writes the
// report. It returns the exit status, and what is to be told of it.
func Run(args []string, in io.Reader, out, errs io.Writer) (status int, err error) {
	s, err := parseFlags(args, errs)
	if err != nil {
		return exitUsage, err
	}
	known, err := loadEffects(s.effects)
	probes, unread := loadProbes(s.probes)
	if err = errors.Join(err, unread); err != nil {
		return exitUsage, err
	}
	judge := newJudge(known, s.fail, s.deny)
	judge.probes = probes
	a := &auditor{settings: s, out: out, errs: errs, totals: newTotals(), pipeline: pipeline{judge: judge, stdin: in}}
	if s.referee != "" {
		source, err := stage.Open(s.referee, nil, nil)
		if err != nil {
			return exitUsage, fmt.Errorf("-referee: %w", err)
		}
		judge.referee = &referee{model: source.Model(""), rest: time.Sleep}
		a.pipeline.workers = max(refereeAtOnce, runtime.GOMAXPROCS(0))
	}
	return a.run()
}

func parseFlags(args []string, errs io.Writer) (*settings, error) {
	s := &settings{}
	flags := flag.NewFlagSet("audit transcripts", flag.ContinueOnError)
	flags.StringVar(&s.effects, "effects", "", `JSON `+"`file`"+
		` with the effects of tools: {"list_tasks":"reads","delete_task":"changes"}; default: guessed from names`)
	flags.StringVar(&s.probes, "probes", "", "`file` of what was read of the world afterwards, "+
		`one {"conversation":…,"tool":…,"args":…,"output":…} a line`)
	flags.Func("fail-pattern", "`regexp` that tells a failed result by its text, beside the built-in rule",
		compiled(&s.fail))
	flags.Func("deny-pattern", "`regexp` that tells a call that was not allowed by the text of its result",
		compiled(&s.deny))
	flags.StringVar(&s.by, "by", "", "table by `model or file`; default: by model if the logs name one")
	flags.BoolVar(&s.json, "json", false, "write findings and report as one JSON object")
	flags.StringVar(&s.html, "html", "", "write the report as a page into a `file`, too")
	flags.IntVar(&s.show, "show", 10, "how many findings of a kind the terminal shows")
	flags.IntVar(&s.maxGhosts, "max-ghosts", -1,
		"exit with status 3 if there are more ghosts than this `number`; default: no limit")
	flags.IntVar(&s.maxUnsure, "max-unsure", -1,
		"exit with status 4 if there are more unsure turns than this `number`; default: no limit")
	flags.StringVar(&s.referee, "referee", "",
		"ask a `model` about the unsure turns, at OPENAI_BASE_URL with OPENAI_API_KEY; default: none is asked")
	var err error
	if s.files, err = parse(flags, args, usage, exits, errs); err != nil {
		return nil, err
	}
	return s, s.check()
}

// parse reads flags, which may follow files, and returns the files. Its error is flag.ErrHelp where help was given.
func parse(flags *flag.FlagSet, args []string, before, after string, errs io.Writer) (files []string, err error) {
	flags.SetOutput(io.Discard)
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				fmt.Fprint(errs, before)
				flags.SetOutput(errs)
				flags.PrintDefaults()
				fmt.Fprint(errs, after)
			}
			return nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return files, nil
		}
		files, args = append(files, args[0]), args[1:]
	}
}

func (s *settings) check() error {
	switch {
	case len(s.files) == 0:
		return errors.New("no file to read; name one, or - for standard input (-h shows the flags)")
	case s.by != "" && s.by != "model" && s.by != "file":
		return fmt.Errorf("-by is %q; it should be model or file", s.by)
	case s.show < 0:
		return fmt.Errorf("-show is %d; it should be 0 or more", s.show)
	}
	return nil
}

// compiled is a flag with a pattern. An empty one is none.
func compiled(into **regexp.Regexp) func(string) error {
	return func(expression string) (err error) {
		if *into = nil; expression != "" {
			*into, err = regexp.Compile(expression)
		}
		return err
	}
}

// options are those of the reports.
func (s *settings) options() report.Options { return report.Options{By: s.by, Show: s.show} }

// statuses is the rule by which results are read, as the report states it.
func (s *settings) statuses() string {
	var rule strings.Builder
	rule.WriteString("A result counts as failed if the log says so beside it (is_error, a span's status), " +
		`if its JSON says so ("success":false, a non-null "error", a status of 400 or more, an exit code and the like), ` +
		`or if its text reads like an error ("Error …", "Failed …", a traceback); ` +
		`as pending if it says so; otherwise as succeeded.`)
	if s.fail != nil {
		fmt.Fprintf(&rule, " Host rule: failed if it matches %q.", s.fail)
	}
	if s.deny != nil {
		fmt.Fprintf(&rule, " Host rule: denied if it matches %q.", s.deny)
	}
	if s.fail == nil && s.deny == nil {
		rule.WriteString(" No host rule was given (-fail-pattern, -deny-pattern).")
	}
	return rule.String()
}

// What the subcommands say of themselves.
var (
	//go:embed usage/transcripts.txt
	usage string
	//go:embed usage/intent-examples.txt
	examplesUsage string
	//go:embed usage/stop-hook.txt
	stopHookUsage string
)

// Kept findings, for the page. All others are counted, and -json writes them all.
const (
	maxGhostFindings = 300
	maxOtherFindings = 100 // of each reason
)

// auditor wires the parts: it takes verdicts in order, sums them up, and writes the reports.
type auditor struct {
	*settings
	out, errs io.Writer
	pipeline  pipeline
	totals    *totals
	kept      report.Keeper
	stream    *report.Stream // nil without -json
	page      *os.File       // nil without -html
	broken    error          // reading or writing broke off
	unheard   error          // nobody takes what -json writes
}

func (a *auditor) run() (status int, err error) {
	if a.html != "" { // nobody wants to learn after an hour that a folder does not exist
		a.page, err = os.OpenFile(a.html, os.O_WRONLY|os.O_CREATE, 0o600) // #nosec G304 -- the user names the file
		if err != nil {
			return exitUsage, fmt.Errorf("%s cannot be written: %w", a.html, err)
		}
		defer a.page.Close()
	}
	files, passed, err := logfile.Find(a.files)
	if err != nil {
		return exitBroken, err
	}
	a.kept = report.NewKeeper(a.show, a.show)
	if a.page != nil {
		a.kept = report.NewKeeper(max(maxGhostFindings, a.show), max(maxOtherFindings, a.show))
	}
	if a.json {
		a.stream = report.NewStream(a.out)
	}
	a.totals.report.Sources, a.totals.report.Passed = a.files, passed
	a.totals.report.Statuses = a.statuses()
	a.pipeline.run(files, a.take)
	sum := a.totals.sum()
	a.write(sum)
	return a.status(sum)
}

// take receives one entry, in order. It returns false when going on makes no
// sense because nobody can hear the answer.
func (a *auditor) take(j *job) bool {
	switch {
	case j.lost != nil:
		fmt.Fprintf(a.errs, "audit transcripts: %v\n", j.lost)
		a.broken = errors.Join(a.broken, j.lost)
	case j.refused != nil:
		a.totals.refuse(j.at, j.refused)
	case j.fault != nil:
		a.totals.damage(j.at, j.fault)
	default:
		for _, c := range j.found {
			a.add(place{j.at.file, c.line}, c)
		}
	}
	return a.unheard == nil
}

func (a *auditor) add(at place, c *judged) {
	a.totals.add(at, c)
	for i := range c.turns {
		for _, finding := range c.turns[i].findings(at, c) {
			a.kept.Add(finding)
			if a.stream != nil {
				a.unheard = a.stream.Finding(finding)
			}
		}
	}
}

func (a *auditor) write(sum *report.Report) {
	told := func(what string, err error) {
		if err != nil {
			fmt.Fprintf(a.errs, "audit transcripts: writing %s: %v\n", what, err)
			a.broken = errors.Join(a.broken, err)
		}
	}
	if a.stream != nil {
		told("the report", a.stream.End(sum))
	} else {
		told("the report", report.WriteTerminal(a.out, sum, &a.kept, a.options()))
	}
	if a.page != nil {
		page := bufio.NewWriter(a.page)
		err := a.page.Truncate(0) // not before: an audit that is broken off leaves an older page alone
		told(a.html, errors.Join(err, report.WritePage(page, sum, &a.kept, a.options()), page.Flush()))
	}
}

// status is the exit status. An audit that saw nothing must not look like one that found nothing.
func (a *auditor) status(sum *report.Report) (int, error) {
	switch {
	case a.broken != nil:
		return exitBroken, nil // told already
	case sum.Turns == 0:
		return exitBroken, fmt.Errorf("no turn to judge in %d conversations (%d entries were damaged)%s",
			sum.Conversations, sum.Damaged, whyNot(sum))
	case a.maxGhosts >= 0 && sum.Ghosts > a.maxGhosts:
		return exitGhosts, fmt.Errorf("%d ghosts; at most %d are allowed", sum.Ghosts, a.maxGhosts)
	case a.maxUnsure >= 0 && sum.Unsure > a.maxUnsure:
		return exitUnsure, fmt.Errorf("%d unsure turns; at most %d are allowed", sum.Unsure, a.maxUnsure)
	}
	return exitFine, nil
}

// whyNot says why turns were not judged, where all of them were not.
func whyNot(sum *report.Report) string {
	if len(sum.Unseen) == 0 && sum.Steps > 0 {
		return ": every exchange ends in calls, and none follows that says what came of them"
	}
	if len(sum.Unseen) == 0 {
		return ""
	}
	why := sum.Unseen[0].Name
	if why == unseenTools {
		why += "; name the tools in a file for -effects, or log them"
	}
	return ": " + why
}
