package resolver

// An Entry is a thing that people refer to by its title and programs by its
// id.
type Entry struct {
	// ID names the entry for programs. It is unique within an Index, and never
	// shown to people or models. An entry without one can be found by its
	// title only.
	ID string
	// Title is what people call the entry.
	Title string
	// Details are printed after the title in a listing: status, priority, due
	// date. They take no part in matching.
	Details []Detail
}

// A Detail is a property of an entry as people read it.
type Detail struct {
	Name, Value string
}

// A Match is the entry that a reference means.
type Match struct {
	Entry
	// Tier is how it matched.
	Tier Tier
	// Errors is the number of typing errors in the reference.
	Errors int
	// Score is how well it matched, from just above 0 to 1 for an id or an
	// identical title. It falls from tier to tier, and within the typing-error
	// tier with each error. It ranks; it is no probability.
	Score float64
}

func newMatch(e Entry, r rank) Match {
	m := Match{Entry: e, Tier: r.tier}
	switch r.tier {
	case ByID, Identical, ByOrdinal:
		m.Score = 1
	case Folded:
		m.Score = 0.98
	case Accents:
		m.Score = 0.95
	case Words:
		m.Score = 0.9 - 0.04*float64(r.step)
	case Typing:
		m.Errors = int(r.errors)
		m.Score = 0.3 + 0.35/float64(r.errors)
	case Cut:
		m.Score = 0.2
	}
	return m
}
