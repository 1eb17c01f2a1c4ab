package transcripts

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
)

// progress is a bar on a terminal. It appears when the work takes longer than
// people like to wait without a sign, and leaves nothing behind.
type progress struct {
	out     io.Writer // nil if nobody watches
	errs    io.Writer
	size    int64 // of the input; 0 if unknown
	now     func() time.Time
	began   time.Time
	drawn   time.Time
	visible bool
}

const (
	progressAfter = 700 * time.Millisecond
	progressEvery = 150 * time.Millisecond
	progressCells = 28
)

func newProgress(errs io.Writer, size int64, now func() time.Time) *progress {
	p := &progress{errs: errs, size: size, now: now, began: now()}
	if isTerminal(errs) {
		p.out = errs
	}
	return p
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// tell draws the bar if it is time to.
func (p *progress) tell(consumed int64, turns, ghosts int) {
	if p.out == nil {
		return
	}
	now := p.now()
	if now.Sub(p.began) < progressAfter || now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn, p.visible = now, true
	fmt.Fprintf(p.out, "\r\x1b[K%s", p.line(now, consumed, turns, ghosts))
}

func (p *progress) line(now time.Time, consumed int64, turns, ghosts int) string {
	rate := float64(turns) / now.Sub(p.began).Seconds()
	counts := fmt.Sprintf("%s turns, %s ghosts, %s turns/s", report.Thousands(turns), report.Thousands(ghosts),
		report.Thousands(int(rate)))
	if p.size <= 0 {
		return counts
	}
	share := min(1, float64(consumed)/float64(p.size))
	full := int(share * progressCells)
	return fmt.Sprintf("%s%s %3.0f %%  %s", strings.Repeat("█", full), strings.Repeat("░", progressCells-full), 100*share,
		counts)
}

// above is where a message can be written without running into the bar.
func (p *progress) above() io.Writer {
	p.end()
	return p.errs
}

// end takes the bar away.
func (p *progress) end() {
	if p.visible {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.visible = false
	}
}
