package completion

import (
	"bytes"
	"slices"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// request is what the user's message is, as far as its words tell.
type request struct {
	asks    bool         // a question
	orders  bool         // an order, plain or polite
	acts    int          // how many acts it orders
	reads   bool         // all that it orders is a look
	roles   reading.Role // of all its words
	deeds   []uint64     // of a message with words such as "letter": verbs that order the act of a tool
	answers bool         // comes after a question of ours
	agrees  bool         // "yes please" after one
	// meant are the tools that change something and that it may ask for, uncalled those of
	// them that were not called; they are counted once the records were read.
	meant, uncalled int
}

// instructs reports whether it may tell us to do something: it orders, or answers a question of ours.
func (r *request) instructs() bool { return r.orders || r.answers }

// composes reports whether a text may be all that it asks for.
func (r *request) composes() bool { return r.roles&reading.RoleWords != 0 && len(r.deeds) == 0 }

// composed reports whether a clause may belong to a text that was asked for. What an
// uncalled tool does, and was ordered in so many words, does not: "cancel my essay order".
func (c *conversation) composed(a *assertion) bool {
	return c.calls() == 0 && c.about.roles&reading.RoleWords != 0 && !c.ordered(a)
}

// ordered reports whether a clause tells as done what an uncalled tool does and the user
// orders beside words, or of a thing that is called by one: "post the letter".
func (c *conversation) ordered(a *assertion) bool {
	return len(c.about.deeds) > 0 && a.unmade >= 0.9 && (a.asked || slices.Contains(c.about.deeds, a.verbKey))
}

// noteDeed notes a verb that orders what an offered tool does. That of writing does not,
// whatever tools there are, nor does one that only a text can be the object of.
func (c *conversation) noteDeed(r *request, verb int) {
	if verb < 0 || r.roles&reading.RoleWords == 0 || c.user.Roles[verb]&(reading.RoleWords|reading.RoleTalk) != 0 ||
		reading.Carries(c.turn.User) { // the order may be part of what is to be worked on
		return
	}
	token, key := &c.user.Tokens[verb], c.reader.StemKey(c.user.Word(verb))
	if slices.ContainsFunc(c.tools, func(t toolFacts) bool {
		return t.changes && (t.verbKey == key || t.Families.Overlaps(token.Families()))
	}) {
		r.deeds = append(r.deeds, key)
	}
}

// readRequest reads the user's message. It tells questions from orders that are put as questions.
func (c *conversation) readRequest() {
	r := request{roles: c.user.AllRoles(), answers: c.previous.EndsAsking(), deeds: c.about.deeds[:0]}
	for i := range c.user.Sentences {
		switch s := &c.user.Sentences[i]; {
		case c.user.OrdersPolitely(s):
			r.orders = true
			r.acts++
			for k := s.First; k < s.Last; k++ {
				c.noteDeed(&r, c.user.Clauses[k].Verb)
			}
		case s.Asking:
			r.asks = true
		}
	}
	r.asks = r.asks || len(c.user.Roles) > 0 && c.user.Roles[0]&reading.RoleQuestion != 0
	for i := range c.user.Clauses {
		c.readOrder(&r, &c.user.Clauses[i])
	}
	if !r.orders && c.user.Commands() {
		r.orders, r.acts = true, max(r.acts, 1)
	}
	r.agrees = r.answers && len(c.user.Source) <= 60 && c.user.Agrees()
	c.about = r
	c.acts = c.actsIn(c.acts[:0], len(c.user.Source))
}

// actsIn adds the verbs of the user's message that may ask for something, up to a place.
func (c *conversation) actsIn(acts []*lexicon.Entry, end int) []*lexicon.Entry {
	for i := range c.user.Tokens {
		token := &c.user.Tokens[i]
		if int(token.End) <= end && token.Entry != nil && token.Entry.Form.Has(lexicon.Base|lexicon.Gerund) {
			acts = append(acts, token.Entry)
		}
	}
	return acts
}

// readOrder counts the act that a clause asks for, if it does.
func (c *conversation) readOrder(r *request, k *reading.Clause) {
	ordered := k.Mood == reading.Ordered ||
		k.Shape == reading.Fragment && c.user.Tokens[k.Verb].Form().Has(lexicon.Base) // "set the alarm to 7"
	r.orders = r.orders || ordered
	if k.Verb < 0 {
		return
	}
	families := c.user.Tokens[k.Verb].Families()
	if ordered || k.Mood == reading.Possible && !families.Empty() {
		r.acts++
		c.noteDeed(r, k.Verb)
		r.reads = (r.reads || r.acts == 1) && reading.OnlyLooks(families)
	}
}

// tellsOpen reports whether a text says that something did not work, or is not over yet where it is not.
func (c *conversation) tellsOpen() bool {
	waiting := c.sum.pending+c.sum.unknown > 0
	return waiting && c.all&(reading.RoleWait|reading.RoleCondition|reading.RoleRefrain) != 0 || c.tellsFailure()
}

// readRepeated finds out whether the text has a word of what a failed call answered, beside
// those of the call itself and of the user: in whatever form, that tells why. For what asks
// after answers, calls that are not over yet count as well, and figures.
func (c *conversation) readRepeated() {
	tells := func(v *reading.Value) bool {
		return v.IsContent() || v.Kind != reading.Word && v.Kind != reading.ID && !v.Has(reading.Derived|reading.Merged)
	}
	c.sum.repeatsError = c.repeats(fateFailed, (*reading.Value).IsContent)
	c.sum.repeatsAnswer = c.sum.repeatsError || c.repeats(fateFailed, tells) || c.repeats(fatePending, tells)
}

// repeats reports whether the text has a value of what a call of some fate answered,
// beside those of the call itself and of the user.
func (c *conversation) repeats(ended fate, tells func(*reading.Value) bool) bool {
	for i := range c.made {
		f := &c.made[i]
		if f.fate != ended {
			continue
		}
		for _, answer := range [...]string{f.record.Result.Error, f.record.Ruling.Reason, f.record.Result.Text()} {
			c.scratch = c.reader.Values(c.scratch[:0], clip.Text(answer, maxRead))
			for k := range c.scratch {
				v := &c.scratch[k]
				ours := c.known.Of(v.Key)&(1<<ofText|1<<ofUser) == 1<<ofText
				if ours && tells(v) && !bytes.Contains(f.record.Args, []byte(v.String())) {
					return true
				}
			}
		}
	}
	return false
}
