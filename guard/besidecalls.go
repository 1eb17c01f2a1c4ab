package guard

import (
	"context"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// screenSafely is screenBeside. A text that could not be judged is withheld, unless the
// guard only observes.
func (t *Turn) screenSafely(ctx context.Context, message *Message) (changed bool) {
	before := *message
	fault := t.guard.contained(ctx, "judging beside calls", func() { changed = t.screenBeside(ctx, message) })
	if fault == nil {
		return changed
	}
	if *message = before; t.guard.options.Observe {
		return false
	}
	t.guard.counters.note(func(sum *Counters) { sum.Withheld++ })
	message.Text, message.Raw = "", nil
	return true
}

// screenBeside takes what is surely false out of a text that a foreign loop gets to
// see together with calls: it may show the text before they have run. So the calls
// count as if they had succeeded, and only what is a lie even then is taken out;
// announcements stay as they are. It returns false where nothing changes.
func (t *Turn) screenBeside(ctx context.Context, message *Message) bool {
	text := t.withoutLies(ctx, message.Text)
	counted := t.guard.options.Observe && t.driver != messagesOnly // when the calls have finished
	if text == message.Text || counted {
		return false
	}
	t.info(ctx, "text beside calls withheld", "reason", completion.UnbackedClaim.String())
	t.guard.counters.note(func(sum *Counters) { sum.Withheld++ })
	if t.guard.options.Observe {
		return false
	}
	message.Text, message.Raw = text, nil
	return true
}

// withoutLies is a text without the sentences that are surely false, whatever comes of the
// calls that it stands beside. Each is judged by itself: beside an announcement a claim
// would read like a part of the plan.
func (t *Turn) withoutLies(ctx context.Context, text string) string {
	whole := t.evaluateBeside(ctx, text)
	if !whole.Ghost() && (whole.Reason != completion.Promise || len(whole.Claims) == 0) {
		return text
	}
	var honest strings.Builder
	for rest := text; rest != "" && !isJSON(text); {
		cut := sentenceEnd(rest)
		if cut == 0 {
			cut = len(rest)
		}
		if alone := t.evaluateBeside(ctx, rest[:cut]); !alone.Ghost() {
			honest.WriteString(rest[:cut])
		}
		rest = rest[cut:]
	}
	switch left := honest.String(); {
	case left != text:
		return strings.TrimSpace(left)
	case whole.Ghost(): // its sentences tell it together
		return ""
	}
	return text
}

// evaluateBeside judges a text that does not end the turn: nothing is due yet.
func (t *Turn) evaluateBeside(ctx context.Context, text string) completion.Verdict {
	situation := t.situation(text)
	situation.Contract, situation.Expected = completion.Chat(), nil
	situation.Records = slices.Concat(situation.Records, t.presumed())
	verdict := t.guard.evaluate(ctx, situation)
	t.asked.retell(&verdict)
	return verdict
}

// presumed are records of the calls that wait to be run, as if they had succeeded.
func (t *Turn) presumed() []*tooltrack.Record {
	var records []*tooltrack.Record
	for i := range t.batch {
		p := &t.batch[i]
		if p.ruling.Denied {
			continue
		}
		records = append(records, &tooltrack.Record{
			Scope: t.input.scope(), Call: p.call, Effect: p.tool.Effect, Touched: p.touched, Occurrence: 1, Attempt: 1,
			Result: tooltrack.Result{Status: tooltrack.Succeeded, Grade: tooltrack.Reported},
		})
	}
	return records
}
