//go:build unix

package transcripts

import (
	"syscall"
	"testing"
	"time"
)

// processorTime is what this process has used so far: unlike the clock's time it
// does not grow with what else the machine has to do.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
