package main

import (
	"fmt"
	"strings"

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
	texts := f.Fit()
	const by = "Fitted by `go run ./internal/evaluation fit intent`; do not edit."
	head := fmt.Sprintf("# %s\n# %d messages. Sources left out while fitting:\n# %s\n",
		by, len(f.Messages()), strings.Join(figures, "\n# "))
	for path, text := range map[string]string{
		"intent/data/model.txt": head + texts.Trees,
		"intent/data/wording.txt": "# How messages are put that ask for something (above 0) and others: words, and\n" +
			"# pairs of neighbours. " + by + "\n" + texts.Wording,
		"internal/vector/data/vectors.txt": "# Where the words of messages and tools point.\n# " + by + "\n" + texts.Vectors,
	} {
		if err := j.write(path, text); err != nil {
			return err
		}
	}
	return nil
}

// measureRequests tells how the classifier answers messages whose source was left out.
func measureRequests(j job) error {
	f, err := requestfit.New(j.root, j.recorded, nil)
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
