package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// hostRule begins the names of the rules that are the host's own phrases.
const hostRule = "host: "

// hostPhrases looks for the host's own phrases in what the text states.
func (e *Evaluator) hostPhrases(c *conversation, v *Verdict) {
	if len(e.claims)+len(e.blockers) == 0 {
		return
	}
	for i := range c.text.Sentences {
		s := &c.text.Sentences[i]
		if s.Asking {
			continue
		}
		text := strings.ToLower(c.text.Source[s.Start:s.End])
		for _, phrase := range e.blockers {
			if reading.Phrase(text, phrase.Text) >= 0 {
				next := c.sentence(c.signals.asks)
				v.Asks, v.Blocker = true, Blocker{phrase.Kind, c.sentence(i), next, hostRule + phrase.Text}
				v.Claims = slices.DeleteFunc(v.Claims, func(claim Claim) bool {
					return strings.Contains(v.Blocker.Cause, claim.Text)
				})
				return
			}
		}
		for _, phrase := range e.claims {
			if at := reading.Phrase(text, phrase.Text); at >= 0 && !s.Quoted && c.states(s, s.Start+at) {
				v.Claims = slices.Insert(v.Claims, 0, c.hostClaim(phrase, c.sentence(i)))
			}
		}
	}
}

// states reports whether the clause at a place tells something as a fact.
func (c *conversation) states(s *reading.Sentence, at int) bool {
	i := s.Last - 1
	for i > s.First && c.text.Clauses[i].Start > at {
		i--
	}
	k := &c.text.Clauses[i]
	return !k.Negated && (k.Mood == reading.Stated || k.Mood == reading.Presupposed)
}

// hostClaim is the claim of a host's phrase: backed by its tool, or by any change.
func (c *conversation) hostClaim(phrase ClaimPhrase, text string) Claim {
	claim := Claim{Text: clip.Text(text, maxQuoted), Rule: hostRule + phrase.Text}
	for i := range c.made {
		f := &c.made[i]
		if f.record.Succeeded() && (f.record.Tool == phrase.Tool || phrase.Tool == "" && f.fate == fateChanged) {
			claim.By = f.record
			return claim
		}
	}
	claim.Fault, claim.Doubt, claim.Tier = faultNoRecord, certain, Sure
	return claim
}
