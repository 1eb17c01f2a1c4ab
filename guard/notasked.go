package guard

import (
	"context"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// notAsked is the rule against a change that follows a message of the guard: the user's
// message holds it back, or nothing in it asks for it. It is empty where neither is so.
func (t *Turn) notAsked(ctx context.Context, tool *tooltrack.Tool, args []byte) (rule string) {
	bidden := t.bidden(tool)
	at := slices.IndexFunc(t.asked.expected, func(e intent.Expectation) bool { return e.Tool == tool.Name })
	if at >= 0 {
		return t.expectedAnyway(at, tool, bidden)
	}
	switch {
	case t.asked.hold != intent.NotHeld:
		return ruleHeld
	case t.settled:
		return ruleUnasked
	case bidden:
		return ""
	case t.declined(), t.foundOtherwise(tool), t.onlyTold(), reading.WantedOf(t.wanted) != reading.Report:
		return ruleUnasked
	case t.wantsChange() && t.maySpeakOf(tool),
		!t.accused && t.asked.wantsChange(t.offered) && t.namesAct(tool),
		!t.accused && !strings.Contains(t.wanted, "?") && t.namesObject(ctx, tool, args),
		(!t.accused || isEmpty(t.wanted) && reading.Commands(t.wanted)) && t.commandsSomething():
		return "" // what reads like talk may be more: "get rid of Read book"
	}
	return ruleUnasked
}

// bidden reports whether the host itself asks for a tool.
func (t *Turn) bidden(tool *tooltrack.Tool) bool {
	return t.required || t.hostWants() || slices.Contains(t.contract.Tools(), tool.Name)
}

// expectedAnyway is the rule against a change that is expected, but may not be asked for.
func (t *Turn) expectedAnyway(at int, tool *tooltrack.Tool, bidden bool) (rule string) {
	expected := t.asked.expected[at]
	switch {
	case t.asked.held[at] && !t.mayHaveComeTrue(expected):
		return ruleHeld
	case !bidden && t.elsewhere(expected):
		return ruleRepeated
	case t.settled && called(t.records, expected.Tool),
		!bidden && !t.asked.sure[at] && (t.declined() || t.handedOver(expected)),
		!bidden && t.foundOtherwise(tool):
		return ruleUnasked
	}
	return ""
}

// declined reports whether the text that the guard asked about tells no change as done,
// and says no to something: that it waits, that it cannot, that it did not. Without the
// guard nothing would have been done, and a question must not make it so.
func (t *Turn) declined() bool {
	if t.aside == nil || slices.ContainsFunc(t.aside.found.doubts, tellsChange) {
		return false
	}
	verdict := &t.aside.found.verdict
	return verdict.Asks || verdict.Blocker.Kind != completion.NoBlocker || denies(t.aside.draft.Message.Text)
}

// foundOtherwise reports whether the text that the guard asked about tells, where nothing
// was changed, how something was found, or why it had better be left: "it was refunded on
// Monday", "the lot has been sold". What it tells as done is not the act of the tool.
func (t *Turn) foundOtherwise(tool *tooltrack.Tool) bool {
	if t.aside == nil || changed(t.records) || t.aside.found.unsettled == completion.Promise {
		return false
	}
	text, acts := t.aside.draft.Message.Text, readingOf(tool).Families
	for _, doubt := range t.aside.found.doubts {
		if !tellsChange(doubt) || reading.ToldAsFound(doubt.Claim.Text) {
			continue
		}
		told := actsIn(doubt.Claim.Text)
		if told.Empty() && looked(t.records) && !reading.English().ReadClauses(nil, doubt.Claim.Text).TellsDone() {
			continue // "the cheapest costs 59"
		}
		if acts.Empty() || told.Empty() || acts.Overlaps(told) {
			return false
		}
	}
	return reading.ToldAsFound(text) || looked(t.records) && (denies(text) || reading.EndsAsking(t.wanted))
}

// tellsChange reports whether a doubt is about a change that the text may tell as done.
func tellsChange(d Doubt) bool {
	return d.Claim != nil && d.Claim.Kind == completion.ClaimChange &&
		!reading.English().ReadClauses(nil, d.Claim.Text).Refrains()
}

// handedOver reports whether the words that speak for a tool stand in a text that the
// message wants to have put otherwise: "fix the grammar: i has send the mail".
func (t *Turn) handedOver(expected intent.Expectation) bool {
	_, text := reading.HandedOver(t.wanted)
	return text != "" && strings.Contains(text, expected.Words) && reading.WantedOf(t.wanted) != reading.Report
}

// mayHaveComeTrue reports whether what an act waits for may be so by now: the turn has
// looked at something.
func (t *Turn) mayHaveComeTrue(expected intent.Expectation) bool {
	looked := func(r *tooltrack.Record) bool { return r.Succeeded() }
	return expected.Hold == intent.Conditional && t.asked.hold == intent.NotHeld && slices.ContainsFunc(t.records, looked)
}

// elsewhere reports whether another tool may have done what is expected: it has changed
// something, and was given what the message names. "rm notes.txt" needs no delete_file.
func (t *Turn) elsewhere(expected intent.Expectation) bool {
	turn := completion.Case{Tools: t.offered}
	return slices.ContainsFunc(t.records, func(r *tooltrack.Record) bool {
		turn.Records = []*tooltrack.Record{r}
		return perhapsDone(expected, t.asked.expected, turn) && givenAny(r.Args, wordsIn(t.wanted))
	})
}

// onlyTold reports whether a message only tells something, or says no to a question: "my
// colleague refunded it", "no, 20 is fine".
func (t *Turn) onlyTold() bool {
	if t.asked.unread {
		return false
	}
	if !reading.EndsAsking(t.previous) {
		return reading.OnlyTells(t.wanted)
	}
	return reading.SaysNo(t.wanted) && !reading.Commands(t.wanted)
}

// maySpeakOf reports whether a message may mean a tool that it does not expect: it is
// close to one that it does expect or, where no change is expected, the message has a
// verb of its kind, or none that is known.
func (t *Turn) maySpeakOf(tool *tooltrack.Tool) bool {
	expects := false
	for i, expected := range t.asked.expected {
		wanted := toolNamed(t.offered, expected.Tool)
		if wanted == nil || t.asked.held[i] || !wanted.Effect.MayChange() {
			continue
		}
		if expects = true; answersFor(wanted, tool, beyondDoubt) {
			return true
		}
	}
	if expects {
		return false
	}
	does := readingOf(tool).Families
	return t.commands() && (actsIn(t.wanted).Empty() || does.Empty()) || t.namesAct(tool)
}

// commands reports whether a message may command something. What is said in English,
// and reads neither like a command nor like an answer to a question, does so only where
// it can hardly mean anything else.
func (t *Turn) commands() bool {
	const hardly = 0.9
	return t.asked.kind == intent.Action || t.asked.unread || reading.Commands(t.wanted) ||
		t.asked.due >= hardly && !reading.OnlyTells(t.wanted) ||
		reading.EndsAsking(t.previous) && !reading.OnlyTells(t.wanted)
}

// orders reports whether a message may be an order: it reads like one, and not only has
// words of a tool, as "I was going to cancel it" has.
func (t *Turn) orders() bool {
	command := func(e intent.Expectation) bool { return e.Command }
	return t.asked.kind == intent.Action && (reading.Commands(t.wanted) || slices.ContainsFunc(t.asked.expected, command))
}

// commandsSomething reports whether a message probably is a command, and no tool can be
// told by its words: then any may be meant ("undo it").
func (t *Turn) commandsSomething() bool {
	return t.commands() && t.wantsChange() && t.asked.due >= t.asked.threshold && len(t.asked.expected) == 0
}

// namesAct reports whether a message has a verb of a tool's kind.
func (t *Turn) namesAct(tool *tooltrack.Tool) bool {
	return readingOf(tool).Families.Overlaps(actsIn(t.wanted))
}

// namesObject reports whether a message names what a call is about, or an entity of the
// kind that its tool works on.
func (t *Turn) namesObject(ctx context.Context, tool *tooltrack.Tool, args []byte) bool {
	if directory := t.directoryFor(tool); directory != nil {
		if _, reference := t.mention(ctx, tool.Subject.Kind, directory); reference != "" {
			return true
		}
	}
	const shortest = 3
	message := strings.ToLower(t.wanted)
	for _, value := range jsonspan.Members(args) {
		text, isText := jsonspan.Text(value)
		if isText && len(text) >= shortest && strings.Contains(message, strings.ToLower(text)) {
			return true
		}
	}
	return false
}

// actsIn are the families of all words of a message that can be verbs.
func actsIn(message string) (acts lexicon.Families) {
	for _, token := range lexicon.English().Tokenize(nil, message) {
		if token.Entry != nil && !token.Has(lexicon.Quoted) {
			acts = acts.Union(token.Families())
		}
	}
	return acts
}
