package intent

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
)

var keep = flag.String("keep", "", "a folder that keeps what was fitted without each fold: once it is there, a change of "+
	"rules is measured without fitting; delete it when the evidence or the requests change")

// foldTexts is what was fitted without one fold, as the files in data have it.
type foldTexts struct{ model, wording, vectors string }

// files names the texts of a fold in a folder.
func (f *foldTexts) files(folder string, fold int) map[string]*string {
	name := func(of string) string { return filepath.Join(folder, fmt.Sprintf("%s-%d.txt", of, fold)) }
	return map[string]*string{name("model"): &f.model, name("wording"): &f.wording, name("vectors"): &f.vectors}
}

// keptFolds reads what an earlier run kept.
func keptFolds(t *testing.T) (folds [trainFolds]foldTexts, kept bool) {
	if _, err := os.Stat(*keep); *keep == "" || os.IsNotExist(err) {
		return folds, false
	}
	for fold := range folds {
		for path, text := range folds[fold].files(*keep, fold) {
			read, err := os.ReadFile(path)
			require.NoError(t, err)
			*text = string(read)
		}
	}
	return folds, true
}

func keepFolds(t *testing.T, folds [trainFolds]foldTexts) {
	if *keep == "" {
		return
	}
	require.NoError(t, os.MkdirAll(*keep, 0o755))
	for fold := range folds {
		for path, text := range folds[fold].files(*keep, fold) {
			require.NoError(t, os.WriteFile(path, []byte(*text), 0o644))
		}
	}
}

// fitFolds fits everything once for each fold, to all others.
func fitFolds(t *testing.T, all []*trained, names []string) (folds [trainFolds]foldTexts) {
	leaveVectorsOut(t, all, &folds)
	leaveWordingOut(all, &folds)
	rank := leftOut(all, names, rankFitting, (*trained).samples, (*trained).rank)
	sure := leftOut(all, names, sureFitting, (*trained).sureSamples, (*trained).sure)
	due := leftOut(all, names, dueFitting, (*trained).dueSamples, func(*trained, *forest.Forest) {})
	for fold := range folds {
		var text strings.Builder
		rank[fold].Write(&text, "rank")
		sure[fold].Write(&text, "sure")
		due[fold].Write(&text, "due")
		folds[fold].model = text.String()
	}
	return folds
}

// answerLeftOut lets the whole program answer each message, with what was fitted
// without its source.
func answerLeftOut(t *testing.T, all []*trained, names []string, folds [trainFolds]foldTexts) {
	for fold, texts := range folds {
		m, err := parseModels(texts.model, texts.wording)
		require.NoError(t, err)
		require.Equal(t, names, m.scale.Features(), "what was kept was fitted to other evidence")
		m.vectors, err = vector.Parse(lexicon.English(), texts.vectors)
		require.NoError(t, err)
		scratches := map[*Classifier]*scratch{}
		for _, l := range all {
			if l.fold(trainFolds) != fold {
				continue
			}
			c := l.classifier
			c.models = m
			l.pointBy(m.vectors)
			if scratches[c] == nil {
				scratches[c] = c.newScratch()
			}
			l.answer = c.answer(scratches[c], Utterance{User: l.user, Previous: l.previous})
			l.hold = HoldOf(l.user)
			if *fitDump != "" {
				l.trace = traceOf(c, scratches[c], names)
			}
		}
	}
}

// insisted reports whether a guard that knows the message alone insists on a tool.
func (l *trained) insisted(e *Expectation, threshold float64) bool {
	return e.Hold == NotHeld && l.hold != Withdrawn && l.hold != Forbidden && e.Confidence >= threshold
}

// asked reports whether such a guard asks about an answer without calls.
func (l *trained) asked(threshold float64) bool {
	partly := l.hold == Forbidden && slices.ContainsFunc(l.answer.Expect, func(e Expectation) bool {
		return e.Command && HoldOf(e.Words) == NotHeld
	})
	back := !partly && (l.hold == Withdrawn || l.hold == Forbidden || l.hold == Drafted)
	return !back && l.answer.Due >= threshold
}

// counts are the figures of a set at some thresholds.
type counts struct {
	n, exact, none, falseCalls     int
	wrongly, rightly, wanted       int
	busy, noticed, idle, askedIdle int
}

func (f *counts) add(l *trained, sure, due float64) {
	f.n++
	f.wanted += len(l.wanted)
	right, extra, wrongly := 0, 0, 0
	for i := range l.answer.Expect {
		e := &l.answer.Expect[i]
		insisted := l.insisted(e, sure)
		switch {
		case l.wanted[e.Tool]:
			right++
			f.rightly += tells(insisted)
		case !l.maybe[e.Tool]:
			extra++
			wrongly += tells(insisted)
		}
	}
	f.exact += tells(right == len(l.wanted) && extra == 0)
	f.wrongly += tells(wrongly > 0)
	f.none += tells(len(l.wanted) == 0)
	f.falseCalls += tells(len(l.wanted) == 0 && extra > 0)
	switch asked := tells(l.asked(due)); {
	case len(l.wanted) > 0:
		f.busy++
		f.noticed += asked
	case len(l.maybe) == 0:
		f.idle++
		f.askedIdle += asked
	}
}

func percent(part, of int) float64 { return 100 * float64(part) / float64(max(of, 1)) }

// report tells for each set how many messages get exactly their tools and how many that ask for none get one, how many
// are insisted on wrongly and how many of the tools rightly, and how many that are due are noticed and how many others
// are asked about; the last two pairs at other thresholds, too.
func report(t *testing.T, all []*trained) {
	sets := map[string][]*trained{}
	for _, l := range all {
		sets[l.set] = append(sets[l.set], l)
	}
	at := func(set string, sure, due float64) (f counts) {
		for _, l := range sets[set] {
			f.add(l, sure, due)
		}
		return f
	}
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		f := at(set, DefaultSureChange, DefaultDue)
		line := fmt.Sprintf("%-20s exact %.1f false calls %.1f | wrongly %.2f rightly %.1f | noticed %.1f idle %.1f | wrongly/rightly",
			set, percent(f.exact, f.n), percent(f.falseCalls, f.none), percent(f.wrongly, f.n), percent(f.rightly, f.wanted),
			percent(f.noticed, f.busy), percent(f.askedIdle, f.idle))
		for _, sure := range []float64{0.85, 0.9, 0.95, 0.97} {
			f := at(set, sure, 1)
			line += fmt.Sprintf(" %.2f: %.2f/%.1f", sure, percent(f.wrongly, f.n), percent(f.rightly, f.wanted))
		}
		line += " | noticed/idle"
		for _, due := range []float64{0.45, 0.5, 0.6, 0.65, 0.7} {
			f := at(set, 1, due)
			line += fmt.Sprintf(" %.2f: %.1f/%.1f", due, percent(f.noticed, f.busy), percent(f.askedIdle, f.idle))
		}
		tell(t, line)
	}
}
