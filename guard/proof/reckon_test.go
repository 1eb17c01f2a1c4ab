package proof

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// TestFiguresThatFollow: a number is known if it follows from others by one step
// of arithmetic, in another unit, or rounded.
func TestFiguresThatFollow(t *testing.T) {
	for _, c := range []struct {
		name    string
		n       float64
		figures []float64
		want    bool
	}{
		{"the same", 17, []float64{17}, true},
		{"another", 17, []float64{19}, false},
		{"a sum", 36, []float64{17, 19}, true},
		{"a sum of two among others", 36, []float64{17, 500, 19}, true},
		{"a sum of all", 536, []float64{17, 500, 19}, true},
		{"near enough", 17.0009, []float64{17}, true},
		{"not so near", 17.0011, []float64{17}, false},
		{"ten is not rounded", 10, []float64{9.7}, false},
		{"above ten it is", 11, []float64{10.6}, true},
		{"a difference", 6, []float64{23, 17}, true},
		{"a difference, the other way", 6, []float64{17, 23}, true},
		{"a product", 391, []float64{17, 23}, true},
		{"a percentage of it", 13.6, []float64{80, 17}, true},
		{"with tax", 95.2, []float64{80, 19}, true},
		{"with tax, the other way", 95.2, []float64{19, 80}, true},
		{"less a discount", 64.8, []float64{80, 19}, true},
		{"less a discount, the other way", 64.8, []float64{19, 80}, true},
		{"a share in per cent", 34, []float64{17, 50}, true},
		{"a share in per cent, the other way", 34, []float64{50, 17}, true},
		{"a price for a thousand", 340, []float64{17, 50}, true},
		{"hours of days", 408, []float64{17}, true},
		{"days of hours", 17, []float64{408}, true},
		{"rounded", 18, []float64{17.6}, true},
		{"small numbers are not rounded", 8, []float64{7.6}, false},
		{"neither", 5.7, []float64{17, 23}, false},
		{"none", 17, nil, false},
		{"nothing is divided by nothing", 17, []float64{0, 0}, false},
	} {
		require.Equal(t, c.want, reckoned(figure{c.n, 0.001, false}, c.figures), c.name)
	}
}

// TestLengthsOfLists: how many there are is a figure, too, at any ordinary depth.
func TestLengthsOfLists(t *testing.T) {
	require.Equal(t, []float64{2, 3}, appendTotals(nil, []byte(`{"a":{"b":[1,2]},"c":[1,2,3]}`), 0))
	require.Equal(t, []float64{0, 1, 2, 1}, appendTotals(nil, []byte(`[[],[1]]`), 0))
	require.Equal(t, []float64{2, 2, 2, 7}, appendTotals(nil, []byte(`[["Jul",3],["Aug",4]]`), 0), "and a column of a table")
	require.Equal(t, []float64{2, 3.5}, appendTotals(nil, []byte(`[{"id":"a","out":-1.5},{"id":"b","out":-2}]`), 0))
	deep := func(n int) []byte { return []byte(strings.Repeat(`{"a":`, n) + `[1]` + strings.Repeat(`}`, n)) }
	require.Len(t, appendTotals(nil, deep(16), 0), 1)
	require.Empty(t, appendTotals(nil, deep(17), 0))
}

// TestNamesOneLetterApart: one letter wrong, missing or too much, in a name of
// four or more; the s of a plural is none.
func TestNamesOneLetterApart(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"Anna", "Anne"}: true, {"Meier", "Meyer"}: true, {"Maier", "Mayers"}: false, {"Smith", "Smiths"}: false, {"Smith", "Smithe"}: true,
		{"John", "Jon"}: false, {"Jonas", "Jonah"}: true, {"Bob", "Rob"}: false, {"Anna", "anna"}: false, {"Peter", "Paul"}: false,
		{"Jonathan", "Jonathn"}: true, {"abcd", "abxy"}: false, {"xbcd", "abcd"}: true, {"abcd", "xabcd"}: true,
	} {
		require.Equal(t, want, misspelt(pair[0], pair[1]), "%v", pair)
		require.Equal(t, want, misspelt(pair[1], pair[0]), "%v", pair)
	}
}

// TestFiguresInLetters: 8a is no eight, and 8am and 8h are.
func TestFiguresInLetters(t *testing.T) {
	for after, want := range map[string]bool{"": false, " a": false, "a": true, "z": true, "A": true, "Z": true, "am": false, "pm": false, "h": false, "@": false, "[": false, "`": false, "{": false, "x": true} {
		require.Equal(t, want, glued(after), "%q", after)
	}
}

// TestMakesOfIDs: letters and runs of digits make an id what it is, hyphens do
// not.
func TestMakesOfIDs(t *testing.T) {
	for id, want := range map[string]string{"KT-551": "KT0", "kt551": "KT0", "#9": "0", "A1B2": "A0B0", "a_0-9": "A0", "x.1": "X.0"} {
		require.Equal(t, want, madeLike(id), id)
	}
}

// TestFiguresThatAreGuesses: a word or a mark before them says so.
func TestFiguresThatAreGuesses(t *testing.T) {
	k := knowledge{reader: reading.English()}
	for before, want := range map[string]bool{
		"about ": true, "it took roughly ": true, "around $": true, "~": true, "≈ ": true, "": false, "exactly ": false, "the ": false, "roundabout ": false,
	} {
		require.Equal(t, want, k.approximate(before), "%q", before)
	}
}

// TestFiguresOfEarlierMessages count where somebody reckons in a talk: neither for what
// is due, nor beside calls.
func TestFiguresOfEarlierMessages(t *testing.T) {
	turn := Case{User: "and both together?", Previous: "Anything else?", Before: []string{"Anything else?", "ok", "The hive weighs 31 kg.", "15 % of 980 is 147."}}
	k := newKnowledge(&turn, keys{}, func(int) bool { return false })
	require.True(t, k.arithmetic("1,127", true))
	require.True(t, k.arithmetic("That makes 1,127.", true))
	require.False(t, k.arithmetic("1,127", false))
	require.False(t, k.arithmetic("2,311", true))
	many := Case{Before: []string{strings.Repeat("7 ", 40) + "980 147"}}
	k = newKnowledge(&many, keys{}, func(int) bool { return false })
	require.False(t, k.arithmetic("1,127", true), "of many figures only the first count")
}

// TestMessagesBeforeAreBounded: of a long talk the latest messages are read.
func TestMessagesBeforeAreBounded(t *testing.T) {
	turn := Case{Before: []string{"Ask Thessaly.", strings.Repeat("so ", maxTalk/3), "Ask Bartholomew."}}
	k := newKnowledge(&turn, keys{}, func(int) bool { return false })
	heard := func(name string) bool { return k.heard(k.values(name)[0].Key) }
	require.True(t, heard("Thessaly"))
	require.False(t, heard("Bartholomew"))
}

// TestNumbersInShort: a letter or a word may stand for the zeros.
func TestNumbersInShort(t *testing.T) {
	for written, want := range map[string]float64{
		"4.2M": 4.2e6, "4.2m up": 4.2e6, "1.5k": 1500, "12K.": 12000, "3 million": 3e6, "3million": 3e6, "2,5 million": 2.5e6,
		"7bn": 7e9, "7 billion": 7e9, "40 thousand": 40000, "4.2": 0, "4 m": 0, "4kg": 0, "4 minutes": 0, "k": 0, "": 0, "5 k": 0,
	} {
		full, found := inFull(written)
		require.Equal(t, want != 0, found, written)
		require.InDelta(t, want, full.number, 0.1, written)
	}
	full, _ := inFull("4.2M")
	require.True(t, full.near(4_249_000))
	require.False(t, full.near(4_260_000))
}

// TestStatisticsOfLists: sums, means and medians of columns, of plain lists, and of entries
// with a word in common.
func TestStatisticsOfLists(t *testing.T) {
	require.Equal(t, []float64{9, 3, 2}, appendStatistics(nil, []byte(`[1,2,6]`), 0))
	got := appendStatistics(nil, []byte(`{"rows":[{"n":4,"state":"open"},{"n":8,"state":"open"},{"n":30,"state":"shut"}]}`), 0)
	require.Equal(t, []float64{42, 14, 8, 2, 1, 1, 12, 6, 6}, got)
	require.Empty(t, appendStatistics(nil, []byte(`[5]`), 0))
	many := appendStatistics(nil, []byte("["+strings.Repeat(`[1,2],`, 1000)+"[1,2]]"), 0)
	require.LessOrEqual(t, len(many), maxStatistics+3)
}
