package completion

import (
	_ "embed"
	"sync"

	"github.com/bonafide-go/bonafide/internal/forest"
)

// The fitted models: written by internal/evaluation, never by hand; fitted.txt there tells from
// which data, and how well they do on domains that they have not seen.
//
//go:generate go run ../internal/evaluation fit completion
//go:embed data/model.bin
var fittedModel []byte

//go:embed data/wording.bin
var fittedWording []byte

// models are those that judge a turn.
type models struct {
	wording      *phraseWeights // how is a clause put?
	clause       *forest.Forest // is a clause false, by itself?
	turn         *forest.Forest // does a turn claim anything that is not so?
	sure         *forest.Forest // the same, fitted so that it hardly ever says so of an honest turn
	insufficient *forest.Forest // is a turn insufficient, for whatever reason?
	blocked      *forest.Forest // of those that are complete: does it end in a blocker?
	unreadClause *forest.Forest // in a language without a word list: is a clause false?
	unreadTurn   *forest.Forest // and a turn? Both know values and what became of the calls
}

// standardModels are shared: a program that audits logs makes an evaluator for each
// set of tools.
var standardModels = shippedModels

var shippedModels = sync.OnceValue(func() *models {
	m, err := parseModels(fittedModel, fittedWording)
	if err != nil {
		panic(err) // the files are part of the program and covered by its tests
	}
	return m
})

// parseModels reads files of fitted models.
func parseModels(file, wording []byte) (*models, error) {
	phrases, err := parseWording(wording)
	if err != nil {
		return nil, err
	}
	f, err := forest.Decode(file, "clause", "turn", "sure", "insufficient", "blocked", "unread clause", "unread turn")
	if err != nil {
		return nil, err
	}
	return &models{
		wording: phrases, clause: f[0], turn: f[1], sure: f[2], insufficient: f[3], blocked: f[4],
		unreadClause: f[5], unreadTurn: f[6],
	}, nil
}
