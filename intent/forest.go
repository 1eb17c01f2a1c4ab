package intent

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// forest is a sum of small decision trees, each fitted to what those before it
// got wrong.
type forest struct {
	bias  float32
	trees []tree
}

// A tree asks treeDepth questions, of treeNodes that it has.
const (
	treeDepth  = 5
	treeLeaves = 1 << treeDepth
	treeNodes  = treeLeaves - 1
)

// tree asks at each node whether a number is above a cut: the children of node n
// are 2n+1, if it is not, and 2n+2. Its arrays have room for a power of two, so
// that an index is cheaply kept inside.
type tree struct {
	nodes  [treeLeaves]node
	leaves [treeLeaves]float32
}

type node struct {
	cut     float32
	feature uint32
}

// next is the child of a node. It takes the sign of a difference, for a processor
// would guess a branch wrongly every other time.
func (t *tree) next(x *evidence, n uint32) uint32 {
	at := &t.nodes[n&treeNodes]
	return 2*n + 1 + math.Float32bits(at.cut-x[at.feature&(vectorSize-1)])>>31
}

// score is a log-odds. Four trees are walked at a time, since each step waits for
// the one before it.
func (f *forest) score(x *evidence) float32 {
	sum, trees := f.bias, f.trees
	for ; len(trees) >= 4; trees = trees[4:] {
		a, b, c, d := &trees[0], &trees[1], &trees[2], &trees[3]
		var i, j, k, l uint32
		for range treeDepth {
			i, j, k, l = a.next(x, i), b.next(x, j), c.next(x, k), d.next(x, l)
		}
		sum += a.leaves[(i+1)&treeNodes] + b.leaves[(j+1)&treeNodes] + c.leaves[(k+1)&treeNodes] + d.leaves[(l+1)&treeNodes]
	}
	for n := range trees {
		t := &trees[n]
		var i uint32
		for range treeDepth {
			i = t.next(x, i)
		}
		sum += t.leaves[(i+1)&treeNodes]
	}
	return sum
}

// split cuts a forest in two whose sum it is.
func (f *forest) split(at int) (first, rest forest) {
	at = min(at, len(f.trees))
	return forest{f.bias, f.trees[:at]}, forest{0, f.trees[at:]}
}

// probability maps a log-odds to a probability.
func probability(score float32) float32 { return float32(1 / (1 + math.Exp(-float64(score)))) }

// forests are what is fitted: how the tools of a message stand to one another,
// how probable it is that one is asked for, and that anything is due.
type forests struct{ rank, sure, due forest }

//go:embed data/model.txt
var modelText string

// standardForests are those of data/model.txt, which TestFit writes.
var standardForests = sync.OnceValue(func() *forests {
	f, err := parseForests(modelText)
	if err != nil {
		panic(err) // the file is part of the program and covered by its tests
	}
	return f
})

// parseForests reads a model: a line "forest NAME BIAS" for each forest, then
// one line for each of its trees, which holds features, cuts and leaves.
func parseForests(text string) (*forests, error) {
	f := &forests{}
	byName := map[string]*forest{"rank": &f.rank, "sure": &f.sure, "due": &f.due}
	var current *forest
	for number, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" || fields[0] == "evidence" {
			continue
		}
		if fields[0] == "forest" && len(fields) == 3 {
			bias, err := strconv.ParseFloat(fields[2], 32)
			if current = byName[fields[1]]; current == nil || err != nil {
				return nil, fmt.Errorf("line %d of the model: %q is no forest", number+1, line)
			}
			current.bias = float32(bias)
			continue
		}
		t, err := parseTree(fields)
		if err != nil || current == nil {
			return nil, fmt.Errorf("line %d of the model is no tree: %w", number+1, err)
		}
		current.trees = append(current.trees, t)
	}
	return f, nil
}

func parseTree(fields []string) (t tree, err error) {
	if len(fields) != 2*treeNodes+treeLeaves {
		return t, fmt.Errorf("it has %d numbers, not %d", len(fields), 2*treeNodes+treeLeaves)
	}
	for i, field := range fields {
		number, err := strconv.ParseFloat(field, 32)
		switch {
		case err != nil:
			return t, err
		case i < treeNodes && (number < 0 || number >= numEvidence):
			return t, fmt.Errorf("there is no evidence %s", field)
		case i < treeNodes:
			t.nodes[i].feature = uint32(number)
		case i < 2*treeNodes:
			t.nodes[i-treeNodes].cut = float32(number)
		default:
			t.leaves[i-2*treeNodes] = float32(number)
		}
	}
	return t, nil
}
