package resolver

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestDbg2(t *testing.T) {
	n := 10000
	entries := corpus(rand.New(rand.NewPCG(3, uint64(n))), n)
	asked := references(t, entries)
	x := New(entries, nil)
	for _, a := range asked {
		var q query
		q.prepare(a, &x.rules)
		m, _ := x.Resolve(a)
		var p phrase
		p.analyse(m.Title)
		r := q.grade(&p)
		if q.count > 2 || r.step != 2 {
			continue
		}
		f := &q.filter
		fits, typed, ex := 0, 0, 0
		for i := range x.marks {
			m := &x.marks[i]
			if f.fits(m, f.errors) {
				fits++
				if f.typed(m.bag, 2) {
					typed++
					if !f.exceeds(entries[i].Title, f.errors) {
						ex++
					}
				}
			}
		}
		_, u := x.lists(&scratch{query: q})
		fmt.Printf("%q %q errors %d unk %d fits %d typed %d ex %d time %.0f\n", a, m.Title, f.errors, u, fits, typed, ex, minTime(3, 5, func(int) { x.Resolve(a) }))
	}
}
