// Package benchbound lets a benchmark say how much it measured and how much is allowed.
// Tests look at no clock: what they say would depend on what else the machine does. A
// step of CI runs the benchmarks that use this package, several times each, and fails if
// the best of them is above what is allowed.
package benchbound

import (
	"testing"
	"time"
)

// Report reports a figure and its upper bound, instead of the time of an iteration. The
// step of CI reads both units.
func Report(b *testing.B, measured, allowed float64) {
	b.ReportMetric(0, "ns/op") // removes it
	b.ReportMetric(measured, "measured")
	b.ReportMetric(allowed, "allowed")
}

// Ratio reports how many times as long one piece of work takes as another. They run in
// turn, so that a busy machine slows both, and the fastest run of each counts: whatever
// else runs can only add.
func Ratio(b *testing.B, allowed float64, work, than func()) {
	least, base := time.Hour, time.Hour
	for b.Loop() {
		base = min(base, took(than))
		least = min(least, took(work))
	}
	Report(b, float64(least)/float64(max(base, 1)), allowed)
}

func took(work func()) time.Duration {
	began := time.Now()
	work()
	return time.Since(began)
}
