package guard

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// prompts are what the host itself has told the model. What stands there needs no
// look-up: the host answers for it.
type prompts struct {
	standing string // Options.System
	turn     *Input // its own, and the messages before it, of which the system's count; nil where there is none
}

// telling is what the prompts know of what an answer tells.
type telling uint8

const (
	untold   telling = iota // something else is told, or nothing that could be looked up
	mentions                // each value stands there
	tells                   // and each beside the name that the answer gives it to
)

// empty reports whether the host has told the model nothing.
func (p *prompts) empty() bool {
	return p.turn == nil || p.standing == "" && p.turn.System == "" &&
		!slices.ContainsFunc(p.turn.Previous, func(m Message) bool { return m.Role == RoleSystem })
}

// tell holds what an answer tells against the prompts: its dates, figures and ids,
// and the names that no word list has. The user's own words are no news. One name, or
// a small figure, stands in many prompts by chance and proves nothing; a list of names
// is mentioned at most, and only if all its words are known.
func (p *prompts) tell(answer, user string) telling {
	if p.empty() {
		return untold
	}
	said, values := valuesIn(user).keys(), valuesIn(answer)
	known := promptValues{answered: values.keys(), all: valueKeys{}, beside: valueKeys{}}
	news := slices.DeleteFunc(values, func(v reading.Value) bool {
		return v.Has(reading.Worded) || v.Kind == reading.Word && v.Entry != nil || said[v.Key]
	})
	telling := slices.ContainsFunc(news, isTelltale)
	if !telling && namesApart(news) < 2 {
		return untold
	}
	known.read(p.standing)
	known.read(p.turn.System)
	for _, message := range p.turn.Previous {
		if message.Role == RoleSystem {
			known.read(message.Text)
		}
	}
	found := tells
	for i := range news {
		v := &news[i]
		word := v.Kind == reading.Word
		switch {
		case word && !v.Has(reading.Capital) && telling: // it may be any word
		case !known.all[v.Key]:
			return untold
		case !telling, !word && !known.beside[v.Key]:
			found = mentions
		}
	}
	return found
}

// namesApart is how many names there are; the words of one stand together.
func namesApart(news []reading.Value) (n int) {
	end := -1
	for i := range news {
		v := &news[i]
		if v.Kind != reading.Word || !v.Has(reading.Capital) {
			continue
		}
		if end < 0 || strings.TrimSpace(v.Before()[end:]) != "" {
			n++
		}
		end = v.End()
	}
	return n
}

// promptValues are the values of the prompts: all, and those that stand after a
// name which the answer has, too, with no other name between.
type promptValues struct{ answered, all, beside valueKeys }

func (p *promptValues) read(prompt string) {
	named := false
	for _, v := range reading.English().Values(nil, prompt) {
		if p.all[v.Key] = true; v.Kind == reading.ID || v.Has(reading.Capital) {
			named = p.answered[v.Key]
		}
		if named {
			p.beside[v.Key] = true
		}
	}
}

// isTelltale reports whether a value hardly stands in two texts by chance. Figures up
// to a dozen count things and steps of instructions.
func isTelltale(v reading.Value) bool {
	const dozen = 12
	switch v.Kind {
	case reading.Date, reading.Clock, reading.ID:
		return true
	case reading.Number:
		return v.Number > dozen || v.Has(reading.Money|reading.Percent)
	}
	return false
}
