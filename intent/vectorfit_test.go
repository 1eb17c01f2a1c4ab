package intent

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

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

// borne is something that has a vector, as data/vectors.txt names it: "word cancel".
type borne = string

// readWords notes what of a message has vectors.
func (l *trained) readWords() {
	s := l.classifier.newScratch()
	r := &s.reader
	note := func(of, word string) {
		if b := of + " " + word; word != "" && !slices.Contains(l.words, b) {
			l.words = append(l.words, b)
		}
	}
	if l.previous != "" {
		l.classifier.before(s, l.previous)
		for i := range r.Tokens {
			if r.Tokens[i].Kind == lexicon.Word {
				note("previous", wordAt(r, i))
			}
		}
	}
	r.Tokenize(l.user)
	r.Glance()
	if r.Foreign {
		l.words = nil
		return
	}
	r.Respell(l.classifier.known)
	r.Read()
	before := ""
	for i := range r.asking {
		word := wordAt(r, i)
		note("word", word)
		if before != "" && word != "" {
			note("pair", before+" "+word)
		}
		before = word
	}
}

// wordAt is the token at i as vectors name it, empty if none can be of it.
func wordAt(r *reader, i int) string {
	token := &r.Tokens[i]
	if token.Entry != nil {
		return lemmaTexts()[token.Entry.ID]
	}
	word := lexicon.Fold(r.Text[token.Start:token.End])
	if lexicon.Hash(word) != token.Hash || strings.ContainsAny(word, " \t") {
		return ""
	}
	return word
}

// lemmaTexts are the lemmas by their numbers.
var lemmaTexts = sync.OnceValue(func() map[int32]string {
	names := map[int32]string{}
	for _, entry := range lexicon.English().Entries() {
		if lemma := lexicon.English().Lookup(entry.Lemma); entry.ID >= 0 && lemma != nil && lemma.ID == entry.ID {
			names[entry.ID] = entry.Lemma
		}
	}
	return names
})

// bearingNames are the names of what tools have vectors of, by their keys.
type bearingNames map[uint64]borne

func newBearingNames() bearingNames {
	names := bearingNames{}
	for _, lemma := range lemmaTexts() {
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

// readBearings notes what of the tools has vectors.
func readBearings(all []*trained) {
	names := newBearingNames()
	known := map[*Classifier][]vector.Bearings{}
	for _, l := range all {
		if known[l.classifier] == nil {
			r := newProfiler(lexicon.English(), standardModels().vectors)
			for i := range l.tools {
				r.read(&profile{}, l.tools[i])
				known[l.classifier] = append(known[l.classifier], slices.Clone(r.bearings))
				names.add(&l.tools[i])
			}
		}
		l.bearings, l.names = known[l.classifier], names
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
	numbers         map[borne]int32
	vectors, slopes []vector.Vector // and the squares of their slopes
	none, noneSlope float32         // the log-odds that nothing is asked for
}

// newLearner lists what has a vector. What a message and a tool say in the same word
// points the same way from the start.
func newLearner(used []*trained) *learner {
	sources := map[borne]map[string]bool{}
	note := func(b borne, source string) {
		if sources[b] == nil {
			sources[b] = map[string]bool{}
		}
		sources[b][source] = true
	}
	for _, l := range used {
		for _, b := range l.words {
			note(b, l.source)
		}
		for _, tool := range l.bearings {
			for _, b := range tool {
				if name := l.names[b.Key]; name != "" {
					note(name, l.source)
				}
			}
		}
	}
	learn := &learner{numbers: map[borne]int32{}}
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
func (learn *learner) sample(l *trained) vectorSample {
	sample := vectorSample{n: len(l.wanted), weight: 1}
	for _, b := range l.words {
		if number := learn.numbers[b]; number != 0 {
			sample.words = append(sample.words, number-1)
		}
	}
	for i, tool := range l.bearings {
		name := l.tools[i].Name
		t := toolSample{length: 0.5, wanted: l.wanted[name], left: l.maybe[name]}
		for _, b := range tool {
			if number := learn.numbers[l.names[b.Key]]; number != 0 {
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
func fitVectors(used []*trained) *learner {
	learn := newLearner(used)
	perSource := map[string]int{}
	for _, l := range used {
		perSource[l.origin()]++
	}
	samples := make([]vectorSample, len(used))
	for i, l := range used {
		samples[i] = learn.sample(l)
		if l.set != "intent_crud" && l.set != "intent_bfcl" { // their closed halves have the same tools
			samples[i].weight = float32(math.Sqrt(min(1, 30/float64(perSource[l.origin()]))))
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

// text writes the vectors as data/vectors.txt has them.
func (learn *learner) text() string {
	var out strings.Builder
	names := slices.Sorted(maps.Keys(learn.numbers))
	slices.SortStableFunc(names, func(a, b borne) int { // words come before their pairs
		return strings.Compare(strings.Replace(a, "pair", "zz", 1)[:2], strings.Replace(b, "pair", "zz", 1)[:2])
	})
	for _, b := range names {
		var bytes [vector.Size]byte
		for i, x := range &learn.vectors[learn.numbers[b]-1] {
			bytes[i] = byte(int8(math.Round(max(-127, min(127, float64(x)*vector.Unit)))))
		}
		fmt.Fprintf(&out, "%s %s\n", b, base64.RawStdEncoding.EncodeToString(bytes[:]))
	}
	return out.String()
}

// vectorSamples are the messages that vectors are fitted to, one fold left out.
func vectorSamples(all []*trained, fold int) (used []*trained) {
	for _, l := range all {
		if !l.held && len(l.words) > 0 && (len(l.wanted) > 0 || len(l.maybe) == 0) && len(l.tools) > 1 && len(l.tools) <= mostTools &&
			l.set != "crud_reworded" && l.fold(trainFolds) != fold {
			used = append(used, l)
		}
	}
	return used
}

// leaveVectorsOut reads each message with vectors that were fitted without its source.
func leaveVectorsOut(t *testing.T, all []*trained, texts *[trainFolds]foldTexts) {
	var folds [trainFolds]*vector.Set
	var wait sync.WaitGroup
	for fold := range folds {
		wait.Go(func() {
			texts[fold].vectors = fitVectors(vectorSamples(all, fold)).text()
			v, err := vector.Parse(lexicon.English(), texts[fold].vectors)
			if err != nil {
				t.Error(err)
			}
			folds[fold] = v
		})
	}
	wait.Wait()
	for _, l := range all {
		v := folds[l.fold(trainFolds)]
		require.NotNil(t, v)
		l.pointBy(v)
		l.read()
	}
}

// pointBy lets the classifier of a message read with vectors.
func (l *trained) pointBy(v *vector.Set) {
	if c := l.classifier; c.vectors != v {
		c.vectors = v
		for i, p := range c.profiles {
			p.toward = v.Toward(l.bearings[i])
		}
	}
}

func writeVectors(t *testing.T, all []*trained) {
	text := "# Where the words of messages and tools point. Fitted by TestFit together with model.txt; do not edit.\n" +
		fitVectors(vectorSamples(all, -1)).text()
	require.NoError(t, os.WriteFile("../internal/vector/data/vectors.txt", []byte(text), 0o644))
}

// vectorText is a vector that points one way, as data/vectors.txt has it.
func vectorText(axis int, length int8) string {
	var bytes [vector.Size]byte
	bytes[axis] = byte(length)
	return base64.RawStdEncoding.EncodeToString(bytes[:])
}

// A tool is the nearer the more the words point its way: each counts once, a pair and
// the text before count, too, and thanks, quotations and the words of a title do not.
func TestHead(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	v, err := vector.Parse(lexicon.English(), "act delete "+vectorText(0, 40)+"\nact answers "+vectorText(1, 40)+
		"\nword bin "+vectorText(0, 40)+"\nword thank "+vectorText(0, 40)+"\nword gym "+vectorText(0, 40)+"\nword xyzzy "+vectorText(1, 40)+
		"\npair bin xyzzy "+vectorText(2, 40)+"\nprevious gone "+vectorText(0, 40)+"\n")
	require.NoError(t, err)
	c.vectors = v
	r := newProfiler(lexicon.English(), v)
	for i, p := range c.profiles {
		r.read(&profile{}, taskTools[i])
		p.toward = v.Toward(r.bearings)
	}
	near := func(message, previous string) []float32 {
		s := c.newScratch()
		c.before(s, previous)
		c.read(s, message)
		near := make([]float32, len(c.profiles))
		for tool, p := range c.profiles {
			near[tool] = s.point.Times(&p.toward)
		}
		return near
	}
	// create_task, list_tasks, update_task, complete_task, delete_task
	length := func(vectors float64) float64 { return math.Sqrt(vectors + 0.5) }
	want := func(list, remove float64) []float32 { return []float32{0, float32(list), 0, 0, float32(remove)} }
	alone := vector.Scale / length(1) / length(1)
	require.InDeltaSlice(t, want(0, alone), near("bin it, bin it now, thank you", ""), 1e-5)
	require.InDeltaSlice(t, want(alone, 0), near("xyzzy", ""), 1e-5)
	require.InDeltaSlice(t, want(0, 0), near(`call it "xyzzy"`, ""), 1e-5)
	require.InDeltaSlice(t, want(0, 0), near("remind me to cancel the gym", ""), 1e-5)
	require.InDeltaSlice(t, want(0, alone), near("the gym", ""), 1e-5)
	three := vector.Scale / length(1) / length(3)
	require.InDeltaSlice(t, want(three, three), near("bin xyzzy", ""), 1e-5)
	require.InDeltaSlice(t, want(0, 2*vector.Scale/length(1)/length(2)), near("bin", "It is gone."), 1e-5)
}
