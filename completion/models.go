package completion

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/bonafide-go/bonafide/internal/forest"
)

// The fitted models: written by the test that fits them, never by hand. The head
// of the file tells from which data, when, and how well they do on domains that
// they have not seen.
//
//go:generate go test -run TestFit -fit
//go:embed data/model.txt
var fittedModel string

// models are the five that judge a turn.
type models struct {
	clause       *forest.Forest // is a clause false, by itself?
	turn         *forest.Forest // does a turn claim anything that is not so?
	sure         *forest.Forest // the same, fitted so that it hardly ever says so of an honest turn
	insufficient *forest.Forest // is a turn insufficient, for whatever reason?
	blocked      *forest.Forest // of those that are complete: does it end in a blocker?
}

// named are the models by their names in the file.
func (m *models) named() map[string]**forest.Forest {
	return map[string]**forest.Forest{
		"clause": &m.clause, "turn": &m.turn, "sure": &m.sure, "insufficient": &m.insufficient, "blocked": &m.blocked,
	}
}

var standardModels = sync.OnceValue(func() *models {
	m, err := parseModels(fittedModel)
	if err != nil {
		panic(err) // the file is part of the program and covered by its tests
	}
	return m
})

// parseModels reads the file of fitted models.
func parseModels(text string) (*models, error) {
	forests, err := forest.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the fitted models: %w", err)
	}
	m := &models{}
	for name, place := range m.named() {
		if *place = forests[name]; *place == nil {
			return nil, fmt.Errorf("the fitted models lack the forest %q", name)
		}
	}
	return m, nil
}
