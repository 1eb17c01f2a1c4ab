package policy

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// toolRules is everything that is known about the arguments of one tool.
type toolRules struct {
	tool       tooltrack.Tool
	arguments  []Argument
	names      []string // declared, in order
	required   []string // present and not null
	sent       []string // present, but null will do
	closed     bool     // no undeclared arguments
	covered    bool
	declared   bool               // its schema says which arguments it takes, and no others
	library    *jsonschema.Schema // for schemas with uncommon keywords
	whole      bool               // a rule may look at several arguments
	identities []identityRule
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
		if err := argument.validate(); err != nil {
			return nil, err
		}
	}
	// Programs write null for a schema that is not there.
	if schema := bytes.TrimSpace(tool.Parameters); len(schema) > 0 && jsonspan.KindOf(schema) != jsonspan.Null {
		if err := rules.addSchema(tool.Parameters); err != nil {
			rules.unreadable = fmt.Errorf("parameters: %w", err)
			return rules, nil
		}
	}
	rules.whole = rules.library != nil
	for _, argument := range rules.arguments {
		rules.names = append(rules.names, argument.name)
		rules.whole = rules.whole || slices.ContainsFunc(argument.checks, func(c Check) bool { return c.custom })
		switch {
		case argument.required:
			rules.required = append(rules.required, argument.name)
		case argument.sent:
			rules.sent = append(rules.sent, argument.name)
		}
	}
	return rules, rules.addIdentity(options.Identity)
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
	args, err := Decode(parameters)
	if err != nil {
		return false
	}
	properties := args.Value("properties")
	if properties.kind != Object {
		return false
	}
	declared := memberOf(properties.body, arg)
	return declared.kind == Object &&
		(memberOf(declared.body, "enum").kind != Missing || memberOf(declared.body, "const").kind != Missing)
}

func (t *toolRules) addSchema(parameters []byte) error {
	common, err := compileSchema(parameters, 0)
	if errors.Is(err, errUncommon) {
		return t.addLibrary(parameters)
	}
	if err != nil {
		return err
	}
	if common.never || !common.kinds.holds(Value{kind: Object}) {
		return errors.New("the schema accepts no object; arguments always are one")
	}
	if common.enum != nil {
		return t.addLibrary(parameters)
	}
	t.declared = common.declaresProperties && !common.open
	t.covered = t.covered || common.declaresProperties
	t.closed = common.closed
	for _, p := range common.properties {
		t.declare(Argument{name: p.name, required: p.required, schema: p.schema})
	}
	for _, name := range common.required {
		t.declare(Argument{name: name, required: true})
	}
	if t.closed { // a rule by name must not open the schema for that name
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
	for i := range t.arguments {
		if have := &t.arguments[i]; have.name == declared.name {
			have.required = have.required || declared.required
			have.sent = have.sent || declared.sent
			have.schema = declared.schema
			have.named = false
			return
		}
	}
	t.arguments = append(t.arguments, declared)
}

func (t *toolRules) addLibrary(parameters []byte) error {
	full, err := compileLibrary(parameters)
	if err != nil {
		return err
	}
	t.library = full
	t.covered, t.declared = true, hasAllListed(full)
	names := slices.Sorted(maps.Keys(full.Properties))
	for _, name := range names {
		t.declare(Argument{name: name})
	}
	null := nullable(full)
	for _, name := range full.Required {
		isNull := slices.Contains(null, name)
		t.declare(Argument{name: name, required: !isNull, sent: isNull})
	}
	return nil
}

// hasAllListed reports whether the arguments that a schema speaks of are all among
// its properties: no other part of it may name one.
func hasAllListed(full *jsonschema.Schema) bool {
	listed := full.AdditionalProperties == nil || full.AdditionalProperties == false
	return full.Properties != nil && listed && full.PatternProperties == nil &&
		full.Ref == nil && full.RecursiveRef == nil && full.DynamicRef == nil &&
		full.AllOf == nil && full.AnyOf == nil && full.OneOf == nil && full.If == nil && full.DependentSchemas == nil &&
		full.Dependencies == nil && full.UnevaluatedProperties == nil
}

// nullable lists the properties whose schema names null among what it accepts.
// One that accepts anything does not ask for null.
func nullable(full *jsonschema.Schema) (names []string) {
	for name, property := range full.Properties {
		if hasNull(property, 0) && property.Validate(nil) == nil {
			names = append(names, name)
		}
	}
	return names
}

// hasNull reports whether a schema mentions null: by its type, by its values,
// or in one of its alternatives.
func hasNull(s *jsonschema.Schema, depth int) bool {
	if s == nil || depth > MaxDepth {
		return false
	}
	isNull := func(value any) bool { return value == nil }
	switch {
	case s.Types != nil && slices.Contains(s.Types.ToStrings(), "null"),
		s.Enum != nil && slices.ContainsFunc(s.Enum.Values, isNull),
		s.Const != nil && *s.Const == nil:
		return true
	}
	for _, alternatives := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf, s.AllOf, {s.Ref}} {
		if slices.ContainsFunc(alternatives, func(a *jsonschema.Schema) bool { return hasNull(a, depth+1) }) {
			return true
		}
	}
	return false
}

// index finds a declared argument, or returns -1.
func (t *toolRules) index(name []byte) int {
	for i := range t.names {
		if string(name) == t.names[i] {
			return i
		}
	}
	return -1
}

// twin is the declared argument that a lenient decoder would take name for.
func (t *toolRules) twin(name []byte) string {
	for _, declared := range t.names {
		if len(declared) == len(name) && jsonspan.EqualFoldASCII(name, declared) {
			return declared
		}
	}
	if isASCII(name) {
		return ""
	}
	folded := foldKey(name)
	for _, declared := range t.names {
		if folded == foldKey([]byte(declared)) {
			return declared
		}
	}
	return ""
}
