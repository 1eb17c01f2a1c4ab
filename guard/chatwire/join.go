package chatwire

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

const (
	noIndex     = -1
	legacyIndex = -2 // the one call of the older function_call
)

// piece is one fragment of a call.
type piece struct {
	index     int
	id, name  string
	arguments span
	fault     string
}

func (a *chatAssembler) joinCalls(list, legacy span) {
	for _, fragment := range list.list("tool_calls") {
		p := readPiece(fragment, true)
		if p.fault != "" && p.index == noIndex && p.id == "" {
			a.refuseAll(p.fault)
			continue
		}
		a.joinPiece(p)
	}
	if !noCall(legacy) {
		a.joinPiece(legacyPiece(legacy))
	}
}

// readPiece reads a fragment. The index of one that is a whole call says nothing.
func readPiece(fragment span, numbered bool) piece {
	p := piece{index: noIndex}
	p.fault = apart(fragment, func(fragment span) {
		found := fragment.members("the call", "index", "id", "type", "function")
		index, err := strconv.Atoi(string(found[0].bytes()))
		switch {
		case !numbered || found[0].absent():
		case err != nil || index < 0:
			fragment.failf("the index of the call is not a number from 0")
		default:
			p.index = index
		}
		p.id = found[1].text("the id of the call")
		if kind := found[2].text("the type of the call"); kind != "" && kind != "function" {
			fragment.failf("the call is not of the type \"function\"")
		}
		if !found[3].absent() {
			p.readFunction(found[3])
		}
	})
	return p
}

// draft is a piece that is a whole call.
func (p piece) draft(chunk int) draft {
	d := draft{id: p.id, name: p.name, fault: p.fault, index: noIndex}
	if d.addArguments(p.arguments, chunk); d.name == "" {
		d.refuse("the call names no tool")
	}
	return d
}

func (p *piece) readFunction(function span) {
	found := function.members("the function of the call", "name", "arguments")
	p.name, p.arguments = found[0].text("the name of the tool"), found[1]
}

// legacyPiece is a function_call, the older form of a call.
func legacyPiece(function span) piece {
	p := piece{index: legacyIndex}
	p.fault = apart(function, p.readFunction)
	return p
}

func (a *chatAssembler) joinPiece(p piece) {
	at := a.find(p, p.name != "")
	if at < 0 {
		return
	}
	s := &a.joining[at]
	if p.fault != "" {
		s.refuse(p.fault)
	}
	s.addName(p.name)
	s.addArguments(p.arguments, a.chunks)
	a.growing = callFrom(s)
}

// addName takes a name, a piece of one, or the same one again. Once arguments
// have begun, the name stands.
func (s *draft) addName(name string) {
	switch {
	case name == "" || name == s.name:
	case len(s.args) == 0 || s.name == "":
		s.name += name
	default:
		s.refuse("the stream changed the name of the tool within a call")
	}
}

// find returns the call that a piece belongs to, a new one for a piece that
// begins a call, or -1 for one that belongs nowhere.
func (a *chatAssembler) find(p piece, named bool) int {
	candidates := a.candidates(p, named)
	switch {
	case len(candidates) == 1:
		s := &a.joining[candidates[0]]
		s.id = cmp.Or(s.id, p.id)
		if s.index == noIndex {
			s.index = p.index
		}
		return candidates[0]
	case len(candidates) > 1:
		for _, at := range candidates {
			a.joining[at].refuse(strayPiece)
		}
		return -1
	case p.index == noIndex && p.id == "" && !named && len(a.joining) > 0:
		a.refuseAll(strayPiece)
		return -1
	case len(a.joining) >= 4*MaxCalls:
		a.tooMany = true
		return -1
	}
	a.joining = append(a.joining, draft{id: p.id, index: p.index})
	return len(a.joining) - 1
}

const strayPiece = "the stream sent a piece of a call that could belong to several calls"

// candidates are the calls that a piece may belong to: by index and id where it
// has both, by the one it has, and for a bare piece the only call there is.
func (a *chatAssembler) candidates(p piece, named bool) []int {
	var found []int
	for i := range a.joining {
		s := &a.joining[i]
		sameIndex, sameID := s.index == p.index, s.id == p.id
		var fits bool
		switch {
		case p.index != noIndex && p.id != "":
			fits = sameIndex && (sameID || s.id == "") || s.index == noIndex && sameID
		case p.index != noIndex:
			fits = sameIndex
		case p.id != "":
			fits = sameID
		default:
			fits = len(a.joining) == 1 && s.index != legacyIndex && (!named || len(s.args) == 0)
		}
		if fits {
			found = append(found, i)
		}
	}
	return found
}

func (a *chatAssembler) refuseAll(reason string) {
	if len(a.joining) == 0 {
		a.joining = append(a.joining, draft{index: noIndex})
	}
	for i := range a.joining {
		a.joining[i].refuse(reason)
	}
}

// joined are the calls in the order of their indexes; calls without one keep
// the order in which they began.
func (a *chatAssembler) joined() []draft {
	drafts := slices.Clone(a.joining)
	if !slices.ContainsFunc(drafts, func(s draft) bool { return s.index == noIndex }) {
		slices.SortStableFunc(drafts, func(x, y draft) int { return x.index - y.index })
	}
	for i := range drafts {
		d := &drafts[i]
		if d.args = slices.Clone(d.args); d.name == "" {
			d.refuse("the call names no tool")
		}
		if a.tooMany {
			d.fault = fmt.Sprintf("the message holds too many calls; at most %d are allowed in one message", MaxCalls)
		}
	}
	return drafts
}
