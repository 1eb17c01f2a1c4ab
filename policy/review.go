package policy

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// review is the state of one review. It is pooled, so that a call which passes
// costs no memory.
type review struct {
	ctx       context.Context
	owner     string
	tool      string
	clock     time.Time // in the user's time zone; see now
	args      *Args
	subject   subject
	own       Args // memory for args
	scratch   []byte
	faults    []Fault
	notes     []Fault // what was rewritten
	strangers []int32 // members that no rule declares
	replaced  []replacement
	err       error // a rule could not decide
}

// replacement is the new value of an argument.
type replacement struct {
	name string
	raw  []byte
}

var reviews = sync.Pool{New: func() any {
	r := new(review)
	r.subject.review = r
	return r
}}

func newReview(ctx context.Context, request *Proposal) *review {
	r := reviews.Get().(*review)
	r.ctx, r.owner, r.tool, r.clock = ctx, request.Owner, request.Call.Tool, request.Now
	if request.Unnamed {
		r.owner = ""
	}
	return r
}

// now is the time of the call. The machine's clock is only read by the rules
// that need it.
func (r *review) now() time.Time {
	if r.clock.IsZero() {
		r.clock = time.Now()
	}
	return r.clock
}

// keptBytes and keptMembers bound the memory that a pooled review holds on to.
const keptBytes, keptMembers = 64 << 10, 256

// release returns the review to the pool. Its findings belong to a decision by
// now and are left alone.
func (r *review) release() {
	if cap(r.own.fields) > keptMembers || cap(r.scratch) > keptBytes {
		return
	}
	clear(r.replaced)
	clear(r.own.fields)
	*r = review{
		own: Args{fields: r.own.fields[:0]}, scratch: r.scratch, strangers: r.strangers, replaced: r.replaced[:0],
		subject: subject{review: r, schemas: examination{path: r.subject.schemas.path}},
	}
	reviews.Put(r)
}

// tooManyFaults bounds the work and the memory that one call can cause.
const tooManyFaults = 100

// add tells a fault, unless a rule and the tool's schema say the same.
func (r *review) add(rule, arg, format string, args ...any) {
	if len(r.faults) >= tooManyFaults {
		return
	}
	fault := Fault{Rule: rule, Arg: arg, Reason: fmt.Sprintf(format, args...)}
	if !slices.Contains(r.faults, fault) {
		r.faults = append(r.faults, fault)
	}
}

// fail records that a rule could not decide. The first one counts.
func (r *review) fail(err error) {
	r.err = cmp.Or(r.err, err)
	r.subject.bad = true
}

// arguments judges all arguments of the call. Who asks is settled before any rule looks at a
// value.
func (r *review) arguments(rules *toolRules) {
	r.strangers = r.strangers[:0]
	for i := range r.args.fields {
		if rules.find(r.args.fields[i].key) == nil {
			r.strangers = append(r.strangers, int32(i))
		}
	}
	for i := range rules.identities {
		r.identify(rules, &rules.identities[i])
	}
	for i := range rules.arguments {
		r.argument(&rules.arguments[i])
	}
	r.others(rules)
	if rules.schema != nil && r.err == nil {
		r.whole(rules)
	}
}

// examine adds what a schema finds in an argument; the name is empty for all arguments.
func (r *review) examine(s *schema, name string, v Value) (isBad bool) {
	e := &r.subject.schemas
	if *e = (examination{path: e.path[:0]}); name != "" {
		e.path = append(e.path, pathStep{name, -1})
	}
	s.check(e, v)
	for _, fault := range e.faults {
		r.add(fault.Rule, fault.Arg, "%s", fault.Reason)
	}
	if e.isExhausted() {
		r.add("schema", name, "the arguments of %s cannot be checked: its schema leads back to itself, or has too many "+
			"alternatives; use another tool, or say so", r.tool)
	}
	return len(e.faults) > 0 || e.isExhausted()
}

// whole judges the arguments together, as rewritten so far and without optional nulls.
func (r *review) whole(rules *toolRules) {
	fields := r.fields(nil, func(name []byte, kind Kind) bool {
		a := rules.find(name)
		return kind != Null || a != nil && (a.required || a.sent)
	})
	r.examine(rules.schema, "", Value{Object, appendFields(nil, fields)})
}

func (r *review) argument(a *Argument) {
	s := &r.subject
	s.arg, s.secret, s.bad = a.name, a.secret, false
	v := r.value(a.name)
	if v.kind <= Null { // null means absent
		if a.required || a.sent && v.kind == Missing {
			r.add("required", a.name, "%s is missing; send it%s", a.name, as(a.kinds))
		}
		return
	}
	if !a.kinds.holds(v) {
		r.add("type", a.name, "%s is %s; it must be %s", a.name, kindOrValue(v, s.shown(v)), a.kinds)
		return
	}
	for i := range a.checks { // each sees what the ones before have left
		check := &a.checks[i]
		if check.judge == nil || s.bad && check.custom {
			continue
		}
		s.rule, s.changed = check.name, false
		if check.judge(s, v); !s.changed {
			continue
		}
		if v = s.value; !a.kinds.holds(v) { // the next check could not read it
			s.fault("%s became %s; it must be %s", a.name, kindOrValue(v, s.shown(v)), a.kinds)
			break
		}
	}
	if a.schema != nil {
		r.examine(a.schema, a.name, v)
	}
}

func as(kinds kindSet) string {
	if kinds == 0 {
		return ""
	}
	return " as " + kinds.String()
}

// kindOrValue names what was sent instead of the kind asked for: a number with a fraction is
// told as such.
func kindOrValue(v Value, shown string) string {
	if v.kind == Number || v.kind == Bool {
		return shown
	}
	return v.kind.String()
}

// value is an argument, as rewritten so far.
func (r *review) value(name string) Value {
	for i := range r.replaced {
		if r.replaced[i].name == name {
			return valueOf(r.replaced[i].raw)
		}
	}
	at := r.args.index(name)
	if at < 0 {
		return Value{}
	}
	body := r.args.fields[at].value
	kind := jsonspan.KindOf(body)
	if kind == jsonspan.String {
		if body = body[1 : len(body)-1]; bytes.IndexByte(body, '\\') >= 0 {
			r.scratch = jsonspan.AppendUnquoted(r.scratch[:0], body)
			body = r.scratch
		}
	}
	return Value{Kind(kind), body}
}

func (r *review) setReplaced(name string, raw []byte) {
	for i := range r.replaced {
		if r.replaced[i].name == name {
			r.replaced[i].raw = raw
			return
		}
	}
	r.replaced = append(r.replaced, replacement{name, raw})
}

// others judges the arguments that nothing declares. A key that differs from a
// declared one by case only is refused: many decoders would take it for the
// declared argument, which was judged as absent.
func (r *review) others(rules *toolRules) {
	for _, i := range r.strangers {
		if len(r.faults) >= tooManyFaults {
			return
		}
		name := r.args.fields[i].key
		if twin := rules.twin(name); twin != "" {
			r.add("key", twin, "the argument %s is spelled %s; names are case-sensitive", twin, jsonspan.Quote(name))
		} else if rules.closed {
			r.add("unknown_argument", string(name), "%s is not an argument of %s; it takes %s", jsonspan.Quote(name),
				rules.tool.Name, list(rules.names()))
		}
	}
}

// rewritten writes the arguments with their replacements in canonical form.
func (r *review) rewritten() []byte {
	var few [8]field
	fields := r.fields(few[:0], func([]byte, Kind) bool { return true })
	r.scratch = appendFields(r.scratch[:0], fields)
	return canonicalOf(make([]byte, 0, len(r.scratch)), r.scratch)
}

// fields are the arguments that are kept, as rewritten so far.
func (r *review) fields(fields []field, keep func(name []byte, kind Kind) bool) []field {
	for _, sent := range r.args.fields {
		if keep(sent.key, Kind(jsonspan.KindOf(sent.value))) {
			fields = append(fields, sent)
		}
	}
	for _, with := range r.replaced {
		same := func(f field) bool { return string(f.key) == with.name }
		if at := slices.IndexFunc(fields, same); at >= 0 {
			fields[at].value = with.raw
		} else {
			fields = append(fields, field{[]byte(with.name), with.raw})
		}
	}
	return fields
}
