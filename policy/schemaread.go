package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// schemaReader reads a schema and what it refers to. References may point inside the
// schema only: a tool's description must not make us open files or connections.
type schemaReader struct {
	root []byte
	refs map[string]*schema
}

// compileSchema reads a JSON Schema: the keywords of draft 2020-12 and their older
// spellings. Keywords that no version has say nothing, and neither do those about what
// others have not evaluated: no generator writes them.
func compileSchema(raw []byte) (*schema, error) {
	root, fault := (&jsonspan.Scanner{AllowNUL: true}).Value(raw)
	if fault != nil { // such as half a character in a description: only arguments are read strictly
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		var document any
		if err := decoder.Decode(&document); err != nil {
			return nil, err
		}
		root, _ = json.Marshal(document) // it was JSON before
	}
	s := new(schema)
	c := &schemaReader{root, map[string]*schema{"#": s}}
	return s, c.read(s, root)
}

// content is what a keyword holds.
type content uint8

const (
	aFlag content = iota
	aSize
	aNumber
	aPattern
	aSchema // or, for most of these keywords, a list of schemas
	someSchemas
	aReference
)

// schemaKeywords are the keywords that are read alike, the kind of values that they are about
// (Missing is any), and how they judge; those without judge are looked at by others.
var schemaKeywords = map[string]struct {
	holds content
	about Kind
	judge func(*keyword, *examination, Value)
}{
	"minLength": {aSize, String, checkSize}, "maxLength": {aSize, String, checkSize},
	"pattern": {aPattern, String, checkPattern},
	"minimum": {aNumber, Number, checkRange}, "maximum": {aNumber, Number, checkRange},
	"exclusiveMinimum": {aNumber, Number, checkRange}, "exclusiveMaximum": {aNumber, Number, checkRange},
	"multipleOf": {aNumber, Number, checkMultiple},
	"minItems":   {aSize, Array, checkSize}, "maxItems": {aSize, Array, checkSize},
	"uniqueItems": {aFlag, Array, checkUnique}, "contains": {aSchema, Array, checkContains},
	"minContains": {aSize, Missing, nil}, "maxContains": {aSize, Missing, nil},
	"items": {aSchema, Array, nil}, "prefixItems": {aSchema, Array, nil}, "additionalItems": {aSchema, Array, nil},
	"minProperties": {aSize, Object, checkSize}, "maxProperties": {aSize, Object, checkSize},
	"properties": {someSchemas, Object, nil}, "patternProperties": {someSchemas, Object, nil},
	"additionalProperties": {aSchema, Object, nil}, "propertyNames": {aSchema, Object, checkNames},
	"dependentRequired": {someSchemas, Object, checkDependent}, "dependencies": {someSchemas, Object, checkDependent},
	"dependentSchemas": {someSchemas, Object, checkDependent},
	"$ref":             {aReference, Missing, checkAll}, "allOf": {aSchema, Missing, checkAll},
	"anyOf": {aSchema, Missing, checkForms}, "oneOf": {aSchema, Missing, checkForms},
	"not": {aSchema, Missing, checkNot}, "if": {aSchema, Missing, checkIf},
	"then": {aSchema, Missing, nil}, "else": {aSchema, Missing, nil},
}

func (c *schemaReader) read(s *schema, raw []byte) error {
	switch v := valueOf(raw); {
	case v.kind == Bool:
		s.isNever = string(raw) == "false"
		return nil
	case v.kind != Object:
		return errors.New("a schema must be an object, true or false")
	}
	for key, value := range jsonspan.Members(raw) {
		if err := c.keyword(s, string(jsonspan.Key(key)), valueOf(value)); err != nil {
			return fmt.Errorf("%s: %w", jsonspan.Key(key), err)
		}
	}
	for i := range s.properties { // whichever of the two keywords came first
		p := &s.properties[i]
		if at := slices.Index(s.required, p.name); at >= 0 {
			p.required, s.required = true, slices.Delete(s.required, at, at+1)
		}
	}
	return nil
}

// keyword takes in one keyword.
func (c *schemaReader) keyword(s *schema, name string, v Value) (err error) {
	form, isKnown := schemaKeywords[name]
	k := keyword{name: name, value: v, about: form.about, judge: form.judge, owner: s}
	switch {
	case v.kind == Null && (name == "required" || name == "properties"):
		// encoders of some languages write an empty list or map so
	case name == "type":
		s.kinds, err = schemaKinds(v)
	case name == "required":
		s.required, err = stringsOf(v)
	case name == "const":
		s.enum = [][]byte{canonicalOf(nil, v.Raw())}
	case name == "enum" && v.kind != Array:
		err = errors.New("it must be an array of values")
	case name == "enum":
		s.enum = [][]byte{}
		for element := range jsonspan.Elements(v.body) {
			s.enum = append(s.enum, canonicalOf(nil, element))
		}
	case isKnown:
		if err = c.content(&k, form.holds); err == nil {
			s.take(k)
		}
	}
	return err
}

// content reads what a keyword holds.
func (c *schemaReader) content(k *keyword, holds content) (err error) {
	switch holds {
	case aSize, aNumber:
		if k.value.kind != Number && !strings.HasPrefix(k.name, "exclusive") { // a flag in draft 4
			return errors.New("it must be a number")
		}
	case aPattern:
		k.pattern, err = regexp.Compile(k.value.Text())
	case aReference:
		var target *schema
		target, err = c.follow(k.value.Text())
		k.schemas = []*schema{target}
	case aSchema:
		if k.value.kind != Array {
			k.schemas = []*schema{new(schema)}
			return c.read(k.schemas[0], k.value.Raw())
		}
		for element := range jsonspan.Elements(k.value.body) {
			part := new(schema)
			k.schemas = append(k.schemas, part)
			err = errors.Join(err, c.read(part, element))
		}
	case someSchemas:
		err = c.properties(k)
	}
	return err
}

// properties reads an object of schemas. A list of names in the place of a schema says
// that these are required.
func (c *schemaReader) properties(k *keyword) (err error) {
	if k.value.kind != Object {
		return errors.New("it must be an object of schemas")
	}
	for key, raw := range jsonspan.Members(k.value.body) {
		p := property{name: string(jsonspan.Key(key)), schema: new(schema)}
		if k.name == "patternProperties" {
			p.pattern, err = regexp.Compile(p.name)
		}
		if names := valueOf(raw); err == nil && names.kind == Array {
			p.schema.required, err = stringsOf(names)
		} else if err == nil {
			err = c.read(p.schema, raw)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		k.properties = append(k.properties, p)
	}
	return nil
}

// take puts a keyword where it is looked at.
func (s *schema) take(k keyword) {
	switch k.name {
	case "properties":
		s.hasProperties, s.properties = true, k.properties
	case "patternProperties":
		s.isOpen, s.patterns = true, k.properties
	case "additionalProperties":
		s.others = k.schemas[0]
		s.isOpen = s.isOpen || !s.others.isNever
	case "items", "prefixItems", "additionalItems":
		if k.value.kind == Array { // older drafts have a list under items
			s.prefix = k.schemas
		} else {
			s.items = k.schemas[0]
		}
	default:
		s.keywords = append(s.keywords, k)
		s.isOpen = s.isOpen || k.schemas != nil || k.properties != nil
	}
}

// follow finds the schema that a reference points to.
func (c *schemaReader) follow(ref string) (*schema, error) {
	if known := c.refs[ref]; known != nil {
		return known, nil
	}
	pointer, isInside := strings.CutPrefix(ref, "#/")
	if !isInside {
		return nil, fmt.Errorf("the schema refers to %s; only references inside the schema are followed",
			jsonspan.Quote([]byte(ref)))
	}
	target := valueOf(c.root)
	for step := range strings.SplitSeq(pointer, "/") {
		if plain, err := url.PathUnescape(step); err == nil {
			step = plain
		}
		target = childOf(target, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	if target.kind == Missing {
		return nil, fmt.Errorf("the schema refers to %s, which was not found in it", jsonspan.Quote([]byte(ref)))
	}
	s := new(schema)
	c.refs[ref] = s
	return s, c.read(s, target.Raw())
}

func childOf(v Value, name string) Value {
	if v.kind == Object {
		return memberOf(v.body, name)
	}
	n := 0
	for element := range jsonspan.Elements(v.body) {
		if strconv.Itoa(n) == name {
			return valueOf(element)
		}
		n++
	}
	return Value{}
}

// schemaTypes are the types of a schema, each in the place of its [Kind]. No version has any,
// and generators write it all the same.
var schemaTypes = []string{"any", "null", "boolean", "number", "string", "array", "object", "integer"}

func schemaKinds(value Value) (kinds kindSet, err error) {
	names := []string{value.Text()}
	if value.kind == Array {
		names, err = stringsOf(value)
	}
	for _, name := range names {
		switch kind := slices.Index(schemaTypes, name); {
		case kind < 0:
			return 0, fmt.Errorf("%s is not a type", jsonspan.Quote([]byte(name)))
		case kind > 0:
			kinds |= kindsOf(Kind(kind))
		}
	}
	return kinds, err
}

func stringsOf(value Value) (names []string, err error) {
	if value.kind != Array || json.Unmarshal(value.body, &names) != nil {
		return nil, errors.New("it must be an array of strings")
	}
	return names, nil
}
