package chatwire

import (
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// stopLists are the lists of pieces of finish reasons, by what they say. Everything else is taken
// as the end of a message, since finish reasons are unreliable in that direction: a named tool
// choice ends with "stop", and some servers end with "eos" or nothing at all.
var stopLists = []struct {
	list string
	stop guard.Stop
}{
	{"faults", guard.StopCut}, {"cut", guard.StopCut}, {"filtered", guard.StopFiltered}, {"refused", guard.StopRefused},
	{"paused", guard.StopPaused},
}

// stopOf reads a finish reason; answered is false for one that says that the provider failed.
func stopOf(reason string) (stop guard.Stop, answered bool) {
	reason = strings.ToLower(strings.TrimSpace(reason))
	for _, row := range stopLists {
		if hasOf(row.list, reason) {
			return row.stop, row.list != "faults"
		}
	}
	return guard.StopEnd, true
}
