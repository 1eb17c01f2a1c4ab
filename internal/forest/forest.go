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
	steps    []step
	answers  []float32 // by step
	roots    []uint32  // a multiple of abreast
	trees    int       // the rest of the roots is there to fill up
	depth    int
}

// step is a question; the next is at left, and one further from the cut on.
type step struct {
	cut     float32
	feature uint32
	left    uint32
}

// abreast is how many trees are walked at a time.
const abreast = 4

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
	base := uint32(len(f.steps))
	depths := make([]int, len(tree))
	for i, n := range tree {
		switch {
		case n.Left == 0:
			f.steps = append(f.steps, step{cut: float32(math.Inf(1)), left: base + uint32(i)})
			f.answers = append(f.answers, n.Cut)
			f.depth = max(f.depth, depths[i])
			continue
		case n.Feature < 0 || n.Feature >= len(f.features):
			return fmt.Errorf("tree %d asks for feature %d; there are %d", f.trees+1, n.Feature, len(f.features))
		case n.Left <= i || n.Left+1 >= len(tree):
			return fmt.Errorf("tree %d leads from node %d to %d; it must be a later one of its %d",
				f.trees+1, i, n.Left, len(tree))
		}
		f.steps = append(f.steps, step{cut: n.Cut, feature: uint32(n.Feature), left: base + uint32(n.Left)})
		f.answers = append(f.answers, 0)
		depths[n.Left], depths[n.Left+1] = depths[i]+1, depths[i]+1
	}
	f.roots = append(f.roots, base)
	f.trees++
	return nil
}

// fill adds trees that answer nothing, so that all can be walked abreast.
func (f *Forest) fill() {
	for len(f.roots)%abreast != 0 {
		at := uint32(len(f.steps))
		f.steps = append(f.steps, step{cut: float32(math.Inf(1)), left: at})
		f.answers = append(f.answers, 0)
		f.roots = append(f.roots, at)
	}
}

// Split cuts a forest in two whose scores sum to its own: one of so many trees, or
// a few less, and the rest. Where the first say enough, the rest need not be walked.
func (f *Forest) Split(trees int) (first, rest *Forest) {
	at := min(trees, len(f.roots)) / abreast * abreast
	head, tail := *f, *f
	head.roots, head.trees = f.roots[:at], min(at, f.trees)
	tail.roots, tail.trees, tail.bias = f.roots[at:], max(f.trees-at, 0), 0
	return &head, &tail
}

// Features are the names of what the trees ask for, in their order.
func (f *Forest) Features() []string { return f.features }

// Score is the log-odds for the features of a case.
func (f *Forest) Score(x []float32) float32 {
	if len(f.features) == 0 {
		return f.bias
	}
	x = x[:len(f.features)]
	sum, steps := f.bias, f.steps
	for k := 0; k+abreast <= len(f.roots); k += abreast {
		a, b, c, d := f.roots[k], f.roots[k+1], f.roots[k+2], f.roots[k+3]
		for range f.depth {
			p, q, r, s := &steps[a], &steps[b], &steps[c], &steps[d]
			a = p.left + above(x[p.feature], p.cut)
			b = q.left + above(x[q.feature], q.cut)
			c = r.left + above(x[r.feature], r.cut)
			d = s.left + above(x[s.feature], s.cut)
		}
		sum += f.answers[a] + f.answers[b] + f.answers[c] + f.answers[d]
	}
	return sum
}

// above is 1 from the cut on. It compiles to no jump.
func above(x, cut float32) uint32 {
	n := uint32(0)
	if x >= cut {
		n = 1
	}
	return n
}

// Probability is the same as a probability.
func (f *Forest) Probability(x []float32) float64 { return Probability(f.Score(x)) }

// Probability maps a log-odds to a probability.
func Probability(score float32) float64 { return 1 / (1 + math.Exp(-float64(score))) }

// Parse reads a file of forests:
//
//	# a comment
//	forest NAME
//	features FIRST|SECOND|…
//	bias NUMBER
//	tree FEATURE:CUT:LEFT … =ANSWER …
func Parse(text string) (map[string]*Forest, error) {
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
			if s := f.steps[i]; s.left != i {
				fmt.Fprintf(out, " %d:%s:%d", s.feature, decimal(s.cut), s.left-root)
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
		if left := f.steps[i].left; left != i {
			end = max(end, left+2)
		}
	}
	return end
}

func decimal(number float32) string { return strconv.FormatFloat(float64(number), 'g', -1, 32) }
