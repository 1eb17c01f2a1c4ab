package chatwire

import (
	"strconv"
	"strings"
)

// argumentPieces are arguments that arrive value by value, each with the path to it. A path
// that cannot be followed refuses the call: joined wrongly it would change what runs.
type argumentPieces struct {
	root  any
	fault string
	size  int
}

// add takes the values of one piece.
func (p *argumentPieces) add(list span) {
	for _, piece := range list.objects() {
		found, err := piece.look("a piece of the arguments",
			"jsonPath", "stringValue", "numberValue", "boolValue", "nullValue")
		if err != nil {
			p.fault = err.Error()
			return
		}
		steps, can := pathSteps(found[0].said())
		if p.size++; !can || p.size > maxParts {
			p.fault = "the arguments came in pieces that cannot be put together"
			return
		}
		var value any
		switch {
		case !found[1].absent():
			value = found[1].said()
		case !found[2].absent():
			value = found[2].bytes()
		case !found[3].absent():
			value = found[3].bytes()
		}
		p.root = p.put(p.root, steps, value)
	}
}

// object is what the pieces have come to.
func (p *argumentPieces) object(d *draft) []byte {
	if p.fault != "" {
		d.refuse(p.fault)
	}
	if p.root == nil {
		return []byte("{}")
	}
	return rawBlock(p.root)
}

// put sets the value at the end of a path. Pieces of a text are joined.
func (p *argumentPieces) put(at any, steps []any, value any) any {
	if len(steps) == 0 {
		before, isText := at.(string)
		more, and := value.(string)
		if isText && and {
			return before + more
		}
		return value
	}
	if index, isIndex := steps[0].(int); isIndex {
		list, _ := at.([]any)
		for len(list) <= index {
			list = append(list, nil)
		}
		list[index] = p.put(list[index], steps[1:], value)
		return list
	}
	members, _ := at.(map[string]any)
	if members == nil {
		members = map[string]any{}
	}
	name := steps[0].(string)
	members[name] = p.put(members[name], steps[1:], value)
	return members
}

// pathSteps are the names and indexes of a path such as $.items[0].name or $['a b']. The
// second value is false for a path of another kind.
func pathSteps(path string) (steps []any, can bool) {
	rest, rooted := strings.CutPrefix(path, "$")
	if !rooted || rest == "" {
		return nil, false
	}
	for rest != "" {
		var name string
		switch {
		case strings.HasPrefix(rest, "['"):
			if name, rest, can = strings.Cut(rest[2:], "']"); !can {
				return nil, false
			}
			steps = append(steps, name)
		case rest[0] == '[':
			if name, rest, can = strings.Cut(rest[1:], "]"); !can {
				return nil, false
			}
			index, err := strconv.Atoi(name)
			if err != nil || index < 0 || index >= 1<<12 {
				return nil, false
			}
			steps = append(steps, index)
		case rest[0] == '.':
			end := strings.IndexAny(rest[1:]+".", ".[")
			if end == 0 {
				return nil, false
			}
			steps, rest = append(steps, rest[1:end+1]), rest[min(end+1, len(rest)):]
		default:
			return nil, false
		}
	}
	_, isName := steps[0].(string)
	return steps, isName && len(steps) <= 64
}
