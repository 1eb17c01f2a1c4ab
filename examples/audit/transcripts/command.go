package transcripts

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
	"time"

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
	fail := flags.String("fail-pattern", "", "`regexp` that tells a failed result by its text, beside the built-in rule")
	deny := flags.String("deny-pattern", "", "`regexp` that tells a call that was not allowed by the text of its result")
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
	return s, s.check(*fail, *deny)
}

// parse reads flags, which may follow files, and returns the files. Help that is asked for is
// given: its error is flag.ErrHelp.
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

func (s *settings) check(fail, deny string) (err error) {
	if s.fail, err = pattern("fail-pattern", fail); err != nil {
		return err
	}
	if s.deny, err = pattern("deny-pattern", deny); err != nil {
		return err
	}
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

func pattern(name, expression string) (*regexp.Regexp, error) {
	if expression == "" {
		return nil, nil
	}
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return nil, fmt.Errorf("-%s: %w", name, err)
	}
	return compiled, nil
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
