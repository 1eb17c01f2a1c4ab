package policy

import (
	"bytes"
	"cmp"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// keyword is one keyword of a schema and what it holds.
type keyword struct {
	name       string
	value      Value // as written
	about      Kind  // of the values that it judges; Missing is any
	judge      func(*keyword, *examination, Value)
	owner      *schema
	pattern    *regexp.Regexp
	schemas    []*schema
	properties []property
}

// size is the bound of a keyword, or another number where it is not there.
func (k *keyword) size(otherwise int64) int64 {
	if k == nil {
		return otherwise
	}
	n, _ := k.value.Int()
	return n
}

func checkPattern(k *keyword, e *examination, v Value) {
	if !k.pattern.Match(v.body) {
		e.wrong("pattern", "is %s; it must match %s", e.shown(v), k.pattern)
	}
}

func checkAll(k *keyword, e *examination, v Value) {
	for _, part := range k.schemas {
		part.check(e, v)
	}
}

func checkNot(k *keyword, e *examination, v Value) {
	if e.accepts(k.schemas[0], v) {
		e.wrong("schema", "is %s, which is not allowed", e.shown(v))
	}
}

func checkIf(k *keyword, e *examination, v Value) {
	follows := k.owner.keyword("else")
	if e.accepts(k.schemas[0], v) {
		follows = k.owner.keyword("then")
	}
	if follows != nil {
		follows.schemas[0].check(e, v)
	}
}

func checkNames(k *keyword, e *examination, v Value) {
	for key := range jsonspan.Members(v.body) {
		name := jsonspan.Key(key)
		e.checkAt(pathStep{string(name), -1}, k.schemas[0], Value{String, name})
	}
}

func checkDependent(k *keyword, e *examination, v Value) {
	for _, p := range k.properties {
		if memberOf(v.body, p.name).kind > Null {
			p.schema.check(e, v)
		}
	}
}

func checkSize(k *keyword, e *examination, v Value) {
	n, one, many := 0, "element", "elements"
	switch v.kind {
	case String:
		n, one, many = v.runes(), "character", "characters"
	case Array:
		for range jsonspan.Elements(v.body) {
			n++
		}
	case Object:
		one, many = "property", "properties"
		for range jsonspan.Members(v.body) {
			n++
		}
	}
	bound, isLeast := k.size(0), strings.HasPrefix(k.name, "min")
	switch {
	case isLeast && int64(n) < bound:
		e.wrong("length", "has %s; at least %d are needed", plural(n, one, many), bound)
	case !isLeast && int64(n) > bound:
		e.wrong("length", "has %s; at most %d are allowed", plural(n, one, many), bound)
	}
}

func checkRange(k *keyword, e *examination, v Value) {
	if k.value.kind != Number { // a flag, as draft 4 had them
		return
	}
	needed := ""
	switch order := compareNumbers(v.body, k.value.body); {
	case k.name == "minimum" && order < 0:
		needed = "at least %s is needed"
	case k.name == "maximum" && order > 0:
		needed = "at most %s is allowed"
	case k.name == "exclusiveMinimum" && order <= 0:
		needed = "more than %s is needed"
	case k.name == "exclusiveMaximum" && order >= 0:
		needed = "less than %s is needed"
	default:
		return
	}
	e.wrong("range", "is %s; "+needed, e.shown(v), k.value.body)
}

// compareNumbers is negative where a is less than b. It is exact, however large they are.
func compareNumbers(a, b []byte) int {
	var roomA, roomB [40]byte
	x, y := jsonspan.ParseDecimal(roomA[:0], a), jsonspan.ParseDecimal(roomB[:0], b)
	if sign := signOf(x); sign != signOf(y) || sign == 0 {
		return sign - signOf(y)
	}
	return signOf(x) * cmp.Or(cmp.Compare(len(x.Digits)+x.Exponent, len(y.Digits)+y.Exponent),
		bytes.Compare(x.Digits, y.Digits))
}

func signOf(d jsonspan.Decimal) int {
	switch {
	case len(d.Digits) == 0:
		return 0
	case d.Negative:
		return -1
	}
	return 1
}

// checkMultiple divides exactly. What a float cannot hold takes long to divide, and is a
// multiple of nothing.
func checkMultiple(k *keyword, e *examination, v Value) {
	f, isOrdinary := v.Float()
	isMultiple := isOrdinary && parseInteger(v.body).whole
	if step, ok := new(big.Rat).SetString(string(k.value.body)); isOrdinary && ok && step.Sign() > 0 && f != 0 {
		value, ok := new(big.Rat).SetString(string(v.body))
		isMultiple = ok && value.Quo(value, step).IsInt()
	}
	if !isMultiple {
		e.wrong("range", "is %s; it must be a multiple of %s", e.shown(v), k.value.body)
	}
}

func checkUnique(k *keyword, e *examination, v Value) {
	if string(k.value.body) != "true" {
		return
	}
	seen, n := map[string]int{}, 0
	for element := range jsonspan.Elements(v.body) {
		form := string(canonicalOf(nil, element))
		if first, isTwice := seen[form]; isTwice {
			e.wrong("schema", "has the same element twice, at %d and %d", first, n)
			return
		}
		seen[form] = n
		n++
	}
}

func checkContains(k *keyword, e *examination, v Value) {
	n := int64(0)
	for element := range jsonspan.Elements(v.body) {
		if e.accepts(k.schemas[0], valueOf(element)) {
			n++
		}
	}
	least, most := k.owner.keyword("minContains").size(1), k.owner.keyword("maxContains").size(math.MaxInt64)
	if n < least || n > most {
		e.wrong("schema", "has %s of the kind that its schema asks for; that is too few or too many",
			plural(int(n), "element", "elements"))
	}
}

// checkForms counts the forms that a value fits. Where it fits none, and only one is of its
// kind, that one was meant.
func checkForms(k *keyword, e *examination, v Value) {
	here, fits := e.here(), 0
	var near [][]Fault
	var reasons []string
	for _, form := range k.schemas {
		faults := e.try(form, v)
		if len(faults) == 0 {
			if fits++; k.name == "anyOf" {
				return
			}
			continue
		}
		if faults[0].Rule != "type" || faults[0].Arg != here {
			near = append(near, faults)
		}
		reasons = append(reasons, faults[0].Reason)
	}
	const most = 4 // what a model can make sense of
	switch {
	case fits > 1:
		e.wrong("schema", "fits more than one of the forms that are allowed; it must fit exactly one")
	case fits == 0 && len(near) == 1:
		for _, fault := range near[0] {
			e.add(fault)
		}
	case fits == 0:
		told := strings.Join(slices.Compact(reasons[:min(most, len(reasons))]), "; or ")
		e.wrong("schema", "fits none of the forms that are allowed: %s", told)
	}
}
