package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Rivals are calls of one tool, told apart by what some of them hold and others do not:
// what a text tells of one of them must not be what another holds. Ann was paid 50 and
// Bob 70, and no call is about Ann and 70.
type Rivals struct {
	reader  *Reader
	known   *Index
	calls   []Source
	marks   []mark
	scratch []Value
}

// mark is a value in one of the calls, by the argument that it stands in.
type mark struct {
	slot uint64 // of results, one for each kind of value
	key  uint64 // 0 for any value
	made uint64 // the calls that have it there, a set
}

// inResult and the kinds after it are the slots of results.
const inResult = uint64(1)

func isResult(slot uint64) bool { return slot <= inResult+uint64(Clock) }

// Begin forgets all calls. The index says which call holds which value.
func (r *Rivals) Begin(reader *Reader, known *Index) {
	r.reader, r.known, r.calls, r.marks = reader, known, r.calls[:0], r.marks[:0]
}

// Len is the number of calls.
func (r *Rivals) Len() int { return len(r.calls) }

// Add adds a call: where the index has it, its arguments and its result.
func (r *Rivals) Add(from Source, args, result []byte) {
	const depth = 4
	call := uint64(1) << len(r.calls)
	r.calls = append(r.calls, from)
	r.read(call, 0, args, depth)
	r.read(call, inResult, result, depth)
}

// read notes the values of an argument or a result. Long ones hold more than what a call
// is about, and words of results are those of any text.
func (r *Rivals) read(call, slot uint64, value []byte, depth int) {
	const long = 80
	if depth < 0 {
		return
	}
	for key, member := range jsonspan.Members(value) {
		in := slot
		if slot != inResult {
			in = lexicon.Hash(string(key))
		}
		r.read(call, in, member, depth-1)
	}
	for element := range jsonspan.Elements(value) {
		r.read(call, slot, element, depth-1)
	}
	if kind := jsonspan.KindOf(value); kind == jsonspan.Object || kind == jsonspan.Array || len(value) > long {
		return
	}
	r.scratch = r.reader.Values(r.scratch[:0], string(value))
	for i := range r.scratch {
		v, in := &r.scratch[i], slot
		if slot == inResult {
			in += uint64(v.Kind)
		}
		if v.Has(Merged) || in == inResult {
			continue
		}
		r.note(mark{in, 0, call})
		if r.known.Row(v.Key) > 0 {
			r.note(mark{in, v.Key, call})
		}
	}
}

// note adds a mark, or its call to one that there is.
func (r *Rivals) note(m mark) {
	i := slices.IndexFunc(r.marks, func(o mark) bool { return o.slot == m.slot && o.key == m.key })
	if i < 0 {
		i = len(r.marks)
		r.marks = append(r.marks, m)
	}
	r.marks[i].made |= m.made
}

// TellsApart reports whether a value of a text can tell calls apart: it is a figure, a
// name, or a word that says something by itself. "The other two" counts calls.
func (v *Value) TellsApart() bool {
	letter := v.Has(Capital) && v.end-v.start == 1 // "row K"
	idle := v.Kind == Word && v.Entry != nil && !letter && !v.IsContent()
	return !idle && !v.Has(Derived|Merged|Worded)
}

// with are those of some calls that hold a value, a set, and the argument that has it.
// Where all of them hold it, or it stands in several arguments, it tells none apart.
func (r *Rivals) with(v *Value, among uint64) (slot, calls uint64) {
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
	if slot == 0 {
		return 0, 0
	}
	for i, from := range r.calls {
		if r.known.Holds(from, v) {
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

func (r *Rivals) chains(values []Value, among uint64) []chain {
	var chains []chain
	for i := range values {
		slot, calls := r.with(&values[i], among)
		if calls == 0 {
			continue
		}
		k := slices.IndexFunc(chains, func(other chain) bool { return other.slot == slot })
		if k < 0 {
			k = len(chains)
			any := slices.IndexFunc(r.marks, func(m mark) bool { return m.slot == slot && m.key == 0 })
			chains = append(chains, chain{slot: slot, made: r.marks[any].made})
		}
		if n := len(chains[k].calls); n == 0 || chains[k].calls[n-1] != calls {
			chains[k].calls = append(chains[k].calls, calls)
		}
	}
	return chains
}

// Crossed reports whether values are told together that none of some calls holds
// together. What is far apart belongs together in lists alone, of so many entries at
// least.
func (r *Rivals) Crossed(values []Value, among uint64, entries int) bool {
	chains := slices.DeleteFunc(r.chains(values, among), func(c chain) bool {
		return len(c.calls) < entries || entries > 1 && isResult(c.slot)
	})
	for i := range chains {
		for k := range chains[:i] {
			if crossed(&chains[i], &chains[k]) {
				return true
			}
		}
	}
	return false
}

// crossed: the first name goes with the first amount, the second with the second, whether
// they are told in turn or one list after the other. A single one goes with any of the
// others.
func crossed(one, other *chain) bool {
	if isResult(one.slot) && isResult(other.slot) {
		return false
	}
	if len(one.calls) > len(other.calls) {
		one, other = other, one
	}
	switch len(one.calls) {
	case len(other.calls):
		for i, calls := range one.calls {
			if calls&other.calls[i] == 0 && calls&other.made != 0 && other.calls[i]&one.made != 0 {
				return true
			}
		}
	case 1:
		return one.calls[0]&other.made != 0 &&
			!slices.ContainsFunc(other.calls, func(calls uint64) bool { return calls&one.calls[0] != 0 })
	}
	return false
}

// Of are the calls that hold all values by which they are told apart, a set; empty where
// there is none.
func (r *Rivals) Of(values []Value) uint64 {
	all := uint64(1)<<len(r.calls) - 1
	calls := all
	for _, chain := range r.chains(values, all) {
		for _, some := range chain.calls {
			calls &= some
		}
	}
	if calls == all {
		return 0
	}
	return calls
}

// Pairs reports whether what stands between two places joins what is around it: "and", a
// comma, and an article at most.
func (t *Text) Pairs(from, to int) bool {
	joins := false
	for word := range strings.FieldsSeq(strings.ReplaceAll(t.Source[from:max(from, to)], ",", " and ")) {
		switch role := t.reader.rolesOf(word); {
		case role&RoleAnd != 0 && word != "or":
			joins = true
		case word == "the" || word == "your" || word == "a" || role&RoleOther != 0:
		default:
			return false
		}
	}
	return joins
}
