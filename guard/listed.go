package guard

import (
	"context"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// place finds the entity that a reference names by its place in the listing that
// was shown last: "the second one", "#2". Only a directory that can show its
// entries knows which titles a listing held.
func (t *Turn) place(ctx context.Context, directory Directory, reference string) (resolver.Match, bool) {
	source, can := directory.(Lister)
	if !can {
		return resolver.Match{}, false
	}
	entries := t.entriesOf(ctx, source)
	for _, shown := range t.shownLast() {
		if listed := listedIn(shown, entries); len(listed) > 1 {
			match, err := resolver.Ordinal(reference, listed, nil)
			return match, err == nil
		}
	}
	return resolver.Match{}, false
}

// shownLast are the texts that may have listed entities, the latest first: what
// the assistant said before the message, and what reads returned.
func (t *Turn) shownLast() []string {
	texts := []string{t.previous}
	for _, records := range [][]*tooltrack.Record{t.earlier, t.records} {
		for _, record := range records {
			if record.Succeeded() && !record.Effect.MayChange() {
				texts = append(texts, record.Result.Text())
			}
		}
	}
	slices.Reverse(texts)
	if last := len(texts) - 1; last > 0 && len(t.records) == 0 { // the message answers what was said
		texts = append([]string{texts[last]}, texts[:last]...)
	}
	return texts
}

// listedIn are the entries whose titles stand in a text, in its order. Entries of
// one title are told apart by their order where the text lists all of them;
// where it does not, nobody can say which it lists.
func listedIn(text string, entries []resolver.Entry) []resolver.Entry {
	byTitle := make(map[string][]resolver.Entry, len(entries))
	for _, entry := range entries {
		title := strings.ToLower(strings.TrimSpace(entry.Title))
		byTitle[title] = append(byTitle[title], entry)
	}
	var listed []resolver.Entry
	seen := make(map[string]int)
	for _, place := range titlesIn(text, entries) {
		title := strings.ToLower(text[place.from:place.to])
		if same := byTitle[title]; len(same) > 0 {
			listed = append(listed, same[seen[title]%len(same)])
			seen[title]++
		}
	}
	for title, times := range seen {
		if same := len(byTitle[title]); same > 1 && times != same {
			return nil
		}
	}
	return listed
}
