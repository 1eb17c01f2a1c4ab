package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/resolver"
)

// understandMentions classifies a message again with what only the directories
// know: that "Read book" in "delete Read book" is a task. A classifier without
// that knowledge rightly expects nothing: it could be anybody's book. It is the
// second question, asked only when the first found no tool; between tools that do the same,
// chooseSibling decides.
func (t *Turn) understandMentions(ctx context.Context) (intent.Intent, bool) {
	if t.ownerless || len(t.guard.options.Directories) == 0 || t.wanted == "" {
		return intent.Intent{}, false
	}
	for _, kind := range slices.Sorted(maps.Keys(t.guard.options.Directories)) {
		text, reference := t.mention(ctx, kind, t.guard.options.Directories[kind])
		if reference == "" {
			continue
		}
		found, err := t.guard.classify(ctx, intent.Utterance{User: text, Previous: t.previous})
		found.Expect = slices.DeleteFunc(found.Expect, func(e intent.Expectation) bool {
			tool := toolNamed(t.offered, e.Tool)
			return tool != nil && (tool.Subject.Arg == "" || tool.Subject.Kind != kind) // not about this entity
		})
		if err == nil && len(found.Expect) > 0 {
			t.mentioned = append(t.mentioned, reference)
			return found, true
		}
	}
	return intent.Intent{}, false
}

// mention looks for the entity that a command is about: a title or id that stands in
// the message as its object, or else what follows its first word, if that can mean one. The text names the
// entity by its kind; the reference is empty if there is none.
func (t *Turn) mention(ctx context.Context, kind string, directory Directory) (text, reference string) {
	user := t.wanted
	if list, can := directory.(Lister); can {
		if from, to := longestTitle(user, andIDs(t.entriesOf(ctx, list))); to > 0 {
			if !isObject(user, from, to, kind) {
				return "", ""
			}
			return user[:from] + named(kind, user[from:to]) + user[to:], user[from:to]
		}
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(user), " ")
	rest = strings.TrimRight(strings.TrimSpace(rest), ".!?")
	if rest == "" || strings.ContainsAny(rest, ".!?\n") {
		return "", ""
	}
	if _, err := lookUp(ctx, directory, t.input.Owner, rest); err != nil && !errors.Is(err, resolver.ErrAmbiguous) {
		return "", ""
	}
	return verb + " " + named(kind, rest), rest
}

func named(kind, title string) string { return fmt.Sprintf("the %s %q", kind, title) }

// longestTitle finds the longest title that stands in a text as whole words, in
// any letter case. Titles of one or two letters stand in too many texts.
func longestTitle(text string, entries []resolver.Entry) (from, to int) {
	const shortest = 3
	folded := strings.ToLower(text)
	if len(folded) != len(text) { // rare letters change their length; places would not fit
		folded = text
	}
	for _, entry := range entries {
		title := strings.ToLower(strings.TrimSpace(entry.Title))
		if len(title) < shortest || len(title) <= to-from {
			continue
		}
		if at := strings.Index(folded, title); at >= 0 && wholeWords(folded, at, at+len(title)) {
			from, to = at, at+len(title)
		}
	}
	return from, to
}

// andIDs are entries that can be found by their ids as well.
func andIDs(entries []resolver.Entry) []resolver.Entry {
	all := slices.Clip(entries)
	for _, entry := range entries {
		all = append(all, resolver.Entry{ID: entry.ID, Title: entry.ID})
	}
	return all
}

func wholeWords(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return (from == 0 || !wordRune(before)) && (to == len(text) || !wordRune(after))
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

type place struct{ from, to int }

// titlesIn finds the titles that stand in a text as whole words, the longest
// first where they overlap, in the order of the text.
func titlesIn(text string, entries []resolver.Entry) []place {
	var found []place
	rest := []byte(text)
	for {
		from, to := longestTitle(string(rest), entries)
		if to == 0 {
			break
		}
		found = append(found, place{from, to})
		for i := from; i < to; i++ {
			rest[i] = 0 // taken
		}
	}
	slices.SortFunc(found, func(a, b place) int { return a.from - b.from })
	return found
}
