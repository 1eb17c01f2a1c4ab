package completion

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// How a clause is put tells much of whether it is true, beside what became of the calls:
// "should be there by now" after nothing, "as requested" after a failure. It is read as signs,
// words and where its values stand, by themselves and in pairs of neighbours, each with a
// weight. Signs are hashed: what two of them share, the fit has to share as well.

// phraseWeights are how much each phrase says that a clause is false, in parts of phraseUnit of log odds.
type phraseWeights [phraseBuckets]int8

const (
	phraseBuckets = 1 << 16
	phraseUnit    = 32
	maxPhrased    = 48 // tokens of a clause, or of a sentence around it, that are read
)

// parseWording reads data/wording.bin: a byte for each weight.
func parseWording(file []byte) (*phraseWeights, error) {
	if len(file) != phraseBuckets {
		return nil, fmt.Errorf("%d bytes of weights of phrases, and not %d", len(file), phraseBuckets)
	}
	weights := new(phraseWeights)
	for i, b := range file {
		weights[i] = int8(b) // #nosec G115 -- as it was written
	}
	return weights, nil
}

// sum is what phrases say together.
func (w *phraseWeights) sum(phrases []uint16) float32 {
	sum := 0
	for _, phrase := range phrases {
		sum += int(w[phrase])
	}
	return float32(sum) / phraseUnit
}

// Signs that stand for what varies from text to text.
var (
	signStrange = lexicon.Hash("<strange>") // a word that is not listed
	signEdge    = lexicon.Hash("<edge>")    // the clause begins or ends
	signMark    = lexicon.Hash("<mark>")
	signFigure  = lexicon.Hash("<figure>")
)

// phrases are the phrases of a clause, none of one in a language without a word list.
func (c *conversation) phrases(to []uint16, a *assertion) []uint16 {
	if to = to[:0]; c.unread {
		return to
	}
	calls := lexicon.Pair(^uint64(0), c.outcomes())
	visit := func(sign uint64) {
		for _, hash := range [...]uint64{sign, lexicon.Pair(sign, calls)} {
			to = append(to, uint16((hash*0x9E3779B97F4A7C15)>>48))
		}
	}
	visit(lexicon.Pair(uint64(a.clause.Shape)<<8|uint64(a.clause.Actor), signEdge))
	best, next, before := a.bestRecord(), a.clause.FirstValue, signEdge
	for i := a.clause.From; i < min(a.clause.To, a.clause.From+maxPhrased); i++ {
		token := &c.text.Tokens[i]
		for next < a.clause.LastValue && c.text.Values[next].Start() < int(token.Start) {
			next++
		}
		place := uint64(0)
		for k := next; k < a.clause.LastValue && c.text.Values[k].Start() == int(token.Start); k++ {
			if v := &c.text.Values[k]; !v.Has(reading.Derived|reading.Merged) && (v.Kind != reading.Word || v.IsContent()) {
				place = c.placeSign(v, c.each(a, v, best), a.explained>>min(uint(k-a.clause.FirstValue), 63)&1 != 0)
			}
		}
		sign := wordSign(token)
		if sign == 0 {
			continue
		}
		visit(sign)
		visit(lexicon.Pair(before, sign))
		if place != 0 {
			visit(place)
			visit(lexicon.Pair(before, place))
			sign = place
		}
		before = sign
	}
	visit(lexicon.Pair(before, signEdge))
	return to
}

// wordSign is the sign of a token, 0 for one that is passed over.
func wordSign(token *lexicon.Token) uint64 {
	switch token.Kind {
	case lexicon.Word:
		if token.Entry == nil {
			return signStrange
		}
		return token.Hash
	case lexicon.Number, lexicon.Name:
		return signFigure
	case lexicon.Comma, lexicon.Break, lexicon.End:
		return signMark
	}
	return 0
}

// outcomes is what became of the calls.
func (c *conversation) outcomes() uint64 {
	n := is(c.sum.changed > 0) + 2*is(c.sum.read > 0) + 4*is(c.sum.failed+c.sum.pending > 0)
	return uint64(n)
}

// placeSign tells where a value stands: in the record that the clause is about, in another
// one by its fate, in somebody's words, in what tools are called, or nowhere.
func (c *conversation) placeSign(v *reading.Value, best *fact, explained bool) uint64 {
	places := [...]uint64{inChanged: 2, inRead: 3, inFailed: 4, inEarly: 5, userOnly: 6, nowhere: 0}
	place := places[c.standing(v)]
	switch {
	case best != nil && c.known.Holds(best.itself, v):
		place = 1
	case explained:
		place = 2
	case place == 0 && c.terms.In(c.terms.Row(v.Key), ofOffered):
		place = 7
	}
	return lexicon.Pair(uint64(numFates)+place, 1+uint64(v.Kind))
}

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

// standardModels are shared: a program that audits logs makes an evaluator for each set of tools.
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
