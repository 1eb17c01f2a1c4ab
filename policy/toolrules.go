package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// toolRules is everything that is known about the arguments of one tool.
type toolRules struct {
	tool       tooltrack.Tool
	arguments  []Argument
	closed     bool    // no undeclared arguments
	covered    bool    // something says what its arguments may be
	declared   bool    // its schema says which arguments it takes, and no others
	schema     *schema // of the arguments as a whole; nil where they are judged one by one
	identities []Identity
	approvals  []Approval
	unreadable error // why its schema cannot be applied: its calls are refused
}

func compileTool(tool tooltrack.Tool, options *Options) (*toolRules, error) {
	rules, given := &toolRules{tool: tool}, options.Rules
	own, considered := given.Tools[tool.Name]
	rules.covered = considered
	rules.arguments = slices.Clone(own)
	if !considered {
		rules.addNamed(given.Named)
	}
	for _, argument := range rules.arguments {
		switch {
		case argument.name == "":
			return nil, errors.New("an argument has no name; give the name that the model sends")
		case argument.err != nil:
			return nil, fmt.Errorf("argument %s: %w", argument.name, argument.err)
		}
	}
	// Programs write null for a schema that is not there.
	if schema := bytes.TrimSpace(tool.Parameters); len(schema) > 0 && jsonspan.KindOf(schema) != jsonspan.Null {
		if err := rules.addSchema(tool.Parameters); err != nil {
			rules.unreadable = fmt.Errorf("parameters: %w", err)
			return rules, nil
		}
	}
	return rules, rules.addIdentity(options.Identity)
}

// find is the declared argument of that name; nil if there is none.
func (t *toolRules) find(name []byte) *Argument {
	for i := range t.arguments {
		if t.arguments[i].name == string(name) {
			return &t.arguments[i]
		}
	}
	return nil
}

func (t *toolRules) names() (names []string) {
	for i := range t.arguments {
		names = append(names, t.arguments[i].name)
	}
	return names
}

// addNamed applies rules by the name of an argument. A value that the tool's
// own schema lists is the schema's business; the status that a reading tool
// takes is a filter, and its values are its own.
func (t *toolRules) addNamed(named []Argument) {
	for _, argument := range named {
		if t.tool.Effect == tooltrack.Reads && argument.name == "status" || isListed(t.tool.Parameters, argument.name) {
			continue
		}
		argument.named = true
		t.arguments = append(t.arguments, argument)
	}
}

// isListed reports whether a schema enumerates the values of an argument.
func isListed(parameters []byte, arg string) bool {
	declared := memberOf(memberOf(bytes.TrimSpace(parameters), "properties").body, arg)
	return memberOf(declared.body, "enum").kind != Missing || memberOf(declared.body, "const").kind != Missing
}

// addSchema takes over the arguments that a tool's schema declares. A schema that rules by name cannot express is
// kept and checked as a whole. Where it allows no others, arguments that only a rule by name has added go again.
func (t *toolRules) addSchema(parameters []byte) error {
	s, err := compileSchema(parameters)
	if err != nil {
		return err
	}
	if s.isNever || !s.kinds.holds(Value{kind: Object}) {
		return errors.New("the schema accepts no object; arguments always are one")
	}
	t.declared = s.hasProperties && !s.isOpen
	t.covered = t.covered || s.hasProperties || s.needsWhole()
	for _, p := range s.properties {
		t.declare(Argument{name: p.name, required: p.required, schema: p.schema})
	}
	for _, name := range s.required {
		t.declare(Argument{name: name, required: true})
	}
	switch {
	case s.needsWhole():
		t.schema = s
	case s.others != nil && s.others.isNever: // a rule by name must not open the schema for that name
		t.closed = true
		t.arguments = slices.DeleteFunc(t.arguments, func(a Argument) bool { return a.named })
	}
	return nil
}

// declare merges what the schema says into the rules of the same argument.
func (t *toolRules) declare(declared Argument) {
	// A schema may ask for an argument and allow it to be null on purpose.
	if declared.required && declared.schema.canBeNull() {
		declared.required, declared.sent = false, true
	}
	have := t.find([]byte(declared.name))
	if have == nil {
		t.arguments = append(t.arguments, declared)
		return
	}
	have.required, have.sent = have.required || declared.required, have.sent || declared.sent
	have.schema, have.named = declared.schema, false
}

// twin is the declared argument that a lenient decoder would take name for.
func (t *toolRules) twin(name []byte) string {
	folded := ""
	if !isASCII(name) {
		folded = foldKey(name)
	}
	for i := range t.arguments {
		declared := t.arguments[i].name
		if jsonspan.EqualFoldASCII(name, declared) || folded != "" && folded == foldKey([]byte(declared)) {
			return declared
		}
	}
	return ""
}
