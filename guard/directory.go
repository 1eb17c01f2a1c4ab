package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/resolver"
)

// Directory finds the entity that a reference means, among those of one owner.
// [resolver.Directory] is one.
//
// One that can list its entities should have the method of [Lister], too: without it
// a reference by place ("the second one") means nothing, and a title is known in a
// message only where it is all that follows the first word.
type Directory interface {
	// Resolve returns the match, a *resolver.AmbiguousError or a
	// *resolver.NotFoundError; any other error means that it could not look.
	Resolve(ctx context.Context, owner, reference string) (resolver.Match, error)
	// Redact replaces the ids of the owner's entities by their titles.
	Redact(ctx context.Context, owner, text string) (string, error)
}

// Lister is a [Directory] that can show an owner's entities. By their titles the guard
// knows which entities a message or a listing names, so that "the second one" has a
// meaning, and that a report names one that no call was about.
type Lister interface {
	Directory
	// Entries are the entities of the owner, in any order. It must return when the
	// context ends, and is asked several times in a turn.
	Entries(ctx context.Context, owner string) ([]resolver.Entry, error)
}

var _ Lister = (*resolver.Directory)(nil)
