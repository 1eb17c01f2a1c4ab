package turnfit

import (
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/fitting"
)

// Judged is what the evaluator makes of a turn.
type Judged struct {
	*Sample
	Verdict completion.Verdict
	Tier    completion.Tier // the gravest of its claims
	Doubt   float64         // the highest about them
}

// Judge lets the evaluator judge turns, by the models that are in use.
func Judge(samples []*Sample) []Judged {
	evaluator := completion.New(nil)
	all := make([]Judged, len(samples))
	for i, s := range samples {
		j := Judged{Sample: s, Verdict: evaluator.Evaluate(s.Case())}
		for k := range j.Verdict.Claims {
			claim := &j.Verdict.Claims[k]
			j.Tier, j.Doubt = max(j.Tier, claim.Tier), max(j.Doubt, claim.Doubt)
		}
		all[i] = j
	}
	return all
}

// JudgeBy is [Judge] with other models, nil being the shipped ones, and without some rules. The shipped ones are in use
// again after it.
func JudgeBy(models *Models, samples []*Sample, withoutRows ...string) ([]Judged, error) {
	var files [][]byte
	if models != nil {
		var err error
		if files, err = models.Files(); err != nil {
			return nil, err
		}
	}
	if err := fitting.Completion.Use(files, withoutRows...); err != nil {
		return nil, err
	}
	all := Judge(samples)
	return all, fitting.Completion.Use(nil)
}

// LeaveOut judges each turn by models that have not seen its domain.
func LeaveOut(samples []*Sample, folds int) ([]Judged, error) {
	models := make([]*Models, folds)
	for k := range folds {
		models[k] = fitter{inner: 2}.fit(slices.DeleteFunc(slices.Clone(samples), func(s *Sample) bool {
			return s.Held || inFold(s.Group, folds) == k
		}))
	}
	var all []Judged
	for k := range folds {
		left := slices.DeleteFunc(slices.Clone(samples), func(s *Sample) bool { return inFold(s.Group, folds) != k })
		judged, err := JudgeBy(models[k], left)
		if err != nil {
			return nil, err
		}
		all = append(all, judged...)
	}
	return all, nil
}
