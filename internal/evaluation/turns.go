package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/evaluation/turnfit"
)

// samples are the turns of the repository, and recorded ones that are only measured, or
// fitted to as well.
func (j job) samples() (own, recorded []*turnfit.Sample, err error) {
	if own, err = turnfit.Own(); err != nil {
		return nil, nil, err
	}
	strangers, err := turnfit.Strangers()
	if err != nil {
		return nil, nil, err
	}
	languages, err := turnfit.Languages()
	if err != nil {
		return nil, nil, err
	}
	recorded, err = turnfit.Recorded(j.recorded)
	return slices.Concat(own, strangers, languages), recorded, err
}

func isHeld(s *turnfit.Sample) bool { return s.Held }

// fitTurns fits the models of package completion.
func fitTurns(j job) error {
	own, recorded, err := j.samples()
	if err != nil {
		return err
	}
	train := slices.DeleteFunc(slices.Clone(own), isHeld)
	if j.withRecorded {
		train = append(train, recorded...)
	}
	models := turnfit.Fit(train)
	judged, err := turnfit.JudgeBy(models, append(slices.Clone(own), recorded...))
	if err != nil {
		return err
	}
	unseen := slices.DeleteFunc(slices.Clone(judged), func(g turnfit.Judged) bool { return !g.Held })
	figures := []string{
		fmt.Sprintf("held domains   %v", turnfit.FiguresOf(unseen, "own")),
		fmt.Sprintf("held strangers %v", turnfit.FiguresOf(unseen, "strangers")),
		fmt.Sprintf("languages      %v", turnfit.FiguresOf(unseen, "languages")),
	}
	if !j.withRecorded {
		for _, set := range turnfit.RecordedSets {
			figures = append(figures, fmt.Sprintf("%-14s %v", set, turnfit.FiguresOf(judged, set)))
		}
	}
	j.say("%s", strings.Join(figures, "\n"))
	files, err := models.Files()
	if err != nil {
		return err
	}
	for i, name := range certified["completion"].models {
		if err := j.write(name, files[i]); err != nil {
			return err
		}
	}
	reads, err := turnfit.ReadHashes()
	if err != nil {
		return err
	}
	return j.certify("completion", reads, figures)
}

// measureTurns tells what the evaluator makes of domains and sources that were left out.
func measureTurns(j job) error {
	own, recorded, err := j.samples()
	if err != nil {
		return err
	}
	var all []turnfit.Judged
	if j.withRecorded {
		all, err = turnfit.LeaveOut(append(own, recorded...), 5)
	} else {
		all, err = turnfit.LeaveOut(own, 5)
		all = append(all, turnfit.Judge(recorded)...) // the shipped models have not seen them
	}
	if err != nil {
		return err
	}
	for _, set := range append([]string{"own", "strangers", "languages"}, turnfit.RecordedSets...) {
		j.say("%-14s %v", set, turnfit.FiguresOf(all, set))
	}
	return nil
}
