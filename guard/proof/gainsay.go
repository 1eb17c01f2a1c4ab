package proof

import "github.com/bonafide-go/bonafide/tooltrack"

// Gainsays reports whether the call that is taken to show a claim says otherwise: it could
// not be cited for it. The claim gives one sum, date or id that no call of the conversation
// holds, and the call gives another one.
func Gainsays(turn Case, claim string, call *tooltrack.Record) bool {
	c := newChecker(Report{}, turn)
	defer c.known.leave()
	said, _ := c.known.contradicted(claim, []*tooltrack.Record{call})
	return said != ""
}
