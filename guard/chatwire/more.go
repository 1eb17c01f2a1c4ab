package chatwire

import (
	"encoding/json"
	"fmt"
	"slices"
)

// writer writes an object member by member.
type writer []byte

func (w *writer) add(name string, value []byte) {
	if len(*w) > 1 {
		*w = append(*w, ',')
	}
	*w = append(append(append(append(*w, '"'), name...), `":`...), value...)
}

// furtherMembers are members that a host adds to each request: those of some names, and
// all others.
type furtherMembers struct {
	named  []span
	others []furtherMember
}

type furtherMember struct {
	name  string
	value []byte
}

func readMembers(raw json.RawMessage, names ...string) (furtherMembers, error) {
	more := furtherMembers{named: make([]span, len(names))}
	if len(raw) == 0 {
		return more, nil
	}
	top, err := whole(raw)
	if err != nil {
		return more, err
	}
	if more.named, err = top.members("the object", names...); err != nil {
		return more, err
	}
	top.eachMember(func(name string, value span) {
		if !slices.Contains(names, name) {
			more.others = append(more.others, furtherMember{name, value.bytes()})
		}
	})
	return more, nil
}

// providersTools are tools that a host adds: only those that the provider runs by itself,
// since the guard has to know all others.
func providersTools(list span) ([]json.RawMessage, error) {
	var tools []json.RawMessage
	for _, tool := range listOf(list) {
		if form, kind := formOf(tool); form != serverTool {
			return nil, fmt.Errorf("a tool of the type %q is not run by the provider; describe it to the guard", clipped(kind))
		}
		tools = append(tools, tool.bytes())
	}
	return tools, nil
}
