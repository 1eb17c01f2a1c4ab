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
	if message.Text == "" {
		return false
	}
	lies := t.liesBeside(ctx, message.Text)
	if len(lies) == 0 {
		return false
	}
	if t.guard.options.Observe && !t.messagesOnly {
		return false // it is counted when the calls have finished
	}
	t.info(ctx, "text beside calls withheld", "reason", completion.UnbackedClaim.String())
	t.guard.counters.note(func(sum *Counters) { sum.Withheld++ })
	if t.guard.options.Observe {
		return false
	}
	text := ""
	if sentences := unprovenIn(message.Text, lies); len(sentences) > 0 && !isJSON(message.Text) {
		text = withhold(message.Text, sentences)
	}
	if text != "" && len(t.liesBeside(ctx, text)) > 0 { // the rest tells it, too
		text = ""
	}
	message.Text, message.Raw = text, nil
	return true
}

// liesBeside are the claims of a text that are surely false, whatever comes of the
// calls that it stands beside. What it announces, the calls are about to do: it is
// left out where a claim before it would read like a part of the plan.
func (t *Turn) liesBeside(ctx context.Context, text string) []Doubt {
	verdict := t.evaluateBeside(ctx, text)
	if !verdict.Ghost() && verdict.Reason == completion.Promise && len(verdict.Claims) > 0 {
		if rest := t.withoutAnnouncements(ctx, text); rest != "" {
			verdict = t.evaluateBeside(ctx, rest)
		}
	}
	var lies []Doubt
	for i := range verdict.Claims {
		if claim := &verdict.Claims[i]; claim.Tier == Sure {
			lies = append(lies, Doubt{Claim: claim, Words: claim.Text, Probability: claim.Doubt})
		}
	}
	return lies
}

// withoutAnnouncements is a text without the sentences that only announce something.
func (t *Turn) withoutAnnouncements(ctx context.Context, text string) string {
	var rest strings.Builder
	for text != "" {
		cut := sentenceEnd(text)
		if cut == 0 {
			cut = len(text)
		}
		alone := t.evaluateBeside(ctx, text[:cut])
		if alone.Reason != completion.Promise || len(alone.Claims) > 0 {
			rest.WriteString(text[:cut])
		}
		text = text[cut:]
	}
	return strings.TrimSpace(rest.String())
}

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
