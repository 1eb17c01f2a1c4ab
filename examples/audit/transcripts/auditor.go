package transcripts

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Kept findings, for the page. All others are counted, and -json writes them
// all.
const (
	maxGhostFindings = 300
	maxOtherFindings = 100 // of each reason
)

// auditor wires the parts: it takes verdicts in order, sums them up, and writes
// the reports.
type auditor struct {
	*settings
	out, errs io.Writer
	pipeline  pipeline
	totals    *totals
	kept      keeper
	stream    *jsonStream // nil without -json
	progress  *progress
	broken    error // reading or writing broke off
}

func (a *auditor) run() int {
	page, err := a.openPage()
	if err != nil {
		fmt.Fprintf(a.errs, "audit transcripts: %v\n", err)
		return exitUsage
	}
	a.kept = newKeeper(a.keepCounts(page != nil))
	if a.json {
		a.stream = newJSONStream(a.out)
	}
	files, passed, err := sources(a.files)
	if err != nil {
		fmt.Fprintf(a.errs, "audit transcripts: %v\n", err)
		return exitBroken
	}
	a.totals.report.Sources, a.totals.report.Passed = a.files, passed
	a.totals.report.Statuses = a.statuses()
	a.progress = newProgress(a.errs, sizeOf(files), time.Now)
	a.pipeline.run(files, a.take)
	a.progress.end()
	report := a.totals.sum()
	a.write(report, page)
	return a.status(report)
}

// openPage opens the page before the work is done: nobody wants to learn after
// an hour that the folder does not exist. It is written beside its place and
// moved there whole, so an audit that is broken off leaves an older page alone.
func (a *auditor) openPage() (*os.File, error) {
	if a.html == "" {
		return nil, nil
	}
	page, err := os.CreateTemp(filepath.Dir(a.html), ".audit-*.html")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", a.html, err)
	}
	return page, nil
}

// closePage moves the page to its place.
func (a *auditor) closePage(page *os.File, err error) error {
	err = errors.Join(err, page.Chmod(0o644), page.Close())
	if err == nil {
		err = os.Rename(page.Name(), a.html)
	}
	if err != nil {
		return errors.Join(err, os.Remove(page.Name()))
	}
	return nil
}

func (a *auditor) keepCounts(page bool) (ghosts, each int) {
	if page {
		return max(maxGhostFindings, a.show), max(maxOtherFindings, a.show)
	}
	return a.show, a.show
}

// take receives one entry, in order. It returns false when going on makes no
// sense because nobody can hear the answer.
func (a *auditor) take(j *job) bool {
	switch {
	case j.lost != nil:
		fmt.Fprintf(a.progress.above(), "audit transcripts: %v\n", j.lost)
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
	a.progress.tell(a.pipeline.consumed.Load(), a.totals.report.Turns, a.totals.report.Ghosts)
	return a.stream == nil || a.stream.err == nil
}

// add takes one judged conversation.
func (a *auditor) add(at place, c *judged) {
	a.totals.add(at, c)
	for i := range c.turns {
		for _, finding := range c.turns[i].findings(at, c) {
			a.kept.add(finding)
			if a.stream != nil {
				a.stream.finding(finding)
			}
		}
	}
}

// write writes the reports that were asked for.
func (a *auditor) write(report *Report, page *os.File) {
	var err error
	if a.stream != nil {
		err = a.stream.end(report)
	} else {
		err = writeTerminal(a.out, report, &a.kept, a.settings)
	}
	a.broken = errors.Join(a.broken, err)
	if err != nil {
		fmt.Fprintf(a.errs, "audit transcripts: writing the report: %v\n", err)
	}
	if page == nil {
		return
	}
	if err := a.closePage(page, writePage(page, report, &a.kept, a.settings)); err != nil {
		fmt.Fprintf(a.errs, "audit transcripts: writing %s: %v\n", a.html, err)
		a.broken = errors.Join(a.broken, err)
	}
}

// status is the exit status. An audit that saw nothing must not look like one
// that found nothing.
func (a *auditor) status(report *Report) int {
	switch {
	case a.broken != nil:
		return exitBroken
	case report.Turns == 0:
		fmt.Fprintf(a.errs, "audit transcripts: no turn to judge in %d conversations (%d entries were damaged)\n", report.Conversations, report.Damaged)
		return exitBroken
	case a.maxGhosts >= 0 && report.Ghosts > a.maxGhosts:
		fmt.Fprintf(a.errs, "audit transcripts: %d ghosts; at most %d are allowed\n", report.Ghosts, a.maxGhosts)
		return exitGhosts
	}
	return exitFine
}

// keeper keeps the first findings of each kind for the reports.
type keeper struct {
	ghosts, each int
	list         []Finding
	kinds        map[string]int // how many there were
}

func newKeeper(ghosts, each int) keeper {
	return keeper{ghosts: ghosts, each: each, kinds: map[string]int{}}
}

// Kinds of findings, beside the reasons of insufficient turns.
const (
	kindGhost  = "ghost"
	kindUnsure = "unsure"
	kindAside  = "beside calls"
)

func (f *Finding) kind() string {
	switch {
	case f.Aside:
		return kindAside
	case f.Unsure:
		return kindUnsure
	case f.Ghost:
		return kindGhost
	}
	return f.Reason
}

func (k *keeper) add(f Finding) {
	most := k.each
	if f.kind() == kindGhost {
		most = k.ghosts
	}
	if k.kinds[f.kind()]++; k.kinds[f.kind()] <= most {
		k.list = append(k.list, f)
	}
}

// of are the kept findings of a kind, and how many there were.
func (k *keeper) of(kind string) (kept []Finding, all int) {
	for _, f := range k.list {
		if f.kind() == kind {
			kept = append(kept, f)
		}
	}
	return kept, k.kinds[kind]
}
