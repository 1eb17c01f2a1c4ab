package requestfit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/bonafide-go/bonafide/intent"
)

func answerOf(c *intent.Classifier, m *Message) intent.Intent {
	in, err := c.Classify(context.Background(), intent.Utterance{User: m.User, Previous: m.Previous})
	if err != nil {
		panic(err) // only a context that is over makes one
	}
	return in
}

// insisted reports whether a guard that knows the message alone insists on a tool.
func (m *Message) insisted(e *intent.Expectation, threshold float64) bool {
	free := m.Hold != intent.Withdrawn && m.Hold != intent.Forbidden
	return free && e.Hold == intent.NotHeld && e.Confidence >= threshold
}

// asked reports whether such a guard asks about an answer without calls.
func (m *Message) asked(threshold float64) bool {
	partly := m.Hold == intent.Forbidden && slices.ContainsFunc(m.Answer.Expect, func(e intent.Expectation) bool {
		return e.Command && intent.HoldOf(e.Words) == intent.NotHeld
	})
	back := !partly && (m.Hold == intent.Withdrawn || m.Hold == intent.Forbidden || m.Hold == intent.Drafted)
	return !back && m.Answer.Due >= threshold
}

// Counts are the figures of a set at some thresholds.
type Counts struct {
	n, exact, none, falseCalls     int
	wrongly, rightly, wanted       int
	busy, noticed, idle, askedIdle int
}

func (f *Counts) Add(m *Message, sure, due float64) {
	f.n++
	f.wanted += len(m.Wanted)
	right, extra, wrongly := 0, 0, 0
	for i := range m.Answer.Expect {
		e := &m.Answer.Expect[i]
		insisted := m.insisted(e, sure)
		switch {
		case m.Wanted[e.Tool]:
			right++
			f.rightly += count(insisted)
		case !m.Maybe[e.Tool]:
			extra++
			wrongly += count(insisted)
		}
	}
	f.exact += count(right == len(m.Wanted) && extra == 0)
	f.wrongly += count(wrongly > 0)
	f.none += count(len(m.Wanted) == 0)
	f.falseCalls += count(len(m.Wanted) == 0 && extra > 0)
	switch asked := count(m.asked(due)); {
	case len(m.Wanted) > 0:
		f.busy++
		f.noticed += asked
	case len(m.Maybe) == 0:
		f.idle++
		f.askedIdle += asked
	}
}

func percent(part, of int) float64 { return 100 * float64(part) / float64(max(of, 1)) }

// Report tells for each set how many messages get exactly their tools and how many that ask for none get one, how many
// are insisted on wrongly and how many of the tools rightly, and how many that are due are noticed and how many others
// are asked about; the last two pairs at other thresholds, too.
func Report(all []*Message) (table []string) {
	sets := map[string][]*Message{}
	for _, m := range all {
		sets[m.Set] = append(sets[m.Set], m)
	}
	at := func(set string, sure, due float64) (f Counts) {
		for _, m := range sets[set] {
			f.Add(m, sure, due)
		}
		return f
	}
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		f := at(set, intent.DefaultSureChange, intent.DefaultDue)
		line := fmt.Sprintf("%-20s exact %.1f false calls %.1f", set, percent(f.exact, f.n), percent(f.falseCalls, f.none))
		line += fmt.Sprintf(" | wrongly %.2f rightly %.1f", percent(f.wrongly, f.n), percent(f.rightly, f.wanted))
		line += fmt.Sprintf(" | noticed %.1f idle %.1f", percent(f.noticed, f.busy), percent(f.askedIdle, f.idle))
		line += " | wrongly/rightly"
		for _, sure := range []float64{0.85, 0.9, 0.95, 0.97} {
			f := at(set, sure, 1)
			line += fmt.Sprintf(" %.2f: %.2f/%.1f", sure, percent(f.wrongly, f.n), percent(f.rightly, f.wanted))
		}
		line += " | noticed/idle"
		for _, due := range []float64{0.45, 0.5, 0.6, 0.65, 0.7} {
			f := at(set, 1, due)
			line += fmt.Sprintf(" %.2f: %.1f/%.1f", due, percent(f.noticed, f.busy), percent(f.askedIdle, f.idle))
		}
		table = append(table, line)
	}
	return table
}

func count(so bool) int { return int(is(so)) }
