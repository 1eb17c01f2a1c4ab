// Package resolver answers one question: which one is meant?
//
// People say "delete read books" when the title is "Read book". A resolver
// finds the [Entry] that a reference means, or says that several are meant, or
// none. It never guesses between near-duplicates:
//
//	index := resolver.New(entries, nil)
//	match, err := index.Resolve("read books")
//	var ambiguous *resolver.AmbiguousError
//	switch {
//	case errors.As(err, &ambiguous):
//		ask(err.Error()) // Multiple tasks match "book". Please be more specific: …
//	case err != nil:
//		say(err.Error()) // No task matching "xyz" found
//	default:
//		remove(match.ID)
//	}
//
// A reference is compared tier by tier: id, identical, folded, accents dropped,
// words, typing errors, cut words (see [Tier]). The best tier that holds a
// title decides, and more than one title in it is an [*AmbiguousError]. A
// content word of the reference that the title lacks always vetoes; a word of
// the title that the reference lacks vetoes from the typing errors on; numbers
// must be equal.
//
// An [Index] is built once for many references; [Resolve] needs none. A
// [Directory] asks the host for the entries of one owner, and never sees those
// of another. [Listing] prints entries without ids, [Ordinal] reads "the second
// one" against such a listing, and [Redact] takes ids out of a text.
//
// All of it is safe for concurrent use, does no I/O beyond the host's [Source],
// and is bounded: time is linear in the length of reference and titles. The
// package does not know what a reference is for; whether a call may run is
// decided elsewhere.
package resolver
