package requestfit

import (
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/intent"
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

// Texts are fitted models, as the files in data have them.
type Texts struct{ Trees, Wording, Vectors string }

// New begins to fit models to the messages of [Load], of which it takes those that are kept;
// root is the folder of the repository.
func New(root, recorded string, keep func(*Message) bool) (*Fitting, error) {
	e, err := evidenceOf(root)
	if err != nil {
		return nil, err
	}
	// The present models may have been fitted to other evidence.
	if err := use(Texts{Trees: treesText(emptyForests(e.names))}); err != nil {
		return nil, err
	}
	all, err := Load(recorded)
	if err != nil {
		return nil, err
	}
	f := &Fitting{evidence: e, named: newBearingNames()}
	for _, m := range all {
		if keep == nil || keep(m) {
			f.all = append(f.all, m)
		}
	}
	f.named.addTools(f.all)
	return f, nil
}

func emptyForests(names []string) (rank, sure, due *forest.Forest) {
	none, err := forest.New(names, 0, nil)
	if err != nil {
		panic(err) // a forest without trees fits any names
	}
	return none, none, none
}

func treesText(rank, sure, due *forest.Forest) string {
	var text strings.Builder
	rank.Write(&text, "rank")
	sure.Write(&text, "sure")
	due.Write(&text, "due")
	return text.String()
}

// use lets classifiers that are built from now on use models.
func use(texts Texts) error {
	set, err := vector.Parse(lexicon.English(), texts.Vectors)
	if err != nil {
		return err
	}
	return fitting.Intent.Use(texts.Trees, texts.Wording, set)
}

// Messages are those that models are fitted to, and held ones beside them.
func (f *Fitting) Messages() []*Message { return f.all }

// Folds fits everything once for each fold, to all others.
func (f *Fitting) Folds() (texts [folds]Texts, err error) {
	if err := f.leaveVectorsOut(&texts); err != nil {
		return texts, err
	}
	f.leaveWordingOut(&texts)
	rank := f.growLeftOut(rankTrees, f.rankSamples, f.rank)
	sure := f.growLeftOut(sureTrees, f.sureSamples, f.sureOf)
	due := f.growLeftOut(dueTrees, f.dueSamples, func(*Message, *forest.Forest) {})
	for fold := range texts {
		texts[fold].Trees = treesText(rank[fold], sure[fold], due[fold])
	}
	return texts, nil
}

// Fit fits to everything that is not held, after [Fitting.Folds]: what stands first was found
// by trees that did not see it.
func (f *Fitting) Fit() Texts {
	var ranks, sures, dues []sample
	for _, m := range f.all {
		if m.Held {
			continue
		}
		ranks, sures, dues = f.rankSamples(m, ranks), f.sureSamples(m, sures), f.dueSamples(m, dues)
	}
	return Texts{
		Trees:   treesText(f.grow(rankTrees, ranks), f.grow(sureTrees, sures), f.grow(dueTrees, dues)),
		Wording: wordingText(wordingOf(f.wordingSamples(-1))),
		Vectors: f.fitVectors(f.vectorSamples(-1)).text(),
	}
}

// AnswerLeftOut lets the whole classifier answer each message, with what was fitted without
// its source.
func (f *Fitting) AnswerLeftOut(texts [folds]Texts) error {
	for fold := range texts {
		if err := use(texts[fold]); err != nil {
			return err
		}
		if err := answer(f.all, func(m *Message) bool { return m.fold(folds) == fold }); err != nil {
			return err
		}
	}
	return fitting.Intent.Use("", "", nil)
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
