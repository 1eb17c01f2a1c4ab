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

// strangers are titles of the same words that match none of the entries.
func strangers(entries, others []Entry) (titles []string) {
	index := New(entries, nil)
	for _, other := range others {
		if _, err := index.Resolve(other.Title); errors.Is(err, ErrNotFound) {
			titles = append(titles, other.Title)
		}
	}
	return titles
}

// A trial is a question to a list of titles.
type trial struct {
	entries []Entry
	lowered []string
	index   *Index
	asked   string // a mistyped title
	missing string // a title that is not in the list
}

// trials asks 256 questions and more to lists of n titles. There are many short
// lists, because the luck of seven titles says little about others.
func trials(b testing.TB, n int) (all []trial) {
	lists := max(1, 700/n)
	entries := corpus(rand.New(rand.NewPCG(3, uint64(n))), n*lists+4000)
	entries, others := entries[:n*lists], entries[n*lists:]
	for each := max(1, 256/lists); len(entries) > 0; entries = entries[n:] {
		list := entries[:n:n]
		lowered := make([]string, n)
		for i, entry := range list {
			lowered[i] = strings.ToLower(entry.Title)
		}
		index, asked, missing := New(list, nil), references(b, list), strangers(list, others)
		for i := range each {
			all = append(all, trial{list, lowered, index, asked[i], missing[i%len(missing)]})
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// run asks one trial after the other.
func run(b *testing.B, name string, all []trial, ask func(*trial) error) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if err := ask(&all[i%len(all)]); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(all[0].entries)), "ns/title")
	})
}

// BenchmarkResolve compares the ways to find a mistyped title: the scan that
// one would write with a levenshtein package, titles lowered beforehand; the
// one-shot Resolve; and a prepared Index.
func BenchmarkResolve(b *testing.B) {
	for _, n := range []int{7, 100, 1000, 10_000} {
		all := trials(b, n)
		run(b, fmt.Sprintf("%d/levenshtein", n), all, func(t *trial) error {
			best, at := 1<<30, -1
			for j, title := range t.lowered {
				if d := levenshtein.ComputeDistance(t.asked, title); d < best {
					best, at = d, j
				}
			}
			if at < 0 {
				return errors.New("nothing found")
			}
			return nil
		})
		run(b, fmt.Sprintf("%d/oneshot", n), all, func(t *trial) error {
			_, err := Resolve(t.asked, t.entries, nil)
			return err
		})
		run(b, fmt.Sprintf("%d/index", n), all, func(t *trial) error {
			_, err := t.index.Resolve(t.asked)
			return err
		})
	}
}

// BenchmarkMiss measures references that match nothing, suggestions included:
// titles of the same words, as one that was deleted.
func BenchmarkMiss(b *testing.B) {
	wanted := func(err error) error {
		if !errors.Is(err, ErrNotFound) {
			return fmt.Errorf("no miss: %w", err)
		}
		return nil
	}
	for _, n := range []int{7, 100, 1000, 10_000} {
		all := trials(b, n)
		run(b, fmt.Sprintf("%d/oneshot", n), all, func(t *trial) error {
			_, err := Resolve(t.missing, t.entries, nil)
			return wanted(err)
		})
		run(b, fmt.Sprintf("%d/index", n), all, func(t *trial) error {
			_, err := t.index.Resolve(t.missing)
			return wanted(err)
		})
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
