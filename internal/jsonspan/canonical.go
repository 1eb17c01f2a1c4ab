package jsonspan

import (
	"bytes"
	"slices"
	"sync"
)

// AppendCanonical appends the canonical form of one JSON value: keys sorted, no
// white space, as few escapes as possible, numbers as [AppendNumber] writes
// them. Two texts mean the same exactly if their canonical forms are equal, and
// the form is a fixed point. A text that a strict reader would refuse has none:
// where a key stands twice, or half of a character, readers disagree about the
// meaning. Then dst is returned as it was.
func AppendCanonical(dst, data []byte) ([]byte, *Fault) {
	c := canonicals.Get().(*canonical)
	c.reset(data)
	c.out, c.fields = c.out[:0], c.fields[:0]
	c.space()
	var fault *Fault
	if c.fits() && c.write() && c.atEnd() {
		dst = append(dst, c.out...)
	} else {
		fault = c.fault
	}
	if max(cap(c.out), cap(c.spare)) <= keptBytes && cap(c.fields) <= keptFields {
		c.Forget()
		canonicals.Put(c)
	}
	return dst, fault
}

// canonicals are kept, since every change passes here; keptBytes and keptFields
// bound the memory that one holds on to.
var canonicals = sync.Pool{New: func() any { return &canonical{Scanner: Scanner{AllowNUL: true}} }}

const keptBytes, keptFields = 64 << 10, 256

// canonical reads a value and writes its canonical form in one pass.
type canonical struct {
	Scanner
	out    []byte
	fields []field // of the objects that are open, innermost last
	spare  []byte  // for sorting
}

// field is a member in the output: its key without quotes, and all of it.
type field struct{ keyStart, keyEnd, end int }

func (c *canonical) write() bool {
	start := c.pos
	if start < len(c.data) {
		switch c.data[start] {
		case '{':
			return c.writeObject()
		case '[':
			return c.writeArray()
		}
	}
	kind, escaped, ok := c.value()
	if !ok {
		return false
	}
	switch text := c.data[start:c.pos]; {
	case kind == Number:
		c.out = AppendNumber(c.out, text)
	case escaped:
		c.spare = AppendUnquoted(c.spare[:0], text[1:len(text)-1])
		c.out = AppendQuoted(c.out, c.spare)
	default:
		c.out = append(c.out, text...)
	}
	return true
}

func (c *canonical) enter() bool {
	if c.depth++; c.depth > MaxDepth {
		return c.tooDeep()
	}
	c.pos++
	c.space()
	return true
}

func (c *canonical) writeArray() bool {
	if !c.enter() {
		return false
	}
	c.out = append(c.out, '[')
	if c.pos < len(c.data) && c.data[c.pos] == ']' {
		return c.leave(']')
	}
	for more, ok := true, true; more; {
		if !c.write() {
			return false
		}
		if more, ok = c.separator(']'); !ok {
			return false
		}
		if more {
			c.out = append(c.out, ',')
		}
	}
	c.depth--
	c.out = append(c.out, ']')
	return true
}

// leave ends an empty array or object.
func (c *canonical) leave(end byte) bool {
	c.pos++
	c.depth--
	c.out = append(c.out, end)
	return true
}

func (c *canonical) writeObject() bool {
	if !c.enter() {
		return false
	}
	c.out = append(c.out, '{')
	if c.pos < len(c.data) && c.data[c.pos] == '}' {
		return c.leave('}')
	}
	base := len(c.fields)
	sorted := true
	for more, ok := true, true; more; {
		if !c.writeMember() {
			return false
		}
		sorted = sorted && (len(c.fields) == base+1 || c.compare(c.fields[len(c.fields)-2], c.fields[len(c.fields)-1]) < 0)
		if more, ok = c.separator('}'); !ok {
			return false
		}
		if more {
			c.out = append(c.out, ',')
		}
	}
	if !sorted && !c.sort(c.fields[base:]) {
		return false
	}
	c.fields = c.fields[:base]
	c.depth--
	c.out = append(c.out, '}')
	return true
}

func (c *canonical) writeMember() bool {
	if c.pos >= len(c.data) || c.data[c.pos] != '"' {
		return c.unexpected("a key in double quotes")
	}
	f := field{keyStart: len(c.out) + 1}
	if !c.write() {
		return false
	}
	f.keyEnd = len(c.out) - 1
	if !c.colon() {
		return false
	}
	c.out = append(c.out, ':')
	if !c.write() {
		return false
	}
	f.end = len(c.out)
	c.fields = append(c.fields, f)
	return true
}

func (c *canonical) compare(a, b field) int {
	return bytes.Compare(c.out[a.keyStart:a.keyEnd], c.out[b.keyStart:b.keyEnd])
}

// sort puts the members of an object, which were written in the order sent,
// into the order of their keys. Few are sorted by insertion, because a call has
// three arguments, not three hundred.
func (c *canonical) sort(fields []field) bool {
	start := fields[0].keyStart - 1
	if len(fields) > fewKeys {
		slices.SortFunc(fields, c.compare)
	} else {
		for i := range fields {
			for j := i; j > 0 && c.compare(fields[j], fields[j-1]) < 0; j-- {
				fields[j], fields[j-1] = fields[j-1], fields[j]
			}
		}
	}
	c.spare = c.spare[:0]
	for i, f := range fields {
		if i > 0 {
			if c.compare(fields[i-1], f) == 0 {
				return c.twice(c.out[f.keyStart:f.keyEnd])
			}
			c.spare = append(c.spare, ',')
		}
		c.spare = append(c.spare, c.out[f.keyStart-1:f.end]...)
	}
	c.out = append(c.out[:start], c.spare...)
	return true
}

func (c *canonical) twice(key []byte) bool {
	return c.fail("duplicate_key", "the key %s is there twice; send it once", Quote(key))
}
