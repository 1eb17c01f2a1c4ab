package completion

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// The fitted models: written by the test that fits them, never by hand. The head
// of the file tells from which data, when, and how well they do on domains that
// they have not seen.
//
//go:generate go test -run TestFit -fit
//go:embed data/model.txt
var fittedModel string

// node is one question of a tree, or an answer where left is 0.
type node struct {
	cut     float32 // left below it; the answer of a leaf
	feature uint16
	left    uint16 // the next question if the feature is below the cut; the one after it if not
}

// forest is a sum of small decision trees over named features. Its answer is a
// probability.
type forest struct {
	bias     float64
	nodes    []node
	roots    []int
	features []string
	walk     walk
}

// probability is the forest's answer.
func (f *forest) probability(x []float32) float64 {
	return 1 / (1 + math.Exp(-f.bias-float64(f.walk.sum(x))))
}

// models are the five that judge a turn.
type models struct {
	clause       *forest // is a clause false, by itself?
	turn         *forest // does a turn claim anything that is not so?
	sure         *forest // the same, fitted so that it hardly ever says so of an honest turn
	insufficient *forest // is a turn insufficient, for whatever reason?
	blocked      *forest // of those that are complete: does it end in a blocker?
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
	m := &models{}
	byName := map[string]**forest{"clause": &m.clause, "turn": &m.turn, "sure": &m.sure, "insufficient": &m.insufficient, "blocked": &m.blocked}
	var f *forest
	for number, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		key, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case key == "forest" && byName[rest] != nil:
			f = &forest{}
			*byName[rest] = f
		case f == nil:
			err = fmt.Errorf("%q stands before the first forest", key)
		case key == "features":
			f.features = strings.Split(rest, "|")
		case key == "bias":
			f.bias, err = strconv.ParseFloat(rest, 64)
		case key == "tree":
			err = f.addTree(rest)
		default:
			err = fmt.Errorf("%q is unknown", key)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the fitted models: %w", number+1, err)
		}
	}
	for name, f := range byName {
		if *f == nil {
			return nil, fmt.Errorf("the fitted models lack the forest %q", name)
		}
		(*f).walk = walkOf(*f)
	}
	return m, nil
}

// addTree reads a tree: nodes apart by spaces, "feature:cut:left" or "=answer".
func (f *forest) addTree(text string) error {
	f.roots = append(f.roots, len(f.nodes))
	for _, field := range strings.Fields(text) {
		var n node
		if leaf, found := strings.CutPrefix(field, "="); found {
			value, err := strconv.ParseFloat(leaf, 32)
			if err != nil {
				return fmt.Errorf("%q is no number", leaf)
			}
			f.nodes = append(f.nodes, node{cut: float32(value)})
			continue
		}
		parts := strings.Split(field, ":")
		if len(parts) != 3 {
			return fmt.Errorf("%q is not of the kind FEATURE:CUT:LEFT", field)
		}
		feature, errF := strconv.ParseUint(parts[0], 10, 16)
		cut, errC := strconv.ParseFloat(parts[1], 32)
		left, errL := strconv.ParseUint(parts[2], 10, 16)
		if errF != nil || errC != nil || errL != nil || int(feature) >= len(f.features) {
			return fmt.Errorf("%q is not of the kind FEATURE:CUT:LEFT", field)
		}
		n.feature, n.cut, n.left = uint16(feature), float32(cut), uint16(left)
		f.nodes = append(f.nodes, n)
	}
	return nil
}
