package intent

import (
	"encoding/gob"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
)

type dueRow struct {
	Z      []float32
	Y      float32
	Fold   int
	Set    string
	Weight float32
	Held   bool
}

func saveDue(all []*trained) {
	f, _ := os.Create("/tmp/due.gob")
	defer f.Close()
	var rows []dueRow
	for _, l := range all {
		if len(l.wanted) == 0 && len(l.maybe) > 0 || l.foreign {
			continue
		}
		rows = append(rows, dueRow{l.z, one(len(l.wanted) > 0), l.fold(trainFolds), l.set, l.weight, l.held})
	}
	gob.NewEncoder(f).Encode(rows)
}

func TestDueOnly(t *testing.T) {
	spec := os.Getenv("DUE")
	if spec == "" {
		t.Skip()
	}
	f, _ := os.Open("/tmp/due.gob")
	var rows []dueRow
	gob.NewDecoder(f).Decode(&rows)
	keep := map[string]bool{}
	for _, n := range strings.Fields(os.Getenv("KEEP")) {
		keep[n] = true
	}
	b := dueBooster
	fmt.Sscanf(spec, "%d,%d,%f,%f", &b.trees, &b.depth, &b.rate, &b.least)
	sw := map[string]float32{}
	for _, kv := range strings.Fields(os.Getenv("SW")) {
		var w float32
		i := strings.LastIndex(kv, "=")
		fmt.Sscanf(kv[i+1:], "%f", &w)
		sw[kv[:i]] = w
	}
	names := append(append([]string{}, evidenceNames[:]...), "score", "share", "slead", "srank", "p")
	mask := func(z []float32) []float32 {
		x := make([]float32, len(z))
		for i := range z {
			if len(keep) == 0 || keep[names[i]] {
				x[i] = z[i]
			}
		}
		return x
	}
	p := make([]float64, len(rows))
	for fold := range trainFolds {
		var s []sample
		for _, r := range rows {
			if r.Fold != fold && !r.Held {
				w := r.Weight
				if v, ok := sw[r.Set]; ok {
					w = v
				}
				if w > 0 {
					s = append(s, sample{x: mask(r.Z), y: r.Y, weight: w})
				}
			}
		}
		f := b.fit(s)
		for i, r := range rows {
			if r.Fold == fold {
				p[i] = float64(probability(f.score(mask(r.Z))))
			}
		}
	}
	for _, set := range []string{"intent_wild", "intent_domains", "turns", "turns_held", "intent_crud", "intent_bfcl"} {
		var pos, neg []float64
		for i, r := range rows {
			if r.Set == set {
				if r.Y > 0 {
					pos = append(pos, p[i])
				} else {
					neg = append(neg, p[i])
				}
			}
		}
		sort.Float64s(pos)
		line := fmt.Sprintf("%-16s", set)
		for _, rec := range []float64{.95, .92, .9, .87} {
			th := pos[int((1-rec)*float64(len(pos)))]
			n := 0
			for _, x := range neg {
				if x >= th {
					n++
				}
			}
			line += fmt.Sprintf(" | %.0f: %.1f (%.2f)", 100*rec, 100*float64(n)/float64(len(neg)), th)
		}
		fmt.Println(line)
	}
}
