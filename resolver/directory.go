package resolver

import "context"

// A Source gives the entries of one owner. It must never return an entry of
// another one: what it returns may be picked and is shown to the owner. An
// owner without entries has none; that is no error.
type Source interface {
	Entries(ctx context.Context, owner string) ([]Entry, error)
}

// SourceFunc is a function that is a Source.
type SourceFunc func(ctx context.Context, owner string) ([]Entry, error)

// Entries calls the function.
func (f SourceFunc) Entries(ctx context.Context, owner string) ([]Entry, error) {
	return f(ctx, owner)
}

// A Directory resolves references for many owners, each among their own
// entries. It keeps nothing between calls, so that entries are never stale and
// never leak from one owner to another. It is safe for concurrent use if its
// Source is.
type Directory struct {
	source  Source
	options Options
}

// NewDirectory returns a Directory of the entries that source gives.
func NewDirectory(source Source, o *Options) *Directory {
	d := &Directory{source: source}
	if o != nil {
		d.options = *o
	}
	return d
}

// Resolve finds the entry of the owner that a reference means. The error is one
// of those of [Resolve], [ErrNoOwner], or that of the Source.
func (d *Directory) Resolve(ctx context.Context, owner, reference string) (Match, error) {
	entries, err := d.Entries(ctx, owner)
	if err != nil {
		return Match{}, err
	}
	return Resolve(reference, entries, &d.options)
}

// Entries returns the owner's entries, for a Listing and for the Ordinal
// references that follow it.
func (d *Directory) Entries(ctx context.Context, owner string) ([]Entry, error) {
	if owner == "" {
		return nil, ErrNoOwner
	}
	return d.source.Entries(ctx, owner)
}

// Redact replaces the ids of the owner's entries in a text, as [Redact] does.
func (d *Directory) Redact(ctx context.Context, owner, text string) (string, error) {
	entries, err := d.Entries(ctx, owner)
	if err != nil {
		return "", err
	}
	return Redact(text, entries), nil
}
