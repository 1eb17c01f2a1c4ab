package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/fitting"
)

func init() {
	fitting.Completion.Features = func() (clause, turn []string) {
		return namesOf(clauseFeatures), namesOf(turnFeatures)
	}
	fitting.Completion.Rows = func() (names []string) {
		for i := range rules {
			names = append(names, rules[i].Name)
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

func (f fitted) Turn(doubts []float64) []float32 {
	for i := range f.assertions {
		f.assertions[i].doubt = doubts[i]
	}
	f.sumDoubts()
	return slices.Clone(f.turnVector())
}

// useModels puts other models, and fewer rules, in the place of those that are shipped.
func useModels(file []byte, without ...string) error {
	m := shippedModels()
	if file != nil {
		var err error
		if m, err = parseModels(file); err != nil {
			return err
		}
	}
	standardModels = func() *models { return m }
	rules = slices.DeleteFunc(slices.Clone(shippedRules), func(r rule) bool { return slices.Contains(without, r.Name) })
	return nil
}
