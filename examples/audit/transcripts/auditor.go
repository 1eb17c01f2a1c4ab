package transcripts

import (
	"errors"
	"fmt"
	"io"

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
	page      *report.File   // nil without -html
	broken    error          // reading or writing broke off
	unheard   error          // nobody takes what -json writes
}

func (a *auditor) run() int {
	// Nobody wants to learn after an hour that a folder does not exist.
	page, err := report.CreateFile(a.html)
	if err != nil {
		fmt.Fprintf(a.errs, "audit transcripts: %v\n", err)
		return exitUsage
	}
	a.page = page
	files, passed, err := logfile.Find(a.files)
	if err != nil {
		fmt.Fprintf(a.errs, "audit transcripts: %v\n", a.page.Place(err))
		return exitBroken
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
		a.totals.refuse(j.refused)
	case j.fault != nil:
		a.totals.damage(j.at, j.fault)
	default:
		for _, c := range j.found {
			a.add(place{j.at.file, c.line}, c)
		}
	}
	return a.unheard == nil
}

// add takes one judged conversation.
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

// write writes the reports that were asked for.
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
		told(a.html, a.page.Place(report.WritePage(a.page, sum, &a.kept, a.options())))
	}
}

// status is the exit status. An audit that saw nothing must not look like one that found nothing.
func (a *auditor) status(sum *report.Report) int {
	switch {
	case a.broken != nil:
		return exitBroken
	case sum.Turns == 0:
		fmt.Fprintf(a.errs, "audit transcripts: no turn to judge in %d conversations (%d entries were damaged)%s\n",
			sum.Conversations, sum.Damaged, whyNot(sum))
		return exitBroken
	case a.maxGhosts >= 0 && sum.Ghosts > a.maxGhosts:
		fmt.Fprintf(a.errs, "audit transcripts: %d ghosts; at most %d are allowed\n", sum.Ghosts, a.maxGhosts)
		return exitGhosts
	case a.maxUnsure >= 0 && sum.Unsure > a.maxUnsure:
		fmt.Fprintf(a.errs, "audit transcripts: %d unsure turns; at most %d are allowed\n", sum.Unsure, a.maxUnsure)
		return exitUnsure
	}
	return exitFine
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
