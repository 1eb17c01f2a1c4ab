package completion

import (
	"bytes"

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
	answers bool         // comes after a question of ours
	agrees  bool         // "yes please" after one
}

// instructs reports whether it may tell us to do something: it orders, or answers
// a question of ours.
func (r *request) instructs() bool { return r.orders || r.answers }

// readRequest reads the user's message. It tells questions from orders that are put
// as questions.
func (c *conversation) readRequest() {
	r := request{roles: c.user.AllRoles(), answers: c.previous.EndsAsking()}
	for i := range c.user.Sentences {
		switch s := &c.user.Sentences[i]; {
		case c.user.OrdersPolitely(s):
			r.orders = true
			r.acts++
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
		r.reads = (r.reads || r.acts == 1) && reading.OnlyLooks(families)
	}
}

// tellsOpen reports whether a text says that something did not work, or is not
// over yet where it is not.
func (c *conversation) tellsOpen() bool {
	waiting := c.sum.pending+c.sum.unknown > 0
	return waiting && c.all&(reading.RoleWait|reading.RoleCondition|reading.RoleRefrain) != 0 || c.tellsFailure()
}

// repeatsError reports whether the text has a word of what a failed call answered,
// beside those of the call itself and of the user: in whatever form, that tells why.
func (c *conversation) repeatsError() bool { return c.repeats(fateFailed, (*reading.Value).IsContent) }

// repeatsAnswer reports the same of a call that is not over yet as well, and of figures.
func (c *conversation) repeatsAnswer() bool {
	tells := func(v *reading.Value) bool {
		return v.IsContent() || v.Kind != reading.Word && v.Kind != reading.ID && !v.Has(reading.Derived|reading.Merged)
	}
	return c.repeats(fateFailed, tells) || c.repeats(fatePending, tells)
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
				if in := c.known.Of(v.Key); in&(1<<ofText|1<<ofUser) != 1<<ofText || !tells(v) {
					continue
				}
				if !bytes.Contains(f.record.Args, []byte(answer[v.Start:v.End])) {
					return true
				}
			}
		}
	}
	return false
}
