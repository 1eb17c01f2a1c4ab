package proof

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// What a text tells of: acts of ours, events, looks at something.

// tellsAct reports whether a text tells of an act as done: by us, or by nobody in
// particular.
func (k *knowledge) tellsAct(text string) bool {
	return slices.ContainsFunc(k.read(text).Clauses, func(clause reading.Clause) bool {
		switch clause.Shape {
		case reading.ActivePerfect, reading.ActivePast:
			return clause.Actor == reading.Us && told(&clause)
		case reading.PassivePerfect, reading.PassivePast:
			return told(&clause)
		}
		return false
	})
}

// tellsLook reports whether all that a text tells as done was to look at something:
// "I looked: row 4 was down".
func (k *knowledge) tellsLook(text string) bool {
	read, looked := k.read(text), false
	for i := range read.Clauses {
		clause := &read.Clauses[i]
		passive := clause.Shape == reading.PassivePerfect || clause.Shape == reading.PassivePast
		if clause.Actor != reading.Us && !passive || !told(clause) {
			continue
		}
		if read.Roles[clause.Verb]&(reading.RoleLook|reading.RoleVerify|reading.RoleCheck) == 0 {
			return false
		}
		looked = true
	}
	return looked
}

// recalls reports whether a text tells of an act as ours, or as lists do, without who did
// it: "Closed the account". What has happened to something may be another's doing.
func (k *knowledge) recalls(text string) bool {
	return slices.ContainsFunc(k.read(text).Clauses, func(clause reading.Clause) bool {
		ours := clause.Actor == reading.Us && (clause.Shape == reading.ActivePerfect || clause.Shape == reading.ActivePast)
		return (ours || clause.Shape == reading.Fragment) && told(&clause)
	})
}

// tellsEvent reports whether a text tells what somebody or something else has done:
// "the plumber has arrived".
func (k *knowledge) tellsEvent(text string) bool {
	return slices.ContainsFunc(k.read(text).Clauses, func(clause reading.Clause) bool {
		return clause.Shape == reading.ActivePerfect && clause.Actor != reading.Us && told(&clause)
	})
}

// told reports whether a clause says that something is so.
func told(clause *reading.Clause) bool {
	stated := clause.Mood == reading.Stated || clause.Mood == reading.Presupposed
	return stated && clause.Verb >= 0 && !clause.Negated
}

// verbs are those of a text.
func (k *knowledge) verbs(text string) keys {
	read := k.read(text)
	verbs := keys{}
	for i := range read.Clauses {
		if verb := read.Clauses[i].Verb; verb >= 0 {
			verbs.add(k.values(text[read.Tokens[verb].Start:read.Tokens[verb].End]))
		}
	}
	return verbs
}
