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
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
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
	for _, kind := range keys(t.guard.options.Directories) {
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
			return user[:from] + namedByKind(kind, user[from:to]) + user[to:], user[from:to]
		}
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

// isObject reports whether a title in a message is what the command is about, and not a
// part of something else: "delete my task Milk", but not "delete the photo of Milk",
// "delete the word milk" or "delete the Milk carton".
func isObject(text string, from, to int, kind string) bool {
	o := commandObject{text, kind, lexicon.English().Tokenize(nil, text)}
	last, next := -1, len(o.tokens)
	for i := range o.tokens {
		if int(o.tokens[i].End) <= from {
			last = i
		}
		if int(o.tokens[i].Start) >= to && next == len(o.tokens) {
			next = i
		}
	}
	fronted := last < 0 && next < len(o.tokens) && o.tokens[next].Kind == lexicon.Comma // "Read book, delete it"
	return fronted || o.ends(next) && o.begins(last)
}

// commandObject is a message, and the kind of thing that its command may be about.
type commandObject struct {
	text, kind string
	tokens     []lexicon.Token
}

// begins reports whether only articles, the kind and the particle of a verb stand
// between a verb and what follows the token at i.
func (o *commandObject) begins(i int) bool {
	const light = lexicon.Determiner | lexicon.Possessive | lexicon.Politeness
	for ; i >= 0; i-- {
		switch {
		case o.isMark(i):
			return false
		case !o.tokens[i].IsWord(), o.isKind(i), o.says(i, "called", "named", "titled"):
		case o.says(i, "and", "or", "rid"): // one of several; "get rid of"
			return i > 0
		case o.says(i, "of") && o.says(i-1, "rid"):
		case o.says(i, "off", "up", "out", "down"): // "tick off"
			return o.acts(i - 1)
		case o.acts(i):
			return true
		case !o.tokens[i].Class().Has(light) || o.says(i, "no"):
			return false
		}
	}
	return false
}

// acts reports whether the token at i is used as a verb.
func (o *commandObject) acts(i int) bool {
	return i >= 0 && o.tokens[i].IsWord() && o.tokens[i].Form().Has(lexicon.Verb) &&
		(i == 0 || !o.tokens[i-1].Class().Has(lexicon.Determiner|lexicon.Possessive))
}

// ends reports whether no thing follows, from the token at i on, that the title only describes.
func (o *commandObject) ends(i int) bool {
	for i < len(o.tokens) && !o.tokens[i].IsWord() && !o.isMark(i) {
		i++
	}
	if i >= len(o.tokens) || o.isMark(i) || o.isKind(i) {
		return true
	}
	const joins = lexicon.Preposition | lexicon.Conjunction | lexicon.Particle | lexicon.Politeness | lexicon.Time |
		lexicon.Sequence | lexicon.Auxiliary | lexicon.Modal | lexicon.Pronoun | lexicon.Interjection | lexicon.Affirmation
	token := &o.tokens[i]
	return token.Class().Has(joins) || token.Form().Has(lexicon.Adverb|lexicon.Participle|lexicon.Adjective)
}

// isMark reports whether a piece of the message ends at a token.
func (o *commandObject) isMark(i int) bool {
	kind := o.tokens[i].Kind
	return kind == lexicon.End || kind == lexicon.Break || kind == lexicon.Comma
}

func (o *commandObject) isKind(i int) bool { return hasKindName(o.word(i), o.kind) }

func (o *commandObject) says(i int, words ...string) bool {
	return i >= 0 && slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(o.word(i), word) })
}

func (o *commandObject) word(i int) string { return o.text[o.tokens[i].Start:o.tokens[i].End] }

// hasKindName reports whether a request says the kind's own noun, in the singular
// or plural.
func hasKindName(words, kind string) bool {
	said := strings.FieldsFunc(words, func(r rune) bool { return !isWordRune(r) })
	return slices.ContainsFunc(said, func(word string) bool {
		return strings.EqualFold(word, kind) || strings.EqualFold(word, kind+"s")
	})
}

// Siblings do the same to different kinds of things: berth.release, crane.release. The words of
// "release CJ-77" tell nobody which one is meant; the directory that has CJ-77 does.

// chooseSibling puts the tool that works on the thing a command names in the place of a sibling
// that the classifier is not sure of. How sure the answer is stays as it was: only an entry of a
// directory makes it surer, see canResolve.
func (t *Turn) chooseSibling(ctx context.Context, found *intent.Intent) {
	if len(found.Expect) != 1 || t.ownerless || len(t.guard.options.Directories) == 0 {
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
	read := t.read(tool)
	for i := range t.offered {
		if other := &t.offered[i]; other.Name != tool.Name && other.Effect.MayChange() == tool.Effect.MayChange() {
			if theirs := t.read(other); read.SameVerb(&theirs) && !read.SameObject(&theirs) {
				siblings = append(siblings, other)
			}
		}
	}
	return siblings
}

// read is what a tool does, by its own words.
func (t *Turn) read(tool *tooltrack.Tool) toolname.Reading {
	if read, known := t.guard.toolReadings()[tool.Name]; known {
		return read
	}
	return readingOf(tool)
}

// kindsNamed are the kinds of which the message names an entry; "Read book" says more than
// "book", and kinds whose entries are named alike are all given.
func (t *Turn) kindsNamed(ctx context.Context) (kinds []string) {
	longest := 1
	for _, kind := range keys(t.guard.options.Directories) {
		if t.ownerless {
			break
		}
		_, reference := t.mention(ctx, kind, t.guard.options.Directories[kind])
		if n := len(reference); n > longest {
			kinds, longest = []string{kind}, n
		} else if n == longest {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// canResolve reports whether the object of a command is known to be of the kind
// that the tool works on: one entry of the directory or several that it could mean, or,
// for a tool that only reads, the kind itself by name ("list my tasks").
func (t *Turn) canResolve(ctx context.Context, expected intent.Expectation, tool *tooltrack.Tool) bool {
	if tool.Subject.Kind == "" {
		return false
	}
	if !tool.Effect.MayChange() && hasKindName(expected.Words, tool.Subject.Kind) {
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
	var kinds []string // a note may have the title of a task
	return !slices.ContainsFunc(t.siblings(tool), func(other *tooltrack.Tool) bool {
		if kinds == nil {
			kinds = t.kindsNamed(ctx)
		}
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

func askEntries(ctx context.Context, list Lister, owner string) (entries []resolver.Entry, err error) {
	defer survive("Directory.Entries", &err)
	return list.Entries(ctx, owner)
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

// isRedaction reports whether a text can be the other one with titles in the
// place of ids. The text that was judged must not be lost or drowned.
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

// entriesOf survives a source that fails: then nothing is mentioned.
func (t *Turn) entriesOf(ctx context.Context, list Lister) []resolver.Entry {
	entries, err := askEntries(ctx, list, t.input.Owner)
	if err != nil {
		t.guard.hostFault(ctx, "Directory.Entries", err)
		return nil
	}
	return entries
}
