package policy

import (
	"context"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// quick approves the ordinary call: known tool, nothing to change, nothing that
// spans calls. It only ever says yes; whatever
// it has doubts about is judged in full, and a test holds the two together.
func (s *Set) quick(ctx context.Context, request *Proposal, args *Args) bool {
	if s.gated || request.Checklist != nil || request.Mode != "" || ctx.Err() != nil {
		return false
	}
	rules := s.tools[request.Call.Tool]
	return rules != nil && rules.quick && rules.passes(args)
}

// canBeQuick reports whether the tool may run at all, and every rule can say yes
// by itself.
func (t *toolRules) canBeQuick(strict bool) bool {
	if t.library != nil || strict && !t.covered {
		return false
	}
	for i := range t.identities {
		if t.identities[i].at >= 0 {
			return false // it may have to be set
		}
	}
	for i := range t.arguments {
		for _, step := range t.arguments[i].steps {
			if step.pass == nil {
				return false
			}
		}
	}
	return true
}

// passes reports whether every rule says yes.
func (t *toolRules) passes(args *Args) bool {
	found := 0
	for i := range t.arguments {
		a := &t.arguments[i]
		at := args.index(a.name)
		if at < 0 {
			if a.required || a.sent {
				return false
			}
			continue
		}
		found++
		if !a.passes(args, &args.members[at]) {
			return false
		}
	}
	return found == len(args.members) || t.harmless(args)
}

func (a *Argument) passes(args *Args, m *jsonspan.Member) bool {
	if Kind(m.Kind) == Null {
		return !a.required
	}
	v := Value{Kind(m.Kind), args.raw[m.ValueStart:m.ValueEnd]}
	if Kind(m.Kind) == String {
		if m.Escaped {
			return false // its text has to be written down first
		}
		v.body = v.body[1 : len(v.body)-1]
	}
	if !a.kinds.holds(v) {
		return false
	}
	for i := range a.steps {
		if !a.steps[i].pass(v) {
			return false
		}
	}
	return a.schema == nil || a.schema.passes(v)
}

// harmless reports whether nothing speaks against the arguments that are
// not declared.
func (t *toolRules) harmless(args *Args) bool {
	if t.closed {
		return false
	}
	for i := range args.members {
		if args.members[i].KeyEscaped {
			return false
		}
		name := args.name(i)
		if t.index(name) >= 0 {
			continue
		}
		for j := range t.identities {
			if sameIdentity(name, t.identities[j].Arg) {
				return false
			}
		}
		if t.twin(name) != "" {
			return false
		}
	}
	return true
}
