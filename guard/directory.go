package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/resolver"
)

// Directory finds the entity that a reference means, among those of one owner.
// [resolver.Directory] is one.
type Directory interface {
	// Resolve returns the match, a *resolver.AmbiguousError or a
	// *resolver.NotFoundError; any other error means that it could not look.
	Resolve(ctx context.Context, owner, reference string) (resolver.Match, error)
	// Redact replaces the ids of the owner's entities by their titles.
	Redact(ctx context.Context, owner, text string) (string, error)
}
