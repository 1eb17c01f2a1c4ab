package completion

import (
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Verified requires that a verification succeeded after the last change, and that none failed after it.
// It is a call of a tool that verifies, or a command that runs tests, a build or a linter; an output
// that tells of failures, or that nothing was checked, is no success. A command that only looks, prints
// or commits verifies nothing and makes nothing stale; one that nobody knows may have changed
// something, also where it follows a check in the same line. A turn without a change has nothing to
// verify. Claims of passed checks are held against the same.
func Verified() Requirement {
	return RequirementFunc(func(turn Case, _ Blocker) string {
		if changed, verified, _ := turn.verified(); !changed || verified {
			return ""
		}
		return "a successful verification after the last change"
	})
}

// verified reports whether something was changed in a turn, whether a check
// succeeded after that, and whether all that was checked since failed.
func (t *Case) verified() (changed, verified, failed bool) {
	jobs := tooltrack.JobsOf(t.Records)
	for _, record := range t.Records {
		if record == nil || jobs.Launch(record) != nil {
			continue
		}
		effect, status := t.effectOf(record), jobs.Status(record)
		says := reading.English().Passing(clip.Text(record.Result.Text(), maxRead))
		run := reading.English().RunBy(record.Tool, record.Args, effect == tooltrack.UnknownEffect, says)
		switch ran := !record.Ruling.Denied && status != tooltrack.Denied; {
		case effect == tooltrack.Verifies, effect != tooltrack.Reads && run == reading.RunsChecks:
			failed = ran && status == tooltrack.Failed && !verified
			verified = ran && status == tooltrack.Succeeded && says != reading.Failing
		case !ran || effect == tooltrack.Reads || run == reading.RunsLooks,
			status == tooltrack.Failed || status == tooltrack.Pending:
		default: // what is unknown may have changed something
			changed, verified = changed || status == tooltrack.Succeeded, false
		}
	}
	return changed, verified, failed
}
