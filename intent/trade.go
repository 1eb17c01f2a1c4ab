package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Trades have verbs that no list has: scuttle, anneal, intubate. Where a tool is named by one
// ("scuttle_barge"), a sentence that opens with that very word and goes on with all the others
// of the name is a command, although nothing else is known of its verb.

// trade finds the tools that a command may name so.
type trade struct {
	verbs map[uint64][]*profile // tools, by the hash of a word of their names that no family has
	words []int                 // how many words of a name tell something, by tool
}

// newTrade lists the words of the names that may be such verbs. A name that has a verb which
// is known has no other.
func (c *Classifier) newTrade() trade {
	t := trade{verbs: map[uint64][]*profile{}}
	for _, p := range c.profiles {
		words := number(p.verb >= 0)
		for i := range p.terms {
			words += number(p.terms[i].is(inName))
		}
		t.words = append(t.words, words)
		for _, word := range p.unknown {
			t.verbs[lexicon.Hash(word)] = append(t.verbs[lexicon.Hash(word)], p)
		}
	}
	return t
}

// called is the tool that a sentence of the message commands by the words of its name, and
// where that sentence stands; nil if there is none.
func (r *reader) called() (tool *profile, from, to int) {
	for from < len(r.Tokens) && len(r.trade.verbs) > 0 {
		to = from + 1
		for to < len(r.Tokens) && !r.Tokens[to].Has(lexicon.SentenceStart) {
			to++
		}
		at, asks := r.CommandAt(from, to)
		if at < to && r.Tokens[at].Kind == lexicon.Word && !r.Tokens[at].Has(lexicon.Quoted) {
			if tool = r.calledAt(at, to, asks); tool != nil {
				return tool, from, to
			}
		}
		from = to
	}
	return nil, 0, 0
}

// calledAt is the tool that the words between two tokens name, of which the first is its verb. Of
// several it is the one with the most words. A bare plural behind "can you" asks for the ability.
func (r *reader) calledAt(verb, to int, asks bool) (best *profile) {
	pointed := r.Points(verb+1, to)
	for _, p := range r.trade.verbs[r.Tokens[verb].Hash] {
		if (asks || r.At(verb).ID >= 0) && !pointed {
			continue // "fine wine!"
		}
		words := r.trade.words[p.number]
		if r.namedBetween(p, verb, to) >= max(words, 1) && (best == nil || words > r.trade.words[best.number]) {
			best = p
		}
	}
	return best
}

// namedBetween counts the words of a tool's name between two tokens, each once; none if the
// first is the only word of the tool. A service may be the thing: "barge.scuttle".
func (r *reader) namedBetween(p *profile, from, to int) int {
	const most = 8 // words of a name
	met, others := map[*word]bool{}, 0
	for i := from; i < to && len(met) < most; i++ {
		token := &r.Tokens[i]
		if token.Kind != lexicon.Word || token.Has(lexicon.Quoted) {
			continue
		}
		found := r.vocabulary.find(token)
		use := found.of(p)
		if token.Entry != nil && token.Entry.ID == p.verb {
			found, use.named = nil, true
		}
		others += number(i > from && (use.named || use.weight >= weightService))
		if use.named {
			met[found] = true
		}
	}
	return len(met) * min(others, 1)
}

// callByName expects the tool that a sentence commands by its name.
func (m *message) callByName() {
	tool, from, to := m.called()
	if tool == nil || m.silent[tool.number] || m.hold == Withdrawn || m.hold == Forbidden {
		return
	}
	at := m.position(tool)
	if at < 0 {
		m.expected = append(m.expected, found{tool: tool, from: from, to: to})
		at = len(m.expected) - 1
	}
	m.expected[at].score = max(m.expected[at].score, agreedScore)
	m.sortExpected()
}
