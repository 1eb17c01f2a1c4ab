package completion

import "github.com/bonafide-go/bonafide/internal/lexicon"

// readPhrase looks for a fixed expression at a token and makes an event of one
// that reports work.
func (r *reading) readPhrase(in, i int) bool {
	p, end := r.phraseAt(i, r.sentences[in].to)
	if p == nil || p.kind != phraseDone && p.kind != phraseClaim {
		return false
	}
	s := &r.sentences[in]
	e := event{verb: end - 1, chain: i, from: s.from, in: in, subj: i - 1, shape: state, act: actGeneric}
	for j := i - 1; j >= s.from && r.words[j].role&verbGroup != 0; j-- {
		e.aux |= r.words[j].role & verbGroup
		e.chain, e.subj = j, j-1
	}
	if p.kind == phraseClaim {
		e.host, e.shape = p, hosted
		if e.aux&(roleWill|roleModal|roleTo) == 0 {
			r.addEvent(e)
		}
		return true
	}
	if e.aux&(roleWill|roleModal|roleTo|roleDo) != 0 || end < s.to && r.tokens[end].Class().Has(lexicon.Preposition) {
		return true
	}
	if r.words[i].role&roleWent != 0 && e.subj >= s.from && r.words[e.subj].role&roleFirst != 0 {
		return true // "I've gone through your orders"
	}
	if e.shape = exclaimed; e.aux&roleEarlier != 0 {
		e.shape = state
	}
	r.addEvent(e)
	return true
}

// phraseAt is the longest expression that begins at a token, and where it ends.
func (r *reading) phraseAt(i, to int) (*phrase, int) {
	var best *phrase
	end := i
	known := r.vocabulary.phrases[r.words[i].phrases]
next:
	for k := range known {
		at := i + 1
		for _, hash := range known[k].rest {
			for at < to && !r.tokens[at].IsWord() {
				at++
			}
			if at >= to || r.tokens[at].Hash != hash {
				continue next
			}
			at++
		}
		if at > end {
			best, end = &known[k], at
		}
	}
	return best, end
}
