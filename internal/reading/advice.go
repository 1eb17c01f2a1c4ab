package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// advising are verbs by which somebody says what should be done.
var advising = lexicon.FamiliesOf(lexicon.Recommend)

// Advises reports whether a text says no more than what should, could or might be done:
// "I recommend rolling back to 2.14.1". Whatever it names, none of it has happened.
func (t *Text) Advises() bool {
	advised := false
	for i := range t.Clauses {
		clause := &t.Clauses[i]
		switch {
		case clause.Verb < 0:
			return false
		case clause.Mood == Possible && (clause.Actor == You || t.Tokens[clause.Verb].Families().Overlaps(advising)):
			advised = true
		case clause.Shape == Present && clause.Actor == Us && t.Tokens[clause.Verb].Families().Overlaps(advising):
			advised = true
		case advised && (clause.Shape == Present || clause.Shape == Bare) && clause.Actor != Other: // "that you wait"
		default:
			return false
		}
	}
	return advised
}
