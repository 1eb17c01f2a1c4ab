//go:build !race

// Time and memory are measured without the race detector, which takes most of
// both.

package transcripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/internal/sampling"
)

// audited reads a made-up log and returns the report.
func audited(tb testing.TB, conversations, tools int, args ...string) *report.Report {
	tb.Helper()
	var out, errs bytes.Buffer
	if status := ran(Run, append(args, "-json", "-"), &logWriter{left: conversations, tools: tools}, &out, &errs); status != exitFine {
		tb.Fatalf("exit status %d: %s", status, &errs)
	}
	var answer struct {
		Findings []report.Finding `json:"findings"`
		Report   *report.Report   `json:"report"`
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		tb.Fatal(err)
	}
	if len(answer.Findings) < answer.Report.Ghosts {
		tb.Errorf("%d findings for %d ghosts", len(answer.Findings), answer.Report.Ghosts)
	}
	return answer.Report
}

func TestManyTurns(t *testing.T) {
	turns := 10_000 / sampling.Every(4)
	report := audited(t, turns/turnsInLog, 3)
	if report.Turns != turns || report.Ghosts+report.Unsure < turns/turnsInLog/10 {
		t.Errorf("%d turns and %d in doubt; want %d and %d", report.Turns, report.Ghosts+report.Unsure, turns, turns/turnsInLog/10)
	}
}

// BenchmarkOverheadOfAnAudit: a hundred thousand turns take less than a minute of one
// processor.
func BenchmarkOverheadOfAnAudit(b *testing.B) {
	turns, before := 0, processorTime(b)
	for b.Loop() {
		turns += audited(b, 400, 3).Turns
	}
	benchbound.Report(b, (processorTime(b)-before).Seconds()/float64(turns)*100_000, 60)
}

// peak runs an audit and returns the most memory that was in use meanwhile.
func peak(t *testing.T, conversations int) uint64 {
	t.Helper()
	runtime.GC()
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				var stats runtime.MemStats
				runtime.ReadMemStats(&stats)
				most = max(most, stats.HeapAlloc)
			case <-stop:
				done <- most
				return
			}
		}
	}()
	status := ran(Run, []string{"-html", t.TempDir() + "/page.html", "-"}, &logWriter{left: conversations, tools: 2}, io.Discard, io.Discard)
	close(stop)
	if status != exitFine {
		t.Fatalf("exit status %d", status)
	}
	return <-done
}

func TestMemoryDoesNotGrowWithTheInput(t *testing.T) {
	conversations := 1_500 // enough to fill what is kept for the page
	small := peak(t, conversations)
	large := peak(t, 12*conversations/sampling.Every(4))
	t.Logf("peak heap: %d MiB, and %d for more", small>>20, large>>20)
	if large > 2*small {
		t.Errorf("several times the input takes %d MiB instead of %d", large>>20, small>>20)
	}
}

func BenchmarkTurns(b *testing.B) {
	for _, tools := range []int{1, 200} {
		b.Run(fmt.Sprintf("tool sets=%d", tools), func(b *testing.B) {
			turns := 0
			for b.Loop() {
				turns += audited(b, 400, tools).Turns
			}
			b.ReportMetric(float64(turns)/b.Elapsed().Seconds(), "turns/s")
		})
	}
}
