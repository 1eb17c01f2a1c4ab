package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// demands are what a message asks for, and how sure that is.
type demands struct {
	kind      intent.Kind
	hold      intent.Hold
	unread    bool // it is in a language without a word list
	partly    bool // it forbids one thing, and commands another: "delete Read book, but don't touch the rest"
	strict    bool // a change is due beyond doubt, or the host itself says so
	wants     []want
	due       float64 // the probability that a tool must be called at all
	threshold float64 // from which on an answer without calls is asked about
	outcome   float64 // from which on an insufficient outcome is acted on
	readings  func() *match.Tools
	prompts   match.Prompts     // what the host itself has told the model
	summaries *historySummaries // nil where the records are known to be all there is
}

// want is a tool that a message is expected to ask for.
type want struct {
	intent.Expectation
	tool *tooltrack.Tool // nil where no such tool is offered
	sure bool            // the tool is insisted on
	held bool            // the message holds it back
}

func (w want) reads() bool   { return w.tool != nil && !w.tool.Effect.MayChange() }
func (w want) changes() bool { return w.tool != nil && w.tool.Effect.MayChange() }

const never = 2 // no probability reaches it

// demandsOf decides which expectations are insisted on. Where entities are known, a plain command whose object is
// one of them is certain, although its words alone are not; resolves says so and may be nil. The message is looked
// at once more, since the classifier may be the host's.
func (g *Guard) demandsOf(
	user string, found intent.Intent, tools []tooltrack.Tool, resolves func(intent.Expectation, *tooltrack.Tool) bool,
) demands {
	hold := intent.HoldOf(user)
	d := demands{
		kind: found.Kind, due: found.Due, hold: hold, unread: found.Unsupported, wants: make([]want, len(found.Expect)),
		threshold: g.thresholds.Due, outcome: g.thresholds.Outcome, readings: g.readings,
	}
	d.strict = found.Due >= beyondDoubtDue && hold == intent.NotHeld
	for i, expected := range found.Expect {
		d.due = max(d.due, expected.Confidence) // a classifier of the host's own may not say it
		w := want{Expectation: expected, tool: toolNamed(tools, expected.Tool)}
		tool := w.tool
		if tool == nil {
			tool = &tooltrack.Tool{Name: expected.Tool}
		}
		d.partly = d.partly || hold == intent.Forbidden && expected.Command && intent.HoldOf(expected.Words) == intent.NotHeld
		// Questions about how and what if hold back changes only: a tool that reads may be just what answers them.
		// Of tools whose effect is not declared the classifier says it.
		all := hold == intent.Withdrawn || hold == intent.Forbidden
		w.held = all || expected.Hold != intent.NotHeld || hold != intent.NotHeld && tool.Effect == tooltrack.Changes
		w.sure = !w.held && (g.thresholds.isSure(expected, tool) ||
			expected.Command && resolves != nil && g.thresholds.of(tool) <= 1 && resolves(expected, tool)) &&
			(isReading(tool) || !reading.RetractsAfter(user, expected.Words))
		d.wants[i] = w
	}
	for i := range d.wants { // a classifier may expect a tool twice: what is held back once is not insisted on
		d.wants[i].sure = d.wants[i].sure && !d.isHeld(d.wants[i].Tool)
	}
	return d
}

// any reports whether one of the wants is of a kind.
func (d *demands) any(is func(want) bool) bool { return slices.ContainsFunc(d.wants, is) }

// isSureOf reports whether a tool is insisted on.
func (d *demands) isSureOf(tool string) bool {
	return d.any(func(w want) bool { return w.sure && w.Tool == tool })
}

func (d *demands) isHeld(tool string) bool {
	return d.any(func(w want) bool { return w.held && w.Tool == tool })
}

// isSure reports whether any tool is insisted on.
func (d *demands) isSure() bool { return d.any(func(w want) bool { return w.sure }) }

// beyondDoubtDue is the probability of being due that only a host's own classifier gives: it knows what it asks
// for.
const beyondDoubtDue = 0.999

// of is the threshold for a tool.
func (t Thresholds) of(tool *tooltrack.Tool) float64 {
	if tool.Effect.MayChange() {
		return t.Change
	}
	return t.Read
}

func (t Thresholds) isSure(expected intent.Expectation, tool *tooltrack.Tool) bool {
	return expected.Confidence >= t.of(tool)
}

// canWantChange reports whether a message may ask for a change: it is a command, talk that may be more, or a tool
// that may change something is expected.
func (d *demands) canWantChange() bool {
	return d.kind == intent.Action || d.kind == intent.Chat || !areReads(d.wants)
}

// areReads reports whether none of some wants may be for a change.
func areReads(wants []want) bool {
	return !slices.ContainsFunc(wants, func(w want) bool { return !w.reads() })
}

// isHoldingWhatItExpects reports whether each change that is expected is held back: then no other tool is the one
// that is missing.
func (d *demands) isHoldingWhatItExpects() bool {
	return d.any(func(w want) bool { return w.held }) &&
		!d.any(func(w want) bool { return w.changes() && !d.isHeld(w.Tool) })
}

// isHoldingBack reports whether a message takes back, forbids or only wants to see drafted all that it speaks of.
func (d *demands) isHoldingBack() bool {
	switch d.hold {
	case intent.Withdrawn, intent.Forbidden, intent.Drafted:
		return !d.partly
	}
	return false
}

// isForShow reports whether a message wants to see a call rather than have it made: "show me the JSON, but don't
// run it", "how do I call it?".
func (d *demands) isForShow() bool {
	switch d.hold {
	case intent.Forbidden, intent.Drafted, intent.Explained, intent.Supposed:
		return true
	}
	return false
}

// isOnlyReadsDue reports whether something may be due, and no more than look-ups.
func isOnlyReadsDue(doubts []Doubt, tools []tooltrack.Tool) bool {
	due := false
	for _, doubt := range doubts {
		if doubt.Claim != nil {
			continue
		}
		tool := toolNamed(tools, doubt.Tool)
		if tool == nil || tool.Effect.MayChange() {
			return false
		}
		due = true
	}
	return due
}

// mayBeDue reports whether an answer without calls is worth a question. What the user took back, forbade or only
// wanted to see drafted is not due.
func (d *demands) mayBeDue() bool { return d.due >= d.threshold && !d.isHoldingBack() }

// probablyDue is the probability of being due from which on a claim without any record is not believed on the
// model's word. Of our labelled turns without calls and with a small doubt, 24 of 38 lies lie above it, and 4 of 20
// honest texts.
const probablyDue = 0.8

// isActing reports whether the message asks for a change now, or most likely does: records of earlier turns show
// nothing of that.
func (d *demands) isActing() bool {
	return d.kind == intent.Action || d.mayBeDue() && (d.unread || !areReads(d.wants))
}

// uncalled are the expected tools that were not called. A call that failed or was denied was called: the text has
// to say so. Another call may answer for an expected one, once for each expectation, because a request can often be
// met by more than one tool and words alone do not tell which. Where a person has taken over, nothing is left for
// the model to call.
func (d *demands) uncalled(records []*tooltrack.Record, tools []tooltrack.Tool) (open []want) {
	var spent []*tooltrack.Record
	for _, w := range d.wants {
		if isCalled(records, w.Tool) || d.isReadAlong(w, records) {
			continue
		}
		at := slices.IndexFunc(records, func(r *tooltrack.Record) bool {
			used := toolNamed(tools, r.Tool)
			return r.Succeeded() && !slices.Contains(spent, r) && !d.isExpected(r.Tool) && used != nil && w.tool != nil &&
				canAnswerFor(w.tool, used, w.Confidence)
		})
		if at < 0 {
			open = append(open, w)
		} else {
			spent = append(spent, records[at])
		}
	}
	handedOver := func(r *tooltrack.Record) bool {
		used := toolNamed(tools, r.Tool)
		return used != nil && r.Succeeded() && readingOf(used).HandsOver
	}
	if len(open) > 0 && slices.ContainsFunc(records, handedOver) {
		return nil
	}
	return open
}

func (d *demands) isExpected(tool string) bool {
	return d.any(func(w want) bool { return w.Tool == tool })
}

// isReadAlong reports whether the very words that ask for a look-up asked for another call, which was made: "yes,
// cancel it" need not read the order first.
func (d *demands) isReadAlong(w want, records []*tooltrack.Record) bool {
	return w.reads() && w.Words != "" && d.any(func(other want) bool {
		return other.Tool != w.Tool && other.Words == w.Words && isCalled(records, other.Tool)
	})
}

func toolsOf(wants []want) []string {
	tools := make([]string, len(wants))
	for i, w := range wants {
		tools[i] = w.Tool
	}
	return tools
}

func isCalled(records []*tooltrack.Record, tool string) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Tool == tool })
}

func hasChanged(records []*tooltrack.Record) bool { return slices.ContainsFunc(records, isChange) }

func isChange(r *tooltrack.Record) bool { return r.Proves() && r.Effect.MayChange() }

// hasLooked reports whether something was looked up.
func hasLooked(records []*tooltrack.Record) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Succeeded() && !r.Effect.MayChange() })
}

// isPerhapsDoneByAnotherTool reports whether a call for which nothing else was expected may have done what an
// expected change was for: a shell has edited the file, a request by HTTP has sent the mail, an agent was sent to
// do it. To order the expected one on top would do it twice, so the model is asked instead.
func (d *demands) isPerhapsDoneByAnotherTool(w want, turn completion.Case) bool {
	return w.changes() && slices.ContainsFunc(turn.Records, func(r *tooltrack.Record) bool {
		used := toolNamed(turn.Tools, r.Tool)
		delegated := used != nil && used.Delegates
		return (r.Succeeded() || r.Result.Status == tooltrack.Pending) && (r.Effect.MayChange() || delegated) &&
			!d.isExpected(r.Tool)
	})
}

// beyondDoubt is the confidence from which only a closely related tool answers for the expected one.
const beyondDoubt = 0.9

// canAnswerFor says whether a successful call of one tool can be what a request meant for which another was
// expected. Nothing but a change answers for a change. Where the host has declared what the tools work on, that
// decides; otherwise the confidence and the tools' names do.
func canAnswerFor(wanted, used *tooltrack.Tool, confidence float64) bool {
	if wanted.Effect.MayChange() && !used.Effect.MayChange() {
		return false
	}
	if wanted.Subject.Kind != "" && used.Subject.Kind != "" {
		return wanted.Subject.Kind == used.Subject.Kind
	}
	if confidence < beyondDoubt {
		return true
	}
	one, other := readingOf(wanted), readingOf(used)
	if wanted.Effect.MayChange() { // a tool that names no object does its act to whatever it is given
		return one.SameVerb(&other) && (one.SameObject(&other) || len(one.Nouns) == 0 || len(other.Nouns) == 0)
	}
	return one.SameObject(&other) && !used.Effect.MayChange()
}

// historySummaries are what a conversation tells as done in words alone. Loops that shorten their history put a
// summary in place of calls and results, so where only messages are known the records may not be all there is.
// Words are no proof: what they tell is not believed, but the guard is no longer sure that it was not done. So it
// asks, and neither insists on a call that may have been made nor has a model deny it.
type historySummaries struct {
	tools       []tooltrack.Tool
	now, before func() match.Told // of the turn, with the system's from anywhere; of earlier turns
}

// Doubt is one thing that the guard is not sure of and asks proof of.
type Doubt struct {
	// Claim is what the text says, where a claim is in doubt; nil where the request may be due.
	Claim *completion.Claim
	// Tool is the tool that may be due, if one can be named.
	Tool string
	// Words are the piece of text or message that the doubt is about.
	Words string
	// Probability is how likely it is that something is wrong.
	Probability float64
}

// Kind names the doubt: "claim" or "due".
func (d Doubt) Kind() string {
	if d.Claim != nil {
		return "claim"
	}
	return "due"
}

// isSurelyDue reports whether a doubt is about a tool that is expected beyond doubt.
func (d *demands) isSurelyDue(doubt Doubt) bool {
	return doubt.Claim == nil && d.isSureOf(doubt.Tool) && !d.maybeMade(doubt.Tool)
}
