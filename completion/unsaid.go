package completion

import (
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// unsaid counts the arguments of a change that neither the text nor the messages
// before it speak of: {"room":"kitchen"} where all say bedroom.
type unsaid struct{ words, numbers int }

// readUnsaid reads what nobody says of the changes of this turn, and what their
// results say is not so.
func (c *conversation) readUnsaid() {
	for i := range c.facts {
		f := &c.facts[i]
		f.unsaid = unsaid{}
		f.not.reset()
		if f.earlier || f.fate != fateChanged {
			continue
		}
		for _, value := range jsonspan.Members(f.record.Args) {
			c.addUnsaid(&f.unsaid, value)
		}
		c.addNot(&f.not, f.record.Result.Data[:min(len(f.record.Result.Data), maxRead)], 0)
	}
}

// addUnsaid adds an argument: a number, or a few words that name one thing.
func (c *conversation) addUnsaid(u *unsaid, value []byte) {
	const longest = 32
	kind := jsonspan.KindOf(value)
	if kind != jsonspan.Number && kind != jsonspan.String || len(value) > longest {
		return
	}
	c.scratch = c.reader.Values(c.scratch[:0], string(value))
	words := 0
	for i := range c.scratch {
		v := &c.scratch[i]
		said := c.holds(&c.shown, v) || c.holds(&c.said, v) || c.holds(&c.answered, v)
		switch {
		case said, v.Kind != reading.Word && v.Kind != reading.Number:
			return
		case v.Kind == reading.Word:
			words++
		}
	}
	switch {
	case words > 0:
		u.words++
	case len(c.scratch) > 0:
		u.numbers++
	}
}

// addNot adds the names of a result's members that are false or zero.
func (c *conversation) addNot(set *keySet, value []byte, depth int) {
	if depth > 2 {
		return
	}
	switch jsonspan.KindOf(value) {
	case jsonspan.Object:
		for name, member := range jsonspan.Members(value) {
			switch string(member) {
			case "false", "0":
				c.scratch = c.reader.Values(c.scratch[:0], string(name))
				for i := range c.scratch {
					set.add(c.scratch[i].Key)
				}
			}
			c.addNot(set, member, depth+1)
		}
	case jsonspan.Array:
		for element := range jsonspan.Elements(value) {
			c.addNot(set, element, depth+1)
		}
	}
}

// saysNotSo reports whether the result of the change that a clause is about says
// of the clause's own verb that it is not so: {"locked":false}.
func (a *assertion) saysNotSo() bool {
	best := a.best[inChange]
	return best != nil && !a.clause.Negated && a.verbKey != 0 && best.not.has(a.verbKey)
}
