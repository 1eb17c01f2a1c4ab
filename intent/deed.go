package intent

import "github.com/bonafide-go/bonafide/internal/lexicon"

// deed is a word of a message that speaks of an act, in whatever form: "can it
// be refunded", "the cancellation", "we're moving".
type deed struct {
	verb     int32
	families lexicon.Families
}

// maxDeeds bounds how many of them are compared with the tools.
const maxDeeds = 12

// doing notes the word at i if it speaks of an act.
func (s *scratch) doing(i int) {
	r := &s.reader
	entry := r.At(i)
	if len(s.deeds) == maxDeeds || entry.ID < 0 || entry.Class.Has(lexicon.Auxiliary|lexicon.Modal) ||
		entry.Families.Empty() && !entry.Form.Has(lexicon.Verb) {
		return
	}
	d := deed{verb: entry.ID, families: entry.Families}
	if entry.Primary != lexicon.NoFamily {
		d.families = lexicon.FamiliesOf(entry.Primary)
	}
	for k := i + 1; k <= i+3 && k < len(r.Tokens) && entry.Form.Has(lexicon.Verb); k++ {
		if phrasal := r.language.Phrasal(entry, r.Tokens[k].Entry); !phrasal.Empty() {
			d.families = phrasal
			break
		}
	}
	s.deeds = append(s.deeds, d)
	s.done = s.done.Union(d.families)
}

// deed is how the acts that a message speaks of relate to what a tool does.
func (s *scratch) deed(p *profile) (best float32) {
	for i := range s.deeds {
		f := frame{verb: s.deeds[i].verb, families: s.deeds[i].families}
		best = max(best, f.likeness(p))
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
		nearest.add(i, s.evidence[i][eNear])
	}
	for i := range s.contenders {
		e := &s.evidence[i]
		e[eDeedLead] = max(e[eDeed]-deeds.without(i), -4)
		e[eNearLead] = e[eNear] - nearest.without(i)
		e[eIDLead] = max(e[eIDFit]-ids.without(i), -2)
	}
}
