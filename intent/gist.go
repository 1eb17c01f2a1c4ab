package intent

// gist reads a message of several clauses as one, when none of them asks for a
// tool by itself: people say what they need in one sentence and ask for it in
// the next ("We are six in Lyon on Friday. Could you find us a table?").
func (c *Classifier) gist(s *scratch) {
	all, ok := s.plea()
	if !ok {
		return
	}
	s.begin()
	f := c.newFrame(s, all, s.survey(c, all))
	f.gist = true
	best := c.rank(s, f)
	if best < 0 || c.aside(s, best) {
		return
	}
	score := s.scores[best]
	if score > 0 && !c.silent[best] {
		s.expect(c.found(s, all, f, best))
	}
}

// aside reports whether the message says only what a tool goes by: "I need my
// phone for work" says nothing of get_customer_by_phone.
func (c *Classifier) aside(s *scratch, tool int) bool {
	p, t := c.profiles[tool], &s.tallies[tool]
	return p.firsts > 0 && t.namedHits > 0 && t.first == 0
}

// plea is the whole message in the mood, and with the verb, of the clause that
// asks most plainly; false if none asks.
func (s *scratch) plea() (*clause, bool) {
	best := &s.clauses[0]
	for i := range s.clauses {
		if cl := &s.clauses[i]; pleading[cl.mood] > pleading[best.mood] {
			best = cl
		}
	}
	s.all = *best
	s.all.from, s.all.body, s.all.to = 0, 0, len(s.reader.tokens)
	return &s.all, pleading[best.mood] > 0
}

// pleading is how plainly a clause of each mood asks for something; the last mood
// is named so that there is a place for all.
var pleading = [...]uint8{fragment: 1, wanting: 2, asking: 3, suggestion: 4, command: 5, learning: 0}
