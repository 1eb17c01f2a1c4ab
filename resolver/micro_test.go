package resolver

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agnivade/levenshtein"
)

func chunk(per int, f func(i int), k *int) float64 {
	start := time.Now()
	for range per {
		f(*k)
		*k++
	}
	return float64(time.Since(start).Nanoseconds()) / float64(per)
}

func TestMicro(t *testing.T) {
	if os.Getenv("MICRO") == "" {
		t.Skip()
	}
	var sink uint64
	for _, n := range []int{7, 100, 1000, 10000} {
		entries := corpus(rand.New(rand.NewPCG(3, uint64(n))), n)
		asked := references(t, entries)
		lowered := make([]string, n)
		for i, entry := range entries {
			lowered[i] = strings.ToLower(entry.Title)
		}
		index := New(entries, nil)
		type row struct {
			name string
			per  int
			div  float64
			f    func(int)
			best float64
			k    int
		}
		m := min(n, 100)
		rows := []*row{
			{name: "lev", per: max(1, 128/m), div: float64(m), f: func(i int) {
				for j := 0; j < m; j++ {
					sink += uint64(levenshtein.ComputeDistance(asked[i%256], lowered[(i+j*7)%n]))
				}
			}},
			{name: "oneshot", per: max(1, 256/n), div: 1, f: func(i int) { Resolve(asked[i%256], entries, nil) }},
			{name: "index", per: 128, div: 1, f: func(i int) { index.Resolve(asked[i%256]) }},
			{name: "prepare", per: 256, div: 1, f: func(i int) { var q = &microQ; q.prepare(asked[i%256], &defaultRules) }},
			{name: "analyse", per: 256, div: 1, f: func(i int) { microP.analyse(entries[i%n].Title) }},
			{name: "bag", per: 256, div: 1, f: func(i int) { sink |= bagOfASCII(entries[i%n].Title) }},
		}
		for _, r := range rows {
			r.best = 1e18
		}
		// The mean over all references of the best time of each, since they differ.
		bests := map[string][]float64{}
		for range 60 {
			for _, r := range rows {
				if r.name == "oneshot" || r.name == "lev" && n > 7 {
					b := bests[r.name]
					if b == nil {
						b = make([]float64, 32)
						for i := range b {
							b[i] = 1e18
						}
						bests[r.name] = b
					}
					for c := range b {
						if n >= 1000 && c >= 8 {
							break
						}
						k := c * 8
						b[c] = min(b[c], chunk(max(1, min(8, 2000/n)), r.f, &k)/r.div)
					}
					continue
				}
				r.best = min(r.best, chunk(r.per, r.f, &r.k)/r.div)
			}
		}
		mean := func(name string, best float64) float64 {
			b := bests[name]
			if b == nil {
				return best
			}
			s, c := 0.0, 0
			for _, v := range b {
				if v < 1e17 {
					s += v
					c++
				}
			}
			return s / float64(c)
		}
		lev, one, idx := mean("lev", rows[0].best), mean("oneshot", rows[1].best), mean("index", rows[2].best)
		fmt.Printf("%5d: lev %.0f/title  oneshot %.0f (%.1f/title, %.0fx)  index %.0f (%.0fx)  prepare %.0f analyse %.0f bag %.1f\n",
			n, lev, one, one/float64(n), lev*float64(n)/one, idx, lev*float64(n)/idx, rows[3].best, rows[4].best, rows[5].best)
	}
	_ = sink
}

var microQ query
var microP phrase
