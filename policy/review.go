package policy

import (
	"bytes"
	"context"
	"fmt"
	"sync"
)

// review is the state of one review. It is pooled, so that a call which passes
// costs no memory.
type review struct {
	ctx      context.Context
	request  Request
	args     *Args
	subject  subject
	own      Args // memory for args
	scan     scanner
	scratch  []byte
	faults   []Fault
	notes    []Fault // what was rewritten
	replaced []field
	err      error // a rule could not decide
}

var reviews = sync.Pool{New: func() any {
	r := new(review)
	r.subject.review = r
	return r
}}

func newReview(ctx context.Context, request Request) *review {
	r := reviews.Get().(*review)
	r.ctx, r.request = ctx, request
	return r
}

// keptBytes bounds the memory that a pooled review holds on to.
const keptBytes = 64 << 10

// release returns the review to the pool. Its findings belong to a decision by
// now and are left alone.
func (r *review) release() {
	kept := review{own: Args{members: r.own.members[:0]}, scan: scanner{keys: r.scan.keys[:0]}, scratch: r.scratch[:0], replaced: r.replaced[:0]}
	if cap(kept.own.members) > 256 || cap(kept.scratch) > keptBytes || cap(kept.scan.keys) > 256 {
		return
	}
	clear(r.replaced[:cap(r.replaced)])
	*r = kept
	r.subject.review = r
	reviews.Put(r)
}

// tooManyFaults bounds the work and the memory that one call can cause.
const tooManyFaults = 100

func (r *review) add(rule, arg, format string, args ...any) {
	if len(r.faults) < tooManyFaults {
		r.faults = append(r.faults, Fault{Rule: rule, Arg: arg, Reason: fmt.Sprintf(format, args...)})
	}
}

// fail records that a rule could not decide. The first one counts.
func (r *review) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.subject.bad = true
}

// arguments judges all arguments of the call.
func (r *review) arguments(rules *toolRules, identity []Identity) {
	r.identity(rules, identity)
	for i := range rules.arguments {
		r.argument(&rules.arguments[i])
	}
	r.others(rules)
	if rules.library != nil && r.err == nil {
		r.library(rules)
	}
}

func (r *review) argument(a *Argument) {
	s := &r.subject
	s.arg, s.bad = a.name, false
	s.value = r.lookup(a.name)
	if s.value.kind <= Null { // null means absent
		if a.required || a.sent && s.value.kind == Missing {
			r.add("required", a.name, "%s is missing; send it%s", a.name, as(a.kinds))
		}
		return
	}
	if !a.kinds.holds(s.value) {
		r.add("type", a.name, "%s is %s; it must be %s", a.name, describeValue(s), a.kinds)
		return
	}
	for i := range a.checks {
		check := &a.checks[i]
		if check.judge == nil {
			continue
		}
		s.rule = check.name
		if check.judge(s); s.bad {
			return
		}
	}
	if a.schema != nil {
		a.schema.check(r, &place{name: a.name}, s.value)
	}
}

func as(kinds kindSet) string {
	if kinds == 0 {
		return ""
	}
	return " as " + kinds.String()
}

// describeValue names what was sent instead of the kind asked for: a number
// with a fraction is told as such.
func describeValue(s *subject) string {
	if s.value.kind == Number || s.value.kind == Bool {
		return s.shown()
	}
	return s.value.kind.String()
}

// lookup finds an argument, as rewritten so far.
func (r *review) lookup(name string) Value {
	for i := range r.replaced {
		if string(r.replaced[i].key) == name {
			return valueOf(r.replaced[i].value)
		}
	}
	i := r.args.index(name)
	if i < 0 {
		return Value{}
	}
	var value Value
	value, r.scratch = r.args.value(i, r.scratch)
	return value
}

func (r *review) setReplaced(name string, raw []byte) {
	for i := range r.replaced {
		if string(r.replaced[i].key) == name {
			r.replaced[i].value = raw
			return
		}
	}
	r.replaced = append(r.replaced, field{key: []byte(name), value: raw})
}

// others judges the arguments that nothing declares. A key that differs from a
// declared one by case only is refused: many decoders would take it for the
// declared argument, which was judged as absent.
func (r *review) others(rules *toolRules) {
	for i := range r.args.members {
		name := r.args.name(i)
		if len(r.faults) >= tooManyFaults || rules.declares(name) {
			continue
		}
		if twin := rules.twin(name); twin != "" {
			r.add("key", twin, "the argument %s is spelled %s; names are case-sensitive", twin, quote(name))
		} else if rules.closed {
			r.add("unknown_argument", string(name), "%s is not an argument of %s; it takes %s", quote(name), rules.tool.Name, list(rules.names))
		}
	}
}

// rewritten writes the arguments with their replacements in canonical form.
func (r *review) rewritten() []byte {
	var few [12]field
	fields := few[:0]
	for i := range r.args.members {
		m := &r.args.members[i]
		fields = append(fields, field{key: r.args.name(i), value: r.args.raw[m.valueStart:m.valueEnd]})
	}
	for _, replacement := range r.replaced {
		fields = put(fields, replacement)
	}
	return appendFields(make([]byte, 0, len(r.args.raw)+16), fields)
}

func put(fields []field, replacement field) []field {
	for i := range fields {
		if bytes.Equal(fields[i].key, replacement.key) {
			fields[i].value = replacement.value
			return fields
		}
	}
	return append(fields, replacement)
}
