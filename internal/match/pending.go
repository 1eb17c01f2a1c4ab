package match

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// tellsPending reports whether a claim leaves open whether something is over: it was begun or
// handed in, or it waits.
func (c *Claim) tellsPending() bool {
	if c.whole.underWay == nil {
		going := c.says(reading.RoleWait|reading.RoleHold|reading.RoleLonger) || hasPhrase("going", c.text.Source) ||
			c.says(reading.RoleNegative) && hasPhrase("waiting", c.text.Source)
		c.whole.underWay = &going
	}
	if *c.whole.underWay {
		return true
	}
	going := func(one reading.Clause) bool { return one.Shape == reading.Progressive }
	if going(*c.clause) || c.clause.Actor == reading.Unnamed && slices.ContainsFunc(c.text.Clauses, going) {
		return true // its own, or one that it goes on with: "is running and stops at 7:40"
	}
	if c.clause.Roles&reading.RoleDone != 0 {
		return false
	}
	begins := c.acts.Has(lexicon.Start) && !c.acts.Has(lexicon.Run)
	return begins || isListed("handed", strings.ToLower(c.word()))
}

// tellsRun reports whether a claim says that something itself is at work: "is printing", and
// not "is being printed", which may wait for its turn.
func (c *Claim) tellsRun() bool {
	handled := c.says(reading.RoleWait|reading.RoleHold) || strings.Contains(c.Text(), " being ")
	runs := c.clause.Shape == reading.Progressive && c.clause.Actor == reading.Other
	return runs && !handled && !hasPhrase("going", c.text.Source)
}

// compareDraft finds that what a claim tells has reached somebody is a draft.
func compareDraft(c *Claim, changes []*record) Finding {
	done := keep(changes, func(r *record) bool { return !r.draft })
	if len(done) > 0 || !c.isOutward() || c.tellsPending() {
		return Finding{}
	}
	return contradicts("state", c.Text(), "draft")
}

// state is how the result of a pending call says that it stands.
func (r *record) state() string {
	for i := range r.leaves {
		l := &r.leaves[i]
		if !l.given && isStateName(l.name) && l.text != "" && (waits(l.text) || hasListed("open", strings.ToLower(l.text))) {
			return l.text
		}
	}
	return "pending"
}

// fate is how a call that did not succeed ended.
func (r *record) fate() string {
	switch {
	case r.Ruling.Denied:
		return "was not allowed"
	case r.Result.Status == tooltrack.Failed:
		return "failed"
	case r.Result.Status == tooltrack.Pending:
		return "is not over"
	case r.Succeeded() && r.Result.Doubtful != "":
		return r.Result.Doubtful
	case r.Succeeded():
		return "is in doubt"
	}
	return "is of unknown outcome"
}
