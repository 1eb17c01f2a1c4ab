package resolver

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agnivade/levenshtein"
)

// mistyped references to titles of a corpus, one or two errors each. Those that
// have no single answer are left out: they would measure error messages.
func references(b testing.TB, entries []Entry) []string {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	index := New(entries, nil)
	var found []string
	for i := 0; i < 100_000 && len(found) < 256; i++ {
		entry := entries[r.IntN(len(entries))]
		reference := mistype(r, entry.Title, 1+i%2)
		if match, err := index.Resolve(reference); err == nil && match.ID == entry.ID && match.Tier == Typing {
			found = append(found, reference)
		}
	}
	if len(found) < 256 {
		b.Fatalf("only %d references have one answer", len(found))
	}
	return found
}

// BenchmarkResolve compares the ways to find a mistyped title: the scan that
// one would write with a levenshtein package, titles lowered beforehand; the
// one-shot Resolve; and a prepared Index.
func BenchmarkResolve(b *testing.B) {
	for _, n := range []int{7, 100, 1000, 10_000} {
		entries := corpus(rand.New(rand.NewPCG(3, uint64(n))), n)
		asked := references(b, entries)
		b.Run(fmt.Sprintf("%d/levenshtein", n), func(b *testing.B) {
			lowered := make([]string, n)
			for i, entry := range entries {
				lowered[i] = strings.ToLower(entry.Title)
			}
			for i := 0; b.Loop(); i++ {
				best, at := 1<<30, -1
				for j, title := range lowered {
					if d := levenshtein.ComputeDistance(asked[i%len(asked)], title); d < best {
						best, at = d, j
					}
				}
				if at < 0 {
					b.Fatal("nothing found")
				}
			}
		})
		b.Run(fmt.Sprintf("%d/oneshot", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := Resolve(asked[i%len(asked)], entries, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/index", n), func(b *testing.B) {
			b.ReportAllocs()
			index := New(entries, nil)
			for i := 0; b.Loop(); i++ {
				if _, err := index.Resolve(asked[i%len(asked)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMiss measures references that match nothing, suggestions included.
func BenchmarkMiss(b *testing.B) {
	for _, n := range []int{7, 100, 1000, 10_000} {
		entries := corpus(rand.New(rand.NewPCG(3, uint64(n))), n)
		index := New(entries, nil)
		var asked []string
		for _, other := range corpus(rand.New(rand.NewPCG(4, uint64(n))), 4000) {
			if _, err := index.Resolve(other.Title); errors.Is(err, ErrNotFound) {
				asked = append(asked, other.Title)
			}
		}
		miss := func(b *testing.B, resolve func(string) (Match, error)) {
			for i := 0; b.Loop(); i++ {
				if _, err := resolve(asked[i%len(asked)]); err == nil {
					b.Fatal("found")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/title")
		}
		b.Run(fmt.Sprintf("%d/oneshot", n), func(b *testing.B) {
			miss(b, func(s string) (Match, error) { return Resolve(s, entries, nil) })
		})
		b.Run(fmt.Sprintf("%d/index", n), func(b *testing.B) { miss(b, index.Resolve) })
	}
}

// BenchmarkNew measures building an Index.
func BenchmarkNew(b *testing.B) {
	entries := corpus(rand.New(rand.NewPCG(3, 9)), 10_000)
	for b.Loop() {
		New(entries, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(entries)), "ns/title")
}

// BenchmarkScripts measures a one-shot among titles that are not ASCII.
func BenchmarkScripts(b *testing.B) {
	entries := corpus(rand.New(rand.NewPCG(3, 9)), 100)
	cyrillic := strings.NewReplacer("a", "а", "e", "е", "i", "и", "o", "о", "u", "у", "b", "б", "d", "д", "k", "к", "l", "л", "m", "м", "n", "н", "p", "п", "r", "р", "s", "с", "t", "т")
	for i := range entries {
		entries[i].Title = cyrillic.Replace(strings.ToLower(entries[i].Title))
	}
	index := New(entries, nil)
	b.Run("oneshot", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, _ = Resolve(entries[i%100].Title, entries, nil)
		}
	})
	b.Run("index", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, _ = index.Resolve(entries[i%100].Title)
		}
	})
}
