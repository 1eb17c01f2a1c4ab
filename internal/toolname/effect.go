package toolname

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Effect is what a tool does to the world, as far as its words tell. It converts
// to a [tooltrack.Effect], which is no word of this package's.
//
// [tooltrack.Effect]: https://pkg.go.dev/github.com/bonafide-go/bonafide/tooltrack#Effect
type Effect uint8

const (
	// Unknown is a tool whose words do not tell.
	Unknown Effect = iota
	// Reads is a tool that only answers.
	Reads
	// Changes is one that leaves the world different.
	Changes
	// Verifies is one that checks what was done: tests, linters.
	Verifies
)

// Answering families only answer. Asking for one may be served by another:
// "find the area" is a calculation.
var Answering = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Calculate, lexicon.Analyze,
	lexicon.Compare, lexicon.Verify, lexicon.Predict,
	lexicon.Convert, lexicon.Translate, lexicon.Count, lexicon.Recommend, lexicon.Explain, lexicon.Summarize,
	lexicon.Track, lexicon.Classify,
	lexicon.Review, lexicon.Answer, lexicon.Sort, lexicon.Filter, lexicon.Report)

// open families tell nothing: what is run, opened or remembered decides.
var open = lexicon.FamiliesOf(lexicon.Run, lexicon.Open, lexicon.Report, lexicon.Remember, lexicon.Review)

// effect is whether a tool reads or changes.
func (r *reader) effect(reading *Reading) Effect {
	switch family := reading.Family; {
	case reading.Verb.name.Reads:
		return Reads
	case family == lexicon.NoFamily:
		return Unknown
	case family == lexicon.Test, family == lexicon.Run && reading.isOnTests(), reading.Verb.name.Verifies:
		return Verifies
	case open.Has(family):
		return r.lead.effect()
	case !Answering.Has(family):
		return Changes
	case reading.Families.Without(Answering).Empty() || r.lead.effect() == Reads:
		return Reads
	default:
		return Unknown
	}
}

// isOnTests reports whether tests are what a tool works on: run_tests, run_linter.
func (r *Reading) isOnTests() bool {
	for _, noun := range r.Nouns {
		if noun.name.Verifies || noun.Entry != nil && noun.Entry.Families.Has(lexicon.Test) {
			return true
		}
	}
	return false
}

// handing families pass something on.
var handing = lexicon.FamiliesOf(lexicon.Escalate, lexicon.Transfer, lexicon.Connect, lexicon.Contact)

// isHandover reports whether the tool brings in a person. A verb of handing over
// and a word for people are both needed, since money is transferred, too.
func (r *reader) isHandover(reading *Reading, description string) bool {
	passes := reading.Families.Overlaps(handing) || reading.Verb.lemma() == "forward" ||
		reading.Verb.name.Families.Overlaps(handing)
	if !passes {
		return false
	}
	isPeople := func(word string) bool { return r.language.NameWord(Singular(word)).People }
	if slices.ContainsFunc(r.words, func(word Word) bool { return isPeople(word.Text) }) {
		return true
	}
	if reading.Families.Has(lexicon.Contact) && !reading.Families.Has(lexicon.Escalate) {
		return false // "call_contact: calls a person" is a telephone
	}
	return slices.ContainsFunc(Words(cutText(description)), isPeople)
}
