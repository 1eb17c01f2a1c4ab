//go:build !unix

package transcripts

import (
	"testing"
	"time"
)

// processorTime is the clock's where the system does not tell.
func processorTime(testing.TB) time.Duration { return time.Duration(time.Now().UnixNano()) }
