package transcripts

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
)

func TestProgress(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	p := newProgress(&out, 1000, func() time.Time { return now })
	p.tell(500, 10, 1)
	p.end()
	if out.Len() > 0 {
		t.Fatalf("a bar where no terminal is: %q", out.String())
	}
	p.out = &out // as if it were one
	now = now.Add(progressAfter / 2)
	p.tell(100, 10, 0)
	if out.Len() > 0 {
		t.Fatalf("a bar for a short wait: %q", out.String())
	}
	now = now.Add(2*time.Second - progressAfter/2)
	p.tell(500, 12_000, 34)
	if want := strings.Repeat("█", 14) + strings.Repeat("░", 14) + "  50 %  12,000 turns, 34 ghosts, 6,000 turns/s"; out.String() != "\r\x1b[K"+want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	out.Reset()
	p.tell(600, 13_000, 34)
	if out.Len() > 0 {
		t.Error("the bar is drawn without a pause")
	}
	p.end()
	if out.String() != "\r\x1b[K" {
		t.Errorf("the bar leaves %q behind", out.String())
	}
	p.size = 0
	if line := p.line(now, 5, 2_000, 0); line != "2,000 turns, 0 ghosts, 1,000 turns/s" {
		t.Errorf("without a size: %q", line)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := report.Thousands(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
