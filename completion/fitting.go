package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/fitting"
)

func init() {
	fitting.Completion.Wording, fitting.Completion.Phrases, fitting.Completion.PhraseUnit =
		wordingFeature, phraseBuckets, phraseUnit
	fitting.Completion.Features = func() (clause, turn []string) {
		return namesOf(clauseFeatures), namesOf(turnFeatures)
	}
	fitting.Completion.Rows = func() (names []string) {
		for _, r := range slices.Concat(shippedRules, decisive) {
			names = append(names, r.Name)
		}
		for _, e := range slices.Concat(arguable, beside) {
			names = append(names, e.Name)
		}
		return names
	}
	fitting.Completion.Read = readToFit
	fitting.Completion.Use = useModels
}

func namesOf(features []feature) (names []string) {
	for i := range features {
		names = append(names, features[i].name)
	}
	return names
}

// readToFit reads a turn for those who fit models to it.
func readToFit(t fitting.Turn) fitting.TurnReading {
	c := newConversation()
	c.read(&Case{User: t.User, Previous: t.Previous, Text: t.Text, Tools: t.Tools, Records: t.Records, Earlier: t.Earlier})
	return fitted{c}
}

// fitted is a turn that models are fitted to.
type fitted struct{ *conversation }

func (f fitted) Clauses() (clauses [][]float32) {
	for i := range f.assertions {
		clause := f.vector(nil, clauseFeatures)
		f.assertions[i].vectorOf(clauseFeatures, clause)
		clauses = append(clauses, clause)
	}
	return clauses
}

func (f fitted) Phrases() (phrases [][]uint16) {
	for i := range f.assertions {
		phrases = append(phrases, f.phrases(nil, &f.assertions[i]))
	}
	return phrases
}

func (f fitted) Turn(doubts []float64) []float32 {
	for i := range f.assertions {
		f.assertions[i].doubt = doubts[i]
	}
	f.sumDoubts()
	return slices.Clone(f.turnVector())
}

// useModels puts other models, and fewer rules, in the place of those that are shipped.
func useModels(files [][]byte, without ...string) error {
	standardModels = shippedModels
	if len(files) == 2 {
		m, err := parseModels(files[0], files[1])
		if err != nil {
			return err
		}
		standardModels = func() *models { return m }
	}
	isOff := func(name string) bool { return slices.Contains(without, name) }
	offRule, offExcuse := func(r rule) bool { return isOff(r.Name) }, func(e excuse) bool { return isOff(e.Name) }
	rules = slices.DeleteFunc(slices.Clone(shippedRules), offRule)
	decisive = slices.DeleteFunc(slices.Clone(shippedDecisive), offRule)
	arguable = slices.DeleteFunc(slices.Clone(shippedArguable), offExcuse)
	beside = slices.DeleteFunc(slices.Clone(shippedBeside), offExcuse)
	return nil
}
