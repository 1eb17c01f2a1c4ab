package match

import (
	"regexp"
	"slices"

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

// makingActs may be done with words: a plan, a draft, a list.
var makingActs = lexicon.FamiliesOf(lexicon.Create, lexicon.Build, lexicon.Generate, lexicon.Draw)

// roughly is how a text says that a figure is none of the records'.
var roughly = regexp.MustCompile(`(?i)\b(?:roughly|about|around|approximately|typically|usually|some)\b|~`)

// NeedsCall reports whether a claim says what only a call can have brought about: that
// something was done, sent, saved or found out by a tool, that a system failed, or how
// particular things stand which nothing in the conversation tells.
func (t *Turn) NeedsCall(c *Claim) bool {
	if t.WantsWords(c.Text(), true) {
		return false // they may tell of anything
	}
	switch t.meant(c).Kind {
	case Did:
		return !t.isWordWork(c)
	case Looked:
		return !t.isOwnLook(c)
	case Failed:
		return t.tellsTrouble(c)
	case Found:
		return t.isParticular(c) || t.tellsOutage(c) || t.words.Acting && (t.isAboutRequest(c) || c.tellsRefusal())
	case Unread:
		return t.words.Acting || t.HasChanged()
	}
	return false
}

// WantsWords reports whether a sentence may be a piece of the words that the user asks for,
// and nothing was called that it could report. One that stands alone, and tells what we did,
// is no text that was to be made.
func (t *Turn) WantsWords(sentence string, alone bool) bool {
	if len(t.source) > t.earlier || !MayBeWords(sentence, t.words.User) {
		return false
	}
	if !alone || reading.WantedOf(t.words.User) != reading.Composed {
		return true
	}
	claims := t.claimsOf(sentence)
	first := len(claims) > 0 && claims[0].Kind == Did && claims[0].clause.Actor == reading.Us
	return !first // "I'd say: we've approved it" is words
}

// OnlyReckons reports whether all that a sentence tells are figures that follow from those of
// the conversation.
func (t *Turn) OnlyReckons(sentence string) bool {
	claims := t.claimsOf(sentence)
	figures := 0
	for i := range claims {
		c := &claims[i]
		if c.Kind != Found && c.Kind != Other {
			return false
		}
		for _, v := range c.figures() {
			if v.Kind != reading.Number || !t.isSaid(v) && !reckons(t, v, t.records(t.all())) {
				return false
			}
			figures++
		}
	}
	return figures > 0
}

// isAboutRequest reports whether a claim tells how something stands that the user asks to
// have changed.
func (t *Turn) isAboutRequest(c *Claim) bool {
	if c.isHedged() {
		return false
	}
	plain := func(v *reading.Value) bool { return t.isAsked(v) && (v.Entry == nil || v.Entry.Class == 0) }
	return slices.ContainsFunc(c.content(), plain) || slices.ContainsFunc(c.news(), t.isAsked)
}

// ClaimsDeed reports whether a sentence says that we, or nobody in particular, did something
// that needs a call.
func (t *Turn) ClaimsDeed(sentence string) bool {
	return slices.ContainsFunc(t.claimsOf(sentence), func(c Claim) bool {
		return t.meant(&c).Kind == Did && t.NeedsCall(&c)
	})
}

// HasChanged reports whether a call of this turn changed something.
func (t *Turn) HasChanged() bool {
	for number := t.earlier + 1; number <= len(t.source); number++ {
		if r := t.record(number); r.changes() && r.Succeeded() {
			return true
		}
	}
	return false
}

// isOwnLook reports whether what was looked at stands in the conversation: a text that the
// user has given, and no thing that an offered tool is for.
func (t *Turn) isOwnLook(c *Claim) bool {
	if !t.wordsSaid(c) {
		return false
	}
	if slices.ContainsFunc(c.content(), t.tools.isNamed) {
		return false
	}
	return len(c.content()) > 0 || !c.acts.Without(ownActs).Overlaps(c.acts)
}

// isWordWork reports whether what was done may be words alone: the act needs no tool, and
// no offered one does it.
func (t *Turn) isWordWork(c *Claim) bool {
	if c.acts.Empty() || !c.acts.Without(ownActs).Empty() {
		return false
	}
	return !t.tools.any(func(other *tool) bool { return other.effect.MayChange() && other.Families.Overlaps(c.acts) })
}

// tellsTrouble reports whether a claim tells of something that was tried, or of a system
// that does not work. What cannot be done is a refusal, and needs no call.
func (t *Turn) tellsTrouble(c *Claim) bool {
	if c.clause.Mood != reading.Possible {
		return c.clause.Roles&(reading.RoleFail|reading.RoleError|reading.RoleTrouble) != 0 && !t.wordsSaid(c)
	}
	return slices.ContainsFunc(c.text.Tokens[c.clause.From:c.clause.To], func(token lexicon.Token) bool {
		return token.Entry != nil && token.Entry.Lemma == "could"
	})
}

// tellsRefusal reports whether a claim says that something else than we refused to do what was
// asked for: "the system rejected the extension".
func (c *Claim) tellsRefusal() bool {
	if c.clause.Actor != reading.Other || c.clause.Verb < 0 || c.text.Tokens[c.clause.Verb].Entry == nil {
		return false
	}
	return isListed("refusing", c.text.Tokens[c.clause.Verb].Entry.Lemma)
}

// tellsOutage reports whether a claim says that a system does not work, which the user has
// not said: "the practice's system is down", "the service isn't responding".
func (t *Turn) tellsOutage(c *Claim) bool {
	for i := max(c.clause.Verb, c.clause.From); i < c.clause.To; i++ {
		entry := c.text.Tokens[i].Entry
		if entry == nil {
			continue
		}
		if !isListed("outage", entry.Lemma) && !(c.clause.Negated && isListed("working", entry.Lemma)) {
			continue
		}
		return !t.conversation()[reading.English().StemKey(c.text.Word(i))]
	}
	return false
}

// wordsSaid reports whether all that a claim names was said in the conversation.
func (t *Turn) wordsSaid(c *Claim) bool {
	return allOf(c.content(), t.isSaid)
}

// isParticular reports whether a claim tells figures of particular things that nothing in
// the conversation holds, and no arithmetic gives.
func (t *Turn) isParticular(c *Claim) bool {
	if c.isHedged() || roughly.MatchString(c.Text()) {
		return false
	}
	looked := func(v *reading.Value) bool { return t.isAsked(v) && t.tools.isNamed(v) } // seats, by find_seats
	about := isAboutYours(c) || len(t.source) == t.earlier && slices.ContainsFunc(c.content(), looked)
	unknown := false
	for _, v := range c.news() {
		switch {
		case t.isSaid(v):
			about = about || v.Kind == reading.ID || isName(v)
		case t.isRecorded(v, nil):
			about = about || v.Kind == reading.ID
		case v.Kind == reading.Number && reckons(t, v, t.records(t.all())):
		case v.Kind != reading.Word && !v.Has(reading.Worded):
			unknown = true
		}
	}
	return about && unknown
}

// isAboutYours reports whether the subject of a claim is something of the user's.
func isAboutYours(c *Claim) bool {
	end := c.clause.To
	if c.clause.Verb >= 0 {
		end = min(end, max(c.clause.Verb, c.clause.From))
	}
	yours := func(token lexicon.Token) bool { return token.Class().Has(lexicon.SecondPerson) }
	return slices.ContainsFunc(c.text.Tokens[c.clause.From:end], yours)
}
