package chatwire

import (
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// stopWords are pieces of finish reasons by which servers say that a message is
// not whole. Each server has words of its own, so pieces are looked for rather
// than names: a reason that nobody has listed yet still reads "max_output" or
// "safety_block". Everything else is taken as the end of a message, since
// finish reasons are unreliable in that direction: a named tool choice ends
// with "stop", and some servers end with "eos" or nothing at all.
var stopWords = []struct {
	piece string
	stop  guard.Stop
}{
	{"length", guard.StopCut}, {"max", guard.StopCut}, {"limit", guard.StopCut}, {"incomplete", guard.StopCut},
	{"abort", guard.StopCut}, {"cancel", guard.StopCut}, {"timeout", guard.StopCut}, {"time_out", guard.StopCut},
	{"interrupt", guard.StopCut}, {"insufficient", guard.StopCut}, {"malformed", guard.StopCut},
	{"unexpected_tool", guard.StopCut}, {"too_many", guard.StopCut}, {"missing_thought", guard.StopCut},
	{"truncat", guard.StopCut}, {"exceed", guard.StopCut}, {"overload", guard.StopCut},
	{"filter", guard.StopFiltered}, {"safety", guard.StopFiltered}, {"block", guard.StopFiltered},
	{"recitation", guard.StopFiltered}, {"prohibited", guard.StopFiltered}, {"sensitive", guard.StopFiltered},
	{"spii", guard.StopFiltered}, {"moderat", guard.StopFiltered}, {"guardrail", guard.StopFiltered},
	{"violat", guard.StopFiltered}, {"armor", guard.StopFiltered},
	{"refus", guard.StopRefused}, {"pause", guard.StopPaused}, {"continuation", guard.StopPaused},
}

// faultReasons end a message that is no message: the server gave up.
var faultReasons = []string{"error", "fail", "fault"}

// stopOf reads a finish reason. The second value is false for one that says
// that the provider failed.
func stopOf(reason string) (guard.Stop, bool) {
	reason = strings.ToLower(strings.TrimSpace(reason))
	for _, piece := range faultReasons {
		if strings.Contains(reason, piece) {
			return guard.StopCut, false
		}
	}
	for _, word := range stopWords {
		if strings.Contains(reason, word.piece) {
			return word.stop, true
		}
	}
	return guard.StopEnd, true
}
