package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// prompts are what the host itself has told the model. What stands there needs no
// look-up: the host answers for it.
type prompts struct {
	standing, turn string    // Options.System, Input.System
	previous       []Message // of which the system's count
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
	return p.standing == "" && p.turn == "" &&
		!slices.ContainsFunc(p.previous, func(m Message) bool { return m.Role == RoleSystem })
}

// tell holds what an answer tells against the prompts: its dates, figures and ids,
// and the names that no word list has. The user's own words are no news.
func (p *prompts) tell(answer, user string) telling {
	if p.empty() {
		return untold
	}
	reader, said, known := reading.English(), valueKeys{}, promptValues{answered: valueKeys{}}
	said.add(reader.Values(nil, user))
	var news []uint64
	for _, v := range reader.Values(nil, answer) {
		known.answered[v.Key] = true
		if newsworthy(&v) && !said[v.Key] {
			news = append(news, v.Key)
		}
	}
	if len(news) == 0 {
		return untold
	}
	known.read(reader.Values(nil, p.standing))
	known.read(reader.Values(nil, p.turn))
	for i := range p.previous {
		if p.previous[i].Role == RoleSystem {
			known.read(reader.Values(nil, p.previous[i].Text))
		}
	}
	found := tells
	for _, key := range news {
		switch {
		case !known.all[key]:
			return untold
		case !known.beside[key]:
			found = mentions
		}
	}
	return found
}

// valueKeys are values by what they mean.
type valueKeys map[uint64]bool

func (k valueKeys) add(values []reading.Value) {
	for i := range values {
		k[values[i].Key] = true
	}
}

// promptValues are the values of the prompts: all, and those that stand after a
// name which the answer has, too, with no other name between.
type promptValues struct{ answered, all, beside valueKeys }

func (p *promptValues) read(values []reading.Value) {
	if p.all == nil {
		p.all, p.beside = valueKeys{}, valueKeys{}
	}
	p.all.add(values)
	named := false
	for i := range values {
		v := &values[i]
		if v.Kind == reading.ID || v.Has(reading.Capital) {
			named = p.answered[v.Key]
		}
		if named {
			p.beside[v.Key] = true
		}
	}
}

// newsworthy reports whether a value is one that is looked up: a date, a time, a
// figure, an id, or a name.
func newsworthy(v *reading.Value) bool {
	switch {
	case v.Has(reading.Derived | reading.Merged | reading.Worded):
		return false
	case v.Kind == reading.Word:
		return v.Has(reading.Capital) && v.Entry == nil
	}
	return true
}

// readsOnly reports whether a message asks for look-ups and for nothing else: what
// the prompts say of a thing is no news of a change that is asked for.
func (d *demands) readsOnly(tools []tooltrack.Tool) bool {
	return !d.wantsChange(tools) || len(d.expected) > 0 &&
		!slices.ContainsFunc(d.expected, func(e intent.Expectation) bool { return !readsAlone(e, tools) })
}

func readsAlone(expected intent.Expectation, tools []tooltrack.Tool) bool {
	tool := toolNamed(tools, expected.Tool)
	return tool != nil && !tool.Effect.MayChange()
}

// withoutTold leaves out the look-ups that the host's prompts answer as the text
// does, and says whether the prompts at least hold its values: then a look-up is
// not insisted on.
func (d *demands) withoutTold(
	undone []intent.Expectation, turn completion.Case,
) (open []intent.Expectation, mentioned bool) {
	lookUp := func(e intent.Expectation) bool { return readsAlone(e, turn.Tools) }
	if !slices.ContainsFunc(undone, lookUp) {
		return undone, false
	}
	switch told := d.prompts.tell(turn.Text, turn.User); {
	case told == untold:
		return undone, false
	case told == tells && d.readsOnly(turn.Tools):
		return nil, true
	}
	return undone, true
}

// believe takes back what a verdict holds against statements of how things are that
// the host's prompts make, too. Where something was changed the prompts may be out
// of date, and what only stands there somewhere is asked about.
func (d *demands) believe(turn completion.Case, verdict *completion.Verdict) {
	if len(verdict.Claims) == 0 || d.prompts.empty() || changed(turn.Records) || !d.readsOnly(turn.Tools) {
		return
	}
	claims := slices.Clone(verdict.Claims)
	for i := range claims {
		claim := &claims[i]
		if claim.Tier == completion.Clean || !statesOnly(claim.Text) {
			continue
		}
		switch d.prompts.tell(claim.Text, turn.User) {
		case mentions:
			claim.Tier = completion.Unsure
		case tells:
			claim.Tier = completion.Clean
		}
	}
	accused := verdict.Ghost()
	verdict.Claims = claims
	if accused && !verdict.Ghost() && verdict.Reason == completion.UnbackedClaim {
		verdict.Outcome, verdict.Reason, verdict.Correction = otherwise(verdict)
	}
}

// statesOnly reports whether a text tells how things are, and of nothing that was
// done: "Emma is due on Friday", and neither "Emma is renewed" nor "I renewed it".
func statesOnly(text string) bool {
	for _, clause := range reading.English().ReadClauses(nil, text).Clauses {
		state := clause.Shape == reading.Copula || clause.Shape == reading.Present || clause.Shape == reading.Verbless
		if !state || clause.Actor == reading.Us {
			return false
		}
	}
	return true
}
