package guard

import (
	"bytes"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// gainsaid are the claims that are believed because of a change which says otherwise: who
// cited it would be refused. So they are asked about, whatever else speaks for them.
func (d *demands) gainsaid(turn completion.Case, verdict *completion.Verdict) (doubts []Doubt) {
	const doubt = 0.7 // as grave as a claim that is not shown without proof
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		believed := claim.Tier == completion.Clean && claim.By != nil && claim.By.Effect.MayChange()
		if !believed || !figuresBeside(claim.Text, claim.By) {
			continue
		}
		known := proof.Case{
			User: turn.User, Previous: turn.Previous, Draft: turn.Text, Tools: turn.Tools,
			Readings: d.readings(), List: proof.NewList(turn.Earlier, turn.Records),
		}
		if proof.Gainsays(known, claim.Text, claim.By) {
			doubts = append(doubts, Doubt{Claim: claim, Words: claim.Text, Probability: doubt})
		}
	}
	return doubts
}

// figuresBeside reports whether a claim has a figure that does not stand in its call as it
// is written: most do, and need no closer look.
func figuresBeside(claim string, call *tooltrack.Record) bool {
	const digits = "0123456789"
	for {
		start := strings.IndexAny(claim, digits)
		if start < 0 {
			return false
		}
		claim = claim[start:]
		end := len(claim) - len(strings.TrimLeft(claim, digits))
		figure := []byte(claim[:end])
		if !bytes.Contains(call.Args, figure) && !bytes.Contains(call.Result.Data, figure) {
			return true
		}
		claim = claim[end:]
	}
}
