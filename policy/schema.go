package policy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// schema is a JSON Schema that judges raw JSON in place. The library that knows
// all of JSON Schema costs every program that starts some milliseconds; it is what
// the tests compare this one with.
type schema struct {
	isNever    bool      // the schema false
	kinds      kindSet   // 0 is any
	enum       [][]byte  // canonical; nil is any
	keywords   []keyword // those that have no place below
	prefix     []*schema // of the first elements of an array, one each
	items      *schema   // of the others
	properties []property
	required   []string // those that are not among properties
	patterns   []property
	others     *schema // of properties that are not declared; nil is any

	hasProperties bool
	isOpen        bool // others are welcome, by its own word, or its parts may name some
}

type property struct {
	name     string
	pattern  *regexp.Regexp // of the name, for a property by pattern
	schema   *schema
	required bool
}

// keyword finds a keyword by its name; nil if the schema does not have it.
func (s *schema) keyword(name string) *keyword {
	for i := range s.keywords {
		if s.keywords[i].name == name {
			return &s.keywords[i]
		}
	}
	return nil
}

// needsWhole reports whether the arguments of a tool cannot be judged one by one.
func (s *schema) needsWhole() bool {
	judgesOthers := s.others != nil && !s.others.isNever && !reflect.DeepEqual(s.others, new(schema))
	return s.enum != nil || s.keywords != nil || s.patterns != nil || judgesOthers
}

// canBeNull reports whether the schema mentions null and accepts it. One that
// accepts anything does not ask for null.
func (s *schema) canBeNull() bool {
	null := valueOf([]byte("null"))
	return s != nil && s.hasNull(0) && new(examination).accepts(s, null)
}

func (s *schema) hasNull(depth int) bool {
	return depth < MaxDepth && (s.kinds.has(Null) || s.isInEnum([]byte("null")) ||
		slices.ContainsFunc(s.keywords, func(k keyword) bool {
			isForm := slices.Contains([]string{"$ref", "allOf", "anyOf", "oneOf"}, k.name)
			return isForm && slices.ContainsFunc(k.schemas, func(part *schema) bool { return part.hasNull(depth + 1) })
		}))
}

// examination is what schemas find in a value, and how far they have come.
type examination struct {
	faults []Fault
	path   []pathStep // to the value under judgement
	work   int        // see maxSchemaWork
	depth  int
}

// add tells a fault, once.
func (e *examination) add(fault Fault) {
	if len(e.faults) < tooManyFaults && !slices.Contains(e.faults, fault) {
		e.faults = append(e.faults, fault)
	}
}

// pathStep is one step on the way to a value inside the arguments.
type pathStep struct {
	name  string
	index int // of an element; -1 for a property
}

// here is the place of the value under judgement, as a model reads it:
// "metadata.tags[2]".
func (e *examination) here() string {
	var at strings.Builder
	for i, step := range e.path {
		switch {
		case step.index >= 0:
			at.WriteString("[" + strconv.Itoa(step.index) + "]")
		case i > 0:
			at.WriteString("." + step.name)
		default:
			at.WriteString(step.name)
		}
	}
	return at.String()
}

// wholeObject is what has no name of its own.
const wholeObject = "the object of arguments"

// wrong adds a fault of the value under judgement.
func (e *examination) wrong(rule, format string, args ...any) {
	here := e.here()
	e.add(Fault{rule, here, cmp.Or(here, wholeObject) + " " + fmt.Sprintf(format, args...)})
}

// shown is a value in a message, unless its name is that of a secret.
func (e *examination) shown(v Value) string {
	if n := len(e.path); n > 0 && isSecretName(e.path[n-1].name) {
		return redacted
	}
	return v.shown()
}

// checkAt judges a value inside of the one under judgement.
func (e *examination) checkAt(step pathStep, s *schema, v Value) {
	e.path = append(e.path, step)
	s.check(e, v)
	e.path = e.path[:len(e.path)-1]
}

// try collects the faults that a schema finds, and adds none.
func (e *examination) try(s *schema, v Value) []Fault {
	told := e.faults
	e.faults = nil
	s.check(e, v)
	found := e.faults
	e.faults = told
	return found
}

func (e *examination) accepts(s *schema, v Value) bool {
	return len(e.try(s, v)) == 0 && !e.isExhausted()
}

const (
	// maxSchemaWork bounds how often a part of an argument is held against a schema, since
	// alternatives of alternatives multiply; maxSchemaDepth bounds references that
	// lead back to themselves.
	maxSchemaWork  = 4 << 20
	maxSchemaDepth = 1000
)

func (e *examination) isExhausted() bool { return e.work > maxSchemaWork }

// check adds a fault for everything in the value that the schema forbids.
func (s *schema) check(e *examination, v Value) {
	if e.work++; e.depth > maxSchemaDepth {
		e.work = maxSchemaWork + 1
	}
	if e.isExhausted() {
		return
	}
	e.depth++
	defer func() { e.depth-- }()
	switch {
	case s.isNever:
		e.wrong("schema", "is not allowed; leave it out")
		return
	case !s.kinds.holds(v):
		e.wrong("type", "is %s; it must be %s", kindOrValue(v, e.shown(v)), s.kinds)
		return
	case s.enum != nil && !s.allows(v):
		e.wrong("one_of", "is %s; use one of %s", e.shown(v), s.choices())
		return
	}
	for i := range s.keywords {
		if k := &s.keywords[i]; k.judge != nil && (k.about == Missing || k.about == v.kind) {
			k.judge(k, e, v)
		}
	}
	switch v.kind {
	case Array:
		s.checkElements(e, v)
	case Object:
		s.checkProperties(e, v)
	}
}

func (s *schema) allows(v Value) bool {
	if v.kind == String { // compared as text: no memory for the common case
		return slices.ContainsFunc(s.enum, func(allowed []byte) bool {
			return jsonspan.KindOf(allowed) == jsonspan.String && bytes.Equal(valueOf(allowed).body, v.body)
		})
	}
	return s.isInEnum(canonicalOf(nil, v.body))
}

func (s *schema) isInEnum(canonical []byte) bool {
	return slices.ContainsFunc(s.enum, func(allowed []byte) bool { return bytes.Equal(allowed, canonical) })
}

func (s *schema) choices() string {
	names := make([]string, len(s.enum))
	for i, value := range s.enum {
		names[i] = strings.Trim(string(value), `"`)
	}
	return list(names)
}

func (s *schema) checkElements(e *examination, v Value) {
	n := 0
	for element := range jsonspan.Elements(v.body) {
		of := s.items
		if n < len(s.prefix) {
			of = s.prefix[n]
		}
		if of != nil && len(e.faults) < tooManyFaults {
			e.checkAt(pathStep{"", n}, of, valueOf(element))
		}
		n++
	}
}

func (s *schema) checkProperties(e *examination, v Value) {
	for i := range s.properties {
		p := &s.properties[i]
		value := memberOf(v.body, p.name)
		switch {
		case value.kind > Null || value.kind == Null && p.schema.canBeNull():
			e.checkAt(pathStep{p.name, -1}, p.schema, value)
		case p.required:
			e.missing(p.name)
		}
	}
	for _, name := range s.required {
		if memberOf(v.body, name).kind == Missing {
			e.missing(name)
		}
	}
	if s.patterns == nil && s.others == nil {
		return
	}
	for key, raw := range jsonspan.Members(v.body) {
		if len(e.faults) >= tooManyFaults {
			return
		}
		s.checkOther(e, string(jsonspan.Key(key)), valueOf(raw))
	}
}

// missing tells that a property of the object under judgement is missing.
func (e *examination) missing(name string) {
	e.path = append(e.path, pathStep{name, -1})
	e.wrong("required", "is missing; send it")
	e.path = e.path[:len(e.path)-1]
}

// checkOther judges a property by the patterns of its name, or as one that is not
// declared.
func (s *schema) checkOther(e *examination, name string, v Value) {
	isDeclared := slices.ContainsFunc(s.properties, func(p property) bool { return p.name == name })
	for _, p := range s.patterns {
		if p.pattern.MatchString(name) {
			isDeclared = true
			e.checkAt(pathStep{name, -1}, p.schema, v)
		}
	}
	switch here := e.here(); {
	case isDeclared || s.others == nil:
	case s.others.isNever:
		reason := jsonspan.Quote([]byte(name)) + " is not allowed in " + cmp.Or(here, wholeObject)
		e.add(Fault{"unknown_argument", here, reason})
	default:
		e.checkAt(pathStep{name, -1}, s.others, v)
	}
}

func memberOf(object []byte, name string) Value {
	for key, value := range jsonspan.Members(object) {
		if string(jsonspan.Key(key)) == name {
			return valueOf(value)
		}
	}
	return Value{}
}

// Schema judges an argument by a JSON Schema of its own. The schema of a whole
// tool needs no rule: it is taken from the tool's Parameters.
func Schema(raw json.RawMessage) Check {
	own, err := compileSchema(raw)
	if err != nil {
		return Check{name: "schema", err: fmt.Errorf("schema: %w", err)}
	}
	return Check{name: "schema", judge: func(s *subject, v Value) {
		s.bad = s.examine(own, s.arg, v) || s.bad
	}}
}
