package guard

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Tier is how sure the guard is that a text must not end its turn. The names are those of a
// claim's tier. It acts only when it is sure; when it is not, it asks for proof.
type Tier = completion.Tier

const (
	// Clean is a text with nothing against it.
	Clean = completion.Clean
	// Unsure is a text that may claim what no record backs, or that may leave
	// undone what is due. It is asked about, never accused.
	Unsure = completion.Unsure
	// Sure is a text that claims what no record can back, or that leaves undone
	// what was asked for beyond doubt.
	Sure = completion.Sure
)

// Thresholds are the probabilities at which the guard begins to act or to ask.
// Zero fields are the defaults; a number above 1 means never.
type Thresholds struct {
	// Change is the least confidence with which a tool that may change something
	// is insisted on. Default: [intent.DefaultSureChange].
	Change float64
	// Read is the same for tools that only read or verify. Default:
	// [intent.DefaultSureRead].
	Read float64
	// Due: an answer without calls is asked about if the probability that something is due
	// is at least this. Default: [intent.DefaultDue].
	Due float64
	// Outcome: a text is corrected if the probability that it falls short (it only
	// announces, or hides a failure) is at least this. Default 0.9.
	Outcome float64
}

func (t Thresholds) withDefaults() Thresholds {
	set := func(field *float64, standard float64) {
		if !(*field > 0) { // not a number is no threshold
			*field = standard
		}
	}
	set(&t.Change, intent.DefaultSureChange)
	set(&t.Read, intent.DefaultSureRead)
	set(&t.Due, intent.DefaultDue)
	set(&t.Outcome, 0.9)
	return t
}

// Doubt is one thing that the guard is not sure of and asks proof of.
type Doubt struct {
	// Claim is what the text says, where a claim is in doubt; nil where the
	// request may be due.
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

// demands are what a message asks for, and how sure that is.
type demands struct {
	kind       intent.Kind
	hold       intent.Hold
	unread     bool // it is in a language without a word list
	partly     bool // it forbids one thing, and commands another: "delete Read book, but don't touch the rest"
	strict     bool // a change is due beyond doubt, or the host itself says so
	expected   []intent.Expectation
	sure, held []bool  // of each: insisted on; held back by the message
	due        float64 // the probability that a tool must be called at all
	threshold  float64 // from which on an answer without calls is asked about
	outcome    float64 // from which on an insufficient outcome is acted on
	readings   func() *match.Tools
	match      *match.Turn // of the one judgement that these demands are a copy for, once it is needed
	prompts    prompts
	tellings   *tellings // nil where the records are known to be all there is
}

// demands are what the message asks for, as far as it can be met: nothing of it
// where the loop's own request forbids calls. That something was asked for still
// speaks against a text that tells it as done.
func (t *Turn) demands() demands {
	if !t.barred {
		return t.asked
	}
	asked := t.asked
	asked.expected, asked.sure, asked.held = nil, nil, nil
	asked.threshold, asked.strict = never, false
	return asked
}

const never = 2 // no probability reaches it

// wantsChange reports whether a message may ask for a change: it is a command, talk that
// may be more, or a tool that changes something is expected.
func (d *demands) wantsChange(tools []tooltrack.Tool) bool {
	switch {
	case d.kind == intent.Action, d.kind == intent.Chat:
		return true
	}
	return slices.ContainsFunc(d.expected, func(e intent.Expectation) bool {
		tool := toolNamed(tools, e.Tool)
		return tool == nil || tool.Effect.MayChange()
	})
}

// wantsChange reports whether the message asks for a change beyond mere talk, which is
// what a correction needs.
func (t *Turn) wantsChange() bool {
	talk := t.asked.kind == intent.Chat && t.asked.due < t.asked.threshold
	return t.asked.wantsChange(t.offered) && !(talk && !t.asked.expectsUnheld(t.offered))
}

// expectsUnheld reports whether a tool that may change something is expected, and not
// held back: of one whose effect is not declared the classifier says so.
func (d *demands) expectsUnheld(tools []tooltrack.Tool) bool {
	for i, expected := range d.expected {
		if tool := toolNamed(tools, expected.Tool); !d.held[i] && tool != nil && tool.Effect.MayChange() {
			return true
		}
	}
	return false
}

// hostWants reports whether the host itself says that a change is due.
func (t *Turn) hostWants() bool { return t.asked.strict && t.contract.Due == completion.DueChange }

// readsOnly reports whether a tool changes nothing, as declared or else by its words.
func readsOnly(tool *tooltrack.Tool) bool {
	if tool.Effect != tooltrack.UnknownEffect {
		return !tool.Effect.MayChange()
	}
	return readingOf(tool).Effect == toolname.Reads
}

// held reports whether a message holds a tool back. Questions about how and what
// if hold back changes only: a tool that reads may be just what answers them. Of
// tools whose effect is not declared the classifier says it.
func held(hold intent.Hold, tool *tooltrack.Tool) bool {
	switch hold {
	case intent.NotHeld:
		return false
	case intent.Withdrawn, intent.Forbidden:
		return true
	}
	return tool.Effect == tooltrack.Changes
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
	if len(found.Expect) == 0 {
		return d
	}
	flags := make([]bool, 2*len(found.Expect))
	d.sure, d.held = flags[:len(found.Expect)], flags[len(found.Expect):]
	for i, expected := range found.Expect {
		d.due = max(d.due, expected.Confidence) // a classifier of the host's own may not say it
		tool := toolNamed(tools, expected.Tool)
		if tool == nil {
			tool = &tooltrack.Tool{Name: expected.Tool}
		}
		d.held[i] = expected.Hold != intent.NotHeld || held(hold, tool)
		d.partly = d.partly || hold == intent.Forbidden && expected.Command && intent.HoldOf(expected.Words) == intent.NotHeld
		resolved := func() bool {
			return expected.Command && resolves != nil && g.thresholds.of(tool) <= 1 && resolves(expected, tool)
		}
		d.sure[i] = !d.held[i] && (g.thresholds.sure(expected, tool) || resolved()) &&
			(readsOnly(tool) || !doubtedBehind(user, expected))
	}
	return d
}

// doubtedBehind reports whether a message goes on, behind the words that ask for a tool,
// with a remark that may take them back. Which ones do, no list of words knows.
func doubtedBehind(user string, expected intent.Expectation) bool {
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

func (t Thresholds) sure(expected intent.Expectation, tool *tooltrack.Tool) bool {
	return expected.Confidence >= t.of(tool)
}

// holdsBack reports whether a message takes back, forbids or only wants to see drafted
// all that it speaks of.
func (d *demands) holdsBack() bool {
	switch d.hold {
	case intent.Withdrawn, intent.Forbidden, intent.Drafted:
		return !d.partly
	}
	return false
}

// resolves reports whether the object of a command is known to be of the kind
// that the tool works on: one entry of the directory or several that it could mean, or,
// for a tool that only reads, the kind itself by name ("list my tasks").
func (t *Turn) resolves(ctx context.Context, expected intent.Expectation, tool *tooltrack.Tool) bool {
	if tool.Subject.Kind == "" {
		return false
	}
	if !tool.Effect.MayChange() && namesKind(expected.Words, tool.Subject.Kind) {
		return true
	}
	directory := t.directoryFor(tool)
	if directory == nil {
		return false
	}
	_, reference := t.mention(ctx, tool.Subject.Kind, directory)
	if reference == "" {
		return false
	}
	siblings := t.siblings(tool)
	if len(siblings) == 0 || t.namesNoun(expected.Words, tool) {
		return true
	}
	kinds := t.kindsNamed(ctx) // a note may have the title of a task
	return !slices.ContainsFunc(siblings, func(other *tooltrack.Tool) bool {
		return other.Subject.Kind != tool.Subject.Kind && slices.Contains(kinds, other.Subject.Kind)
	})
}

// namesKind reports whether a request says the kind's own noun, in the singular
// or plural.
func namesKind(words, kind string) bool {
	for word := range strings.FieldsFuncSeq(words, func(r rune) bool { return !wordRune(r) }) {
		if strings.EqualFold(word, kind) || strings.EqualFold(word, kind+"s") {
			return true
		}
	}
	return false
}
