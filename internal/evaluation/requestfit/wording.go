package requestfit

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
)

const (
	// leastSources is from how many sources a word or pair must come.
	leastSources = 10
	// wordingDecay keeps the weights small.
	wordingDecay, wordingSteps = 20, 150
)

// commonPhrases are the words and pairs that come from enough sources.
func commonPhrases(all []*Message) (keys []uint64) {
	sources := map[uint64]map[string]bool{}
	for _, m := range all {
		for _, phrase := range m.read.Phrases {
			if sources[phrase] == nil {
				sources[phrase] = map[string]bool{}
			}
			sources[phrase][m.origin()] = true
		}
	}
	for phrase, from := range sources {
		if len(from) >= leastSources {
			keys = append(keys, phrase)
		}
	}
	slices.Sort(keys)
	return keys
}

// wordingOf fits the weights of words and pairs to messages: a logistic
// regression, by steps that the curvature of each weight bounds.
func wordingOf(all []*Message) map[uint64]float64 {
	texts := commonPhrases(all)
	numbers := map[uint64]int{}
	for i, phrase := range texts {
		numbers[phrase] = i
	}
	rows := make([][]int, len(all))
	curvature := make([]float64, len(texts)+1)
	for i, m := range all {
		rows[i] = []int{len(texts)} // a weight for all messages
		for _, phrase := range m.read.Phrases {
			if n, ok := numbers[phrase]; ok {
				rows[i] = append(rows[i], n)
			}
		}
		for _, n := range rows[i] {
			curvature[n] += 0.25 * m.dueShare() * float64(len(rows[i]))
		}
	}
	weights, ahead := make([]float64, len(texts)+1), make([]float64, len(texts)+1)
	for step := range wordingSteps {
		slope := make([]float64, len(weights))
		for i, m := range all {
			sum := 0.0
			for _, n := range rows[i] {
				sum += ahead[n]
			}
			miss := m.dueShare() * (1/(1+math.Exp(-sum)) - float64(is(m.isDue())))
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
	fitted := map[uint64]float64{}
	for i, phrase := range texts {
		fitted[phrase] = weights[i]
	}
	return fitted
}

// dueShare is how much a message counts for how it is put. Talk beside people's own requests
// is worth most: recorded requests for which nothing is due are often but requests for a tool
// that is missing.
func (m *Message) dueShare() float64 {
	share := float64(m.weight * m.dueWeight)
	if strings.HasPrefix(m.Set, "own_") || m.Set == "turns" || m.Set == "intent_domains" {
		share *= 2
	}
	return share
}

// leaveWordingOut gives each message the wording that was fitted without its
// source.
func (f *Fitting) leaveWordingOut(files *[folds]Files) {
	for fold := range folds {
		weights := wordingOf(f.wordingSamples(fold))
		files[fold].Wording = wordingFile(weights)
		for _, m := range f.all {
			if m.fold(folds) != fold {
				continue
			}
			sum := 0.0
			for _, phrase := range m.read.Phrases {
				sum += weights[phrase]
			}
			if m.read.Foreign {
				continue
			}
			m.read.Message[f.wording] = float32(sum)
			for i := range m.read.Evidence {
				m.read.Evidence[i][f.wording] = float32(sum)
			}
		}
	}
}

// wordingSamples are the messages that the wording is fitted to, one fold left out.
func (f *Fitting) wordingSamples(fold int) (used []*Message) {
	for _, m := range f.all {
		if !m.Held && !m.read.Foreign && !m.isArguable() && m.Set != "crud_reworded" && m.fold(folds) != fold {
			used = append(used, m)
		}
	}
	return used
}

// wordingFile writes the weights as data/wording.bin has them; those near to nothing are left
// out.
func wordingFile(weights map[uint64]float64) (file []byte) {
	for _, key := range slices.Sorted(maps.Keys(weights)) {
		if weight := weights[key]; math.Abs(weight) >= 0.01 {
			file = binary.LittleEndian.AppendUint32(file, uint32(key))
			file = append(file, byte(key>>32))
			file = binary.LittleEndian.AppendUint16(file, uint16(int16(math.Round(1000*weight))))
		}
	}
	return file
}
