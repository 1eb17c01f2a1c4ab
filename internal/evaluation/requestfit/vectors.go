package requestfit

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/internal/vector"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	// leastWords and leastPairs are in how many sources a word, and a pair of words or
	// a word of the text before, must stand.
	leastWords, leastPairs = 3, 8
	// How vectors are learned: how far they lie from nothing at first, how fast they
	// move and shrink, how often a word is left out, how much a message counts that
	// asks for nothing.
	vectorSpread, vectorRate, vectorDecay, vectorDrop, vectorIdle, vectorEpochs = 1.6, 0.1, 0.004, 0.2, 0.5, 6
	// mostTools bounds the sets of tools that are learned from.
	mostTools = 80
)

// borne is something that has a vector, by its kind and its words: "word cancel".
type borne = string

// lemmas are the listed words that others are forms of.
func lemmas() (words []string) {
	for _, entry := range lexicon.English().Entries() {
		if lemma := lexicon.English().Lookup(entry.Lemma); entry.ID >= 0 && lemma != nil && lemma.ID == entry.ID {
			words = append(words, entry.Lemma)
		}
	}
	return words
}

// bearingNames are the names of what tools have vectors of, by their keys.
type bearingNames map[uint64]borne

func newBearingNames() bearingNames {
	names := bearingNames{}
	for _, lemma := range lemmas() {
		entry := lexicon.English().Lookup(lemma)
		names[vector.Tool.Key(entry, 0)], names[vector.Argument.Key(entry, 0)] = "tool "+lemma, "argument "+lemma
	}
	for f := lexicon.NoFamily; f.String() != lexicon.Family(255).String(); f++ {
		names[vector.ActKey(f.String())] = "act " + f.String()
	}
	for _, act := range []string{vector.Answers, vector.Changes} {
		names[vector.ActKey(act)] = "act " + act
	}
	return names
}

// add adds the words of a tool that the language does not list.
func (names bearingNames) add(tool *tooltrack.Tool) {
	note := func(of vector.Bearer, word string) {
		if word = lexicon.Fold(word); word != "" && !strings.ContainsAny(word, " \t") {
			name := "tool "
			if of == vector.Argument {
				name = "argument "
			}
			names[of.Key(nil, lexicon.Hash(word))] = name + word
		}
	}
	for _, token := range lexicon.English().Tokenize(nil, tool.Description) {
		if token.Entry == nil {
			note(vector.Tool, tool.Description[token.Start:token.End])
		}
	}
	for key, properties := range jsonspan.Members(tool.Parameters) {
		if !strings.EqualFold(string(jsonspan.Key(key)), "properties") {
			continue
		}
		for name := range jsonspan.Members(properties) {
			for _, word := range toolname.Words(string(jsonspan.Key(name))) {
				note(vector.Argument, word)
			}
		}
	}
}

// addTools adds the words of all tools.
func (names bearingNames) addTools(all []*Message) {
	seen := map[fitting.ToolsReading]bool{}
	for _, m := range all {
		if !seen[m.tools] {
			seen[m.tools] = true
			for i := range m.Tools {
				names.add(&m.Tools[i])
			}
		}
	}
}

// vectorSample is a message that asks for some tools of a set, as the numbers of what
// has a vector.
type vectorSample struct {
	words  []int32
	tools  []toolSample
	n      int // of the tools that are asked for
	weight float32
}

// toolSample is a tool of a message.
type toolSample struct {
	numbers []int32
	weights []float32
	length  float32 // see toward
	wanted  bool
	left    bool // one that may be argued about
}

// learner learns vectors.
type learner struct {
	named           bearingNames
	numbers         map[borne]int32
	vectors, slopes []vector.Vector // and the squares of their slopes
	none, noneSlope float32         // the log-odds that nothing is asked for
}

// newLearner lists what has a vector. What a message and a tool say in the same word
// points the same way from the start.
func newLearner(used []*Message, named bearingNames) *learner {
	learn := &learner{numbers: map[borne]int32{}, named: named}
	sources := map[borne]map[string]bool{}
	note := func(b borne, source string) {
		if sources[b] == nil {
			sources[b] = map[string]bool{}
		}
		sources[b][source] = true
	}
	for _, m := range used {
		for _, b := range m.words {
			note(b, m.Source)
		}
		for _, tool := range m.tools.Bearings() {
			for _, b := range tool {
				if name := learn.named[b.Key]; name != "" {
					note(name, m.Source)
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(7, 9))
	for _, b := range slices.Backward(slices.Sorted(maps.Keys(sources))) { // tools come before words
		least := leastWords
		if strings.HasPrefix(b, "pair ") || strings.HasPrefix(b, "previous ") {
			least = leastPairs
		}
		if len(sources[b]) < least {
			continue
		}
		var start vector.Vector
		if word, ok := strings.CutPrefix(b, "word "); ok && learn.numbers["tool "+word] != 0 {
			start = learn.vectors[learn.numbers["tool "+word]-1]
		} else {
			spread := float32(vectorSpread)
			if !strings.HasPrefix(b, "tool ") && !strings.HasPrefix(b, "argument ") && !strings.HasPrefix(b, "act ") {
				spread /= 20
			}
			for i := range start {
				start[i] = spread * float32(random.NormFloat64()/math.Sqrt(vector.Size))
			}
		}
		learn.vectors = append(learn.vectors, start)
		learn.numbers[b] = int32(len(learn.vectors))
	}
	learn.slopes = make([]vector.Vector, len(learn.vectors))
	return learn
}

// sample is a message as the learner sees it.
func (learn *learner) sample(m *Message) vectorSample {
	sample := vectorSample{n: len(m.Wanted), weight: 1}
	for _, b := range m.words {
		if number := learn.numbers[b]; number != 0 {
			sample.words = append(sample.words, number-1)
		}
	}
	for i, tool := range m.tools.Bearings() {
		name := m.Tools[i].Name
		t := toolSample{length: 0.5, wanted: m.Wanted[name], left: m.Maybe[name]}
		for _, b := range tool {
			if number := learn.numbers[learn.named[b.Key]]; number != 0 {
				t.numbers, t.weights = append(t.numbers, number-1), append(t.weights, b.Weight)
				t.length += b.Weight * b.Weight
			}
		}
		t.length = float32(math.Sqrt(float64(t.length)))
		sample.tools = append(sample.tools, t)
	}
	return sample
}

// fitVectors learns message by message (AdaGrad): the tools of a message compete with
// one another and with none, and those that it asks for are to be nearest.
func (f *Fitting) fitVectors(used []*Message) *learner {
	learn := newLearner(used, f.named)
	perSource := map[string]int{}
	for _, m := range used {
		perSource[m.origin()]++
	}
	samples := make([]vectorSample, len(used))
	for i, m := range used {
		samples[i] = learn.sample(m)
		if m.Set != "intent_crud" && m.Set != "intent_bfcl" { // their closed halves have the same tools
			samples[i].weight = float32(math.Sqrt(min(1, 30/float64(perSource[m.origin()]))))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	var words []int32
	for range vectorEpochs {
		for _, at := range random.Perm(len(samples)) {
			words = words[:0]
			for _, word := range samples[at].words {
				if random.Float64() >= vectorDrop {
					words = append(words, word)
				}
			}
			if len(words) > 0 {
				learn.step(&samples[at], words)
			}
		}
	}
	return learn
}

// step learns from one message.
func (learn *learner) step(sample *vectorSample, words []int32) {
	scale := 1 / float32(math.Sqrt(float64(len(words))+0.5))
	var message, slope vector.Vector
	for _, word := range words {
		for i, x := range &learn.vectors[word] {
			message[i] += scale * x
		}
	}
	toward, odds := make([]vector.Vector, len(sample.tools)), make([]float64, len(sample.tools))
	none := math.Exp(float64(learn.none))
	sum := none
	for t := range sample.tools {
		tool := &sample.tools[t]
		if tool.left {
			continue
		}
		near := float32(0)
		for k, number := range tool.numbers {
			for i, x := range &learn.vectors[number] {
				toward[t][i] += tool.weights[k] / tool.length * x
			}
		}
		for i := range message {
			near += message[i] * toward[t][i]
		}
		odds[t] = math.Exp(min(30, float64(vector.Scale*near)))
		sum += odds[t]
	}
	for t := range sample.tools {
		tool := &sample.tools[t]
		g := float32(odds[t] / sum)
		if sample.n == 0 {
			g *= vectorIdle
		}
		if tool.wanted {
			g -= 1 / float32(sample.n)
		}
		if g *= sample.weight * vector.Scale; tool.left || g > -0.005 && g < 0.005 {
			continue
		}
		for i := range slope {
			slope[i] += g * toward[t][i]
		}
		for k, number := range tool.numbers {
			learn.move(number, g*tool.weights[k]/tool.length, &message)
		}
	}
	for _, word := range words {
		learn.move(word, scale, &slope)
	}
	g := float32(none / sum)
	if sample.n == 0 {
		g = vectorIdle * (g - 1)
	}
	g *= sample.weight
	learn.noneSlope += g * g
	learn.none -= vectorRate * g / float32(math.Sqrt(1+float64(learn.noneSlope)))
}

// move moves one vector against its slope.
func (learn *learner) move(number int32, by float32, slope *vector.Vector) {
	v, squares := &learn.vectors[number], &learn.slopes[number]
	for i := range v {
		g := by*slope[i] + vectorDecay*v[i]
		squares[i] += g * g
		v[i] -= vectorRate * g / float32(math.Sqrt(0.1+float64(squares[i])))
	}
}

// bearers are what vectors are of, by the first word of a [borne].
var bearers = map[string]vector.Bearer{
	"word": vector.Word, "pair": vector.Pair, "previous": vector.Previous,
	"tool": vector.Tool, "argument": vector.Argument, "act": vector.Act,
}

// file writes the vectors as data/vectors.bin has them: words before their pairs.
func (learn *learner) file() []byte {
	names := slices.Sorted(maps.Keys(learn.numbers))
	slices.SortStableFunc(names, func(a, b borne) int {
		return strings.Compare(strings.Replace(a, "pair", "zz", 1)[:2], strings.Replace(b, "pair", "zz", 1)[:2])
	})
	var all []vector.Fitted
	for _, name := range names {
		words := strings.Fields(name)
		fitted := learn.vectors[learn.numbers[name]-1]
		all = append(all, vector.Fitted{Of: bearers[words[0]], Words: words[1:], Vector: fitted})
	}
	return vector.Encode(all)
}

// vectorSamples are the messages that vectors are fitted to, one fold left out.
func (f *Fitting) vectorSamples(fold int) (used []*Message) {
	for _, m := range f.all {
		if !m.Held && len(m.words) > 0 && !m.isArguable() && len(m.Tools) > 1 && len(m.Tools) <= mostTools &&
			m.Set != "crud_reworded" && m.fold(folds) != fold {
			used = append(used, m)
		}
	}
	return used
}

// leaveVectorsOut reads each message with vectors that were fitted without its source.
func (f *Fitting) leaveVectorsOut(files *[folds]Files) error {
	var sets [folds]*vector.Set
	var faults [folds]error
	var wait sync.WaitGroup
	for fold := range folds {
		wait.Go(func() {
			files[fold].Vectors = f.fitVectors(f.vectorSamples(fold)).file()
			sets[fold], faults[fold] = vector.Decode(lexicon.English(), files[fold].Vectors)
		})
	}
	wait.Wait()
	if err := errors.Join(faults[:]...); err != nil {
		return err
	}
	for _, m := range f.all {
		m.tools.Point(sets[m.fold(folds)])
		m.read = m.tools.Read(m.User, m.Previous)
	}
	return nil
}
