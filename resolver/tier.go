package resolver

import "fmt"

// A Tier is a way in which a reference can match a title. The best tier that
// holds a match decides; later ones are not looked at.
type Tier uint8

const (
	// ByID is a reference that is the id of an entry.
	ByID Tier = iota + 1
	// Identical is the same code points.
	Identical
	// Folded is the same text but for case, compatibility forms, spacing,
	// curly quotes and dashes, and invisible characters.
	Folded
	// Accents is Folded with the marks on Latin, Greek and Cyrillic letters
	// dropped.
	Accents
	// Words is every content word of the reference in the title, in any order
	// and in any everyday form ("books" for "book").
	Words
	// Typing is the whole title with a few typing errors.
	Typing
	// Cut is the whole title with words cut off: "annu budg revi".
	Cut
	// ByOrdinal is a position in a listing: "the second one".
	ByOrdinal
)

var tierNames = [...]string{
	ByID: "id", Identical: "identical", Folded: "folded", Accents: "accents dropped",
	Words: "words", Typing: "typing errors", Cut: "cut words", ByOrdinal: "ordinal",
}

// String returns the name of the tier in plain words.
func (t Tier) String() string {
	if t >= ByID && int(t) < len(tierNames) {
		return tierNames[t]
	}
	return fmt.Sprintf("tier %d", uint8(t))
}
