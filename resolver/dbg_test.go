package resolver

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
)

func TestDbg(t *testing.T) {
	for _, n := range []int{1000, 10000} {
		entries := corpus(rand.New(rand.NewPCG(3, uint64(n))), n)
		asked := references(t, entries)
		x := New(entries, nil)
		g := map[string][]string{}
		for _, a := range asked {
			var q query
			q.prepare(a, &x.rules)
			m, _ := x.Resolve(a)
			var r rank
			var p phrase
			p.analyse(m.Title)
			r = q.grade(&p)
			k := fmt.Sprintf("m=%d e=%d", q.count, r.step)
			g[k] = append(g[k], a)
		}
		for m := 1; m < 7; m++ {
			for e := 1; e < 4; e++ {
				k := fmt.Sprintf("m=%d e=%d", m, e)
				if len(g[k]) > 0 {
					fmt.Printf("%d %s: %d refs %.0f ns\n", n, k, len(g[k]), minTime(20, len(g[k]), func(i int) { x.Resolve(g[k][i%len(g[k])]) }))
				}
			}
		}
		runtime.GC()
		var a, b runtime.MemStats
		runtime.ReadMemStats(&a)
		y := New(entries, nil)
		runtime.GC()
		runtime.ReadMemStats(&b)
		fmt.Println("bytes/title", (b.HeapAlloc-a.HeapAlloc)/uint64(n), len(y.shelf.keys.slots)/n, len(y.shelf.words.slots)/n)
		runtime.KeepAlive(y)
	}
}
