package requestfit

import (
	"math"
	"sync"

	"github.com/bonafide-go/bonafide/internal/evaluation/growth"
	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/forest"
)

// sample is a case to fit to.
type sample struct {
	x      []float32
	y      float64
	weight float64
	group  int // samples of one clause stand together
}

// trees is how a forest is fitted.
type trees struct {
	growth.Options
	compete bool // the tools of a clause compete with one another, and with none
}

var (
	rankTrees = trees{treesOf(160, 0.12, 1), true}
	sureTrees = trees{treesOf(160, 0.1, 2), false}
	dueTrees  = trees{treesOf(110, 0.1, 3), false}
)

func treesOf(n int, rate float64, seed uint64) growth.Options {
	return growth.Options{
		Trees: n, Depth: 6, Rate: rate, Smooth: 8, Least: 12, Columns: 0.5, Rows: 0.7, Seed: seed,
	}
}

// grow fits a forest.
func (f *Fitting) grow(how trees, samples []sample) *forest.Forest {
	table := make([][]float32, len(samples))
	labels, weights, groups := make([]float64, len(samples)), make([]float64, len(samples)), make([]int, len(samples))
	start := make([]float64, len(samples))
	for i, s := range samples {
		table[i], labels[i], weights[i], groups[i] = s.x, s.y, s.weight, s.group
		start[i] = float64(fitting.Intent.NearShare * s.x[f.near])
	}
	if how.compete {
		how.Groups, how.Bias, how.Start = groups, -1.5, start
	}
	return how.Grow(f.names, growth.NewTable(table, 64), labels, weights)
}

// growLeftOut fits to all folds but one, and applies what it learned to that one.
func (f *Fitting) growLeftOut(
	how trees, samples func(*Message, []sample) []sample, apply func(*Message, *forest.Forest),
) (forests [folds]*forest.Forest) {
	var wait sync.WaitGroup
	for fold := range folds {
		wait.Go(func() {
			var used []sample
			for _, m := range f.all {
				if m.fold(folds) != fold && !m.Held {
					used = samples(m, used)
				}
			}
			forests[fold] = f.grow(how, used)
		})
	}
	wait.Wait()
	for _, m := range f.all {
		apply(m, forests[m.fold(folds)])
	}
	return forests
}

// rankSamples are the tools of each clause, which compete.
func (f *Fitting) rankSamples(m *Message, dst []sample) []sample {
	group := 0
	if len(dst) > 0 {
		group = dst[len(dst)-1].group + 1
	}
	for view := int32(-1); view < 70; view++ {
		for i, tool := range m.read.Tools {
			if name := m.Tools[tool].Name; m.read.Views[i] == view && !m.Maybe[name] {
				label, weight := float64(is(m.Wanted[name])), float64(m.weight)
				dst = append(dst, sample{x: m.read.Evidence[i], y: label, weight: weight, group: group})
			}
		}
		group++
	}
	return dst
}

// rank scores the tools, and notes how they stand to one another.
func (f *Fitting) rank(m *Message, ranks *forest.Forest) {
	scores := make([]float32, len(m.read.Tools))
	for i, x := range m.read.Evidence {
		scores[i] = ranks.Score(x) + fitting.Intent.NearShare*x[f.near]
	}
	m.ranked = m.ranked[:0]
	for i, score := range scores {
		sum, best, place := 1.0, float32(-8), 0
		for k, other := range scores {
			if m.read.Views[k] != m.read.Views[i] {
				continue
			}
			sum += math.Exp(float64(other))
			if k != i {
				best = max(best, other)
				place += int(is(other > score || other == score && k < i))
			}
		}
		y := append([]float32{}, m.read.Evidence[i]...)
		y[f.score], y[f.share] = score, float32(math.Exp(float64(score))/sum)
		y[f.ahead], y[f.place] = score-best, float32(place)
		m.ranked = append(m.ranked, y)
	}
}

func (f *Fitting) sureSamples(m *Message, dst []sample) []sample {
	for i, tool := range m.read.Tools {
		name := m.Tools[tool].Name
		if m.Maybe[name] || m.ranked[i][f.place] >= float32(fitting.Intent.MaxJudged) {
			continue
		}
		dst = append(dst, sample{x: m.ranked[i], y: float64(is(m.Wanted[name])), weight: float64(m.weight)})
	}
	return dst
}

// sureOf judges the tools. What is due is judged by the one that stands first.
func (f *Fitting) sureOf(m *Message, sures *forest.Forest) {
	best := -1
	for i := range m.ranked {
		if best < 0 || m.ranked[i][f.score] > m.ranked[best][f.score] {
			best = i
		}
	}
	if m.top = m.read.Message; best >= 0 {
		m.top = append([]float32{}, m.ranked[best]...)
		m.top[f.sure] = float32(sures.Probability(m.ranked[best]))
	}
}

func (f *Fitting) dueSamples(m *Message, dst []sample) []sample {
	if m.isArguable() || m.read.Foreign {
		return dst
	}
	weight := m.weight * m.dueWeight
	if share, ok := dueShares[m.Set]; ok {
		weight *= share
	}
	return append(dst, sample{x: m.top, y: float64(is(m.isDue())), weight: float64(weight)})
}
