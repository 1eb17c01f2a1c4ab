package intent

import (
	_ "embed"
	"sync"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// The fitted models: written by TestFit, never by hand. The head of the file tells
// from which data, when, and how well they do on sources that they have not seen.
//
//go:generate go test -run TestFit -fit -timeout 60m
//go:embed data/model.txt
var fittedModel string

// models are what is fitted.
type models struct {
	// rank says how the tools of a message stand to one another, in two parts: early
	// is enough to see which are out of reach.
	early, late *forest.Forest
	sure        *forest.Forest // is a tool asked for?
	due         *forest.Forest // is anything due at all?
	wording     *phrases       // how is it put?
	vectors     *vector.Set    // which words ask for which sort of tool?
}

var standardModels = sync.OnceValue(func() *models {
	m, err := parseModels(fittedModel, fittedWording)
	if err != nil {
		panic(err) // the file is part of the program and covered by its tests
	}
	return m
})

// parseModels reads the files of fitted models.
func parseModels(text, words string) (*models, error) {
	f, err := forest.Parse(text, "rank", "sure", "due")
	if err != nil {
		return nil, err
	}
	m := &models{sure: f[1], due: f[2], vectors: vector.English()}
	if m.wording, err = parseWording(words); err != nil {
		return nil, err
	}
	m.early, m.late = f[0].Split(earlyTrees)
	return m, nil
}

// probable is the probability of a forest's answer.
func (x *evidence) probable(f *forest.Forest) float32 { return float32(f.Probability(x[:])) }
