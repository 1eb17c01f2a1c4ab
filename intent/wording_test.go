package intent

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// readPhrases notes the words and pairs of a message, as they are written in
// data/wording.txt.
func (l *trained) readPhrases(c *Classifier, s *scratch) {
	texts := map[uint64]string{}
	for _, sign := range strings.Fields("<begin> <asked> <told> <end> <verb> <thing> <number> <name> <mark> <stop> <ask>") {
		texts[lexicon.Hash(sign)] = sign
	}
	for i := range s.reader.Tokens {
		token := &s.reader.Tokens[i]
		if sign := c.sign(&s.reader, i); sign == token.Hash && sign != 0 {
			texts[sign] = lexicon.Fold(s.reader.Text[token.Start:token.End])
		}
	}
	pairs := map[uint64]string{}
	for a, first := range texts {
		for b, second := range texts {
			pairs[neighbours(a, b)] = first + " " + second
		}
	}
	c.phrasing(s, func(hash uint64) {
		text, single := texts[hash]
		if !single {
			text = pairs[hash]
		}
		l.phrases = append(l.phrases, text)
	})
}

const (
	// leastSources is from how many sources a word or pair must come.
	leastSources = 10
	// wordingDecay keeps the weights small.
	wordingDecay, wordingSteps = 20, 150
)

// wordingOf fits the weights of words and pairs to messages: a logistic
// regression, by steps that the curvature of each weight bounds.
func wordingOf(all []*trained) map[string]float64 {
	sources := map[string]map[string]bool{}
	for _, l := range all {
		for _, phrase := range l.phrases {
			if sources[phrase] == nil {
				sources[phrase] = map[string]bool{}
			}
			sources[phrase][l.origin()] = true
		}
	}
	numbers, texts := map[string]int{}, []string{}
	for phrase, from := range sources {
		if len(from) >= leastSources {
			texts = append(texts, phrase)
		}
	}
	slices.Sort(texts)
	for i, phrase := range texts {
		numbers[phrase] = i
	}
	rows := make([][]int, len(all))
	curvature := make([]float64, len(texts)+1)
	for i, l := range all {
		rows[i] = []int{len(texts)} // a weight for all messages
		for _, phrase := range l.phrases {
			if n, ok := numbers[phrase]; ok {
				rows[i] = append(rows[i], n)
			}
		}
		for _, n := range rows[i] {
			curvature[n] += 0.25 * l.dueShare() * float64(len(rows[i]))
		}
	}
	weights, ahead := make([]float64, len(texts)+1), make([]float64, len(texts)+1)
	for step := range wordingSteps {
		slope := make([]float64, len(weights))
		for i, l := range all {
			sum := 0.0
			for _, n := range rows[i] {
				sum += ahead[n]
			}
			miss := l.dueShare() * (1/(1+math.Exp(-sum)) - float64(one(len(l.wanted) > 0)))
			for _, n := range rows[i] {
				slope[n] += miss
			}
		}
		for n := range weights {
			decay := float64(wordingDecay)
			if n == len(texts) {
				decay = 0
			}
			next := ahead[n] - (slope[n]+decay*ahead[n])/(curvature[n]+decay+1e-9)
			ahead[n] = next + float64(step)/float64(step+3)*(next-weights[n])
			weights[n] = next
		}
	}
	fitted := map[string]float64{}
	for i, phrase := range texts {
		fitted[phrase] = weights[i]
	}
	return fitted
}

// origin is what a word must come from several of, to be fitted to.
func (l *trained) origin() string {
	if l.set == "intent_crud" || l.set == "intent_bfcl" {
		return l.set
	}
	return l.set + l.source
}

// dueShare is how much a message counts for how it is put. Talk beside people's own requests is worth most: recorded requests for
// which nothing is due are often but requests for a tool that is missing.
func (l *trained) dueShare() float64 {
	share := float64(l.weight * l.dueWeight)
	if strings.HasPrefix(l.set, "own_") || l.set == "turns" || l.set == "intent_domains" {
		share *= 2
	}
	return share
}

// leaveWordingOut gives each message the wording that was fitted without its
// source.
func leaveWordingOut(all []*trained, texts *[trainFolds]foldTexts) {
	for fold := range trainFolds {
		weights := wordingOf(wordingSamples(all, fold))
		texts[fold].wording = wordingText(weights)
		for _, l := range all {
			if l.fold(trainFolds) != fold {
				continue
			}
			sum := 0.0
			for _, phrase := range l.phrases {
				sum += weights[phrase]
			}
			l.empty[eWording] = float32(sum)
			for i := range l.x {
				l.x[i][eWording] = float32(sum)
			}
		}
	}
}

// wordingSamples are the messages that the wording is fitted to, one fold left out.
func wordingSamples(all []*trained, fold int) (used []*trained) {
	for _, l := range all {
		arguable := len(l.wanted) == 0 && len(l.maybe) > 0
		if !l.held && !l.foreign && !arguable && l.set != "crud_reworded" && l.fold(trainFolds) != fold {
			used = append(used, l)
		}
	}
	return used
}

func writeWording(t *testing.T, all []*trained) {
	text := "# How messages are put that ask for something (above 0) and others: words, and pairs of\n" +
		"# neighbours. Fitted by TestFit together with model.txt; do not edit.\n" + wordingText(wordingOf(wordingSamples(all, -1)))
	require.NoError(t, os.WriteFile("data/wording.txt", []byte(text), 0o644))
}

// wordingText writes the weights as data/wording.txt has them.
func wordingText(weights map[string]float64) string {
	var out strings.Builder
	for _, phrase := range slices.Sorted(maps.Keys(weights)) {
		if weight := weights[phrase]; math.Abs(weight) >= 0.01 {
			fmt.Fprintf(&out, "%.2f %s\n", weight, phrase)
		}
	}
	return out.String()
}

func TestParseWording(t *testing.T) {
	w, err := parseWording("# head\n0.5 please\n-1 <begin> thanks\n")
	require.NoError(t, err)
	require.Equal(t, float32(0.5), w.Find(lexicon.Hash("please")))
	require.Equal(t, float32(-1), w.Find(neighbours(lexicon.Hash("<begin>"), lexicon.Hash("thanks"))))
	for _, text := range []string{"please\n", "x please\n", "1 a b c\n", "1\n"} {
		_, err := parseWording(text)
		require.Error(t, err, text)
	}
}

// The wording is how a message is put: politeness and what is forbidden beside a
// command are no part of it, and the tools' own words stand for one another.
func TestWording(t *testing.T) {
	tasks, lamps := classifierFor(t, taskTools, nil), classifierFor(t, []tooltrack.Tool{
		{Name: "switch_lamp", Description: "Switches a lamp on or off."},
	}, nil)
	wording := func(c *Classifier, message string) float32 {
		s := c.newScratch()
		c.before(s, "")
		c.read(s, message)
		return s.message[eWording]
	}
	for _, same := range [][2]string{
		{"delete my task", "Please delete my task, thank you!"},
		{"mark it as done", "don't delete it, mark it as done"},
	} {
		require.InDelta(t, wording(tasks, same[0]), wording(tasks, same[1]), 1e-6, same[1])
	}
	require.InDelta(t, wording(tasks, "delete my task"), wording(lamps, "switch my lamp"), 1e-6)
	for _, apart := range [][2]string{
		{"delete my task", "I already deleted my task"},
		{"delete the task", "what does a task mean?"},
		{"can you delete it", "ok thanks"},
	} {
		require.Greater(t, wording(tasks, apart[0]), wording(tasks, apart[1]), apart[1])
	}
}
