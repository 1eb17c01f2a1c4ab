package policy

import (
	"cmp"
	"errors"
	"strings"
)

// Rules say what arguments must look like. Build them with [Arg].
type Rules struct {
	// Tools are rules by the exact name of a tool. An entry without arguments
	// says that the tool was considered and needs none.
	Tools map[string][]Argument
	// Named are rules by the name of an argument, for every tool without an entry
	// of its own. Where the tool's schema lists the values of that argument, the
	// schema decides instead.
	Named []Argument
	// Optional are names in Tools and Named that no tool or argument need have: rules that
	// several agents share name more than one of them has.
	Optional []string
}

// Argument is the rules of one argument; [Arg] makes it.
type Argument struct {
	name     string
	checks   []Check
	required bool
	sent     bool // must be present, but null will do
	named    bool // from Rules.Named, and not declared by the tool
	kinds    kindSet
	secret   bool    // its name is that of a secret
	schema   *schema // of the tool's own declaration, judged last
	err      error   // a mistake in its checks
}

// Name is the argument's name.
func (a Argument) Name() string { return a.name }

// Rules are the names of the rules on it, under which decisions tell that they were
// broken.
func (a Argument) Rules() []string {
	names := make([]string, len(a.checks))
	for i, check := range a.checks {
		names[i] = check.name
	}
	return names
}

// Arg puts rules on an argument. They are applied in order, and every fault is
// told; after one, rules of the host's own ([Func]) are left out, so that they
// only see what the others accept. An argument that is absent or null is only
// judged by [Required], and one of the wrong kind only by [Type].
func Arg(name string, checks ...Check) Argument {
	argument := Argument{name: name, checks: checks, secret: isSecretName(name)}
	for _, check := range checks {
		argument.required, argument.err = argument.required || check.required, cmp.Or(argument.err, check.err)
		switch both := argument.kinds & check.kinds; {
		case argument.kinds == 0:
			argument.kinds = check.kinds
		case both == 0 && check.kinds != 0:
			argument.err = errors.New("its rules ask for kinds that exclude one another; every value would be refused")
		case check.kinds != 0:
			argument.kinds = both
		}
	}
	return argument
}

// Describe is what the rules ask for, in words for a prompt:
// "query (required): a string, at most 500 characters".
func (a Argument) Describe() string {
	name, asked := a.name, []string{}
	if a.required {
		name += " (required)"
	}
	if a.kinds != 0 {
		asked = append(asked, a.kinds.String())
	}
	for _, check := range a.checks {
		if check.text != "" {
			asked = append(asked, check.text)
		}
	}
	if len(asked) == 0 {
		return name
	}
	return name + ": " + strings.Join(asked, ", ")
}

// kindSet is a set of kinds; empty means any.
type kindSet uint16

func kindsOf(kinds ...Kind) kindSet {
	var set kindSet
	for _, kind := range kinds {
		set |= 1 << kind
		if kind == Number {
			set |= 1 << Integer // every whole number is a number
		}
	}
	return set
}

func (s kindSet) has(kind Kind) bool { return s&(1<<kind) != 0 }

// holds reports whether a value is of one of the kinds.
func (s kindSet) holds(v Value) bool {
	return s == 0 || s.has(v.kind) || v.kind == Number && s.has(Integer) && parseInteger(v.body).isCountable()
}

// String lists the kinds: "a string or null".
func (s kindSet) String() string {
	var names []string
	for kind := Missing; kind <= Integer; kind++ {
		if s.has(kind) && !(kind == Integer && s.has(Number)) {
			names = append(names, kind.String())
		}
	}
	return strings.Join(names, " or ")
}
