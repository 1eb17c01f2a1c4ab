package guard

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Directory finds the entity that a reference means, among those of one owner.
// [resolver.Directory] is one.
//
// If it can list its entities, implement [Lister], too. Without it "the second one" means
// nothing, and a title in a message is recognised only if nothing but the title follows the
// first word.
type Directory interface {
	// Resolve returns the match, a *resolver.AmbiguousError or a
	// *resolver.NotFoundError; any other error means that it could not look.
	Resolve(ctx context.Context, owner, reference string) (resolver.Match, error)
	// Redact replaces the ids of the owner's entities by their titles.
	Redact(ctx context.Context, owner, text string) (string, error)
}

// Lister is a [Directory] that can list an owner's entities. From their titles the guard
// knows which entities a message or a listing names. So "the second one" has a meaning, and
// a report about an entity that no call was about is noticed.
type Lister interface {
	Directory
	// Entries are the entities of the owner, in any order. It must return when the
	// context ends, and is asked several times in a turn.
	Entries(ctx context.Context, owner string) ([]resolver.Entry, error)
}

var _ Lister = (*resolver.Directory)(nil)

// lookUp survives a source that panics: it is the host's code.
func lookUp(ctx context.Context, directory Directory, owner, reference string) (match resolver.Match, err error) {
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
	if err == nil && !redaction(text, redacted) {
		err = &HostError{"Directory.Redact", errors.New("what it returned is no redaction of the text")}
	}
	return redacted, err
}

// redaction reports whether a text can be the other one with titles in the
// place of ids. The text that was judged must not be lost or drowned.
func redaction(text, redacted string) bool {
	readable := utf8.ValidString(redacted) || !utf8.ValidString(text)
	return redacted != "" && readable && len(redacted) <= len(text)*8+longestTitles
}

// longestTitles is how much a redaction may add to a short text, in bytes.
const longestTitles = 64 << 10

// calledBy is the error of a directory whose host has not said what an entry is
// called: it is called by the kind that the tool works on.
func calledBy(kind string, err error) error {
	var (
		missing   *resolver.NotFoundError
		ambiguous *resolver.AmbiguousError
	)
	switch {
	case errors.As(err, &missing) && missing.Noun == resolver.DefaultNoun:
		renamed := *missing
		renamed.Noun = kind
		return &renamed
	case errors.As(err, &ambiguous) && ambiguous.Noun == resolver.DefaultNoun:
		renamed := *ambiguous
		renamed.Noun = kind
		return &renamed
	}
	return err
}

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
