package completion

import (
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Verified requires that a verification succeeded after the last change, and
// that none failed after it. It is a call of a tool that verifies, or a command that
// runs tests, a build or a linter; an output that tells of failures, or that nothing was
// checked, is no success. A turn without a change has nothing to verify.
func Verified() Requirement {
	return RequirementFunc(func(turn Case, _ Blocker) string {
		if changed, verified := turn.verified(); !changed || verified {
			return ""
		}
		return "a successful verification after the last change"
	})
}

// verified reports whether something was changed in a turn, and whether a check
// succeeded after that.
func (t *Case) verified() (changed, verified bool) {
	jobs := tooltrack.JobsOf(t.Records)
	for _, record := range t.Records {
		if record == nil || jobs.Launch(record) != nil {
			continue
		}
		effect, status := t.effectOf(record), jobs.Status(record)
		says := reading.English().Passing(clip.Text(record.Result.Text(), maxRead))
		switch ran := !record.Ruling.Denied && status != tooltrack.Denied; {
		case effect == tooltrack.Verifies || effect != tooltrack.Reads && runsCheck(record, effect, says):
			verified = ran && status == tooltrack.Succeeded && says != reading.Failing
		case !ran || effect == tooltrack.Reads || status == tooltrack.Failed || status == tooltrack.Pending:
		default: // what is unknown may have changed something
			changed, verified = changed || status == tooltrack.Succeeded, false
		}
	}
	return changed, verified
}

// runsCheck reports whether a call runs a check, by its name, its command or, where nobody
// said what the tool does, its output.
func runsCheck(record *tooltrack.Record, effect tooltrack.Effect, says reading.Passing) bool {
	unknown := effect == tooltrack.UnknownEffect
	if unknown && (says == reading.Passed || reading.English().Checks(record.Tool)) {
		return true
	}
	for key, value := range jsonspan.Members(record.Args) {
		if name := string(key); unknown || name == "command" || name == "cmd" {
			if reading.English().RunsCheck(string(value)) {
				return true
			}
		}
	}
	return false
}
