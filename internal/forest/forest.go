package forest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Node is one question of a tree, or an answer where Left is 0.
type Node struct {
	// Feature is what is asked for: below Cut the next node is Left, from it on the
	// one after that. Cut is the answer of a leaf.
	Feature int
	Cut     float32
	Left    int
}

// Forest is a sum of trees.
//
// All trees are walked down for the same number of steps, several at a time and
// without a jump: which way a tree goes is hard to predict, and to wait for one
// memory after another would cost more than all else. So a leaf leads to itself.
type Forest struct {
	features []string
	bias     float32
	// Of each step what it asks, and what a leaf answers. The next step is at
	// ways>>8, and one further from the cut of the feature ways&255 on.
	cuts    []float32
	ways    []uint32
	answers []float32
	roots   []uint32 // a multiple of abreast
	trees   int      // the rest of the roots is there to fill up
	depth   int
	// The same by ranks, if it was parsed and can be ranked.
	scale  *Scale
	ranked *Ranked
}

// abreast is how many trees are walked at a time; their answers are added by four.
const abreast = 8

const maxFeatures, maxSteps = 1 << 8, 1 << 24

// New makes a forest of trees. Bias is the log-odds without any of them.
func New(features []string, bias float32, trees [][]Node) (*Forest, error) {
	f := &Forest{features: features, bias: bias}
	for _, tree := range trees {
		if err := f.add(tree); err != nil {
			return nil, err
		}
	}
	f.fill()
	return f, nil
}

// add adds a tree. Its nodes must lead on: so no walk goes round in a circle.
func (f *Forest) add(tree []Node) error {
	if len(tree) == 0 {
		return fmt.Errorf("tree %d is empty", f.trees+1)
	}
	base := len(f.ways)
	if base+len(tree) >= maxSteps {
		return fmt.Errorf("tree %d is too many: the trees have more than %d nodes", f.trees+1, maxSteps)
	}
	depths := make([]int, len(tree))
	for i, n := range tree {
		switch {
		case n.Left == 0:
			f.leaf(n.Cut)
			f.depth = max(f.depth, depths[i])
			continue
		case n.Feature < 0 || n.Feature >= min(len(f.features), maxFeatures):
			return fmt.Errorf("tree %d asks for feature %d; there are %d, of at most %d",
				f.trees+1, n.Feature, len(f.features), maxFeatures)
		case n.Left <= i || n.Left+1 >= len(tree):
			return fmt.Errorf("tree %d leads from node %d to %d; it must be a later one of its %d",
				f.trees+1, i, n.Left, len(tree))
		}
		f.cuts, f.answers = append(f.cuts, n.Cut), append(f.answers, 0)
		f.ways = append(f.ways, uint32(base+n.Left)<<8|uint32(n.Feature))
		depths[n.Left], depths[n.Left+1] = depths[i]+1, depths[i]+1
	}
	f.roots = append(f.roots, uint32(base))
	f.trees++
	return nil
}

// leaf adds a step that leads to itself.
func (f *Forest) leaf(answer float32) {
	f.ways = append(f.ways, uint32(len(f.ways))<<8)
	f.cuts, f.answers = append(f.cuts, float32(math.Inf(1))), append(f.answers, answer)
}

// fill adds a tree that answers nothing, the last step, as often as it takes to
// walk all abreast.
func (f *Forest) fill() {
	f.leaf(0)
	f.pad()
}

func (f *Forest) pad() {
	f.roots = f.roots[:f.trees:f.trees]
	for len(f.roots)%abreast != 0 {
		f.roots = append(f.roots, uint32(len(f.ways)-1))
	}
}

// Split cuts a forest in two whose scores sum to its own: one of so many trees, or
// a few less, and the rest. Where the first say enough, the rest need not be walked.
func (f *Forest) Split(trees int) (first, rest *Forest) {
	at := f.trees
	if trees < at {
		at = trees / 4 * 4
	}
	head, tail := *f, *f
	head.trees, head.ranked, tail.ranked = at, nil, nil
	tail.roots, tail.trees, tail.bias = f.roots[at:], f.trees-at, 0
	head.pad()
	tail.pad()
	return &head, &tail
}

// Features are the names of what the trees ask for, in their order.
func (f *Forest) Features() []string { return f.features }

// Score is the log-odds for the features of a case.
func (f *Forest) Score(features []float32) float32 {
	if f.ranked != nil {
		return f.ranked.Score(f.scale.Rank(features, &Ranks{}))
	}
	var x [maxFeatures]float32
	copy(x[:], features[:len(f.features)])
	sum, ways := f.bias, f.ways
	cuts, answers := f.cuts[:len(ways)], f.answers[:len(ways)]
	for k := 0; k+abreast <= len(f.roots); k += abreast {
		at := f.roots[k : k+abreast : k+abreast]
		a, b, c, d, e, g, h, i := at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7]
		for range f.depth {
			a = next(ways[a], cuts[a], &x)
			b = next(ways[b], cuts[b], &x)
			c = next(ways[c], cuts[c], &x)
			d = next(ways[d], cuts[d], &x)
			e = next(ways[e], cuts[e], &x)
			g = next(ways[g], cuts[g], &x)
			h = next(ways[h], cuts[h], &x)
			i = next(ways[i], cuts[i], &x)
		}
		sum += answers[a] + answers[b] + answers[c] + answers[d]
		sum += answers[e] + answers[g] + answers[h] + answers[i]
	}
	return sum
}

// next is the step after one. It compiles to no jump.
func next(way uint32, cut float32, x *[maxFeatures]float32) uint32 {
	above := uint32(0)
	if x[uint8(way)] >= cut {
		above = 1
	}
	return way>>8 + above
}

// Probability is the same as a probability.
func (f *Forest) Probability(x []float32) float64 { return Probability(f.Score(x)) }

// Probability maps a log-odds to a probability.
func Probability(score float32) float64 { return 1 / (1 + math.Exp(-float64(score))) }

// Parse reads the forests of a file, in the order of the names:
//
//	# a comment
//	forest NAME
//	features FIRST|SECOND|…
//	bias NUMBER
//	tree FEATURE:CUT:LEFT … =ANSWER …
func Parse(text string, names ...string) ([]*Forest, error) {
	all, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("the fitted models: %w", err)
	}
	forests := make([]*Forest, len(names))
	for i, name := range names {
		if forests[i] = all[name]; forests[i] == nil {
			return nil, fmt.Errorf("the fitted models lack the forest %q", name)
		}
	}
	return forests, nil
}

func parse(text string) (map[string]*Forest, error) {
	forests := map[string]*Forest{}
	var f *Forest
	for number, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		key, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case key == "forest" && forests[rest] == nil:
			f = &Forest{}
			forests[rest] = f
		case f == nil:
			err = fmt.Errorf("%q stands before the first forest", key)
		case key == "features":
			f.features = strings.Split(rest, "|")
		case key == "bias":
			f.bias, err = parseNumber(rest)
		case key == "tree":
			err = f.parseTree(rest)
		default:
			err = fmt.Errorf("%q is neither forest, features, bias nor tree, or is there twice", key)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
	}
	for _, f := range forests {
		f.fill()
		if scale, ranked, err := Rank(f); err == nil {
			f.scale, f.ranked = scale, ranked[0]
		}
	}
	return forests, nil
}

// parseTree reads a tree: nodes apart by spaces, "feature:cut:left" or "=answer".
func (f *Forest) parseTree(text string) error {
	var tree []Node
	for field := range strings.FieldsSeq(text) {
		n, err := parseNode(field)
		if err != nil {
			return err
		}
		tree = append(tree, n)
	}
	return f.add(tree)
}

func parseNode(field string) (n Node, err error) {
	if answer, found := strings.CutPrefix(field, "="); found {
		n.Cut, err = parseNumber(answer)
		return n, err
	}
	feature, rest, _ := strings.Cut(field, ":")
	cut, left, found := strings.Cut(rest, ":")
	if !found {
		return n, fmt.Errorf("%q is not of the kind FEATURE:CUT:LEFT", field)
	}
	if n.Feature, err = strconv.Atoi(feature); err != nil {
		return n, fmt.Errorf("%q is no number of a feature", feature)
	}
	if n.Cut, err = parseNumber(cut); err != nil {
		return n, err
	}
	if n.Left, err = strconv.Atoi(left); err != nil || n.Left == 0 {
		return n, fmt.Errorf("%q is no number of a node", left)
	}
	return n, nil
}

func parseNumber(text string) (float32, error) {
	number, err := strconv.ParseFloat(text, 32)
	if err != nil || math.IsNaN(number) {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return float32(number), nil
}

// Write appends the forest in the form that [Parse] reads.
func (f *Forest) Write(out *strings.Builder, name string) {
	fmt.Fprintf(out, "forest %s\nfeatures %s\nbias %s\n", name, strings.Join(f.features, "|"), decimal(f.bias))
	for _, root := range f.roots[:f.trees] {
		out.WriteString("tree")
		for i := root; i < f.end(root); i++ {
			if left := f.ways[i] >> 8; left != i {
				fmt.Fprintf(out, " %d:%s:%d", uint8(f.ways[i]), decimal(f.cuts[i]), left-root)
			} else {
				out.WriteString(" =" + strconv.FormatFloat(float64(f.answers[i]), 'g', 4, 32))
			}
		}
		out.WriteString("\n")
	}
}

// end is where the tree of a root ends: after the last node that any of its nodes
// leads to.
func (f *Forest) end(root uint32) uint32 {
	end := root + 1
	for i := root; i < end; i++ {
		if left := f.ways[i] >> 8; left != i {
			end = max(end, left+2)
		}
	}
	return end
}

func decimal(number float32) string { return strconv.FormatFloat(float64(number), 'g', -1, 32) }
