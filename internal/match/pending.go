package match

import (
	"regexp"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// tellsPending reports whether a claim leaves open whether something is over: it was begun or
// handed in, or it waits.
func (c *Claim) tellsPending() bool {
	if c.says(reading.RoleWait|reading.RoleHold|reading.RoleLonger) || underWay.MatchString(c.text.Source) {
		return true
	}
	for i := range c.text.Clauses { // its own, or one that it goes on with: "is running and stops at 7:40"
		own := &c.text.Clauses[i] == c.clause || c.clause.Actor == reading.Unnamed
		if own && c.text.Clauses[i].Shape == reading.Progressive {
			return true
		}
	}
	if c.clause.Roles&reading.RoleDone != 0 {
		return false
	}
	if c.acts.Has(lexicon.Start) && !c.acts.Has(lexicon.Run) {
		return true
	}
	return isListed("handed", strings.ToLower(c.word()))
}

// obliges is how a clause says what is still needed.
var obliges = regexp.MustCompile(`(?i)\b(?:needs?|has|have) to\b|\bmust\b|\brequires?\b|\brequired\b`)

// underWay is how a clause says that something has begun and goes on.
var underWay = regexp.MustCompile(
	`(?i)\bunder ?way\b|\bin progress\b|\bso far\b|\bkicked (?:it |them )?off\b|\bon its way\b|\blined up\b|\bscheduled\b|` +
		`\b(?:not|n't)\b.*\byet\b|\bshould be (?:ready|done|there)\b|\bdraft\b|\bqueue\b|\bfor review\b|\bunder review\b|\bwaitlist|` +
		`\bprovisional|\btentative|\bon hold\b|\bheld\b|\bexpected\b|\b(?:half|third|quarter|partly) done\b|\brequest\b|\bstill needs?\b|` +
		`\b(?:needs?|has|have) to\b|\bmust\b|\bawait|\bshould (?:answer|reply|hear)\b`)

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
	case r.Succeeded():
		return "is in doubt"
	}
	return "is of unknown outcome"
}
