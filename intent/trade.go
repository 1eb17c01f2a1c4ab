package intent

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Trades have verbs that no list has: scuttle, anneal, intubate. Where a tool is named by one
// ("scuttle_barge"), a sentence that opens with that very word and goes on with all the others
// of the name is a command, although nothing else is known of its verb.

// trade finds the tools that a command may name so.
type trade struct {
	verbs map[uint64][]int32 // tools, by the hash of a word of their names that no family has
	words []int              // how many words of a name tell something, by tool
}

// newTrade lists the words of the names that may be such verbs. A name that has a verb which
// is known has no other.
func (c *Classifier) newTrade() trade {
	t := trade{verbs: map[uint64][]int32{}}
	for tool, p := range c.profiles {
		words := tells(p.verb >= 0)
		for i := range p.terms {
			words += tells(p.terms[i].is(inName))
		}
		t.words = append(t.words, words)
		for _, word := range p.unknown {
			t.verbs[lexicon.Hash(word)] = append(t.verbs[lexicon.Hash(word)], int32(tool))
		}
	}
	return t
}

// called is the tool that a sentence of the message commands by the words of its name, and
// where that sentence stands; the tool is -1 if there is none.
func (c *Classifier) called(s *scratch) (tool int32, from, to int) {
	if len(c.trade.verbs) == 0 {
		return -1, 0, 0
	}
	r := &s.reader
	for from < len(r.Tokens) {
		to = from + 1
		for to < len(r.Tokens) && !r.Tokens[to].Has(lexicon.SentenceStart) {
			to++
		}
		at, asks := r.CommandAt(from, to)
		if at < to && r.Tokens[at].Kind == lexicon.Word && !r.Tokens[at].Has(lexicon.Quoted) {
			if tool = c.calledAt(s, at, to, asks); tool >= 0 {
				return tool, from, to
			}
		}
		from = to
	}
	return -1, 0, 0
}

// calledAt is the tool that the words between two tokens name, of which the first is its verb. Of
// several it is the one with the most words. A bare plural behind "can you" asks for the ability.
func (c *Classifier) calledAt(s *scratch, verb, to int, asks bool) (best int32) {
	best = -1
	r := &s.reader
	pointed := r.Points(verb+1, to)
	for _, tool := range c.trade.verbs[r.Tokens[verb].Hash] {
		if (asks || r.At(verb).ID >= 0) && !pointed {
			continue // "fine wine!"
		}
		words := c.trade.words[tool]
		if c.namedBetween(s, tool, verb, to) >= max(words, 1) && (best < 0 || words > c.trade.words[best]) {
			best = tool
		}
	}
	return best
}

// namedBetween counts the words of a tool's name between two tokens, each once; none if the
// first is the only word of the tool. A service may be the thing: "barge.scuttle".
func (c *Classifier) namedBetween(s *scratch, tool int32, from, to int) (n int) {
	var met [8]int32
	others := 0
	for i := from; i < to && n < len(met); i++ {
		token := &s.reader.Tokens[i]
		if token.Kind != lexicon.Word || token.Has(lexicon.Quoted) {
			continue
		}
		number, use := c.vocabulary.find(token), posting{}
		if number != 0 {
			use = c.vocabulary.of(number, tool)
		}
		if token.Entry != nil && token.Entry.ID == c.profiles[tool].verb {
			number, use.named = -1, true
		}
		others += tells(i > from && (use.named || use.weight >= weightService))
		if use.named && !slices.Contains(met[:n], number) {
			met[n] = number
			n++
		}
	}
	return n * min(others, 1)
}

// callByName expects the tool that a sentence commands by its name.
func (c *Classifier) callByName(s *scratch) {
	tool, from, to := c.called(s)
	if tool < 0 || c.silent[tool] || s.hold == Withdrawn || s.hold == Forbidden {
		return
	}
	at := s.position(tool)
	if at < 0 {
		s.expected = append(s.expected, found{tool: tool, from: from, to: to})
		at = len(s.expected) - 1
	}
	s.expected[at].score = max(s.expected[at].score, agreedScore)
	slices.SortStableFunc(s.expected, func(a, b found) int { return a.from - b.from })
}
