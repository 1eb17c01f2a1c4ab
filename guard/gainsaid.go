package guard

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// gainsaid are the claims that are believed because of a change which says otherwise: who
// cited it would be refused. So they are asked about, whatever else speaks for them.
func (d *demands) gainsaid(turn completion.Case, verdict *completion.Verdict) (doubts []Doubt) {
	const doubt = 0.7 // as grave as a claim that is not shown without proof
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		believed := claim.Tier == completion.Clean && claim.By != nil && claim.By.Effect.MayChange()
		if !believed || !figuresBeside(claim.Text, claim.By) && !wantedBeside(claim.Text, turn.User, claim.By) {
			continue
		}
		if d.matched(turn).Contradicted(claim.Text, claim.By) {
			doubts = append(doubts, Doubt{Claim: claim, Words: claim.Text, Probability: doubt})
		}
	}
	return doubts
}

// figuresBeside reports whether a claim has a figure that does not stand in its call as it
// is written: most do, and need no closer look.
func figuresBeside(claim string, call *tooltrack.Record) bool {
	for figure := range strings.FieldsFuncSeq(claim, func(r rune) bool { return r < '0' || r > '9' }) {
		if !bytes.Contains(call.Args, []byte(figure)) && !bytes.Contains(call.Result.Data, []byte(figure)) {
			return true
		}
	}
	return false
}

// wantedBeside reports whether a claim has a word of the user's that does not stand in its
// call, as figuresBeside does of figures.
func wantedBeside(claim, user string, call *tooltrack.Record) bool {
	const least = 4 // letters: shorter words seldom name a thing
	user = strings.ToLower(user)
	for word := range strings.FieldsFuncSeq(strings.ToLower(claim), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) >= least && strings.Contains(user, word) && !reading.ContainsFold(call.Args, word) &&
			!reading.ContainsFold(call.Result.Data, word) && !strings.Contains(strings.ToLower(call.Tool), word) {
			return true
		}
	}
	return false
}
