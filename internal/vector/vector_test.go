package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// along is a vector of one unit along an axis.
func along(axis int, length float32) (v Vector) {
	v[axis] = length
	return v
}

func decoded(t *testing.T, all ...Fitted) *Set {
	t.Helper()
	s, err := Decode(lexicon.English(), Encode(all))
	require.NoError(t, err)
	return s
}

func TestDecode(t *testing.T) {
	english := lexicon.English()
	all := []Fitted{
		{Word, []string{"bin"}, along(0, 1)}, {Word, []string{"xyzzy"}, along(Size-1, -9)},
		{Pair, []string{"bin", "xyzzy"}, along(1, 1)}, {Act, []string{"delete"}, along(2, 2)},
	}
	v := decoded(t, all...)
	bin, xyzzy := v.numbers.Find(Word.Key(english.Lookup("bin"), 0)), v.numbers.Find(Word.Key(nil, lexicon.Hash("xyzzy")))
	require.Equal(t, []int32{1, 2, 3, 4}, []int32{bin, xyzzy, v.numbers.Find(pairKey(bin, xyzzy)), v.numbers.Find(ActKey("delete"))})
	require.Equal(t, byte(laneZero+Unit), v.of(bin)[0])
	require.Equal(t, byte(laneZero-127), v.of(xyzzy)[Size-1])
	require.Equal(t, byte(laneZero), v.of(xyzzy)[Size-2])
	file := Encode(all)
	for n := range file {
		_, err := Decode(english, file[:n])
		require.Error(t, err, n)
	}
	_, err := Decode(english, Encode([]Fitted{{Of: Pair, Words: []string{"no", "words"}}}))
	require.Error(t, err)
	_, err = Decode(english, Encode([]Fitted{{Of: 7, Words: []string{"word"}}}))
	require.Error(t, err)
}

// Sums of four lanes at a time are those of single numbers, as long as a text may get.
func TestLanesAddUp(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var all []Fitted
	var sums Vector
	for i := range 2 * mostAdded {
		f := Fitted{Of: Word, Words: []string{fmt.Sprint("xyzzy", i)}}
		for k := range f.Vector {
			n := 127 - 254*(k%2)
			if k%5 == 0 {
				n = random.IntN(255) - 127
			}
			if f.Vector[k] = float32(n) / Unit; i < mostAdded {
				sums[k] += float32(n)
			}
		}
		all = append(all, f)
	}
	h := NewHeading(decoded(t, all...), Sum{})
	for number := range all {
		h.add(int32(number + 1))
	}
	require.Equal(t, mostAdded, h.words)
	v := h.Vector()
	for k, want := range sums {
		require.InDelta(t, want/float32(math.Sqrt(mostAdded+0.5)), v[k], 1e-2, k)
	}
}

// Without vectors, as for other languages, no text points anywhere.
func TestNoVectors(t *testing.T) {
	h := NewHeading(nil, Sum{})
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
	s := decoded(t, Fitted{Act, []string{"delete"}, along(0, 1)}, Fitted{Tool, []string{"bin"}, along(1, 1)},
		Fitted{Word, []string{"bin"}, along(0, 1)}, Fitted{Word, []string{"lid"}, along(1, 1)},
		Fitted{Pair, []string{"bin", "lid"}, along(1, 1)}, Fitted{Previous, []string{"gone"}, along(0, 1)})
	var bearings Bearings
	bearings.AddTool(lexicon.FamiliesOf(lexicon.Delete), false, []int32{english.Lookup("bin").ID})
	bearings.AddWord(Tool, english.Lookup("bin"), "bin")
	require.Len(t, bearings, 3, "that it changes something is one")
	toward := s.Toward(bearings)
	length := func(vectors float64) float64 { return math.Sqrt(vectors + 0.5) }
	near := func(previous, text string) float64 {
		h := NewHeading(s, Sum{})
		for _, token := range english.Tokenize(nil, previous) {
			h.Recall(&token)
		}
		h = NewHeading(s, h.Sum)
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
	h := NewHeading(s, Sum{})
	for _, token := range lexicon.English().Tokenize(nil, "get rid of it") {
		h.Say(&token)
	}
	point, away, shown := h.Vector(), s.Toward(remove), s.Toward(read)
	require.Greater(t, point.Times(&away), point.Times(&shown)+1, "what one gets rid of is not shown")
}
