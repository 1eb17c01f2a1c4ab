package guard

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// reportStream is a report while it arrives: where its next part begins, and those before it.
type reportStream struct {
	at    int
	parts []proof.Part
}

// reportBegins is what stands before the first part.
var reportBegins = regexp.MustCompile(`^\s*\{\s*"parts"\s*:\s*\[`)

// takeParts releases each part of a report that passes its check, before the next has arrived.
// From one that does not, the rest waits for the verdict on the whole.
func (s *streaming) takeParts(args []byte) {
	r := &s.report
	if r.at == 0 {
		r.at = len(reportBegins.Find(args))
	}
	for r.at > 0 && r.at < len(args) && !s.held && !s.quiet {
		var part proof.Part
		from := jsonspan.SkipSpace(args, r.at)
		to := jsonspan.SkipValue(args, from)
		if json.Unmarshal(args[from:to], &part) != nil { // it is not whole
			s.held = to-from > longestSentence
			return
		}
		r.at = jsonspan.SkipSpace(args, to) + 1 // after the comma
		before := proof.TextOf(r.parts)
		r.parts = append(r.parts, part)
		said := proof.TextOf(r.parts)
		if s.held = !holds(s.ctx, s.turn, part, lastSentences(said)); !s.held {
			s.show(strings.TrimPrefix(said, before))
		}
	}
}

// holds reports whether a part of a report passes its check, told after those before it.
func holds(ctx context.Context, t *Turn, part proof.Part, said string) (passes bool) {
	waiting := t.proving
	defer func() { t.proving = waiting }()
	fault := t.guard.contained(ctx, "checking a part", func() {
		t.proving = &proving{list: proof.NewList(t.earlier, t.evidence()), draft: Response{Message: Message{Text: said}}}
		t.proving.found = t.judge(ctx, said)
		result, reasons := t.checkParts(ctx, []proof.Part{part}, nil)
		passes = len(reasons) == 0 && len(result.Withdrawn) == 0 && !t.proving.found.isRefused()
	})
	return passes && fault == nil && ctx.Err() == nil
}

// isRefused reports whether a text is not shown, whatever is cited for it. What is due, a report
// accounts for.
func (f *finding) isRefused() bool {
	return f.fault == faultLeaked || f.fault == faultClaim || f.fault == faultOther
}
