package benchbound

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestRatio(t *testing.T) {
	result := testing.BenchmarkResult{}
	synctest.Test(t, func(*testing.T) {
		slow := 8 * time.Millisecond
		result = testing.Benchmark(func(b *testing.B) {
			Ratio(b, 3, func() { time.Sleep(slow); slow = 4 * time.Millisecond }, func() { time.Sleep(2 * time.Millisecond) })
		})
	})
	if result.Extra["measured"] != 2 || result.Extra["allowed"] != 3 {
		t.Errorf("reported %v, want twice as long, and three times allowed", result.Extra)
	}
}
