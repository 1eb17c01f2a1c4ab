package vector

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// vectorText is a vector that points one way, as data/vectors.txt has it.
func vectorText(axis int, length int8) string {
	var bytes [Size]byte
	bytes[axis] = byte(length)
	return base64.RawStdEncoding.EncodeToString(bytes[:])
}

func TestParseVectors(t *testing.T) {
	english := lexicon.English()
	v, err := Parse(english, "# head\nword bin "+vectorText(0, 40)+"\nword xyzzy "+vectorText(63, -127)+
		"\npair bin xyzzy "+vectorText(1, 1)+"\nact delete "+vectorText(2, 2)+"\n")
	require.NoError(t, err)
	bin, xyzzy := v.numbers.Find(Word.Key(english.Lookup("bin"), 0)), v.numbers.Find(Word.Key(nil, lexicon.Hash("xyzzy")))
	require.Equal(t, []int32{1, 2, 3, 4}, []int32{bin, xyzzy, v.numbers.Find(pairKey(bin, xyzzy)), v.numbers.Find(ActKey("delete"))})
	require.InDelta(t, 40, v.fitted[bin].at(0, 1), 0)
	require.InDelta(t, -127, v.fitted[xyzzy].at(63, 1), 0)
	require.InDelta(t, 0, v.fitted[xyzzy].at(62, 1), 0)
	for _, text := range []string{
		"word bin\n", "word bin AAAA\n", "noun bin " + vectorText(0, 1), "pair bin " + vectorText(0, 1),
		"pair bin xyzzy " + vectorText(0, 1), "word bin xyzzy " + vectorText(0, 1), "word bin ?" + vectorText(0, 1)[1:], vectorText(0, 1),
	} {
		_, err := Parse(english, text)
		require.Error(t, err, text)
	}
}

// Sums of four lanes at a time are those of single numbers, as long as a text may get.
func TestLanesAddUp(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var lines strings.Builder
	sums := [Size]int{}
	for i := range 2 * mostAdded {
		var bytes [Size]byte
		for k := range bytes {
			n := int8(127 - 255*(k%2))
			if k%5 == 0 {
				n = int8(random.IntN(256) - 128)
			}
			bytes[k] = byte(n)
			if i < mostAdded {
				sums[k] += int(n)
			}
		}
		fmt.Fprintf(&lines, "word xyzzy%d %s\n", i, base64.RawStdEncoding.EncodeToString(bytes[:]))
	}
	v, err := Parse(lexicon.English(), lines.String())
	require.NoError(t, err)
	h := NewHeading(v)
	h.Begin(Sum{})
	for number := range v.fitted {
		h.add(int32(number))
	}
	sum := h.Sum()
	require.Equal(t, mostAdded, sum.words)
	for k, want := range sums {
		require.InDelta(t, want, sum.at(k, sum.words), 0, k)
	}
}

// Without vectors, as for other languages, no text points anywhere.
func TestNoVectors(t *testing.T) {
	h := NewHeading(nil)
	h.Begin(Sum{})
	for _, token := range lexicon.English().Tokenize(nil, "bin xyzzy") {
		h.Say(&token)
		h.Recall(&token)
	}
	require.Zero(t, h.Vector())
}

// A text is the nearer to a tool the more its words point the tool's way; each word
// counts once, and a pair counts beside its words.
func TestNearness(t *testing.T) {
	english := lexicon.English()
	s, err := Parse(english, "act delete "+vectorText(0, Unit)+"\ntool bin "+vectorText(1, Unit)+"\nword bin "+vectorText(0, Unit)+
		"\nword lid "+vectorText(1, Unit)+"\npair bin lid "+vectorText(1, Unit)+"\nprevious gone "+vectorText(0, Unit)+"\n")
	require.NoError(t, err)
	var bearings Bearings
	bearings.AddTool(lexicon.FamiliesOf(lexicon.Delete), false, []int32{english.Lookup("bin").ID})
	bearings.AddWord(Tool, english.Lookup("bin"), "bin")
	require.Len(t, bearings, 3, "that it changes something is one")
	toward := s.Toward(bearings)
	length := func(vectors float64) float64 { return math.Sqrt(vectors + 0.5) }
	near := func(previous, text string) float64 {
		h := NewHeading(s)
		h.Begin(Sum{})
		for _, token := range english.Tokenize(nil, previous) {
			h.Recall(&token)
		}
		h.Begin(h.Sum())
		for _, token := range english.Tokenize(nil, text) {
			h.Say(&token)
		}
		v := h.Vector()
		return float64(v.Times(&toward)) / Scale * length(2)
	}
	require.InDelta(t, 0, near("", "xyzzy"), 1e-6)
	require.InDelta(t, 1/length(1), near("", "bin bin"), 1e-6)
	require.InDelta(t, 3/length(3), near("", "bin lid"), 1e-6)
	require.InDelta(t, 2/length(2), near("", "lid bin"), 1e-6)
	require.InDelta(t, 2/length(2), near("gone", "bin"), 1e-6)
}

func TestEnglish(t *testing.T) {
	s := English()
	var remove, read Bearings
	remove.AddTool(lexicon.FamiliesOf(lexicon.Delete), false, nil)
	read.AddTool(lexicon.FamiliesOf(lexicon.Read), true, nil)
	h := NewHeading(s)
	h.Begin(Sum{})
	for _, token := range lexicon.English().Tokenize(nil, "get rid of it") {
		h.Say(&token)
	}
	point, away, shown := h.Vector(), s.Toward(remove), s.Toward(read)
	require.Greater(t, point.Times(&away), point.Times(&shown)+1, "what one gets rid of is not shown")
}
