package guard

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Siblings do the same to different kinds of things: berth.release, crane.release. The words of
// "release CJ-77" tell nobody which one is meant; what CJ-77 is does.

// chooseSibling puts the tool that works on the thing a command names in the place of a sibling
// that the classifier is not sure of. How sure the answer is stays as it was: only an entry of a
// directory makes it surer, see resolves.
func (t *Turn) chooseSibling(ctx context.Context, found *intent.Intent) {
	known := !t.ownerless && len(t.guard.options.Directories) > 0
	if len(found.Expect) != 1 || !known && len(t.input.Previous) == 0 {
		return
	}
	expected := &found.Expect[0]
	tool := toolNamed(t.offered, expected.Tool)
	if tool == nil || !expected.Command || t.guard.thresholds.sure(*expected, tool) {
		return
	}
	siblings := t.siblings(tool)
	if len(siblings) == 0 || t.namesNoun(expected.Words, tool, siblings...) {
		return
	}
	meant := t.byKind(ctx, tool, siblings)
	if meant == nil {
		meant = t.byEarlier(tool, siblings)
	}
	if meant != nil {
		chosen := *expected // the host's classifier may keep its answer
		chosen.Tool = meant.Name
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

// namesNoun reports whether a request says a noun of a tool, or of its kind, so that no id need
// tell which one is meant.
func (t *Turn) namesNoun(words string, tool *tooltrack.Tool, siblings ...*tooltrack.Tool) bool {
	for _, each := range append(siblings, tool) {
		said := func(noun toolname.Word) bool { return namesKind(words, noun.Text) }
		if namesKind(words, each.Subject.Kind) || slices.ContainsFunc(t.read(each).Nouns, said) {
			return true
		}
	}
	return false
}

// byKind is the sibling for the one kind that has what the command is about: an entry, or else
// ids that are written like the one in the message. It is nil if none has, or several.
func (t *Turn) byKind(ctx context.Context, tool *tooltrack.Tool, siblings []*tooltrack.Tool) *tooltrack.Tool {
	kinds := t.kindsOf(ctx, t.longest)
	if len(kinds) == 0 {
		kinds = t.kindsOf(ctx, t.likeIDs)
	}
	if len(kinds) != 1 || tool.Subject.Kind == kinds[0] {
		return nil
	}
	return only(siblings, func(other *tooltrack.Tool) bool { return other.Subject.Kind == kinds[0] })
}

// kindsOf are the kinds that speak most for what the message names; several that speak alike are
// all given.
func (t *Turn) kindsOf(ctx context.Context, speaks func(context.Context, string, Directory) int) (kinds []string) {
	most := 1
	for _, kind := range slices.Sorted(maps.Keys(t.guard.options.Directories)) {
		if t.ownerless {
			break
		}
		if n := speaks(ctx, kind, t.guard.options.Directories[kind]); n > most {
			kinds, most = []string{kind}, n
		} else if n == most {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// longest is how much of the message names an entry of a kind: "Read book" says more than "book".
func (t *Turn) longest(ctx context.Context, kind string, directory Directory) int {
	_, reference := t.mention(ctx, kind, directory)
	return len(reference)
}

// likeIDs is 1 if an id in the message is written like those of a kind, which may have more than
// it lists.
func (t *Turn) likeIDs(ctx context.Context, _ string, directory Directory) int {
	list, can := directory.(Lister)
	if !can {
		return 0
	}
	entries := t.entriesOf(ctx, list)
	for id := range idsIn(t.wanted) {
		for i := range entries {
			if shapeOf(entries[i].ID) == shapeOf(id) {
				return 1
			}
		}
	}
	return 0
}

// byEarlier is the sibling for what an earlier call returned an id of; nil if no call did, or
// the expected tool is as near to that call.
func (t *Turn) byEarlier(tool *tooltrack.Tool, siblings []*tooltrack.Tool) *tooltrack.Tool {
	var earlier []*tooltrack.Record // the ledger is opened later
	for id := range idsIn(t.wanted) {
		if earlier == nil {
			earlier = recordsOf(t.input.Previous, t.guard.tools, t.guard.options.Results)
		}
		for _, record := range slices.Backward(earlier) {
			source := toolNamed(t.guard.tools, record.Tool)
			if source == nil || !record.Succeeded() || !holdsWord(record.Result.Text(), id) {
				continue
			}
			read := t.read(source)
			same := func(other *tooltrack.Tool) bool { theirs := t.read(other); return read.SameObject(&theirs) }
			if same(tool) {
				return nil
			}
			return only(siblings, same)
		}
	}
	return nil
}

// only is the one tool of which something holds; nil if there is none, or several.
func only(tools []*tooltrack.Tool, holds func(*tooltrack.Tool) bool) (found *tooltrack.Tool) {
	for _, tool := range tools {
		if holds(tool) {
			if found != nil {
				return nil
			}
			found = tool
		}
	}
	return found
}

// idsIn visits the words of a text that look like ids.
func idsIn(text string) func(func(string) bool) {
	return func(visit func(string) bool) {
		for word := range strings.FieldsSeq(text) {
			if word = strings.Trim(word, `.,;:!?"'()`); reading.LooksLikeID(word) && !visit(word) {
				return
			}
		}
	}
}

// shapeOf is how an id is written: its letters, and a 0 for each digit.
func shapeOf(id string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return '0'
		}
		return r
	}, strings.ToLower(id))
}

// holdsWord reports whether a word stands in a text, in any letter case.
func holdsWord(text, word string) bool {
	text, word = strings.ToLower(text), strings.ToLower(word)
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		if at += from; wholeWords(text, at, at+len(word)) {
			return true
		}
		from = at + len(word)
	}
}
