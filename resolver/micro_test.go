package resolver

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/agnivade/levenshtein"
)

func minTime(chunks, per int, f func(i int)) float64 {
	best := 1e18
	k := 0
	for range chunks {
		start := time.Now()
		for range per {
			f(k)
			k++
		}
		if d := float64(time.Since(start).Nanoseconds()) / float64(per); d < best {
			best = d
		}
	}
	return best
}

func TestMicro(t *testing.T) {
	var sink uint64
	for _, n := range []int{7, 100, 1000, 10000} {
		entries := corpus(rand.New(rand.NewPCG(3, uint64(n))), n)
		asked := references(t, entries)
		lowered := make([]string, n)
		for i, entry := range entries {
			lowered[i] = strings.ToLower(entry.Title)
		}
		m := min(n, 20)
		index := New(entries, nil)
		lev, one, idx := 1e18, 1e18, 1e18
		for range 40 {
			lev = min(lev, minTime(1, 20, func(i int) {
				for j := 0; j < m; j++ {
					sink += uint64(levenshtein.ComputeDistance(asked[i%256], lowered[(i+j*7)%n]))
				}
			})/float64(m))
			one = min(one, minTime(1, min(256, 20+20000/n), func(i int) { Resolve(asked[i%256], entries, nil) }))
			idx = min(idx, minTime(1, 256, func(i int) { index.Resolve(asked[i%256]) }))
		}
		fmt.Printf("%d: lev %.0f/title, oneshot %.0f (%.1f/title, %.0fx)  index %.0f (%.0fx)\n", n, lev, one, one/float64(n), lev*float64(n)/one, idx, lev*float64(n)/idx)
		if n == 1000 {
			var q query
			var p phrase
			fmt.Printf("prepare %.0f\n", minTime(100, 256, func(i int) { q.prepare(asked[i%256], &defaultRules) }))
			fmt.Printf("analyse %.0f\n", minTime(100, 256, func(i int) { p.analyse(entries[i%n].Title) }))
			fmt.Printf("fold %.0f\n", minTime(100, 256, func(i int) { p.folded, _ = foldASCII(p.folded, entries[i%n].Title) }))
			fmt.Printf("bag %.1f\n", minTime(100, 256, func(i int) { sink |= bagOfASCII(entries[i%n].Title) }))
			fmt.Printf("pairs %.1f\n", minTime(100, 256, func(i int) { sink |= pairsOf(entries[i%n].Title) }))
			q.prepare(asked[0], &defaultRules)
			fmt.Printf("grade %.0f\n", minTime(100, 256, func(i int) { q.grade(&p) }))
			fmt.Printf("typed %.1f\n", minTime(100, 256, func(i int) { q.filter.typed(uint64(i)*mixA, 1) }))
		}
	}
	_ = sink
}
