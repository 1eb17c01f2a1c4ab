package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/resolver"
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
