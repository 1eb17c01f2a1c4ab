package intent

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// booster fits small trees one after another, each to what those before it get
// wrong (gradient boosting, logistic loss). Features are cut into at most 64
// bins.
type booster struct {
	trees   int
	rate    float64
	smooth  float64 // added to the curvature of a leaf
	least   float64 // the least curvature of a leaf
	share   float64 // of the features and the samples that a tree sees; 0 is all
	compete bool    // the samples of a group compete with one another, and with none
}

// grown is a complete binary tree in an array: node i has children 2i+1, 2i+2.
type grown struct {
	feature []int16
	cut     []float32
	value   []float32
}

// plant adds a tree to a forest.
func (f *forest) plant(g grown) {
	var t tree
	for i, feature := range g.feature {
		t.nodes[i] = node{g.cut[i], uint32(feature)}
	}
	copy(t.leaves[:], g.value)
	f.trees = append(f.trees, t)
}

type sample struct {
	x      *evidence
	y      float32
	weight float32
	group  int // samples of one message stand together
}

// cuts are the places between the values of a feature.
func cuts(samples []sample, k int) []float32 {
	values := make([]float32, 0, len(samples))
	for i := range samples {
		values = append(values, samples[i].x[k])
	}
	slices.Sort(values)
	var unique []float32
	for i, v := range values {
		if i == 0 || v != values[i-1] {
			unique = append(unique, v)
		}
	}
	var c []float32
	if len(unique) <= 64 {
		for i := 1; i < len(unique); i++ {
			c = append(c, (unique[i]+unique[i-1])/2)
		}
		return c
	}
	for b := 1; b < 64; b++ {
		v := values[b*len(values)/64]
		if len(c) == 0 || v > c[len(c)-1] {
			c = append(c, v)
		}
	}
	return c
}

// fit fits a forest. The order of the samples does not matter.
func (b booster) fit(samples []sample) *forest {
	width := numEvidence
	bins := make([][]float32, width)
	binned := make([][]uint8, width)
	var work sync.WaitGroup
	for k := range width {
		work.Go(func() {
			bins[k] = cuts(samples, k)
			binned[k] = make([]uint8, len(samples))
			for i := range samples {
				n, _ := slices.BinarySearchFunc(bins[k], samples[i].x[k], func(c, v float32) int {
					if c < v {
						return -1
					}
					return 1
				})
				binned[k][i] = uint8(n)
			}
		})
	}
	work.Wait()
	positive, all := 0.0, 0.0
	for i := range samples {
		positive += float64(samples[i].weight * samples[i].y)
		all += float64(samples[i].weight)
	}
	f := &forest{bias: float32(math.Log(positive / (all - positive)))}
	if b.compete {
		f.bias = -1.5
	}
	scores := make([]float64, len(samples))
	for i := range scores {
		scores[i] = float64(f.score(samples[i].x))
	}
	slope, curve, node := make([]float64, len(samples)), make([]float64, len(samples)), make([]int32, len(samples))
	random := rand.New(rand.NewPCG(7, uint64(len(samples))))
	for range b.trees {
		for i := 0; i < len(samples); {
			to := b.group(samples, i)
			sum, wanted := 1.0, 0.0
			for k := i; k < to; k++ {
				sum += math.Exp(scores[k])
				wanted += float64(samples[k].y)
			}
			seen := b.share == 0 || random.Float64() < b.share+0.2
			for k := i; k < to; k++ {
				p := math.Exp(scores[k]) / sum
				w := float64(samples[k].weight)
				slope[k], curve[k], node[k] = w*(p-float64(samples[k].y)/max(wanted, 1)), w*p*(1-p), 0
			}
			if !seen {
				clear(slope[i:to])
				clear(curve[i:to])
			}
			i = to
		}
		open := make([]bool, width)
		for k := range open {
			open[k] = b.share == 0 || random.Float64() < b.share
		}
		t := b.grow(bins, binned, slope, curve, node, open)
		inner := len(t.feature)
		for i := range samples {
			scores[i] += float64(t.value[int(node[i])-inner])
		}
		f.plant(t)
	}
	return f
}

type split struct {
	feature int
	bin     int
	gain    float64
}

func (b booster) grow(bins [][]float32, binned [][]uint8, slope, curve []float64, node []int32, open []bool) grown {
	inner := 1<<treeDepth - 1
	t := grown{feature: make([]int16, inner), cut: make([]float32, inner), value: make([]float32, inner+1)}
	binOf := make([]int, inner) // of the cuts
	for level := range treeDepth {
		first, count := 1<<level-1, 1<<level
		best := make([][]split, len(bins))
		var work sync.WaitGroup
		for k := range bins {
			if best[k] = make([]split, count); !open[k] {
				continue
			}
			work.Go(func() {
				g, h := make([]float64, count*64), make([]float64, count*64)
				for i, n := range node {
					at := (int(n)-first)*64 + int(binned[k][i])
					g[at] += slope[i]
					h[at] += curve[i]
				}
				for n := range count {
					best[k][n] = b.best(g[n*64:n*64+64], h[n*64:n*64+64], len(bins[k]))
					best[k][n].feature = k
				}
			})
		}
		work.Wait()
		for n := range count {
			s := split{feature: 0, bin: -1}
			for k := range bins {
				if best[k][n].gain > s.gain+1e-9 {
					s = best[k][n]
				}
			}
			at := first + n
			if s.bin < 0 { // all to the left
				t.feature[at], t.cut[at], binOf[at] = 0, 1e9, 255
			} else {
				gains[s.feature] += s.gain
				t.feature[at], t.cut[at], binOf[at] = int16(s.feature), bins[s.feature][s.bin], s.bin
			}
		}
		for i, n := range node {
			k := t.feature[n]
			if int(binned[k][i]) > binOf[n] {
				node[i] = 2*n + 2
			} else {
				node[i] = 2*n + 1
			}
		}
	}
	g, h := make([]float64, inner+1), make([]float64, inner+1)
	for i, n := range node {
		g[int(n)-inner] += slope[i]
		h[int(n)-inner] += curve[i]
	}
	for n := range g {
		t.value[n] = float32(-b.rate * g[n] / (h[n] + b.smooth))
	}
	return t
}

func (b booster) best(g, h []float64, cuts int) split {
	total, weight := 0.0, 0.0
	for i := range g {
		total += g[i]
		weight += h[i]
	}
	s := split{bin: -1, gain: 1e-6}
	left, lw := 0.0, 0.0
	whole := total * total / (weight + b.smooth)
	for i := range cuts {
		left += g[i]
		lw += h[i]
		if lw < b.least || weight-lw < b.least {
			continue
		}
		right := total - left
		if gain := left*left/(lw+b.smooth) + right*right/(weight-lw+b.smooth) - whole; gain > s.gain {
			s.gain, s.bin = gain, i
		}
	}
	return s
}

// gains is how much each feature has helped, for the report.
var gains [vectorSize]float64

// group is where the group that begins at i ends.
func (b booster) group(samples []sample, i int) int {
	end := i + 1
	for b.compete && end < len(samples) && samples[end].group == samples[i].group {
		end++
	}
	return end
}
