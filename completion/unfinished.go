package completion

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// unfinished reports whether a turn that did some work ends by announcing
// more: "I've renamed it. Now I'll update the callers." The step must be one
// that a tool does, and no record may be left over for it.
func (j *judge) unfinished() bool {
	p := j.signals.promises
	if p < 0 || p != len(j.text.sentences)-1 || !j.pendingPromise() {
		return false
	}
	s := &j.text.sentences[p]
	verb, _ := j.text.promise(s)
	if verb < 0 || j.later(s) {
		return false
	}
	w := j.text.words[verb]
	e := event{verb: verb, chain: verb, from: s.from, to: s.to, in: p, subj: verb - 1, shape: activePast, act: w.act | w.noun}
	j.forgetFits()
	j.settle(&e)
	switch {
	case e.act == actRead:
		return w.noun == 0 && j.read(j.turn.Records) && !j.readsLeft()
	case e.act&(actMoney|actGeneric) != 0 || e.act&changing == 0 || j.artefact(&e) || !j.doable(&e):
		return false
	}
	var left []*tooltrack.Record
	for _, record := range j.turn.Records {
		if record != nil && !j.used(record) {
			left = append(left, record)
		}
	}
	by, _ := j.backBy(&e, left)
	return by == nil
}

// later reports whether a sentence names a time that is not now.
func (j *judge) later(s *sentence) bool {
	for i := s.first; i < s.to; i++ {
		if j.text.tokens[i].Class().Has(lexicon.Time) && j.text.words[i].role&roleNow == 0 {
			return true
		}
	}
	return false
}

// doable reports whether some tool does what an event says.
func (j *judge) doable(e *event) bool {
	infos := j.tools.all()
	for i := range infos {
		if (!infos[i].reads || e.act&actRun != 0) && j.kinship(e, &infos[i], nil) != none {
			return true
		}
	}
	return false
}

// readsLeft reports whether a read of this turn backs no claim.
func (j *judge) readsLeft() bool {
	for _, record := range j.turn.Records {
		if record != nil && !j.turn.effectOf(record).MayChange() && !j.used(record) {
			return true
		}
	}
	return false
}
