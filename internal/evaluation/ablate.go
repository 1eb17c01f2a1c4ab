package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bonafide-go/bonafide/internal/evaluation/turnfit"
	"github.com/bonafide-go/bonafide/internal/fitting"
)

// heldOut are turns that nothing was fitted to.
func (j job) heldOut() ([]*turnfit.Sample, error) {
	own, recorded, err := j.samples()
	return append(slices.DeleteFunc(own, func(s *turnfit.Sample) bool { return !s.Held }), recorded...), err
}

// ablateRows tells what each rule changes: the figures without it, less those with it.
func ablateRows(j job) error {
	held, err := j.heldOut()
	if err != nil {
		return err
	}
	whole := turnfit.Judge(held)
	turnfit.WriteEffects(j.out, "row", whole)
	for _, row := range fitting.Completion.Rows() {
		judged, err := turnfit.JudgeBy(nil, held, row)
		if err != nil {
			return err
		}
		turnfit.WriteEffect(j.out, row, whole, judged)
	}
	return nil
}

// ablateFeatures tells what each group of features changes: models are fitted without it.
func ablateFeatures(j job) error {
	own, recorded, err := j.samples()
	if err != nil {
		return err
	}
	train := slices.DeleteFunc(slices.Clone(own), isHeld)
	held := append(slices.DeleteFunc(slices.Clone(own), func(s *turnfit.Sample) bool { return !s.Held }), recorded...)
	whole, err := turnfit.JudgeBy(turnfit.FitWithout(train), held)
	if err != nil {
		return err
	}
	turnfit.WriteEffects(j.out, "feature group", whole)
	groups := turnfit.FeatureGroups()
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		judged, err := turnfit.JudgeBy(turnfit.FitWithout(train, groups[name]...), held)
		if err != nil {
			return err
		}
		turnfit.WriteEffect(j.out, fmt.Sprintf("%s (%d)", name, len(groups[name])), whole, judged)
	}
	return nil
}
