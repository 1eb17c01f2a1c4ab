package guard

import (
	"context"
	"iter"
	"strings"

	"github.com/bonafide-go/bonafide/resolver"
)

// redact replaces ids by titles in a text for people or models. A directory
// that fails is reported and the text passes: it was judged already, and an id
// shown is a smaller evil than an answer lost.
func (t *Turn) redact(ctx context.Context, text string) string {
	if text == "" || t.ownerless || t.guard.options.Observe {
		return text
	}
	if len(t.guard.options.Directories) == 0 {
		return text
	}
	if known := t.known(); len(known) > 0 { // what was deleted is in no directory any more
		text = resolver.Redact(text, known)
	}
	for _, directory := range t.guard.options.Directories {
		redacted, err := redactWith(ctx, directory, t.input.Owner, text)
		if err != nil {
			t.guard.hostFault(ctx, "Directory.Redact", err)
			continue
		}
		text = redacted
	}
	return text
}

// redactProse is redact for an answer, but for its blocks of code: a command that takes an
// id does not work with a title, and whoever wants code wants it as it is.
func (t *Turn) redactProse(ctx context.Context, text string) string {
	var answer strings.Builder
	for prose, code := range blocksOf(text) {
		if strings.TrimSpace(prose) != "" {
			prose = t.redact(ctx, prose)
		}
		answer.WriteString(prose)
		answer.WriteString(code)
	}
	return answer.String()
}

// blocksOf are the pieces of a text between its blocks of code, each with the block that
// follows it. A fence that is not closed goes to the end.
func blocksOf(text string) iter.Seq2[string, string] {
	return func(yield func(prose, code string) bool) {
		begin, fence, from, at := 0, "", 0, 0
		for line := range strings.Lines(text) {
			mark := fenceOf(line)
			at += len(line)
			switch {
			case fence == "" && mark != "":
				fence, from = mark, at-len(line)
			case fence != "" && mark == fence && strings.Trim(strings.TrimSpace(line), mark[:1]) == "":
				if !yield(text[begin:from], text[from:at]) {
					return
				}
				begin, fence = at, ""
			}
		}
		if fence == "" {
			from = len(text)
		}
		yield(text[begin:from], text[from:])
	}
}

// fenceOf is the mark that a line begins or ends a block of code with; empty if it does not.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " \t")
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// known are the entities that this turn's calls were about.
func (l *ledgerView) known() []resolver.Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	var entries []resolver.Entry
	for _, record := range l.records {
		for _, subject := range record.Touched {
			if subject.ID != "" && subject.Title != "" {
				entries = append(entries, resolver.Entry{ID: subject.ID, Title: subject.Title})
			}
		}
	}
	return entries
}
