package guard

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// takenBack reports whether a text only takes back what one before it told, which a
// message of the guard's asks for, and nothing was changed that it could deny.
func (t *Turn) takenBack(text string) bool { return !changed(t.records) && reading.TakesBack(text) }

// insists reports whether a text goes on, in whatever words, after one that told as done
// what was not, and nothing has been done since: it neither takes that back nor asks, and
// names nothing that prevents it. "It's all taken care of" is no claim that a record could
// refute, and after a refuted one no answer.
func (t *Turn) insists(text string, found *finding) bool {
	worked := func(r *tooltrack.Record) bool { return r.Succeeded() || r.Result.Status == tooltrack.Pending }
	if t.caught == nil || found.verdict.Ghost() || slices.ContainsFunc(t.evidence(), worked) {
		return false
	}
	answered := found.verdict.Asks || found.verdict.Blocker.Kind != completion.NoBlocker || reading.TakesBack(text)
	return !answered && !reading.English().ReadClauses(nil, text).Foreign()
}

// saidInstead is what an answer to a request for proof would show in place of the draft:
// the message of the report, or all of it where it has not the form of one.
func (t *Turn) saidInstead(answer string) string {
	if report, err := proof.Understand(answer, t.proving.list); err == nil {
		return report.Text("")
	}
	if strings.Contains(answer, "{") {
		return ""
	}
	return answer
}
