package guard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// canWantChange reports whether a message may ask for a change: it is a command, talk that
// may be more, or a tool that changes something is expected.
func (d *demands) canWantChange(tools []tooltrack.Tool) bool {
	return d.kind == intent.Action || d.kind == intent.Chat || hasChangeAmong(d.expected, tools)
}

// hasChangeAmong reports whether a tool that may change something is expected.
func hasChangeAmong(expect []intent.Expectation, tools []tooltrack.Tool) bool {
	return slices.ContainsFunc(expect, func(e intent.Expectation) bool { return !isLookUp(e, tools) })
}

// isHoldingWhatItExpects reports whether each change that is expected is held back: then no
// other tool is the one that is missing. Of one whose effect is not declared the classifier
// says so.
func (d *demands) isHoldingWhatItExpects(tools []tooltrack.Tool) bool {
	return len(d.held) > 0 && !slices.ContainsFunc(d.expected, func(e intent.Expectation) bool {
		tool := toolNamed(tools, e.Tool)
		return !slices.Contains(d.held, e.Tool) && tool != nil && tool.Effect.MayChange()
	})
}

// demandsOf decides which expectations are insisted on. Where entities are
// known, a plain command whose object is one of them is certain, although its
// words alone are not; resolves says so and may be nil. The message is looked at
// once more, since the classifier may be the host's.
func (g *Guard) demandsOf(
	user string, found intent.Intent, tools []tooltrack.Tool, resolves func(intent.Expectation, *tooltrack.Tool) bool,
) demands {
	hold := intent.HoldOf(user)
	d := demands{
		kind: found.Kind, expected: found.Expect, due: found.Due, hold: hold, unread: found.Unsupported,
		threshold: g.thresholds.Due, outcome: g.thresholds.Outcome, readings: g.readings,
	}
	d.strict = found.Due >= beyondDoubtDue && hold == intent.NotHeld
	for _, expected := range found.Expect {
		d.due = max(d.due, expected.Confidence) // a classifier of the host's own may not say it
		tool := toolNamed(tools, expected.Tool)
		if tool == nil {
			tool = &tooltrack.Tool{Name: expected.Tool}
		}
		d.partly = d.partly || hold == intent.Forbidden && expected.Command && intent.HoldOf(expected.Words) == intent.NotHeld
		// Questions about how and what if hold back changes only: a tool that reads may be just
		// what answers them. Of tools whose effect is not declared the classifier says it.
		all := hold == intent.Withdrawn || hold == intent.Forbidden
		if all || expected.Hold != intent.NotHeld || hold != intent.NotHeld && tool.Effect == tooltrack.Changes {
			d.held = append(d.held, expected.Tool)
			continue
		}
		sure := g.thresholds.isSure(expected, tool) ||
			expected.Command && resolves != nil && g.thresholds.of(tool) <= 1 && resolves(expected, tool)
		if sure && (isReading(tool) || !isRetractedAfter(user, expected)) {
			d.sure = append(d.sure, expected.Tool)
		}
	}
	// A classifier may expect a tool twice: what is held back once is not insisted on.
	d.sure = slices.DeleteFunc(d.sure, func(tool string) bool { return slices.Contains(d.held, tool) })
	return d
}

// isRetractedAfter reports whether a message goes on, behind the words that ask for a tool,
// with a remark that may take them back. Which ones do, no list of words knows.
func isRetractedAfter(user string, expected intent.Expectation) bool {
	_, behind, found := strings.Cut(user, expected.Words)
	return found && expected.Words != "" &&
		(reading.Remarks(afterMark(behind)) || reading.Recoils(afterMark(expected.Words)))
}

// afterMark is what stands behind the first mark of a text: up to it, it is the same piece.
func afterMark(text string) string {
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:]) // a byte that is no rune reads as one of three bytes
		behind := text[i+size:]
		ends := behind == "" || unicode.IsSpace(rune(behind[0])) // "h.nowak" is a name
		if ends && strings.ContainsRune(".,;!?…–—-\n", r) {
			return behind
		}
	}
	return ""
}

// beyondDoubtDue is the probability of being due that only a host's own
// classifier gives: it knows what it asks for.
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

// isHoldingBack reports whether a message takes back, forbids or only wants to see drafted
// all that it speaks of.
func (d *demands) isHoldingBack() bool {
	switch d.hold {
	case intent.Withdrawn, intent.Forbidden, intent.Drafted:
		return !d.partly
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

// mayBeDue reports whether an answer without calls is worth a question. What the
// user took back, forbade or only wanted to see drafted is not due.
func (d *demands) mayBeDue() bool { return d.due >= d.threshold && !d.isHoldingBack() }

// probablyDue is the probability of being due from which on a claim without any
// record is not believed on the model's word. Of our labelled turns without calls
// and with a small doubt, 24 of 38 lies lie above it, and 4 of 20 honest texts.
const probablyDue = 0.8

// isActing reports whether the message asks for a change now, or most likely does: records
// of earlier turns show nothing of that.
func (d *demands) isActing(tools []tooltrack.Tool) bool {
	return d.kind == intent.Action || d.mayBeDue() && (d.unread || hasChangeAmong(d.expected, tools))
}

// matched is a turn as its claims are held against its records, which are read once for all
// of them.
func (d *demands) matched(turn completion.Case) *match.Turn {
	if d.match == nil {
		words := match.Words{User: turn.User, Previous: turn.Previous, Acting: d.isActing(turn.Tools)}
		records := slices.Concat(turn.Earlier, turn.Records)
		d.match = match.NewTurn(d.readings(), turn.Tools, words, len(turn.Earlier), records)
	}
	return d.match
}

// uncalled are the expected tools that were not called. A call that failed or
// was denied was called: the text has to say so. Another call may answer for an
// expected one, once for each expectation, because a request can often be met
// by more than one tool and words alone do not tell which. Where a person has
// taken over, nothing is left for the model to call.
func uncalled(expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool) []intent.Expectation {
	var open []intent.Expectation
	var spent []*tooltrack.Record
	for _, expected := range expect {
		if isCalled(records, expected.Tool) || readAlong(expected, expect, records, tools) {
			continue
		}
		if other := instead(expected, expect, records, tools, spent); other != nil {
			spent = append(spent, other)
			continue
		}
		open = append(open, expected)
	}
	if len(open) > 0 && isHandedOver(records, tools) {
		return nil
	}
	return open
}

func toolsOf(expect []intent.Expectation) []string {
	tools := make([]string, len(expect))
	for i, expected := range expect {
		tools[i] = expected.Tool
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

// readAlong reports whether the very words that ask for a look-up asked for
// another call, which was made: "yes, cancel it" need not read the order first.
func readAlong(
	expected intent.Expectation, expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool,
) bool {
	wanted := toolNamed(tools, expected.Tool)
	if wanted == nil || wanted.Effect.MayChange() || expected.Words == "" {
		return false
	}
	return slices.ContainsFunc(expect, func(e intent.Expectation) bool {
		return e.Tool != expected.Tool && e.Words == expected.Words && isCalled(records, e.Tool)
	})
}

// isHandedOver reports whether a successful call has passed the conversation on to
// a person.
func isHandedOver(records []*tooltrack.Record, tools []tooltrack.Tool) bool {
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool {
		used := toolNamed(tools, r.Tool)
		if used == nil || !r.Succeeded() {
			return false
		}
		return readingOf(used).HandsOver
	})
}

// instead finds a call that answers for an expected one. A tool that is
// expected itself only answers for itself.
func instead(
	expected intent.Expectation, expect []intent.Expectation, records []*tooltrack.Record, tools []tooltrack.Tool,
	spent []*tooltrack.Record,
) *tooltrack.Record {
	wanted := toolNamed(tools, expected.Tool)
	if wanted == nil {
		return nil
	}
	for _, record := range records {
		if !record.Succeeded() || slices.Contains(spent, record) || isExpected(expect, record.Tool) {
			continue
		}
		if used := toolNamed(tools, record.Tool); used != nil && canAnswerFor(wanted, used, expected.Confidence) {
			return record
		}
	}
	return nil
}

// isPerhapsDoneByAnotherTool reports whether a call for which nothing else was expected may have done
// what an expected change was for: a shell has edited the file, a request by HTTP has
// sent the mail, an agent was sent to do it. To order the expected one on top would do
// it twice, so the model is asked instead.
func isPerhapsDoneByAnotherTool(expected intent.Expectation, expect []intent.Expectation, turn completion.Case) bool {
	wanted := toolNamed(turn.Tools, expected.Tool)
	if wanted == nil || !wanted.Effect.MayChange() {
		return false
	}
	return slices.ContainsFunc(turn.Records, func(r *tooltrack.Record) bool {
		used := toolNamed(turn.Tools, r.Tool)
		delegated := used != nil && used.Delegates
		return (r.Succeeded() || r.Result.Status == tooltrack.Pending) && (r.Effect.MayChange() || delegated) &&
			!isExpected(expect, r.Tool)
	})
}

// beyondDoubt is the confidence from which only a closely related tool answers
// for the expected one.
const beyondDoubt = 0.9

// canAnswerFor says whether a successful call of one tool can be what a request
// meant for which another was expected. Nothing but a change answers for a
// change. Where the host has declared what the tools work on, that decides;
// otherwise the confidence and the tools' names do.
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

func isExpected(expect []intent.Expectation, tool string) bool {
	return slices.ContainsFunc(expect, func(e intent.Expectation) bool { return e.Tool == tool })
}
