package guard

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var itForm = regexp.MustCompile(`(?i)\bits?\b`)

// astray reports a change to another entity than the one that is meant: that which an
// answer was forced for, or that which the message has named and then calls "it" ("rename
// Read book to Read novel and set it high").
func (t *Turn) astray(ctx context.Context, directory Directory, tool *tooltrack.Tool, match resolver.Match) bool {
	list, can := directory.(Lister)
	if len(t.forcedOn) > 0 || !can || !tool.Effect.MayChange() || !itForm.MatchString(t.wanted) {
		return len(t.forcedOn) > 0 && tool.Effect.MayChange() && !slices.Contains(t.forcedOn, match.ID)
	}
	entries := slices.Clone(t.entriesOf(ctx, list))
	for _, record := range t.records {
		for _, touched := range record.Touched { // by the title that it had when the message was written
			if touched.ID == match.ID {
				return false
			}
			entries = slices.DeleteFunc(entries, func(e resolver.Entry) bool { return e.ID == touched.ID })
			entries = append(entries, resolver.Entry{ID: touched.ID, Title: touched.Title})
		}
	}
	named := func(word string) bool {
		_, to := longestTitle(t.wanted, []resolver.Entry{{Title: word}})
		return to > 0
	}
	from, to := longestTitle(t.wanted, entries)
	return to > 0 && isObject(t.wanted, from, to, tool.Subject.Kind) &&
		!slices.ContainsFunc(strings.Fields(match.Title), named) &&
		!itForm.MatchString(t.wanted[:from]) && itForm.MatchString(t.wanted[to:])
}
