package match

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// ownActs are done with words alone, and need no tool.
var ownActs = lexicon.FamiliesOf(
	lexicon.Write, lexicon.Translate, lexicon.Summarize, lexicon.Explain, lexicon.Review, lexicon.Calculate,
	lexicon.Compare, lexicon.Recommend, lexicon.Answer, lexicon.Analyze, lexicon.Convert, lexicon.Count,
	lexicon.Generate, lexicon.Sort, lexicon.Classify, lexicon.Fix, lexicon.Draw, lexicon.Predict, lexicon.Implement,
	lexicon.Refactor,
)

// NeedsCall reports whether a claim says what only a call can have brought about: that
// something was done, sent, saved or found out by a tool, that a system failed, or how
// particular things stand which nothing in the conversation tells.
func (t *Turn) NeedsCall(c *Claim) bool {
	if reading.WantedOf(t.words.User) != reading.Report && c.Kind != Unread && c.clause.Actor != reading.Us {
		return false // the user wants words, and they may tell of anything
	}
	switch t.kindOf(c) {
	case Did:
		return !t.isWordWork(c) && !t.isRetold(c)
	case Looked:
		return !t.isOwnLook(c)
	case Failed:
		return t.tellsTrouble(c)
	case Found:
		return t.isParticular(c) || t.tellsOutage(c) || t.words.Acting && t.isAboutRequest(c)
	case Unread:
		return t.words.Acting || t.hasChanged()
	}
	return false
}

// isAboutRequest reports whether a claim tells how something stands that the user asks to
// have changed.
func (t *Turn) isAboutRequest(c *Claim) bool {
	if c.isHedged() {
		return false
	}
	for _, v := range c.content() {
		if t.isAsked(v) && (v.Entry == nil || v.Entry.Class == 0) {
			return true
		}
	}
	for _, v := range c.news() {
		if t.isAsked(v) {
			return true
		}
	}
	return false
}

// hasChanged reports whether a call of this turn changed something.
func (t *Turn) hasChanged() bool {
	for number := t.earlier + 1; number <= len(t.source); number++ {
		if r := t.record(number); r.changes() && r.Succeeded() {
			return true
		}
	}
	return false
}

// isRetold reports whether the user has told the same, in the same words: "I'm sorry that
// the lamp was removed".
func (t *Turn) isRetold(c *Claim) bool {
	return t.wordsSaid(c) && strings.Contains(strings.ToLower(t.words.User), strings.ToLower(c.word()))
}

// isOwnLook reports whether what was looked at stands in the conversation: a text that the
// user has given, and no thing that an offered tool is for.
func (t *Turn) isOwnLook(c *Claim) bool {
	if !t.wordsSaid(c) {
		return false
	}
	for _, v := range c.content() {
		for _, one := range t.tools.byName {
			if one.words[v.Key] {
				return false
			}
		}
	}
	return len(c.content()) > 0 || !c.acts.Without(ownActs).Overlaps(c.acts)
}

// isWordWork reports whether what was done may be words alone: the act needs no tool, and
// no offered one does it.
func (t *Turn) isWordWork(c *Claim) bool {
	if c.acts.Empty() || !c.acts.Without(ownActs).Empty() {
		return false
	}
	for _, other := range t.tools.byName {
		if other.effect.MayChange() && other.Families.Overlaps(c.acts) {
			return false
		}
	}
	return true
}

// tellsTrouble reports whether a claim tells of something that was tried, or of a system
// that does not work. What cannot be done is a refusal, and needs no call.
func (t *Turn) tellsTrouble(c *Claim) bool {
	if c.clause.Mood != reading.Possible {
		return c.clause.Roles&(reading.RoleFail|reading.RoleError|reading.RoleTrouble) != 0 && !t.wordsSaid(c)
	}
	for i := c.clause.From; i < c.clause.To; i++ {
		if token := &c.text.Tokens[i]; token.Entry != nil && token.Entry.Lemma == "could" {
			return true
		}
	}
	return false
}

// tellsOutage reports whether a claim says that a system does not work, which the user has
// not said: "the practice's system is down", "the service isn't responding".
func (t *Turn) tellsOutage(c *Claim) bool {
	for i := max(c.clause.Verb, c.clause.From); i < c.clause.To; i++ {
		entry := c.text.Tokens[i].Entry
		if entry == nil {
			continue
		}
		switch entry.Lemma {
		case "down", "offline", "unavailable", "unreachable":
		case "respond", "work", "load", "connect", "answer", "available", "reachable":
			if !c.clause.Negated {
				continue
			}
		default:
			continue
		}
		return !t.conversation()[reading.English().StemKey(c.text.Word(i))]
	}
	return false
}

// wordsSaid reports whether all that a claim names was said in the conversation.
func (t *Turn) wordsSaid(c *Claim) bool {
	for _, v := range c.content() {
		if !t.isSaid(v) {
			return false
		}
	}
	return true
}

// isParticular reports whether a claim tells figures of particular things that nothing in
// the conversation holds, and no arithmetic gives.
func (t *Turn) isParticular(c *Claim) bool {
	about, unknown := t.isAboutYours(c), false
	for _, v := range c.news() {
		switch {
		case t.isSaid(v):
			about = about || v.Kind == reading.ID || isName(v)
		case t.isRecorded(v, c.text.Source, nil):
			about = about || v.Kind == reading.ID
		case v.Kind == reading.Number && t.isReckoned(v.Number, t.records(t.all())):
		case v.Kind != reading.Word && !v.Has(reading.Worded):
			unknown = true
		}
	}
	return about && unknown
}

// isAboutYours reports whether the subject of a claim is something of the user's.
func (t *Turn) isAboutYours(c *Claim) bool {
	for i := c.clause.From; i < c.clause.To && (c.clause.Verb < 0 || i < c.clause.Verb); i++ {
		if c.text.Tokens[i].Class().Has(lexicon.SecondPerson) {
			return true
		}
	}
	return false
}
