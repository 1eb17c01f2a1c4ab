package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// schema is a JSON Schema whose keywords all are among the common ones. It
// judges raw JSON in place; schemas with any other keyword go to a library,
// which is slower and knows them all.
type schema struct {
	never              bool    // the schema false
	kinds              kindSet // 0 is any
	enum               [][]byte
	lengths            interval // of a string, in characters
	pattern            *regexp.Regexp
	values             interval // of a number
	openMin, openMax   bool     // the bounds themselves are excluded
	items              *schema
	counts             interval // of the elements of an array
	properties         []property
	required           []string // those that are not among properties
	closed             bool     // no other properties
	open               bool     // others are welcome, by its own word
	declaresProperties bool
}

type property struct {
	name     string
	schema   *schema
	required bool
}

// interval is a pair of inclusive bounds.
type interval struct{ min, max float64 }

func unbounded() interval { return interval{math.Inf(-1), math.Inf(1)} }

// errUncommon marks a schema that is not for us but for the library.
var errUncommon = errors.New("uncommon keyword")

// compileSchema reads a schema of common keywords, or returns errUncommon.
func compileSchema(raw []byte, depth int) (*schema, error) {
	if depth > MaxDepth {
		return nil, errUncommon
	}
	raw = bytes.TrimSpace(raw)
	switch string(raw) {
	case "true":
		return newSchema(), nil
	case "false":
		return &schema{never: true}, nil
	}
	args, err := Decode(raw)
	if err != nil {
		return nil, errUncommon // whether it is a schema at all, the library says
	}
	s := newSchema()
	var required []string
	for i := range args.members {
		value := valueOf(args.rawValue(i))
		switch {
		case value.kind == Null && emptyWhenNull[args.Name(i)]:
		case args.Name(i) == "required":
			required, err = stringsOf(value)
		default:
			err = s.keyword(args.Name(i), value, depth)
		}
		if err != nil {
			return nil, err
		}
	}
	s.require(required)
	return s, nil
}

// emptyWhenNull are keywords that programs write as null for "none": it is how
// encoders write an empty list or map of some languages.
var emptyWhenNull = map[string]bool{"required": true, "properties": true}

func newSchema() *schema {
	return &schema{lengths: unbounded(), values: unbounded(), counts: unbounded()}
}

func (s *schema) require(names []string) {
names:
	for _, name := range names {
		for i := range s.properties {
			if s.properties[i].name == name {
				s.properties[i].required = true
				continue names
			}
		}
		s.required = append(s.required, name)
	}
}

// annotations say nothing about which values are valid.
var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "examples": true, "example": true, "deprecated": true,
	"readOnly": true, "writeOnly": true, "$comment": true, "format": true, "strict": true,
	"contentEncoding": true, "contentMediaType": true,
}

func (s *schema) keyword(name string, value Value, depth int) (err error) {
	switch name {
	case "type":
		s.kinds, err = schemaKinds(value)
	case "enum":
		s.enum, err = enumOf(value)
	case "const":
		s.enum = [][]byte{canonicalOf(nil, value.Raw())}
	case "minLength":
		s.lengths.min, err = bound(value)
	case "maxLength":
		s.lengths.max, err = bound(value)
	case "minItems":
		s.counts.min, err = bound(value)
	case "maxItems":
		s.counts.max, err = bound(value)
	case "minimum", "exclusiveMinimum":
		err = s.lower(value, name != "minimum")
	case "maximum", "exclusiveMaximum":
		err = s.upper(value, name != "maximum")
	case "pattern":
		s.pattern, err = patternOf(value)
	case "items":
		s.items, err = compileSchema(value.Raw(), depth+1)
	case "properties":
		err = s.readProperties(value, depth)
	case "additionalProperties":
		if value.kind != Bool {
			return errUncommon
		}
		s.open = string(value.body) == "true"
		s.closed = !s.open
	default:
		if !annotations[name] {
			return errUncommon
		}
	}
	return err
}

func schemaKinds(value Value) (kindSet, error) {
	known := map[string]Kind{
		"null": Null, "boolean": Bool, "number": Number, "integer": Integer, "string": String, "array": Array,
		"object": Object,
	}
	names := []string{value.Text()}
	if value.kind == Array {
		var err error
		if names, err = stringsOf(value); err != nil {
			return 0, err
		}
	}
	var kinds kindSet
	for _, name := range names {
		kind, found := known[name]
		if !found {
			return 0, errUncommon
		}
		kinds |= kindsOf(kind)
	}
	return kinds, nil
}

func stringsOf(value Value) ([]string, error) {
	var names []string
	if value.kind != Array || json.Unmarshal(value.body, &names) != nil {
		return nil, errUncommon
	}
	return names, nil
}

func enumOf(value Value) (enum [][]byte, err error) {
	if value.kind != Array {
		return nil, errUncommon
	}
	enum = [][]byte{}
	for element := range jsonspan.Elements(value.body) {
		enum = append(enum, canonicalOf(nil, element))
	}
	return enum, nil
}

// bound reads a bound on a length or count.
func bound(value Value) (float64, error) {
	if n, whole := value.Int(); whole && n >= 0 && n < 1<<53 {
		return float64(n), nil
	}
	return 0, errUncommon
}

// exact is the range in which every whole number has a float64 of its own.
const exact = 1 << 53

func (s *schema) lower(value Value, open bool) error {
	f, ok := value.Float()
	if !ok || math.Abs(f) > exact || s.values.min != math.Inf(-1) {
		return errUncommon
	}
	s.values.min, s.openMin = f, open
	return nil
}

func (s *schema) upper(value Value, open bool) error {
	f, ok := value.Float()
	if !ok || math.Abs(f) > exact || s.values.max != math.Inf(1) {
		return errUncommon
	}
	s.values.max, s.openMax = f, open
	return nil
}

func patternOf(value Value) (*regexp.Regexp, error) {
	pattern, err := regexp.Compile(value.Text())
	if value.kind != String || err != nil {
		return nil, errUncommon
	}
	return pattern, nil
}

func (s *schema) readProperties(value Value, depth int) (err error) {
	if value.kind != Object {
		return errUncommon
	}
	s.declaresProperties = true
	for key, raw := range jsonspan.Members(value.body) {
		p := property{name: string(jsonspan.Key(key))}
		if p.schema, err = compileSchema(raw, depth+1); err != nil {
			return err
		}
		s.properties = append(s.properties, p)
	}
	return nil
}

func (s *schema) canBeNull() bool {
	if s == nil || s.never {
		return false
	}
	if s.enum != nil {
		return s.kinds.holds(Value{kind: Null}) && s.isInEnum([]byte("null"))
	}
	return s.kinds.has(Null)
}

func (s *schema) isInEnum(canonical []byte) bool {
	for _, allowed := range s.enum {
		if bytes.Equal(allowed, canonical) {
			return true
		}
	}
	return false
}

// isSurelyValid reports whether the schema certainly accepts the value. It does not
// look into lists and objects: those are checked in full.
func (s *schema) isSurelyValid(v Value) bool {
	if s.never || !s.kinds.holds(v) || s.enum != nil && !s.allows(v) {
		return false
	}
	switch v.kind {
	case String:
		n := float64(v.runes())
		return n >= s.lengths.min && n <= s.lengths.max && (s.pattern == nil || s.pattern.Match(v.body))
	case Number:
		return s.values == unbounded() || s.isInRange(numberOf(v))
	case Array:
		return s.items == nil && s.counts == unbounded()
	case Object:
		return s.properties == nil && s.required == nil && !s.closed
	}
	return true
}

func (s *schema) isInRange(f float64) bool {
	return f >= s.values.min && f <= s.values.max && !(s.openMin && f == s.values.min) && !(s.openMax && f == s.values.max)
}

// place is where a value stands, as a chain up to the argument.
type place struct {
	parent *place
	name   string
	index  int
}

// String is the place as a model reads it: "metadata.tags[2]".
func (p *place) String() string {
	switch {
	case p.parent == nil:
		return p.name
	case p.name != "":
		return p.parent.String() + "." + p.name
	default:
		return p.parent.String() + "[" + strconv.Itoa(p.index) + "]"
	}
}

// check adds a fault for everything in the value that the schema forbids.
func (s *schema) check(r *review, at *place, v Value) {
	switch {
	case s.never:
		r.add("schema", at.String(), "%s is not allowed; leave it out", at)
		return
	case !s.kinds.holds(v):
		what := v.kind.String()
		if v.kind == Number || v.kind == Bool {
			what = v.shown()
		}
		r.add("type", at.String(), "%s is %s; it must be %s", at, what, s.kinds)
		return
	case s.enum != nil && !s.allows(v):
		r.add("one_of", at.String(), "%s is %s; use one of %s", at, shownAt(at, v), s.choices())
		return
	}
	switch v.kind {
	case String:
		s.checkString(r, at, v)
	case Number:
		s.checkNumber(r, at, v)
	case Array:
		s.checkArray(r, at, v)
	case Object:
		s.checkObject(r, at, v)
	}
}

func shownAt(at *place, v Value) string {
	if isSecretName(at.name) {
		return redacted
	}
	return v.shown()
}

func (s *schema) allows(v Value) bool {
	if v.kind == String { // compared as text: no memory for the common case
		for _, allowed := range s.enum {
			if jsonspan.KindOf(allowed) == jsonspan.String && bytes.Equal(valueOf(allowed).body, v.body) {
				return true
			}
		}
		return false
	}
	return s.isInEnum(canonicalOf(nil, v.body))
}

func (s *schema) choices() string {
	names := make([]string, len(s.enum))
	for i, value := range s.enum {
		names[i] = strings.Trim(string(value), `"`)
	}
	return list(names)
}

func (s *schema) checkString(r *review, at *place, v Value) {
	if s.lengths != unbounded() {
		switch n := float64(v.runes()); {
		case n < s.lengths.min:
			r.add("length", at.String(), "%s has %s; at least %v are needed", at, plural(int(n), "character", "characters"),
				s.lengths.min)
		case n > s.lengths.max:
			r.add("length", at.String(), "%s has %v characters; at most %v are allowed", at, n, s.lengths.max)
		}
	}
	if s.pattern != nil && !s.pattern.Match(v.body) {
		r.add("pattern", at.String(), "%s is %s; it must match %s", at, shownAt(at, v), s.pattern)
	}
}

func (s *schema) checkNumber(r *review, at *place, v Value) {
	if s.values == unbounded() {
		return
	}
	f := numberOf(v)
	switch {
	case f < s.values.min:
		r.add("range", at.String(), "%s is %s; at least %v is needed", at, v.shown(), s.values.min)
	case f > s.values.max:
		r.add("range", at.String(), "%s is %s; at most %v is allowed", at, v.shown(), s.values.max)
	case s.openMin && f == s.values.min:
		r.add("range", at.String(), "%s is %s; more than %v is needed", at, v.shown(), s.values.min)
	case s.openMax && f == s.values.max:
		r.add("range", at.String(), "%s is %s; less than %v is needed", at, v.shown(), s.values.max)
	}
}

// numberOf is the value for a comparison with bounds of ordinary size. Beyond
// 64 bits only the sign matters.
func numberOf(v Value) float64 {
	if n := parseInteger(v.body); n.whole {
		return float64(n.value)
	}
	f, _ := strconv.ParseFloat(string(v.body), 64) // infinite when out of range
	return f
}

func (s *schema) checkArray(r *review, at *place, v Value) {
	if s.items == nil && s.counts == unbounded() {
		return
	}
	n := 0
	for element := range jsonspan.Elements(v.body) {
		if s.items != nil && len(r.faults) < tooManyFaults {
			s.items.check(r, &place{parent: at, index: n}, valueOf(element))
		}
		n++
	}
	if float64(n) < s.counts.min {
		r.add("length", at.String(), "%s has %s; at least %v are needed", at, plural(n, "element", "elements"), s.counts.min)
	} else if float64(n) > s.counts.max {
		r.add("length", at.String(), "%s has %d elements; at most %v are allowed", at, n, s.counts.max)
	}
}

func (s *schema) checkObject(r *review, at *place, v Value) {
	if s.properties == nil && s.required == nil && !s.closed {
		return
	}
	for i := range s.properties {
		p := &s.properties[i]
		here := &place{parent: at, name: p.name}
		value := memberOf(v.body, p.name)
		switch {
		case value.kind > Null || value.kind == Null && p.schema.canBeNull():
			p.schema.check(r, here, value)
		case p.required:
			r.add("required", here.String(), "%s is missing; send it", here)
		}
	}
	for _, name := range s.required {
		if memberOf(v.body, name).kind == Missing {
			here := &place{parent: at, name: name}
			r.add("required", here.String(), "%s is missing; send it", here)
		}
	}
	if s.closed {
		s.checkOthers(r, at, v)
	}
}

func (s *schema) checkOthers(r *review, at *place, v Value) {
	for key := range jsonspan.Members(v.body) {
		name := jsonspan.Key(key)
		declared := func(p property) bool { return p.name == string(name) }
		if slices.ContainsFunc(s.properties, declared) {
			continue
		}
		r.add("unknown_argument", at.String(), "%s is not allowed in %s", jsonspan.Quote(name), at)
		if len(r.faults) >= tooManyFaults {
			return
		}
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
	wrapped := append(append([]byte(`{"properties":{"value":`), raw...), `}}`...)
	common, err := compileSchema(raw, 0)
	if err == nil {
		return Check{name: "schema", pass: common.isSurelyValid, judge: func(s *subject, v Value) {
			before := len(s.faults)
			common.check(s.review, &place{name: s.arg}, v)
			s.bad = len(s.faults) > before
		}}
	}
	full, err := compileLibrary(wrapped)
	if err != nil {
		return Check{name: "schema", err: fmt.Errorf("schema: %w", err)}
	}
	return Check{name: "schema", judge: func(s *subject, v Value) {
		before := len(s.faults)
		s.judgeByLibrary(full, appendFields(nil, []field{{key: []byte("value"), value: v.Raw()}}), s.arg)
		s.bad = len(s.faults) > before
	}}
}
