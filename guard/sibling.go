package guard

import (
	"context"
	"maps"
	"slices"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Siblings do the same to different kinds of things: berth.release, crane.release. The words of
// "release CJ-77" tell nobody which one is meant; the directory that has CJ-77 does.

// chooseSibling puts the tool that works on the thing a command names in the place of a sibling
// that the classifier is not sure of. How sure the answer is stays as it was: only an entry of a
// directory makes it surer, see resolves.
func (t *Turn) chooseSibling(ctx context.Context, found *intent.Intent) {
	if len(found.Expect) != 1 || t.ownerless || len(t.guard.options.Directories) == 0 {
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
	if meant := t.byKind(ctx, tool, siblings); meant != nil {
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
	said := func(noun toolname.Word) bool { return namesKind(words, noun.Text) }
	return slices.ContainsFunc(append(siblings, tool), func(each *tooltrack.Tool) bool {
		return namesKind(words, each.Subject.Kind) || slices.ContainsFunc(t.read(each).Nouns, said)
	})
}

// byKind is the sibling for the one kind that has what the command is about. It is nil if
// none has, or several.
func (t *Turn) byKind(ctx context.Context, tool *tooltrack.Tool, siblings []*tooltrack.Tool) *tooltrack.Tool {
	kinds := t.kindsNamed(ctx)
	if len(kinds) != 1 || tool.Subject.Kind == kinds[0] {
		return nil
	}
	siblings = slices.DeleteFunc(siblings, func(other *tooltrack.Tool) bool { return other.Subject.Kind != kinds[0] })
	if len(siblings) != 1 {
		return nil
	}
	return siblings[0]
}

// kindsNamed are the kinds of which the message names an entry; "Read book" says more than
// "book", and kinds whose entries are named alike are all given.
func (t *Turn) kindsNamed(ctx context.Context) (kinds []string) {
	longest := 1
	for _, kind := range slices.Sorted(maps.Keys(t.guard.options.Directories)) {
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

// resolves reports whether the object of a command is known to be of the kind
// that the tool works on: one entry of the directory or several that it could mean, or,
// for a tool that only reads, the kind itself by name ("list my tasks").
func (t *Turn) resolves(ctx context.Context, expected intent.Expectation, tool *tooltrack.Tool) bool {
	if tool.Subject.Kind == "" {
		return false
	}
	if !tool.Effect.MayChange() && namesKind(expected.Words, tool.Subject.Kind) {
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
	siblings := t.siblings(tool)
	if len(siblings) == 0 || t.namesNoun(expected.Words, tool) {
		return true
	}
	kinds := t.kindsNamed(ctx) // a note may have the title of a task
	return !slices.ContainsFunc(siblings, func(other *tooltrack.Tool) bool {
		return other.Subject.Kind != tool.Subject.Kind && slices.Contains(kinds, other.Subject.Kind)
	})
}
