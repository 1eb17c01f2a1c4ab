package transcripts

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
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
