package intent

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	turns "github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var trainFolder = flag.String("train", "", "folder of labelled requests to fit to, beside our own")

// lessonCase is a labelled message with what was read of it.
type trained struct {
	id, set, source string
	user, previous  string
	tools           []tooltrack.Tool
	wanted, maybe   map[string]bool
	held            bool
	weight          float32

	classifier *Classifier
	candidates []int
	x          []evidence
	p          []float64 // left out
	message    []float32
	foreign    bool
	old        map[string]bool
	due        float64
}

func loadTrained(t *testing.T) []*trained {
	var all []*trained
	classifiers := map[string]*Classifier{}
	add := func(l *trained, expected, maybe []string) {
		l.wanted, l.maybe = map[string]bool{}, map[string]bool{}
		for _, name := range expected {
			l.wanted[name] = true
		}
		for _, name := range maybe {
			if !l.wanted[name] {
				l.maybe[name] = true
			}
		}
		key, _ := json.Marshal(l.tools)
		if classifiers[string(key)] == nil {
			classifiers[string(key)] = classifierFor(t, l.tools, nil)
		}
		l.classifier = classifiers[string(key)]
		l.read()
		all = append(all, l)
	}
	if *trainFolder != "" {
		paths, _ := filepath.Glob(filepath.Join(*trainFolder, "intent_*.cases.jsonl"))
		for _, path := range paths {
			type truth struct {
				ID, Source      string
				Expected, Maybe []string
			}
			truths := map[string]truth{}
			eachLine(t, strings.Replace(path, ".cases.", ".truth.", 1), func(line []byte) {
				var l truth
				if err := json.Unmarshal(line, &l); err != nil {
					t.Fatal(err)
				}
				truths[l.ID] = l
			})
			set := strings.TrimSuffix(filepath.Base(path), ".cases.jsonl")
			eachLine(t, path, func(line []byte) {
				var c struct {
					ID, User, Previous string
					Tools              []tooltrack.Tool
				}
				if err := json.Unmarshal(line, &c); err != nil {
					t.Fatal(err)
				}
				tr := truths[c.ID]
				add(&trained{id: c.ID, set: set, source: tr.Source, user: c.User, previous: c.Previous, tools: c.Tools, weight: 1}, tr.Expected, tr.Maybe)
			})
		}
	}
	paths, _ := filepath.Glob("testdata/requests/*.jsonl")
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		n := 0
		eachLine(t, path, func(line []byte) {
			var set struct {
				Tools    []tooltrack.Tool
				Requests []Example
			}
			if err := json.Unmarshal(line, &set); err != nil {
				t.Fatal(err)
			}
			n++
			for i, r := range set.Requests {
				add(&trained{id: fmt.Sprintf("%s/%d/%d", name, n, i), set: "own_" + name, source: fmt.Sprintf("%s-%d", name, n), user: r.User, tools: set.Tools, weight: 1}, r.Expected, nil)
			}
		})
	}
	domains, err := turns.Domains()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range domains {
		set := "turns"
		if d.Held {
			set = "turns_held"
		}
		for _, turn := range d.Turns {
			tools := slices.Clone(d.Tools)
			for i := range tools {
				tools[i].Effect = tooltrack.UnknownEffect // as messages alone have it
			}
			add(&trained{id: turn.ID, set: set, source: d.Name, user: turn.User, previous: turn.Previous, tools: tools, held: d.Held, weight: 1}, turn.Expected, turn.Maybe)
		}
	}
	return all
}

func (l *trained) read() {
	c := l.classifier
	s := c.newScratch()
	c.before(s, l.previous)
	c.read(s, l.user)
	l.foreign = s.foreign
	l.old = map[string]bool{}
	for _, f := range s.expected {
		l.old[l.tools[f.tool].Name] = true
	}
	agrees, corrects := s.reply()
	s.replies = agrees || corrects
	if !s.foreign {
		tops := c.tops(s)
		for tool := range c.profiles {
			if s.sighted.has(tool) || s.priors[tool].strength() > 0.5 {
				var e evidence
				c.weigh(s, tool, &tops, &e)
				l.candidates = append(l.candidates, tool)
				l.x = append(l.x, e)
			}
		}
	}
	l.message = nil
}

// fold cuts by source, so that no source is fitted to and measured.
func (l *trained) fold(n int) int {
	h := fnv.New32a()
	fmt.Fprint(h, l.source, "x")
	return int(h.Sum32()>>4) % n
}

func (l *trained) samples(dst []sample) []sample {
	group := 0
	if len(dst) > 0 {
		group = dst[len(dst)-1].group + 1
	}
	for i, tool := range l.candidates {
		name := l.tools[tool].Name
		if l.maybe[name] {
			continue
		}
		s := sample{x: l.x[i][:], weight: l.weight, group: group}
		if l.wanted[name] {
			s.y = 1
		}
		dst = append(dst, s)
	}
	return dst
}

var pairBooster = booster{trees: 100, depth: 4, rate: 0.18, smooth: 4, least: 4, compete: false}

func TestTrain(t *testing.T) {
	if *trainFolder == "" {
		t.Skip("no -train")
	}
	all := loadTrained(t)
	n := 5
	reach := 0
	want := 0
	for _, l := range all {
		for _, tool := range l.candidates {
			if l.wanted[l.tools[tool].Name] {
				reach++
			}
		}
		want += len(l.wanted)
	}
	t.Logf("%d messages, %d of %d wanted tools are candidates", len(all), reach, want)
	for fold := range n {
		var samples []sample
		for _, l := range all {
			if l.fold(n) != fold && !l.held {
				samples = l.samples(samples)
			}
		}
		if fold == 0 {
			t.Logf("%d samples", len(samples))
		}
		f := pairBooster.fit(samples)
		for _, l := range all {
			if l.fold(n) == fold {
				l.p = nil
				sum := 1.0
				for i := range l.candidates {
					l.p = append(l.p, math.Exp(f.score(l.x[i][:])))
					sum += l.p[i]
				}
				for i := range l.p {
					if pairBooster.compete {
						l.p[i] /= sum
					} else {
						l.p[i] /= 1 + l.p[i]
					}
				}
			}
		}
	}
	missTop(all)
	report(t, all)
	if os.Getenv("DUMP") != "" {
		dump(t, all)
	}
}

// pick are the expected tools at a threshold.
func (l *trained) pick(first, further float64) map[string]bool {
	got := map[string]bool{}
	best := -1
	for i := range l.p {
		if best < 0 || l.p[i] > l.p[best] {
			best = i
		}
	}
	for i := range l.p {
		if l.p[i] >= further || i == best && l.p[i] >= first {
			got[l.tools[l.candidates[i]].Name] = true
		}
	}
	return got
}

func (l *trained) exact(got map[string]bool) bool {
	for name := range got {
		if !l.wanted[name] && !l.maybe[name] {
			return false
		}
	}
	for name := range l.wanted {
		if !got[name] {
			return false
		}
	}
	return true
}

func report(t *testing.T, all []*trained) {
	sets := []string{}
	for _, l := range all {
		if !slices.Contains(sets, l.set) {
			sets = append(sets, l.set)
		}
	}
	slices.Sort(sets)
	for _, set := range sets {
		line := fmt.Sprintf("%-20s", set)
		for _, th := range [][2]float64{{0.3, 0.5}, {0.4, 0.5}, {0.5, 0.5}, {0.5, 0.6}} {
			n, ok, none, calls := 0, 0, 0, 0
			for _, l := range all {
				if l.set != set {
					continue
				}
				n++
				got := l.pick(th[0], th[1])
				if l.exact(got) {
					ok++
				}
				if len(l.wanted) == 0 {
					none++
					for name := range got {
						if !l.maybe[name] {
							calls++
							break
						}
					}
				}
			}
			line += fmt.Sprintf(" | %.1f/%.1f: %.1f fc %.1f", th[0], th[1], 100*float64(ok)/float64(n), 100*float64(calls)/float64(max(none, 1)))
		}
		n, ok := 0, 0
		for _, l := range all {
			if l.set == set {
				n++
				if l.exact(l.old) {
					ok++
				}
			}
		}
		line += fmt.Sprintf(" | old %.1f", 100*float64(ok)/float64(n))
		one, first := 0, 0
		for _, l := range all {
			if l.set == set && len(l.wanted) == 1 && !l.foreign {
				one++
				best := -1
				for i := range l.p {
					if !l.maybe[l.tools[l.candidates[i]].Name] && (best < 0 || l.p[i] > l.p[best]) {
						best = i
					}
				}
				if best >= 0 && l.wanted[l.tools[l.candidates[best]].Name] {
					first++
				}
			}
		}
		line += fmt.Sprintf(" | first %.1f of %d", 100*float64(first)/float64(max(one, 1)), one)
		t.Log(line)
		line = fmt.Sprintf("%-20s sure", set)
		for _, th := range []float64{0.9, 0.93, 0.95, 0.97, 0.98} {
			n, wrong, right, due := 0, 0, 0, 0
			for _, l := range all {
				if l.set != set {
					continue
				}
				n++
				due += len(l.wanted)
				bad := false
				for i, p := range l.p {
					name := l.tools[l.candidates[i]].Name
					if p >= th {
						if l.wanted[name] {
							right++
						} else if !l.maybe[name] {
							bad = true
						}
					}
				}
				if bad {
					wrong++
				}
			}
			line += fmt.Sprintf(" | %.2f: wrong %.2f right %.1f", th, 100*float64(wrong)/float64(n), 100*float64(right)/float64(max(due, 1)))
		}
		t.Log(line)
	}
}

func dump(t *testing.T, all []*trained) {
	f, err := os.Create(os.Getenv("DUMP"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, l := range all {
		fmt.Fprintf(f, "%s\t%s\t%s\tP:%s\twant %v maybe %v\n", l.set, l.id, strings.ReplaceAll(l.user, "\n", " / "), strings.ReplaceAll(l.previous, "\n", " / "), l.wanted, l.maybe)
		for i, tool := range l.candidates {
			fmt.Fprintf(f, "   %.3f %s", l.p[i], l.tools[tool].Name)
			for k, v := range l.x[i] {
				if v != 0 {
					fmt.Fprintf(f, " %s=%.2f", evidenceNames[k], v)
				}
			}
			fmt.Fprintln(f)
		}
	}
}
