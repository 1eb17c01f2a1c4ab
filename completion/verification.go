package completion

import (
	"github.com/bonafide-go/bonafide/internal/clip"
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
		unknown := effect == tooltrack.UnknownEffect
		switch ran := !record.Ruling.Denied && status != tooltrack.Denied; {
		case effect == tooltrack.Verifies,
			effect != tooltrack.Reads && reading.English().RunsCheck(record.Tool, record.Args, unknown, says):
			verified = ran && status == tooltrack.Succeeded && says != reading.Failing
		case !ran || effect == tooltrack.Reads || status == tooltrack.Failed || status == tooltrack.Pending:
		default: // what is unknown may have changed something
			changed, verified = changed || status == tooltrack.Succeeded, false
		}
	}
	return changed, verified
}
