package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// compileLibrary compiles a schema with the full library. References may point
// inside the schema only: a tool's description must not make us open files or
// connections.
func compileLibrary(raw []byte) (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	forgive(document)
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	const name = "tool:parameters"
	if err := compiler.AddResource(name, document); err != nil {
		return nil, err
	}
	return compiler.Compile(name)
}

// forgive takes away what no version of JSON Schema has, and generators write all the
// same for "nothing is asked": "type": "any", and null for an empty list or map.
func forgive(node any) {
	switch node := node.(type) {
	case map[string]any:
		if node["type"] == "any" {
			delete(node, "type")
		}
		for name, child := range node {
			if child == nil && emptyWhenNull[name] {
				delete(node, name)
			}
			forgive(child)
		}
	case []any:
		for _, child := range node {
			forgive(child)
		}
	}
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("the schema refers to %s; only references inside the schema are followed",
		jsonspan.Quote([]byte(url)))
}

// library judges the arguments, as rewritten so far and without optional nulls,
// by the schema library.
func (r *review) library(rules *toolRules) {
	var fields []field
	for i := range r.args.members {
		m := &r.args.members[i]
		name := r.args.name(i)
		if Kind(m.Kind) == Null && !slices.Contains(rules.required, string(name)) &&
			!slices.Contains(rules.sent, string(name)) {
			continue
		}
		fields = append(fields, field{key: name, value: r.args.raw[m.ValueStart:m.ValueEnd]})
	}
	for i := range r.replaced {
		fields = put(fields, &r.replaced[i])
	}
	for _, f := range fields {
		r.countable(rules.library, f)
	}
	r.judgeByLibrary(rules.library, appendFields(nil, fields), "")
}

// countable refuses a whole number that nothing can count to. The library takes
// any number without a fraction.
func (r *review) countable(full *jsonschema.Schema, f field) {
	property := full.Properties[string(f.key)]
	if property == nil || property.Types == nil || !slices.Contains(property.Types.ToStrings(), "integer") {
		return
	}
	if v := valueOf(f.value); v.kind == Number && parseInteger(v.body).endless {
		r.add("type", string(f.key), "%s is %s; it must be a whole number of ordinary size", f.key, v.shown())
	}
}

// judgeByLibrary adds every fault that the library finds, sorted by place:
// the library visits maps in random order. Where arg is given, it replaces the
// first step of each place.
func (r *review) judgeByLibrary(full *jsonschema.Schema, object []byte, arg string) {
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(object))
	if err != nil {
		r.fail(err)
		return
	}
	var invalid *jsonschema.ValidationError
	switch err := full.Validate(instance); {
	case err == nil:
		return
	case !errors.As(err, &invalid):
		r.fail(err)
		return
	}
	printer := message.NewPrinter(language.English)
	faults := leaves(nil, invalid, func(e *jsonschema.ValidationError) []Fault {
		at := locate(e.InstanceLocation, arg)
		if lacks, ok := e.ErrorKind.(*kind.Required); ok {
			return missingFaults(at, lacks.Missing)
		}
		return []Fault{{
			Rule: "schema", Arg: at, Reason: strings.TrimPrefix(at+": ", ": ") + e.ErrorKind.LocalizedString(printer),
		}}
	})
	slices.SortFunc(faults, func(a, b Fault) int {
		return strings.Compare(a.Arg+"\x00"+a.Reason, b.Arg+"\x00"+b.Reason)
	})
	for _, fault := range slices.Compact(faults) {
		if len(r.faults) < tooManyFaults && !r.isTold(fault.Arg) {
			r.faults = append(r.faults, fault)
		}
	}
}

// isTold reports whether another rule has found a fault at the same place, which
// the library would only say in other words.
func (r *review) isTold(arg string) bool {
	return arg != "" && slices.ContainsFunc(r.faults, func(f Fault) bool { return f.Arg == arg && f.Rule != "schema" })
}

// missingFaults tells each missing property in the words of our own rules.
func missingFaults(at string, names []string) (faults []Fault) {
	for _, name := range names {
		here := strings.TrimPrefix(at+"."+name, ".")
		faults = append(faults, Fault{Rule: "required", Arg: here, Reason: here + " is missing; send it"})
	}
	return faults
}

func leaves(faults []Fault, e *jsonschema.ValidationError, fault func(*jsonschema.ValidationError) []Fault) []Fault {
	if len(e.Causes) == 0 {
		return append(faults, fault(e)...)
	}
	for _, cause := range e.Causes {
		faults = leaves(faults, cause, fault)
	}
	return faults
}

func locate(steps []string, arg string) string {
	if arg != "" && len(steps) > 0 {
		steps = append([]string{arg}, steps[1:]...)
	}
	var at strings.Builder
	for i, step := range steps {
		switch {
		case i == 0:
			at.WriteString(step)
		case strings.Trim(step, "0123456789") == "":
			at.WriteString("[" + step + "]")
		default:
			at.WriteString("." + step)
		}
	}
	return at.String()
}
