package intent

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// deed is a word of a message that speaks of an act, in whatever form: "can it
// be refunded", "the cancellation", "we're moving".
type deed struct {
	verb     int32            // its lemma, -1 if there is none
	families lexicon.Families // what it means
	does     bool             // it is asked for, and is no question
}

// The likeness of an act to a tool's.
const (
	sameVerb = 4    // the very verb of the name
	sameWord = 3.5  // another word of the name
	sameLead = 3.25 // the first verb of the description
	nearVerb = 3.1  // one that may stand for the verb of the name
	sameAct  = 3    // of the same family as the name's
	toldAct  = 2    // of the family of another verb of the description
	akinAct  = 1    // of a family that may stand for it
	otherAct = 0    // none, or another
)

// likeness is how an act relates to what a tool does.
func (d *deed) likeness(p *profile) float32 {
	switch {
	case d.verb >= 0 && d.verb == p.verb:
		return sameVerb
	case d.verb >= 0 && slices.Contains(p.words, d.verb):
		return sameWord
	case d.verb >= 0 && d.verb == p.lead:
		return sameLead
	case d.verb >= 0 && !(p.info && d.does) && slices.Contains(p.near, d.verb): // who buys gets nothing shown
		return nearVerb
	case d.families.Overlaps(p.acts):
		return sameAct
	case d.families.Overlaps(p.told):
		return toldAct
	case d.families.Overlaps(p.kin):
		return akinAct
	}
	return otherAct
}

// maxDeeds bounds how many of them are compared with the tools.
const maxDeeds = 12

// deed is the act that the word at i speaks of; false if it speaks of none.
func (r *reader) deed(i int, entry *lexicon.Entry) (d deed, acts bool) {
	if entry.ID < 0 || entry.Class.Has(lexicon.Auxiliary|lexicon.Modal) ||
		entry.Families.Empty() && !entry.Form.Has(lexicon.Verb) {
		return d, false
	}
	d = deed{verb: entry.ID, families: lexicon.FamiliesOf(entry.Primary)}
	for k := i + 1; k <= i+3 && k < len(r.Tokens) && entry.Form.Has(lexicon.Verb); k++ {
		if phrasal := r.language.Phrasal(entry, r.Tokens[k].Entry); !phrasal.Empty() {
			d.families = phrasal
			break
		}
	}
	return d, true
}

// deed is how the acts that a message speaks of relate to what a tool does.
func (s *scratch) deed(p *profile) (best float32) {
	for i := range s.deeds {
		best = max(best, s.deeds[i].likeness(p))
	}
	return best
}

// compareDeeds notes how far each contender is ahead of the others by acts, by
// nearness and by ids.
func (s *scratch) compareDeeds() {
	deeds, ids, nearest := newTop(), newTop(), newTop()
	for i := range s.contenders {
		deeds.add(i, s.evidence[i][eDeed])
		ids.add(i, s.evidence[i][eIDFit])
		nearest.add(i, s.contenders[i].near)
	}
	for i := range s.contenders {
		e := &s.evidence[i]
		e[eDeedLead] = max(e[eDeed]-deeds.without(i), -4)
		e[eNear], e[eNearLead] = s.contenders[i].near, s.contenders[i].near-nearest.without(i)
		e[eIDLead] = max(e[eIDFit]-ids.without(i), -2)
	}
}
