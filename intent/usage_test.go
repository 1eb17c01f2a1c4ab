package intent

import (
	"cmp"
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

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

const (
	// leastUses is in how many sources a word must ask for a trait.
	leastUses = 3
	// usageRate and usageDecay are how fast the weights are learned and forgotten.
	usageRate, usageDecay, usageEpochs = 0.1, 0.01, 5
	// usageIdle is how much a message counts that asks for nothing.
	usageIdle = 0.5
	// mostUsed bounds the sets of tools that are learned from.
	mostUsed = 80
)

// readWords notes the words of a message by which tools may be asked for.
func (l *trained) readWords() {
	s := l.classifier.newScratch()
	r := &s.reader
	r.Tokenize(l.user)
	r.Glance()
	if r.Foreign {
		return
	}
	r.Respell(l.classifier.known)
	r.Read()
	for i := r.nextAsking(0); i < len(r.Tokens); i = r.nextAsking(i + 1) {
		token := &r.Tokens[i]
		if token.Kind != lexicon.Word || token.Has(lexicon.Quoted) || token.Entry != nil && token.Entry.ID < 0 {
			continue
		}
		word := ""
		if token.Entry != nil {
			word = token.Entry.Lemma
		} else if word = lexicon.Fold(l.user[token.Start:token.End]); lexicon.Hash(word) != token.Hash {
			continue
		}
		if !slices.Contains(l.words, word) {
			l.words = append(l.words, word)
		}
	}
}

// usePair is a word and a trait.
type usePair struct {
	word  string
	trait trait
}

// useSample is a message that asks for some tools of a set, as the numbers of the
// pairs that it has with each tool.
type useSample struct {
	pairs  [][]int32
	wanted []bool
	n      int
	weight float64
}

// usagesOf fits how much words ask for traits: the tools of a message compete, and
// the weights of its words are to put those first that it asks for.
func usagesOf(used []*trained) map[usePair]float64 {
	traits := map[*Classifier][][]trait{}
	sources := map[usePair]map[string]bool{}
	each := func(l *trained, visit func(tool int, pair usePair)) {
		of := traits[l.classifier]
		if of == nil {
			for _, p := range l.classifier.profiles {
				of = append(of, p.traits())
			}
			traits[l.classifier] = of
		}
		for tool := range l.tools {
			if l.maybe[l.tools[tool].Name] {
				continue
			}
			for _, word := range l.words {
				for _, trait := range of[tool] {
					visit(tool, usePair{word, trait})
				}
			}
		}
	}
	for _, l := range used {
		each(l, func(tool int, pair usePair) {
			if !l.wanted[l.tools[tool].Name] {
				return
			}
			if sources[pair] == nil {
				sources[pair] = map[string]bool{}
			}
			sources[pair][l.source] = true
		})
	}
	numbers := map[usePair]int32{}
	for pair, from := range sources {
		if len(from) >= leastUses {
			numbers[pair] = int32(len(numbers))
		}
	}
	samples := make([]useSample, len(used))
	perSource := map[string]int{}
	for _, l := range used {
		perSource[l.origin()]++
	}
	for i, l := range used {
		sample := &samples[i]
		sample.weight = 1
		if l.set != "intent_crud" && l.set != "intent_bfcl" { // their closed halves have the same tools
			sample.weight = math.Sqrt(min(1, 30/float64(perSource[l.origin()])))
		}
		sample.pairs, sample.wanted, sample.n = make([][]int32, len(l.tools)), make([]bool, len(l.tools)), len(l.wanted)
		each(l, func(tool int, pair usePair) {
			sample.wanted[tool] = l.wanted[l.tools[tool].Name]
			if number, ok := numbers[pair]; ok {
				sample.pairs[tool] = append(sample.pairs[tool], number)
			}
		})
	}
	weights := learnUses(samples, len(numbers))
	fitted := map[usePair]float64{}
	for pair, number := range numbers {
		fitted[pair] = weights[number]
	}
	return fitted
}

// learnUses learns by small steps, message by message (AdaGrad).
func learnUses(samples []useSample, n int) []float64 {
	weights, steps := make([]float64, n), make([]float64, n)
	random := rand.New(rand.NewPCG(1, 2))
	var odds []float64
	for range usageEpochs {
		for _, at := range random.Perm(len(samples)) {
			sample := &samples[at]
			odds = odds[:0]
			sum := 1.0 // nothing is asked for
			for _, pairs := range sample.pairs {
				score := 0.0
				for _, number := range pairs {
					score += weights[number]
				}
				odds = append(odds, math.Exp(min(score, 50)))
				sum += odds[len(odds)-1]
			}
			for tool, pairs := range sample.pairs {
				slope := odds[tool] / sum
				if sample.n == 0 {
					slope *= usageIdle
				}
				if sample.wanted[tool] {
					slope -= 1 / float64(sample.n)
				}
				slope *= sample.weight
				if math.Abs(slope) < 0.01 {
					continue
				}
				for _, number := range pairs {
					g := slope + usageDecay*weights[number]
					steps[number] += g * g
					weights[number] -= usageRate * g / math.Sqrt(1+steps[number])
				}
			}
		}
	}
	return weights
}

// usageSamples are the messages that usage is fitted to, one fold left out.
func usageSamples(all []*trained, fold int) (used []*trained) {
	for _, l := range all {
		if !l.held && len(l.words) > 0 && (len(l.wanted) > 0 || len(l.maybe) == 0) && len(l.tools) > 1 && len(l.tools) <= mostUsed &&
			l.set != "crud_reworded" && l.fold(trainFolds) != fold {
			used = append(used, l)
		}
	}
	return used
}

// leaveUsageOut reads each message with the usage that was fitted without its source.
func leaveUsageOut(t *testing.T, all []*trained) {
	var folds [trainFolds]*usages
	var wait sync.WaitGroup
	for fold := range folds {
		wait.Go(func() {
			u, err := parseUsages(lexicon.English(), usageText(usagesOf(usageSamples(all, fold))))
			if err == nil {
				folds[fold] = u
			}
		})
	}
	wait.Wait()
	for _, l := range all {
		u := folds[l.fold(trainFolds)]
		require.NotNil(t, u)
		if l.classifier.askable.words != u {
			l.classifier.askable = newAskable(u, lexicon.English(), l.classifier.profiles)
		}
		l.read()
	}
}

// usageText writes fitted weights as data/usage.txt has them.
func usageText(weights map[usePair]float64) string {
	words := map[string][]usePair{}
	for pair, weight := range weights {
		if math.Abs(weight) >= 0.02 {
			words[pair.word] = append(words[pair.word], pair)
		}
	}
	names := lemmaTexts()
	var out strings.Builder
	for _, word := range slices.Sorted(maps.Keys(words)) {
		pairs := words[word]
		slices.SortFunc(pairs, func(a, b usePair) int { return cmp.Compare(a.trait, b.trait) })
		out.WriteString(word)
		for _, pair := range pairs {
			name := ""
			switch pair.trait {
			case traitAnswers:
				name = nameAnswers
			case traitActs:
				name = nameActs
			default:
				if name = nameFamily + lexicon.Family(pair.trait).String(); pair.trait >= traitWords {
					name = names[pair.trait-traitWords]
				}
			}
			fmt.Fprintf(&out, " %s:%.2f", name, weights[pair])
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// lemmaTexts are the lemmas by their numbers.
var lemmaTexts = sync.OnceValue(func() map[int32]string {
	names := map[int32]string{}
	for _, entry := range lexicon.English().Entries() {
		if entry.ID >= 0 && lexicon.English().Lookup(entry.Lemma) != nil && lexicon.English().Lookup(entry.Lemma).ID == entry.ID {
			names[entry.ID] = entry.Lemma
		}
	}
	return names
})

func writeUsage(t *testing.T, all []*trained) {
	text := "# Which words ask for which sort of tool: what it does (=delete), that it answers or acts, a word of its\n" +
		"# name. Fitted by TestFit together with model.txt; do not edit.\n" + usageText(usagesOf(usageSamples(all, -1)))
	require.NoError(t, os.WriteFile("data/usage.txt", []byte(text), 0o644))
}

func TestParseUsages(t *testing.T) {
	english := lexicon.English()
	u, err := parseUsages(english, "# head\nbin =delete:0.5 +acts:-0.25\nxyzzy task:1\n")
	require.NoError(t, err)
	require.Equal(t, []saying{{trait(lexicon.Delete), 0.5}, {traitActs, -0.25}, {traitWords + english.Lookup("task").ID, 1}}, u.sayings)
	require.Equal(t, int32(1), u.listed[english.Lookup("bin").ID])
	require.Equal(t, int32(2), u.unlisted.Find(lexicon.Hash("xyzzy")))
	for _, text := range []string{"bin =delete\n", "bin =delete:x\n", "bin =undelete:1\n", "bin qwzzk:1\n"} {
		_, err := parseUsages(english, text)
		require.Error(t, err, text)
	}
}

// What words ask for is added up once for each, by the traits of the tools; thanks and
// the words of a title ask for nothing.
func TestAddUsage(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	u, err := parseUsages(lexicon.English(), "bin =delete:1 list:-1\nxyzzy +answers:2\nthank =delete:9\ngym =delete:9\nremind =create:1\n")
	require.NoError(t, err)
	c.askable = newAskable(u, lexicon.English(), c.profiles)
	heard := func(message string) []float32 {
		s := c.newScratch()
		c.before(s, "")
		c.read(s, message)
		return s.usage
	}
	// create_task, list_tasks, update_task, complete_task, delete_task
	require.Equal(t, []float32{0, -1, 0, 0, 1}, heard("bin it, bin it now, thank you"))
	require.Equal(t, []float32{0, 2, 0, 0, 0}, heard("xyzzy"))
	require.Equal(t, []float32{0, 0, 0, 0, 0}, heard(`call it "xyzzy"`))
	require.Equal(t, []float32{1, 0, 0, 0, 0}, heard("remind me to cancel the gym"))
	require.Equal(t, []float32{0, 0, 0, 0, 9}, heard("the gym"))
}
