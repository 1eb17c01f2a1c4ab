package guard

import (
	"context"
	"fmt"

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
	text = resolver.Redact(text, t.known()) // what was deleted is in no directory any more
	for kind, directory := range t.guard.options.Directories {
		redacted, err := redactWith(ctx, directory, t.input.Owner, text)
		if err != nil {
			t.guard.warn(ctx, "the directory failed", "kind", kind, "error", err.Error())
			continue
		}
		text = redacted
	}
	return text
}

// known are the entities that this turn's calls were about.
func (t *Turn) known() []resolver.Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	var entries []resolver.Entry
	for _, record := range t.records {
		for _, subject := range record.Touched {
			if subject.ID != "" && subject.Title != "" {
				entries = append(entries, resolver.Entry{ID: subject.ID, Title: subject.Title})
			}
		}
	}
	return entries
}

// redactWith survives a source that panics: it is the host's code.
func redactWith(ctx context.Context, directory Directory, owner, text string) (redacted string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			redacted, err = "", fmt.Errorf("the directory panicked: %v", fault)
		}
	}()
	return directory.Redact(ctx, owner, text)
}
