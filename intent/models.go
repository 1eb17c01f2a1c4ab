package intent

import (
	_ "embed"
	"sync"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// The fitted models: written by internal/evaluation, never by hand; fitted.txt there tells from
// which data, and how well they do on sources that they have not seen.
//
//go:generate go run ../internal/evaluation fit intent
//go:embed data/model.bin
var fittedModel []byte

// models are what is fitted.
type models struct {
	// rank says how the tools of a message stand to one another, in two parts: early
	// is enough to see which are out of reach.
	early, late *forest.Forest
	sure        *forest.Forest           // is a tool asked for?
	due         *forest.Forest           // is anything due at all?
	wording     hashtable.Table[float32] // how is it put?
	vectors     *vector.Set              // which words ask for which sort of tool?
}

// standardModels are shared by all classifiers.
var standardModels = shippedModels

var shippedModels = sync.OnceValue(func() *models {
	m, err := parseModels(fittedModel, fittedWording)
	if err != nil {
		panic(err) // the file is part of the program and covered by its tests
	}
	m.vectors = vector.English()
	return m
})

// parseModels reads the files of fitted models.
func parseModels(trees, words []byte) (*models, error) {
	f, err := forest.Decode(trees, "early", "late", "sure", "due")
	if err != nil {
		return nil, err
	}
	m := &models{early: f[0], late: f[1], sure: f[2], due: f[3]}
	m.wording, err = parseWording(words)
	return m, err
}
