package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// mention is an entity that a message names as the object of its command. The text is the message, in which the
// entity is named by its kind.
type mention struct{ kind, text, reference string }

// mentions are the entities that the message names, one of a kind at most: only the directories know that "Read
// book" in "delete Read book" is a task. They are asked once in a turn.
func (t *Turn) mentions(ctx context.Context) []mention {
	if t.mentioned == nil && !t.ownerless && t.wanted != "" {
		t.mentioned = []mention{}
		for _, kind := range keys(t.guard.options.Directories) {
			if text, reference := t.mention(ctx, kind, t.guard.options.Directories[kind]); reference != "" {
				t.mentioned = append(t.mentioned, mention{kind, text, reference})
			}
		}
	}
	return t.mentioned
}

// mentionOf is the entity of a kind that the message names; empty if there is none.
func (t *Turn) mentionOf(ctx context.Context, kind string) string {
	for _, m := range t.mentions(ctx) {
		if m.kind == kind {
			return m.reference
		}
	}
	return ""
}

// understandMentions classifies a message again with what it mentions. A classifier without that knowledge rightly
// expects nothing: it could be anybody's book. It is the second question, asked only when the first found no tool;
// between tools that do the same, chooseSibling decides.
func (t *Turn) understandMentions(ctx context.Context) (intent.Intent, bool) {
	for _, m := range t.mentions(ctx) {
		found, err := t.guard.classify(ctx, intent.Utterance{User: m.text, Previous: t.previous})
		found.Expect = slices.DeleteFunc(found.Expect, func(e intent.Expectation) bool {
			tool := toolNamed(t.offered, e.Tool)
			return tool != nil && (tool.Subject.Arg == "" || tool.Subject.Kind != m.kind) // not about this entity
		})
		if err == nil && len(found.Expect) > 0 {
			return found, true
		}
	}
	return intent.Intent{}, false
}

// mention looks for the entity that a command is about: a title or id that stands in the message as its object, or
// else what follows its first word, if that can mean one. The text names the entity by its kind; the reference is
// empty if there is none.
func (t *Turn) mention(ctx context.Context, kind string, directory Directory) (text, reference string) {
	user := t.wanted
	if from, to := longestTitle(user, andIDs(entriesOf(ctx, t.guard, directory, t.input.Owner))); to > 0 {
		if !reading.IsObject(user, from, to, kind) {
			return "", ""
		}
		return user[:from] + namedByKind(kind, user[from:to]) + user[to:], user[from:to]
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(user), " ")
	rest = strings.TrimRight(strings.TrimSpace(rest), ".!?")
	if rest == "" || strings.ContainsAny(rest, ".!?\n") {
		return "", ""
	}
	_, err := resolveReference(ctx, directory, t.input.Owner, rest)
	if err != nil && !errors.Is(err, resolver.ErrAmbiguous) {
		return "", ""
	}
	return verb + " " + namedByKind(kind, rest), rest
}

func namedByKind(kind, title string) string { return fmt.Sprintf("the %s %q", kind, title) }

// longestTitle finds the longest title that stands in a text as whole words, in any letter case. Titles of one or
// two letters stand in too many texts.
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
		if at := strings.Index(folded, title); at >= 0 && isWholeWords(folded, at, at+len(title)) {
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

func isWholeWords(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from]) // no word's, where there is none
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !isWordRune(before) && !isWordRune(after)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

type place struct{ from, to int }

// titlesIn finds the titles that stand in a text as whole words, the longest first where they overlap, in the order
// of the text.
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

// Siblings do the same to different kinds of things: berth.release, crane.release. The words of "release CJ-77"
// tell nobody which one is meant; the directory that has CJ-77 does.

// chooseSibling puts the tool that works on the thing a command names in the place of a sibling that the classifier
// is not sure of. How sure the answer is stays as it was: only an entry of a directory makes it surer, see
// canResolve.
func (t *Turn) chooseSibling(ctx context.Context, found *intent.Intent) {
	if len(found.Expect) != 1 || len(t.guard.options.Directories) == 0 {
		return
	}
	expected := &found.Expect[0]
	tool := toolNamed(t.offered, expected.Tool)
	if tool == nil || !expected.Command || t.guard.thresholds.isSure(*expected, tool) {
		return
	}
	siblings := t.siblings(tool)
	if len(siblings) == 0 {
		return
	}
	kinds := t.kindsNamed(ctx)
	if len(kinds) != 1 || tool.Subject.Kind == kinds[0] {
		return
	}
	siblings = slices.DeleteFunc(siblings, func(other *tooltrack.Tool) bool { return other.Subject.Kind != kinds[0] })
	if len(siblings) == 1 {
		chosen := *expected // the host's classifier may keep its answer
		chosen.Tool = siblings[0].Name
		found.Expect = []intent.Expectation{chosen}
	}
}

// siblings are the other tools that do what a tool does.
func (t *Turn) siblings(tool *tooltrack.Tool) (siblings []*tooltrack.Tool) {
	read := readingOf(tool)
	for i := range t.offered {
		if other := &t.offered[i]; other.Name != tool.Name && other.Effect.MayChange() == tool.Effect.MayChange() {
			if theirs := readingOf(other); read.SameVerb(&theirs) && !read.SameObject(&theirs) {
				siblings = append(siblings, other)
			}
		}
	}
	return siblings
}

// kindsNamed are the kinds of which the message names an entry; "Read book" says more than "book", and kinds whose
// entries are named alike are all given.
func (t *Turn) kindsNamed(ctx context.Context) (kinds []string) {
	longest := 1
	for _, m := range t.mentions(ctx) {
		if n := len(m.reference); n > longest {
			kinds, longest = []string{m.kind}, n
		} else if n == longest {
			kinds = append(kinds, m.kind)
		}
	}
	return kinds
}

// canResolve reports whether the object of a command is known to be of the kind that the tool works on: one entry
// of the directory or several that it could mean, or, for a tool that only reads, the kind itself by name ("list my
// tasks").
func (t *Turn) canResolve(ctx context.Context, expected intent.Expectation, tool *tooltrack.Tool) bool {
	if tool.Subject.Kind == "" {
		return false
	}
	if !tool.Effect.MayChange() && reading.NamesKind(expected.Words, tool.Subject.Kind) {
		return true
	}
	if t.directoryFor(tool) == nil || t.mentionOf(ctx, tool.Subject.Kind) == "" {
		return false
	}
	kinds := t.kindsNamed(ctx) // a note may have the title of a task
	return !slices.ContainsFunc(t.siblings(tool), func(other *tooltrack.Tool) bool {
		return other.Subject.Kind != tool.Subject.Kind && slices.Contains(kinds, other.Subject.Kind)
	})
}

// resolveReference survives a source that panics: it is the host's code.
func resolveReference(
	ctx context.Context, directory Directory, owner, reference string,
) (match resolver.Match, err error) {
	defer survive("Directory.Resolve", &err)
	match, err = directory.Resolve(ctx, owner, reference)
	if err == nil && match.ID == "" { // an empty id could be anything to a tool
		err = &HostError{"Directory.Resolve", errors.New("it found an entry without an id")}
	}
	return match, err
}

// redactWith survives a source that panics: it is the host's code.
func redactWith(ctx context.Context, directory Directory, owner, text string) (redacted string, err error) {
	defer survive("Directory.Redact", &err)
	redacted, err = directory.Redact(ctx, owner, text)
	if err == nil && !isRedaction(text, redacted) {
		err = &HostError{"Directory.Redact", errors.New("what it returned is no redaction of the text")}
	}
	return redacted, err
}

// isRedaction reports whether a text can be the other one with titles in the place of ids. The text that was judged
// must not be lost or drowned.
func isRedaction(text, redacted string) bool {
	readable := utf8.ValidString(redacted) || !utf8.ValidString(text)
	return redacted != "" && readable && len(redacted) <= len(text)*8+longestTitles
}

// longestTitles is how much a redaction may add to a short text, in bytes.
const longestTitles = 64 << 10

func (t *Turn) directoryFor(tool *tooltrack.Tool) Directory {
	if tool.Subject.Arg == "" || tool.Subject.Kind == "" || t.ownerless {
		return nil
	}
	return t.guard.options.Directories[tool.Subject.Kind]
}

// entriesOf are the entities of an owner, where the directory can list them: one that fails knows none.
func entriesOf(ctx context.Context, g *Guard, directory Directory, owner string) []resolver.Entry {
	list, can := directory.(Lister)
	if !can {
		return nil
	}
	entries, err := callHost("Directory.Entries", func() ([]resolver.Entry, error) { return list.Entries(ctx, owner) })
	if err != nil {
		g.hostFault(ctx, "Directory.Entries", err)
		return nil
	}
	return entries
}
