package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// rivals are the calls of one tool in a turn, told apart by what some of them hold and others do not: what a text
// tells of one of them must not be what another holds. Ann was paid 50 and Bob 70, and no call is about Ann and 70.
type rivals struct {
	*conversation
	tool   *toolFacts
	calls  []*fact
	worked uint64 // those that did what they should, a set
	marks  []mark
}

// mark is a value in some of the calls, by the argument that it stands in.
type mark struct {
	slot uint64 // of results, one for each kind of value
	key  uint64 // 0 for any value
	made uint64 // the calls that have it there, a set
}

// inResult and the kinds after it are the slots of results.
const inResult = uint64(1)

func isResult(slot uint64) bool { return slot <= inResult+uint64(reading.Clock) }

// maxTold is the number of calls of a turn whose text tells what each of them did.
const maxTold = 12

// readRivals gathers the calls of tools that the text tells apart.
func (c *conversation) readRivals() {
	const depth = 4
	for _, t := range c.used {
		if len(c.made) > maxTold || t == &c.nameless || !c.isToldApart(t) {
			continue
		}
		r := &rivals{conversation: c, tool: t}
		for i := range c.made {
			if f := &c.made[i]; f.tool == t {
				call := uint64(1) << len(r.calls)
				r.worked |= call * uint64(is(f.worked()))
				r.calls = append(r.calls, f)
				r.readMarks(call, 0, f.record.Args, depth)
				r.readMarks(call, inResult, f.record.Result.Data, depth)
			}
		}
		c.rivals = append(c.rivals, r)
	}
}

// isToldApart reports whether the text has values that some calls of a tool hold and others
// do not: two that may be mixed up, or one where the calls did not end alike.
func (c *conversation) isToldApart(t *toolFacts) bool {
	n := int(is(t.grounds&(1<<fateFailed) != 0))
	for k := range c.text.Values {
		held, not := false, false
		for i := range c.made {
			if f := &c.made[i]; f.tool == t {
				holds := c.known.Holds(f.itself, &c.text.Values[k])
				held, not = held || holds, not || !holds
			}
		}
		n += int(is(held && not && c.text.Values[k].TellsApart()))
	}
	return n >= 2
}

// readMarks notes the values of an argument or a result. Long ones hold more than what a call
// is about, and words of results are those of any text.
func (r *rivals) readMarks(call, slot uint64, value []byte, depth int) {
	const long = 80
	if depth < 0 {
		return
	}
	whole := true
	for key, child := range jsonspan.Children(value) {
		in := slot
		if whole = false; key != nil && slot != inResult {
			in = lexicon.Hash(string(key))
		}
		r.readMarks(call, in, child, depth-1)
	}
	if !whole || len(value) > long {
		return
	}
	r.scratch = r.reader.Values(r.scratch[:0], string(value))
	for i := range r.scratch {
		v, in := &r.scratch[i], slot
		if slot == inResult {
			in += uint64(v.Kind)
		}
		if v.Has(reading.Merged) || in == inResult {
			continue
		}
		if r.note(mark{in, 0, call}); r.known.Row(v.Key) > 0 {
			r.note(mark{in, v.Key, call})
		}
	}
}

// note adds a mark, or its call to one that there is.
func (r *rivals) note(m mark) {
	i := slices.IndexFunc(r.marks, func(o mark) bool { return o.slot == m.slot && o.key == m.key })
	if i < 0 {
		i, r.marks = len(r.marks), append(r.marks, m)
	}
	r.marks[i].made |= m.made
}

// with are those of some calls that hold a value, a set, and the argument that has it.
// Where all of them hold it, or it stands in several arguments, it tells none apart.
func (r *rivals) with(v *reading.Value, among uint64) (slot, calls uint64) {
	if !v.TellsApart() {
		return 0, 0
	}
	for _, m := range r.marks {
		switch {
		case m.key == 0 || !v.Is(m.key), isResult(m.slot) && slot != 0:
		case isResult(slot) || slot == m.slot:
			slot = m.slot
		default:
			return 0, 0
		}
	}
	for i, f := range r.calls {
		if slot != 0 && r.known.Holds(f.itself, v) {
			calls |= 1 << i & among
		}
	}
	if calls == among {
		return 0, 0
	}
	return slot, calls
}

// chain are the calls that the values of one argument are of, in the order in which they
// are told; the same ones in a row are told once.
type chain struct {
	slot  uint64
	calls []uint64
	made  uint64 // those that have such an argument
}

func (r *rivals) chains(values []reading.Value, among uint64) (chains []chain) {
	for i := range values {
		slot, calls := r.with(&values[i], among)
		if calls == 0 {
			continue
		}
		k := slices.IndexFunc(chains, func(other chain) bool { return other.slot == slot })
		if k < 0 {
			any := slices.IndexFunc(r.marks, func(m mark) bool { return m.slot == slot && m.key == 0 })
			k, chains = len(chains), append(chains, chain{slot: slot, made: r.marks[any].made})
		}
		if n := len(chains[k].calls); n == 0 || chains[k].calls[n-1] != calls {
			chains[k].calls = append(chains[k].calls, calls)
		}
	}
	return chains
}

// isCrossed: the first name goes with the first amount, the second with the second, whether they are told in turn
// or one list after the other. A single one goes with any of the others.
func isCrossed(one, other *chain) bool {
	if len(one.calls) > len(other.calls) {
		one, other = other, one
	}
	switch {
	case isResult(one.slot) && isResult(other.slot):
	case len(one.calls) == len(other.calls):
		for i, calls := range one.calls {
			if calls&other.calls[i] == 0 && calls&other.made != 0 && other.calls[i]&one.made != 0 {
				return true
			}
		}
	case len(one.calls) == 1:
		return one.calls[0]&other.made != 0 &&
			!slices.ContainsFunc(other.calls, func(calls uint64) bool { return calls&one.calls[0] != 0 })
	}
	return false
}

// mixed: a clause, its sentence or a list tells values of several calls as those of one.
func (c *conversation) mixed(a *assertion) bool {
	in := a.clause.Sentence
	return c.mixedIn(c.text.ValuesIn(a.clause), 1) || c.mixedIn(c.text.ValuesOf(in, in), 1) || c.mixedIn(c.text.Values, 2)
}

// mixedUnsaid reports the same of sentences that state nothing else: "you'll find A on 2".
func (c *conversation) mixedUnsaid() bool {
	for i := range c.text.Sentences {
		if len(c.rivals) > 0 && !c.text.Sentences[i].Asking && c.mixedIn(c.text.ValuesOf(i, i), 1) {
			return true
		}
	}
	return false
}

// mixedIn reports whether values are told together that none of some calls holds together.
// What is far apart belongs together in lists alone, of so many entries at least.
func (c *conversation) mixedIn(values []reading.Value, entries int) bool {
	return slices.ContainsFunc(c.rivals, func(r *rivals) bool {
		chains := slices.DeleteFunc(r.chains(values, r.worked), func(one chain) bool {
			return len(one.calls) < entries || entries > 1 && isResult(one.slot)
		})
		for i := range chains {
			if slices.ContainsFunc(chains[:i], func(other chain) bool { return isCrossed(&chains[i], &other) }) {
				return true
			}
		}
		return false
	})
}

// exchanged: a clause tells as done what a call failed to do, or as failed what one did,
// while another call of the tool ended the other way.
func (c *conversation) exchanged(a *assertion) bool {
	const failing, open = fails | reading.RoleUnable, reading.RoleWait | reading.RoleAttempt | reading.RoleEarlier
	roles, closes := a.clause.Roles, a.clause.Roles&(reading.RoleDone|reading.RoleTick) != 0
	return slices.ContainsFunc(c.rivals, func(r *rivals) bool {
		does := c.fits(a, r.tool) >= 0.9
		won := !a.clause.Negated && roles&(failing|open) == 0 && (closes || does && a.told())
		lost := roles&failing != 0 || a.clause.Negated && does && a.clause.Mood != reading.Possible
		if !won && !lost || r.tool.grounds&(1<<fateFailed) == 0 || r.worked == 0 {
			return false
		}
		all := uint64(1)<<len(r.calls) - 1
		told := all // the calls that hold all values by which they are told apart
		for _, chain := range r.chains(c.text.ValuesIn(a.clause), all) {
			for _, some := range chain.calls {
				told &= some
			}
		}
		return told != all && told != 0 &&
			(lost && r.ended(a, told, fateChanged) || won && r.ended(a, told, fateFailed))
	})
}

// ended reports whether all calls in a set ended in one way, and none has the word for how they
// are told to have ended.
func (r *rivals) ended(a *assertion, told uint64, as fate) bool {
	verb := r.known.Row(a.verbKey)
	for i, f := range r.calls {
		said := a.clause.Verb >= 0 && as == fateChanged && r.known.In(verb, f.itself)
		if told>>i&1 != 0 && (f.fate != as || said) {
			return false
		}
	}
	return true
}
