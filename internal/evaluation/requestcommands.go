package main

import (
	"errors"

	"github.com/bonafide-go/bonafide/internal/evaluation/requestfit"
)

// fitRequests fits the models of package intent.
func fitRequests(j job) error {
	f, err := requestfit.New(j.root, j.fitted(), nil)
	if err != nil {
		return err
	}
	folds, err := f.Folds()
	if err != nil {
		return err
	}
	if err := f.AnswerLeftOut(folds); err != nil {
		return err
	}
	figures := requestfit.Report(f.Messages())
	for _, line := range figures {
		j.say("%s", line)
	}
	files, err := f.Fit()
	if err != nil {
		return err
	}
	if err := errors.Join(
		j.write("intent/data/model.bin", files.Trees),
		j.write("intent/data/wording.bin", files.Wording),
		j.write("internal/vector/data/vectors.bin", files.Vectors),
	); err != nil {
		return err
	}
	reads, err := files.ReadHashes()
	if err != nil {
		return err
	}
	return j.certify("intent", reads, figures)
}

// measureRequests tells how the classifier answers messages whose source was left out.
func measureRequests(j job) error {
	f, err := requestfit.New(j.root, j.fitted(), nil)
	if err != nil {
		return err
	}
	folds, err := f.Folds()
	if err != nil {
		return err
	}
	if err := f.AnswerLeftOut(folds); err != nil {
		return err
	}
	for _, line := range requestfit.Report(f.Messages()) {
		j.say("%s", line)
	}
	return nil
}
