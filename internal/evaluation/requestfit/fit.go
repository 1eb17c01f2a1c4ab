package requestfit

import (
	"fmt"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/growth"
	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// folds is in how many parts messages are cut, each of which is left out once.
const folds = 5

// Fitting are messages that models are fitted to.
type Fitting struct {
	evidence
	all   []*Message
	named bearingNames
}

// Files are fitted models, as the folders data of the packages intent and vector have them.
type Files struct{ Trees, Wording, Vectors []byte }

// New begins to fit models to the messages of [Load], of which it takes those that are kept;
// root is the folder of the repository.
func New(root, recorded string, keep func(*Message) bool) (*Fitting, error) {
	e, err := evidenceOf(root)
	if err != nil {
		return nil, err
	}
	// The present models may have been fitted to other evidence.
	none := &forest.Forest{Features: e.names}
	trees, err := treesFile(none, none, none)
	if err != nil {
		return nil, err
	}
	if err := use(Files{Trees: trees, Vectors: vector.Encode(nil)}); err != nil {
		return nil, err
	}
	all, err := load(recorded, keep)
	if err != nil {
		return nil, err
	}
	f := &Fitting{evidence: e, all: all, named: newBearingNames()}
	f.named.addTools(f.all)
	return f, nil
}

// treesFile is the trees that rank, of which the first are walked for all tools, and those
// that judge.
func treesFile(rank, sure, due *forest.Forest) ([]byte, error) {
	early, late := growth.Split(rank, fitting.Intent.EarlyTrees)
	return growth.Encode([]string{"early", "late", "sure", "due"}, []*forest.Forest{early, late, sure, due})
}

// use lets classifiers that are built from now on use models.
func use(files Files) error {
	set, err := vector.Decode(lexicon.English(), files.Vectors)
	if err != nil {
		return err
	}
	return fitting.Intent.Use(files.Trees, files.Wording, set)
}

// Messages are those that models are fitted to, and held ones beside them.
func (f *Fitting) Messages() []*Message { return f.all }

// Folds fits everything once for each fold, to all others.
func (f *Fitting) Folds() (files [folds]Files, err error) {
	if err := f.leaveVectorsOut(&files); err != nil {
		return files, err
	}
	f.leaveWordingOut(&files)
	rank := f.growLeftOut(rankTrees, f.rankSamples, f.rank)
	sure := f.growLeftOut(sureTrees, f.sureSamples, f.sureOf)
	due := f.growLeftOut(dueTrees, f.dueSamples, func(*Message, *forest.Forest) {})
	for fold := range files {
		if files[fold].Trees, err = treesFile(rank[fold], sure[fold], due[fold]); err != nil {
			return files, err
		}
	}
	return files, nil
}

// Fit fits to everything that is not held, after [Fitting.Folds]: what stands first was found
// by trees that did not see it.
func (f *Fitting) Fit() (files Files, err error) {
	var ranks, sures, dues []sample
	for _, m := range f.all {
		if m.Held {
			continue
		}
		ranks, sures, dues = f.rankSamples(m, ranks), f.sureSamples(m, sures), f.dueSamples(m, dues)
	}
	files.Trees, err = treesFile(f.grow(rankTrees, ranks), f.grow(sureTrees, sures), f.grow(dueTrees, dues))
	files.Wording = wordingFile(wordingOf(f.wordingSamples(-1)))
	files.Vectors = f.fitVectors(f.vectorSamples(-1)).file()
	return files, err
}

// AnswerLeftOut lets the whole classifier answer each message, with what was fitted without
// its source.
func (f *Fitting) AnswerLeftOut(files [folds]Files) error {
	for fold := range files {
		if err := use(files[fold]); err != nil {
			return err
		}
		if err := answer(f.all, func(m *Message) bool { return m.fold(folds) == fold }); err != nil {
			return err
		}
	}
	return fitting.Intent.Use(nil, nil, nil)
}

// answer lets classifiers by the models in use answer the messages that are wanted.
func answer(all []*Message, wanted func(*Message) bool) error {
	classifiers := map[fitting.ToolsReading]*intent.Classifier{}
	for _, m := range all {
		if !wanted(m) {
			continue
		}
		c := classifiers[m.tools]
		if c == nil {
			var err error
			if c, err = intent.FromTools(m.Tools, nil); err != nil {
				return fmt.Errorf("%s: %w", m.ID, err)
			}
			classifiers[m.tools] = c
		}
		m.Answer = answerOf(c, m)
		m.Hold = intent.HoldOf(m.User)
	}
	return nil
}
