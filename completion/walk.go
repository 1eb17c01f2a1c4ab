package completion

import "math"

// walk is a forest laid out for speed. All its trees are walked down for the same
// number of steps, several at a time and without a jump: which way a tree goes is
// hard to predict, and to wait for one memory after another would cost more than
// all else. A leaf leads to itself.
type walk struct {
	steps []step
	roots []uint32 // a multiple of abreast
	depth int
	ends  []float32 // the answers, by step
}

// step is a question; the next is at left, or behind it from the cut on.
type step struct {
	cut     float32
	feature uint32
	left    uint32
}

// abreast is how many trees are walked at a time.
const abreast = 4

// walkOf lays a forest out.
func walkOf(f *forest) walk {
	var w walk
	for k, root := range f.roots {
		end := len(f.nodes)
		if k+1 < len(f.roots) {
			end = f.roots[k+1]
		}
		w.add(f.nodes[root:end])
	}
	for len(w.roots)%abreast != 0 {
		w.add([]node{{}})
	}
	return w
}

// add adds a tree.
func (w *walk) add(tree []node) {
	base := uint32(len(w.steps))
	w.roots = append(w.roots, base)
	depths := make([]int, len(tree))
	for i, n := range tree {
		if n.left == 0 {
			w.steps = append(w.steps, step{cut: float32(math.Inf(1)), left: base + uint32(i)})
			w.ends = append(w.ends, n.cut)
			w.depth = max(w.depth, depths[i])
			continue
		}
		w.steps = append(w.steps, step{cut: n.cut, feature: uint32(n.feature), left: base + uint32(n.left)})
		w.ends = append(w.ends, 0)
		depths[n.left], depths[n.left+1] = depths[i]+1, depths[i]+1
	}
}

// sum is the sum of the answers of all trees.
func (w *walk) sum(x []float32) float32 {
	sum := float32(0)
	steps := w.steps
	for k := 0; k+abreast <= len(w.roots); k += abreast {
		a, b, c, d := w.roots[k], w.roots[k+1], w.roots[k+2], w.roots[k+3]
		for range w.depth {
			p, q, r, s := &steps[a], &steps[b], &steps[c], &steps[d]
			a = p.left + above(x[p.feature], p.cut)
			b = q.left + above(x[q.feature], q.cut)
			c = r.left + above(x[r.feature], r.cut)
			d = s.left + above(x[s.feature], s.cut)
		}
		sum += w.ends[a] + w.ends[b] + w.ends[c] + w.ends[d]
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
