package resolver

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/internal/sampling"
)

// TestNoAllocation holds the claim that resolving ASCII allocates nothing.
func TestNoAllocation(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool forget")
	}
	entries := corpus(rand.New(rand.NewPCG(3, 9)), 1000)
	index := New(entries, nil)
	asked := references(t, entries)
	for name, reference := range map[string]string{
		"identical": entries[7].Title, "folded": strings.ToUpper(entries[7].Title), "typing errors": asked[0], "id": entries[7].ID,
	} {
		if n := testing.AllocsPerRun(200, func() { _, _ = index.Resolve(reference) }); n != 0 {
			t.Errorf("Index.Resolve, %s: %v allocations", name, n)
		}
		if n := testing.AllocsPerRun(200, func() { _, _ = Resolve(reference, entries, nil) }); n != 0 {
			t.Errorf("Resolve, %s: %v allocations", name, n)
		}
	}
}

// TestMemoryPerTitle holds the claim of 200 bytes a title, the copy of the
// entry included, the text of the title not: the host has that.
func TestMemoryPerTitle(t *testing.T) {
	for _, n := range []int{10_000, 100_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		entries := corpus(rand.New(rand.NewPCG(3, 9)), n)
		before := heap()
		index := New(entries, nil)
		each := float64(heap()-before) / float64(n)
		runtime.KeepAlive(index)
		runtime.KeepAlive(entries)
		t.Logf("%d titles: %.0f bytes each", n, each)
		if each > 200 || each < 50 {
			t.Errorf("%d titles take %.0f bytes each, want at most 200", n, each)
		}
	}
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestManyTitles resolves among a hundred thousand titles, at night among a million.
func TestManyTitles(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("takes seconds, and a minute under the race detector")
	}
	entries := make([]Entry, 1_000_000/sampling.Every(10))
	for i := range entries {
		entries[i] = Entry{ID: strconv.Itoa(i), Title: fmt.Sprintf("Review chapter %d of volume %d again", i%1000, i/1000)}
	}
	index := New(entries, nil)
	last := len(entries)/1000 - 1
	title := fmt.Sprintf("Review chapter 7 of volume %d again", last)
	for reference, want := range map[string]string{
		fmt.Sprintf("review chapter 7 of volume %d again", last): title,
		fmt.Sprintf("reviw chapter 7 of volume %d again", last):  title,
		fmt.Sprintf("reviw chaptr 7 of volume %d again", last):   title,
		fmt.Sprintf("chapter 7 volume %d", last):                 "ambiguous",
		"review chapter 7 of volume 1000 again":                  "none",
		strconv.Itoa(len(entries) - 1):                           fmt.Sprintf("Review chapter 999 of volume %d again", last),
	} {
		got := outcome(index.Resolve(reference))
		if strings.HasPrefix(got, "ambiguous") {
			got = "ambiguous"
		}
		if got != want {
			t.Errorf("Resolve(%q) = %s, want %s", reference, got, want)
		}
	}
}

// BenchmarkGrowth: whatever a reference and the titles are made of, four times the length
// takes about four times as long, and not its square.
func BenchmarkGrowth(b *testing.B) {
	for name, shape := range map[string]string{
		"one word": "a", "words": "word ", "different words": "", "quotes": "'", "stars": "* ", "points": "1.", "plus": "+",
		"accents": "e\u0301", "marks": "\u0301", "Han": "漢", "emoji": "🎉", "joined": "👨\u200d", "invisible": "\u200b", "invalid": "\xff",
	} {
		resolve := func(size int) func() {
			long := repeated(shape, size)
			entries := entriesOf("Read book", long, repeated(shape, size*19/20)+" x", repeated(shape, 200))
			index := New(entries, nil)
			return func() {
				_, _ = Resolve(long, entries, nil)
				_, _ = index.Resolve(long)
				_, _ = Resolve("read", entries, nil)
				_ = Redact(long, entries)
				_, _ = Ordinal(long, entries, nil)
			}
		}
		b.Run(name, func(b *testing.B) { benchbound.Ratio(b, 10, resolve(20_000), resolve(5_000)) })
	}
}

// repeated is a shape again and again, or different words where it is empty.
func repeated(shape string, size int) string {
	if shape != "" {
		return strings.Repeat(shape, size/len(shape)+1)[:size]
	}
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "w%d ", i)
	}
	return b.String()[:size]
}

// TestAdding adds entries at once and one by one.
func TestAdding(t *testing.T) {
	entries := corpus(rand.New(rand.NewPCG(3, 9)), 20_000)
	index := New(nil, nil)
	index.Add(entries[:15_000]...)
	for _, entry := range entries[15_000:] {
		index.Add(entry)
	}
	if match, err := index.Resolve(entries[19_999].Title); err != nil || match.ID != entries[19_999].ID {
		t.Errorf("the last entry is not found: %v, %v", match, err)
	}
	if index.Len() != len(entries) {
		t.Errorf("%d entries, want %d", index.Len(), len(entries))
	}
}

// BenchmarkGrowthByAdding: entries that come one by one take not many times as long as all
// at once.
func BenchmarkGrowthByAdding(b *testing.B) {
	entries := corpus(rand.New(rand.NewPCG(3, 9)), 5_000)
	oneByOne := func() {
		index := New(nil, nil)
		for _, entry := range entries {
			index.Add(entry)
		}
	}
	benchbound.Ratio(b, 20, oneByOne, func() { New(nil, nil).Add(entries...) })
}

func TestLongTitles(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("the quick brown fox jumps over lazy dogs and ", 300))
	entries := entriesOf("Short one", long+" one", long+" two")
	cases := map[string]string{
		long + " two":                  entries[2].Title,
		strings.ToUpper(long) + " ONE": entries[1].Title,
		long + " three":                "none",
		"quick two":                    entries[2].Title,
		"short":                        "Short one",
	}
	for reference, want := range cases {
		if got := outcome(Resolve(reference, entries, nil)); got != want {
			t.Errorf("Resolve(%.20q…) = %.40q, want %.40q", reference, got, want)
		}
		if got := outcome(New(entries, nil).Resolve(reference)); got != want {
			t.Errorf("Index.Resolve(%.20q…) = %.40q, want %.40q", reference, got, want)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	entries := corpus(rand.New(rand.NewPCG(3, 9)), 500)
	index := New(entries[:250], nil)
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := range 250 {
				switch g {
				case 0:
					index.Add(entries[250+i])
				case 1:
					index.Remove(entries[i].ID)
				default:
					_, _ = index.Resolve(entries[(i*7)%500].Title)
					if i%10 == 0 { // it reads all entries
						_, _ = Resolve(entries[i].Title, entries, nil)
					}
				}
			}
		})
	}
	wait.Wait()
	if index.Len() != 250 {
		t.Errorf("%d entries are left, want 250", index.Len())
	}
}
