package guard

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What the guard invites is what it permits: mayCall words its messages, denyPrompted reviews
// the calls that follow them, and both ask notAsked.

// mayCall says which calls a message of the guard may ask for, or invite: none that the
// user's message holds back, and no change where none would be permitted. Of a call whose
// fate is not known the model was told not to repeat it.
func (t *Turn) mayCall(doubts []Doubt, accused bool) proof.Calling {
	permitted := func(tool tooltrack.Tool) bool {
		open := func(r *tooltrack.Record) bool {
			fate := r.Result.Status
			return r.Tool == tool.Name && r.Effect.MayChange() && !r.Ruling.Denied &&
				(fate == tooltrack.Unknown || fate == tooltrack.Pending)
		}
		return !isReading(&tool) && t.notAsked(&tool, accused) == "" && !slices.ContainsFunc(t.records, open)
	}
	switch {
	case t.barred:
		return proof.CallsBarred
	case slices.ContainsFunc(doubts, t.asked.isDoubtToldBefore):
		return proof.CallsThatRead
	case slices.ContainsFunc(t.offered, permitted) && (t.isWantedByHost() || !isOnlyReadsDue(doubts, t.offered)):
		return proof.CallsInvited
	case t.asked.isHoldingBack():
		return proof.CallsHeldBack
	}
	return proof.CallsThatRead
}

// denyPrompted denies a call that follows a message of the guard and must not run: the guard
// spoke, so it answers for what comes of it. A change that the user's message holds back, or
// that nothing in it asks for, is none that was missing. One that equals a change which has
// succeeded would run twice where the guard does not run the calls itself.
func (t *Turn) denyPrompted(p *pending) {
	if !t.hasSpoken() || t.inquired || p.unknown || isReading(p.tool) {
		return
	}
	switch rule := t.notAsked(p.tool, t.accused); {
	case rule != "":
		p.deny(rule, promptedReasons[rule])
	case !t.isRequiredByHost(p.tool) && t.isDoneBefore(p.tool, p.call):
		p.deny(ruleRepeated, promptedReasons[ruleRepeated])
	case t.asked.maybeMade(p.tool.Name):
		p.deny(ruleRepeated, toldAsDone)
	}
}

// notAsked is the rule against a change that follows a message of the guard: the user's
// message holds it back, or nothing in it asks for a change. It is empty where neither is
// so: then which tool does it is the model's to say, as it was before the guard spoke.
func (t *Turn) notAsked(tool *tooltrack.Tool, accused bool) (rule string) {
	at := slices.IndexFunc(t.asked.wants, func(w want) bool { return w.Tool == tool.Name })
	expected := at >= 0
	switch {
	case expected && t.asked.isHeld(tool.Name) && !t.mayHaveComeTrue(t.asked.wants[at]),
		!expected && (t.asked.hold != intent.NotHeld && !t.asked.partly || t.asked.isHoldingWhatItExpects()):
		return ruleHeld
	case t.settled && (!expected || isCalled(t.records, tool.Name)):
		return ruleUnasked
	case t.isRequiredByHost(tool):
		return ""
	case t.isFoundOtherwise():
		return ruleUnasked
	case t.asked.isSureOf(tool.Name):
		return ""
	case t.isDeclined(), expected && t.isInTextHandedOver(t.asked.wants[at].Words):
		return ruleUnasked
	case expected:
		return ""
	case !t.isOnlyTelling() && reading.WantedOf(t.wanted) == reading.Report && t.mayMean(tool, accused):
		return ""
	}
	return ruleUnasked
}

// isInTextHandedOver reports whether the words that speak for a tool stand in a text that the
// message wants to have put otherwise: "fix the grammar: i has send the mail".
func (r *userRequest) isInTextHandedOver(words string) bool {
	_, text := reading.HandedOver(r.wanted)
	return text != "" && strings.Contains(text, words) && reading.WantedOf(r.wanted) != reading.Report
}

// mayMean reports whether a message may mean a tool that is not expected.
func (t *Turn) mayMean(tool *tooltrack.Tool, accused bool) bool {
	change := t.asked.canWantChange()
	switch {
	case t.canBeCommand() && (change || hasChanged(t.records)): // what was changed was asked for
		return true
	case accused: // who was told that a text of his is false has been told what is missing
		return false
	case change && (reading.Commands(t.wanted) || readingOf(tool).Families.Overlaps(actsIn(t.wanted))):
		return true
	}
	named, directory := "", t.directoryFor(tool)
	if directory != nil && !strings.Contains(t.wanted, "?") { // "get Read book off my plate"
		_, named = t.mention(t.lastContext(), tool.Subject.Kind, directory)
	}
	return named != ""
}

// isRequiredByHost reports whether the host itself asks for a tool.
func (t *Turn) isRequiredByHost(tool *tooltrack.Tool) bool {
	return t.required || t.isWantedByHost() || slices.Contains(t.contract.Tools(), tool.Name)
}

// questioned is the text that the guard asks about, or has asked about; nil if there is none.
func (d *drafts) questioned() *proving {
	if d.proving != nil {
		return d.proving
	}
	return d.aside
}

// isDeclined reports whether the text that the guard asked about tells no change as done,
// and says no to something: that it waits, that it cannot, that it did not. Without the
// guard nothing would have been done, and a question must not make it so.
func (d *drafts) isDeclined() bool {
	asked := d.questioned()
	if asked == nil || slices.ContainsFunc(asked.found.doubts, isTellingChange) {
		return false
	}
	verdict := &asked.found.verdict
	return verdict.Asks || verdict.Blocker.Kind != completion.NoBlocker || hasDenial(asked.draft.Message.Text)
}

// isFoundOtherwise reports whether the text that the guard asked about tells, where nothing
// was changed, how something was found, or why it had better be left: "it was refunded on
// Monday", "the lot has been sold". What it tells as done is not what the message asks for.
func (t *Turn) isFoundOtherwise() bool {
	asked := t.questioned()
	if asked == nil || hasChanged(t.records) || asked.found.unsettled == completion.Promise {
		return false
	}
	wanted := t.actsWanted()
	for _, doubt := range asked.found.doubts {
		if !isTellingChange(doubt) || reading.ToldAsFound(doubt.Claim.Text) {
			continue
		}
		told := actsIn(doubt.Claim.Text)
		if told.Empty() && hasLooked(t.records) && !isTellingDone(doubt.Claim.Text) {
			continue // "the cheapest costs 59"
		}
		if wanted.Empty() || told.Empty() || wanted.Overlaps(told) {
			return false
		}
	}
	text := asked.draft.Message.Text
	return reading.ToldAsFound(text) || hasLooked(t.records) && (hasDenial(text) || reading.EndsAsking(t.wanted))
}

// actsWanted are the acts of the changes that are expected or, where none is, those that the
// message has words of.
func (r *userRequest) actsWanted() (acts lexicon.Families) {
	for _, w := range r.asked.wants {
		if w.tool != nil && !isReading(w.tool) {
			acts = acts.Union(readingOf(w.tool).Families)
		}
	}
	if acts.Empty() {
		acts = actsIn(r.wanted)
	}
	return acts
}

// isTellingChange reports whether a doubt is about a change that the text may tell as done.
func isTellingChange(d Doubt) bool {
	return d.Claim != nil && d.Claim.Kind == completion.ClaimChange &&
		!reading.English().ReadClauses(nil, d.Claim.Text).Refrains()
}

// mayHaveComeTrue reports whether what an act waits for may be so by now: the turn has
// looked at something.
func (t *Turn) mayHaveComeTrue(w want) bool {
	return w.Hold == intent.Conditional && t.asked.hold == intent.NotHeld &&
		slices.ContainsFunc(t.records, (*tooltrack.Record).Succeeded)
}

// isOnlyTelling reports whether a message only tells something, or says no to a question: "my
// colleague refunded it", "no, 20 is fine".
func (r *userRequest) isOnlyTelling() bool {
	if r.asked.unread {
		return false
	}
	if !reading.EndsAsking(r.previous) {
		return reading.OnlyTells(r.wanted)
	}
	return reading.SaysNo(r.wanted) && !reading.Commands(r.wanted)
}

// canBeCommand reports whether a message may command something. What is said in English,
// and reads neither like a command nor like an answer to a question, does so only where
// it can hardly mean anything else.
func (r *userRequest) canBeCommand() bool {
	const hardly = 0.9
	return r.asked.kind == intent.Action || r.asked.unread || reading.Commands(r.wanted) ||
		r.asked.due >= hardly && !reading.OnlyTells(r.wanted) ||
		reading.EndsAsking(r.previous) && !reading.OnlyTells(r.wanted)
}

// canBeOrder reports whether a message may be an order: it reads like one, and not only has
// words of a tool, as "I was going to cancel it" has.
func (r *userRequest) canBeOrder() bool {
	command := func(w want) bool { return w.Command }
	return r.asked.kind == intent.Action && (reading.Commands(r.wanted) || r.asked.any(command))
}

// hasSpoken reports whether the guard has told the model something in this turn.
func (t *Turn) hasSpoken() bool { return t.spent != (spending{}) }

// isDoneBefore reports whether a change that follows a message of the guard was made
// already: its tool has succeeded, or was accepted, and the call names nothing further
// that the user's message speaks of. "Petra" is paid once, whether she is called by her
// surname or not. What failed may be tried again, and what the user wants once more is no
// repetition; nor is a setting of the same thing to something else.
func (t *Turn) isDoneBefore(tool *tooltrack.Tool, call tooltrack.Call) bool {
	made := func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Effect.MayChange() && (r.Succeeded() || r.Result.Status == tooltrack.Pending)
	}
	failed := func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Result.Status == tooltrack.Failed && isSameArgs(r.Args, call.Args)
	}
	if slices.ContainsFunc(t.records, failed) || reading.OnceMore(t.wanted) {
		return false
	}
	same := func(r *tooltrack.Record) bool {
		return made(r) && !hasFurtherNames(t, tool, call.Args, r) && !isSetAnew(tool, call, r) &&
			!hasDifferenceNamed(t.wanted, call.Args, r.Args, strings.EqualFold)
	}
	if slices.ContainsFunc(t.records, same) {
		return true
	}
	return !t.asked.isSureOf(call.Tool) && slices.ContainsFunc(t.earlier, same) // else it is ordered anew
}

// isSetAnew reports whether a call sets what an earlier one was about, its first argument, to
// another figure, by a tool that may run again: a silence of two hours is made one of ten.
func isSetAnew(tool *tooltrack.Tool, call tooltrack.Call, earlier *tooltrack.Record) bool {
	const longest = 3 // of a setting; more is a text
	told, before := scalarsIn(call.Args, nil), scalarsIn(earlier.Args, nil)
	if !mayRepeat(tool) || len(told) < 2 || len(before) == 0 || told[0] != before[0] {
		return false
	}
	known, anew := valuesIn(string(earlier.Args)).keys(), false
	for _, text := range told {
		values := valuesIn(text)
		for _, v := range values {
			if known[v.Key] {
				continue
			}
			if v.Kind == reading.Word || len(values) > longest {
				return false
			}
			anew = true
		}
	}
	return anew
}

// mayRepeat reports whether a tool does no harm when it runs twice: it neither sends, creates,
// pays nor deletes, as far as its declaration or its name tells.
func mayRepeat(tool *tooltrack.Tool) bool {
	return tool.Idempotent || tool.Implied != nil && tool.Implied.Repeats
}

// hasFurtherNames reports whether a call names something of the user's message that an
// earlier call does not name, or, where the message speaks of several things, anything
// else. A figure that the user tells, and the earlier call does not have, is what that call got
// wrong, and a tool that sends, creates or pays would do all of it on top; one that the user does
// not tell is an amount.
func hasFurtherNames(t *Turn, tool *tooltrack.Tool, args []byte, earlier *tooltrack.Record) bool {
	const longest = 3 // of a name
	f := further{said: valuesIn(t.wanted).keys(), given: valuesIn(string(earlier.Args)), adds: !mayRepeat(tool)}
	f.known = f.given.keys()
	for _, subject := range earlier.Touched {
		f.known.add(valuesIn(subject.Title)) // its id may be all that the arguments have
	}
	isKnown := func(v reading.Value) bool { return f.known[v.Key] }
	several := reading.SpeaksOfSeveral(t.wanted)
	if several && hasOtherCode(args, earlier.Args) {
		return true
	}
	for _, text := range scalarsIn(args, nil) {
		values := valuesIn(text)
		for i := range values {
			v := &values[i]
			switch {
			case len(values) > longest, f.known[v.Key]:
			case v.Kind == reading.Number && (f.hasFigure(v) || several && isListedBeside(t, v, f.given)):
				return true
			case v.Kind != reading.Number && (f.said[v.Key] || several && !slices.ContainsFunc(values, isKnown)):
				return true
			}
		}
	}
	return false
}

// scalarsIn appends the texts and figures of a JSON value.
func scalarsIn(data []byte, scalars []string) []string {
	for _, value := range jsonspan.Members(data) {
		scalars = scalarsIn(value, scalars)
	}
	for value := range jsonspan.Elements(data) {
		scalars = scalarsIn(value, scalars)
	}
	if text := jsonspan.Scalar(data); text != "" {
		scalars = append(scalars, text)
	}
	return scalars
}

// hasOtherCode reports whether an argument has another letter or two than in an earlier call: "A"
// for the altos, after "S".
func hasOtherCode(args, earlier []byte) bool {
	const longest = 2
	isCode := func(text string) bool { return text != "" && len(text) <= longest && len(valuesIn(text)) == 0 }
	for key, value := range jsonspan.Members(args) {
		one, two := jsonspan.Scalar(value), jsonspan.Scalar(memberOf(earlier, string(jsonspan.Key(key))))
		if isCode(one) && isCode(two) && !strings.EqualFold(one, two) {
			return true
		}
	}
	return false
}

// isListedBeside reports whether a look-up has returned both a figure and one of an earlier call:
// the numbers of two entries.
func isListedBeside(t *Turn, v *reading.Value, given tellingValues) bool {
	return slices.ContainsFunc(slices.Concat(t.earlier, t.records), func(r *tooltrack.Record) bool {
		if !r.Succeeded() || r.Effect.MayChange() {
			return false
		}
		listed := valuesIn(clip.Text(r.Result.Text(), maxListing)).keys()
		of := func(g reading.Value) bool { return g.Kind == reading.Number && listed[g.Key] }
		return listed[v.Key] && slices.ContainsFunc(given, of)
	})
}

// maxListing is the number of bytes of a result in which entries are looked for.
const maxListing = 64 << 10

// further is what a message asks for beyond an earlier call.
type further struct {
	said, known valueKeys // in the message, and of the earlier call
	given       tellingValues
	adds        bool // a call does it on top of the earlier one
}

// hasFigure reports whether a figure that the earlier call does not have is one of them: what is
// left of an amount ("three", after two), or an amount that it did not have. Two visits at 90
// were paid by 180.
func (f *further) hasFigure(v *reading.Value) bool {
	told, counted := false, false
	for _, g := range f.given {
		if g.Kind != reading.Number {
			continue
		}
		whole := reading.KeyOf(reading.Number, g.Number+v.Number)
		if g.Number > 0 && v.Number > 0 && f.said[whole] && !f.known[whole] {
			return true
		}
		partly, times := f.adds && g.Number > 0 && g.Number < v.Number, v.Number > 0 && g.Number >= v.Number
		told = told || f.said[g.Key]
		counted = counted || partly || times && math.Mod(g.Number, v.Number) == 0
	}
	return f.said[v.Key] && (told || !counted)
}

// isNamedApart reports whether the user's words tell a call from an earlier one of this
// turn that says the same in other letters: they hold both spellings ("first 100, then
// 100.00"), or name an argument that only one of the two has ("and clear the due date").
func (t *Turn) isNamedApart(call tooltrack.Call) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	user := t.input.User
	return slices.ContainsFunc(t.records, func(earlier *tooltrack.Record) bool {
		return earlier.Tool == call.Tool && !isSameArgs(earlier.Args, call.Args) &&
			(hasDifferenceNamed(user, earlier.Args, call.Args, nil) || hasDifferenceNamed(user, call.Args, earlier.Args, nil))
	})
}

// hasDifferenceNamed reports whether words name what one call has and the other has not, or
// has in another spelling: of a kind, or any.
func hasDifferenceNamed(words string, one, other []byte, spelled func(one, other string) bool) bool {
	for key, value := range jsonspan.Members(one) {
		name, text := string(jsonspan.Key(key)), strings.TrimSpace(jsonspan.Scalar(value))
		twin := memberOf(other, name)
		theirs := strings.TrimSpace(jsonspan.Scalar(twin))
		respelled := text != "" && theirs != "" && text != theirs && (spelled == nil || spelled(text, theirs))
		switch {
		case bytes.Equal(value, twin):
		case twin == nil && text == "" && isArgumentNamed(words, name),
			respelled && isStandingIn(words, text) && isStandingIn(words, theirs):
			return true
		}
	}
	return false
}

// isArgumentNamed reports whether a longer word of an argument's name stands in a text.
func isArgumentNamed(words, name string) bool {
	return slices.ContainsFunc(strings.Fields(inWords(name)), func(word string) bool {
		return len(word) > 2 && isStandingIn(strings.ToLower(words), word)
	})
}

// isStandingIn reports whether a text holds a piece that nothing continues: "100" does not
// stand in "100.00".
func isStandingIn(text, piece string) bool {
	divides := func(r rune) bool { return strings.ContainsRune(" \t\n\"'“”‘’(),;!?", r) }
	for _, field := range strings.FieldsFunc(text, divides) {
		if strings.TrimRight(field, ".:") == piece {
			return true
		}
	}
	return strings.Contains(piece, " ") && strings.Contains(text, piece)
}
